"""Add noise by class when the search is done, and suppress those that it leaves standing alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from indistinct.core.arrays import Bools, Codes, Floats, Ints
from indistinct.core.brief import briefly
from indistinct.core.protocols import Problem, Solution
from indistinct.core.randomness import RandomSource
from indistinct.core.recoding import Recoding
from indistinct.errors import NoSolutionError, PolicyError
from indistinct.mechanisms.discrete_laplace import mean_size
from indistinct.models import ConfidentKAnonymity
from indistinct.table.engines.polars import classes_of_rows
from indistinct.table.manifest import released_classes
from indistinct.table.persons import persons_of
from indistinct.table.policy import Policy
from indistinct.table.prepare import Prepared
from indistinct.table.protect import entry_of
from indistinct.table.protection.class_scales import Budget, ClassScales, class_scales
from indistinct.table.protection.confident import (
    ConfidentSuppression,
    confident_suppression,
    reach_on_grid,
)
from indistinct.table.protection.grid import Grid
from indistinct.table.protection.linking import (
    REPETITIONS,
    add_noise,
    expected_linking_on_grid,
    simulated_linking,
)
from indistinct.table.protection.members import Members
from indistinct.table.protection.noise_error import Zero, epsilon_for_error, expected_error
from indistinct.table.recover import lowest_node

FAR = 2.0**51  # where missing values lie for the attacker: no noise leads there
LINKED_AT_MOST = 20_000
TARGETS = (0.1, 0.05, 0.01)


@dataclass(frozen=True, slots=True)
class Noised:
    """A solution after the noise.

    Parameters
    ----------
    solution : with the records that the noise singles out suppressed
    classes : (n_rows,), class of each record in its recoding
    columns : the noisy columns, over all records; those of suppressed records hold nothing
    entries : per column, what the manifest says of it
    suppression : what the manifest says of confident suppression, where it is promised
    """

    solution: Solution
    classes: Codes
    columns: Sequence[pl.Series] = ()
    entries: Mapping[str, Mapping[str, Any]] | None = None
    suppression: Mapping[str, Any] | None = None

    __repr__ = briefly


@dataclass(frozen=True, slots=True)
class NoisyRecords:
    """The noisy columns of some records, in steps of their resolution, and their classes.

    Parameters
    ----------
    names, grids : of the columns
    values : (n, n_columns), the originals; a missing one is FAR
    is_known : (n, n_columns), False where a value is missing
    members : class of each record
    scales : of the noise of each class
    """

    names: tuple[str, ...]
    grids: tuple[Grid, ...]
    values: Floats
    is_known: Bools
    members: Members
    scales: ClassScales

    __repr__ = briefly

    def with_noise(self, source: RandomSource) -> Floats:
        """Add noise to what is known: (n, n_columns)."""
        noisy = add_noise(self.values, self.scales.scales, self.members, source)
        return np.where(self.is_known, noisy, FAR)


def check_noise(frame: pl.DataFrame, policy: Policy) -> None:
    """Refuse columns that noise cannot protect, all of them at once.

    Parameters
    ----------
    frame : the records that take part
    """
    faults = [
        fault
        for name in policy.noisy_names
        for fault in policy.noise_of(name).faults(frame.select(name))
    ]
    if faults:
        raise PolicyError(faults)


def add_class_noise(
    prepared: Prepared, solution: Solution, policy: Policy, source: RandomSource
) -> Noised:
    """Add noise to the released records, and suppress as confident k-anonymity asks.

    Parameters
    ----------
    prepared : the records
    solution : their classes
    source : secure, or seeded for tests

    Raises
    ------
    NoSolutionError
        when no record would be left
    """
    classes = classes_of_rows(solution.recoding, prepared.tuple_of_row)
    if not policy.noisy_names:
        return Noised(solution, classes)
    rows = np.flatnonzero(solution.recoding.released[classes])
    seen = visible_classes(solution.recoding)[classes[rows]]
    records = records_of(prepared.frame[rows], Members.of(seen.astype(np.int32)), policy)
    noisy = records.with_noise(source.apart("class noise"))
    columns = [
        _over_all(column, rows, prepared.frame.height) for column in _as_columns(records, noisy)
    ]
    entries = noise_entries(records, policy, prepared.n_input, source.apart("linking"))
    noised = Noised(solution, classes, columns, entries)
    model = next((m for m in policy.models if isinstance(m, ConfidentKAnonymity)), None)
    if model is None:
        return noised
    confidence = policy.noise.confidence
    reach = reach_on_grid(records.scales.scales, confidence)
    persons = persons_of(prepared.frame[rows], policy)
    found = confident_suppression(noisy, records.values, records.members, reach, model.k, persons)
    return _suppressed(prepared, noised, rows[found.suppressed], found, confidence)


def _as_columns(records: NoisyRecords, noisy: Floats) -> list[pl.Series]:
    """Write noisy steps as numbers of each column's resolution, missing ones as missing."""
    shown = np.where(records.is_known, noisy, np.nan)
    return [
        grid.numbers(name, shown[:, index])
        for index, (name, grid) in enumerate(zip(records.names, records.grids, strict=True))
    ]


def assess_noise(
    released: pl.DataFrame, prepared: Prepared, policy: Policy
) -> dict[str, Mapping[str, Any]] | None:
    """Say anew of a release what its noise costs and leaves open.

    Parameters
    ----------
    released : the released records
    prepared : the original ones

    Returns
    -------
    per noisy column what the manifest would say of it; None where only the crosswalk could tell the
    class of a record, because the release has no level per column
    """
    if not policy.noisy_names:
        return None
    recoding = lowest_node(released, prepared.problem) if policy.class_names else None
    if policy.class_names and recoding is None:
        return None
    rows, seen = np.arange(prepared.frame.height), np.zeros(prepared.frame.height, np.int32)
    if recoding is not None:
        classes = classes_of_rows(recoding, prepared.tuple_of_row)
        rows = np.flatnonzero(recoding.released[classes])
        seen = visible_classes(recoding)[classes[rows]].astype(np.int32)
    records = records_of(prepared.frame[rows], Members.of(seen), policy)
    return noise_entries(records, policy, prepared.n_input, RandomSource())


def visible_classes(recoding: Recoding) -> Ints:
    """Give numbers to the classes as a reader of the release sees them: equal cells are one.

    Returns
    -------
    (n_classes,)
    """
    return np.unique(recoding.cells, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)


def records_of(frame: pl.DataFrame, members: Members, policy: Policy) -> NoisyRecords:
    """Measure the noisy columns of some records in their classes.

    Parameters
    ----------
    frame : the original values
    members : class of each record of ``frame``
    """
    names = policy.noisy_names
    protections = [policy.noise_of(name) for name in names]
    grids = tuple(
        Grid.of(frame[name], protection.resolution)
        for name, protection in zip(names, protections, strict=True)
    )
    values = np.stack(
        [grid.steps(frame[name]) for name, grid in zip(names, grids, strict=True)], axis=1
    )
    is_known = ~np.isnan(values)
    bounds = tuple(
        None if protection.width is None else protection.width / grid.resolution
        for protection, grid in zip(protections, grids, strict=True)
    )
    budget = Budget(policy.noise.budget)
    inside = np.where(is_known, values, members.least(values)[members.labels])
    scales = class_scales(inside, members, policy.noise.epsilon, budget, bounds)
    return NoisyRecords(names, grids, np.where(is_known, values, FAR), is_known, members, scales)


def noise_entries(
    records: NoisyRecords, policy: Policy, n_original: int, source: RandomSource
) -> dict[str, Mapping[str, Any]]:
    """Say of each noisy column what it promises, costs and leaves open.

    Parameters
    ----------
    n_original : records of the input
    source : for the simulation of linking by several columns
    """
    shared = {
        "epsilon": policy.noise.epsilon,
        "total_epsilon": records.scales.epsilon,
        "budget": policy.noise.budget,
        "linking_risk": linking_risk(records, source),
    }
    return {
        name: entry_of(
            policy.noise_of(name),
            {
                **shared,
                "resolution": records.grids[column].resolution,
                **_error_figures(records, column, policy, n_original),
                "guarantee": policy.noise_of(name).guarantee,
            },
        )
        for column, name in enumerate(records.names)
    }


def linking_risk(records: NoisyRecords, source: RandomSource) -> float:
    """Give the expected share of records that the nearest original of their class tells.

    Exact for one column; of several a simulation, of at most 20,000 records.
    """
    values, scales, members = records.values, records.scales.scales, records.members
    n_records = len(values)
    if n_records == 0:
        return 0.0
    if values.shape[1] == 1:
        return float(expected_linking_on_grid(values[:, 0], scales[:, 0], members).mean())
    targets = source.apart("targets").permutation(n_records)[:LINKED_AT_MOST]
    repetitions = max(1, min(REPETITIONS, 10 * LINKED_AT_MOST // n_records))
    return simulated_linking(
        values, scales, members, source, repetitions=repetitions, targets=targets
    ).mean


def _error_figures(
    records: NoisyRecords, column: int, policy: Policy, n_original: int
) -> dict[str, Any]:
    """Give the expected relative error of a column, and the epsilon for some others."""
    step = records.grids[column].resolution
    epsilon, zero = policy.noise.epsilon, Zero(policy.noise.zero)
    is_known = records.is_known[:, column]
    if not is_known.any():
        return {}
    members = records.members
    if not is_known.all():
        members = Members.of(members.labels[is_known])
    values = records.values[is_known, column] * step
    scales = records.scales.scales[np.unique(records.members.labels[is_known]), column] * step
    sizes = mean_size(scales / step) * step
    at_one = epsilon_for_error(values, scales * epsilon, members, 1.0, zero)
    error = expected_error(values, sizes, members, n_original, zero)
    return {
        "expected_error": error.released,
        "expected_error_of_input": error.original,
        "expected_error_of_worst_class": float(error.of_class.max()),
        "zeros_left_out": error.n_skipped,
        "epsilon_for_error": {f"{target:g}": at_one / target for target in TARGETS},
    }


def _over_all(column: pl.Series, rows: Ints, height: int) -> pl.Series:
    """Spread the values of some records over all; the others hold nothing."""
    places = np.full(height, -1, np.int64)
    places[rows] = np.arange(len(rows))
    return column.gather(pl.Series(places).replace(-1, None))


def _suppressed(
    prepared: Prepared,
    noised: Noised,
    gone: Ints,
    found: ConfidentSuppression,
    confidence: float,
) -> Noised:
    """Suppress records, and then the classes that no longer hold what the models ask."""
    before = noised.solution.recoding
    recoding, classes = without(before, prepared.tuple_of_row, noised.classes, gone)
    n_left = recoding.n_records - recoding.n_suppressed
    if n_left:
        recoding = replace(recoding, released=_still_holding(prepared.problem, recoding))
    n_released = recoding.n_records - recoding.n_suppressed
    if n_released == 0:
        raise NoSolutionError(
            "confident k-anonymity leaves no record",
            "Lower k or epsilon, or raise noise.confidence: each suppresses fewer.",
        )
    by_search = prepared.n_input - (before.n_records - before.n_suppressed)
    suppression = {
        "confidence": confidence,
        "by_search": by_search,
        "share_by_search": by_search / prepared.n_input,
        "after_noise": found.total + n_left - n_released,
        "share_after_noise": (found.total + n_left - n_released) / prepared.n_input,
        "records": found.n_records,
        "with_their_class": found.n_in_classes,
        "by_other_models": n_left - n_released,
    }
    solution = replace(noised.solution, recoding=recoding)
    return replace(noised, solution=solution, classes=classes, suppression=suppression)


def without(
    recoding: Recoding, tuple_of_row: Codes, classes: Codes, gone: Ints
) -> tuple[Recoding, Codes]:
    """Take some records out of their classes and suppress them.

    Parameters
    ----------
    tuple_of_row, classes : (n_rows,), tuple and class of each record
    gone : the records to suppress

    Returns
    -------
    the recoding, no class empty, and the class of each record in it: (n_rows,)
    """
    moved = classes.astype(np.int64)
    moved[gone] += recoding.n_classes
    numbers, labels = np.unique(moved, return_inverse=True)
    source = numbers % recoding.n_classes
    pairs, counts = np.unique(
        tuple_of_row.astype(np.int64) * len(numbers) + labels, return_counts=True
    )
    changed = Recoding(
        (pairs // len(numbers)).astype(np.int32),
        (pairs % len(numbers)).astype(np.int32),
        counts.astype(np.int64),
        recoding.cells[source],
        recoding.released[source] & (numbers < recoding.n_classes),
        recoding.domains,
        recoding.transformation,
    )
    return changed, labels.astype(np.int32)


def _still_holding(problem: Problem, recoding: Recoding) -> Bools:
    """Tell which classes still satisfy every model: (n_classes,)."""
    seen = visible_classes(recoding)
    present = np.unique(seen[recoding.released])
    holds = problem.released(released_classes(problem, recoding))
    return recoding.released & np.isin(seen, present[holds])
