"""Add noise by class when the search is done, and suppress those that it leaves standing alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.base.randomness import RandomSource
from indistinct.errors import NoSolutionError, PolicyError
from indistinct.tables.core.protocols import Problem, Solution
from indistinct.tables.core.recoding import Recoding
from indistinct.tables.counting.orders_of_records import classes_of_records, secret_order
from indistinct.tables.counting.persons import persons_of
from indistinct.tables.counting.preparation import Prepared
from indistinct.tables.engines.tallies import columns_of
from indistinct.tables.frames.frame import Column, Frame, spread_over
from indistinct.tables.masks import ClassProtection
from indistinct.tables.masks.noise.confident import (
    ConfidentSuppression,
    confident_suppression,
    reach_on_grid,
)
from indistinct.tables.masks.noise.members import Members
from indistinct.tables.models import ConfidentKAnonymity
from indistinct.tables.publish.noisy_recoding import NoisyRecoding, without
from indistinct.tables.release.entries import SuppressionEntry
from indistinct.tables.release.manifest import released_classes
from indistinct.tables.release.noise_figures import (
    NoisyRecords,
    noise_entries,
    records_of,
    visible_classes,
)


def check_noise(frame: Frame, noises: Mapping[str, ClassProtection]) -> None:
    """Refuse columns that noise cannot protect, all of them at once.

    Parameters
    ----------
    frame : the records that take part
    """
    faults = [
        fault for name, noise in noises.items() for fault in noise.faults(columns_of(frame, [name]))
    ]
    if faults:
        raise PolicyError(faults)


def add_class_noise(prepared: Prepared, solution: Solution, source: RandomSource) -> NoisyRecoding:
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
    classes = classes_of_records(solution.recoding, prepared, source)
    rows = np.flatnonzero(solution.recoding.released[classes])
    seen = visible_classes(solution.recoding)[classes]

    def records_in(order: Ints) -> NoisyRecords:
        members = Members.of(seen[order].astype(np.int32))
        return records_of(prepared.frame[order], members, prepared.spec.noises, prepared.spec.noise)

    records = records_in(rows)
    order = secret_order(
        prepared.frame,
        prepared.spec.class_names,
        prepared.spec.left_out,
        source.apart("order of the noisy records"),
    )
    drawn = order[solution.recoding.released[classes[order]]]
    noisy = np.empty_like(records.values)
    noisy[np.searchsorted(rows, drawn)] = records_in(drawn).with_noise(source.apart("class noise"))
    columns = [
        spread_over(column, rows, prepared.frame.height) for column in _as_columns(records, noisy)
    ]
    entries = noise_entries(records, prepared.n_input, source.apart("linking"))
    noised = NoisyRecoding(solution, classes, columns, entries)
    model = next((m for m in prepared.spec.models if isinstance(m, ConfidentKAnonymity)), None)
    if model is None:
        return noised
    confidence = prepared.spec.noise.confidence
    reach = reach_on_grid(records.scales.scales, confidence)
    persons = persons_of(prepared.frame[rows], prepared.spec.data)
    found = confident_suppression(noisy, records.values, records.members, reach, model.k, persons)
    return _suppressed(prepared, noised, rows[found.suppressed], found, confidence)


def _as_columns(records: NoisyRecords, noisy: Floats) -> list[Column]:
    """Write noisy steps as numbers of each column's resolution, missing ones as missing."""
    shown = np.where(records.is_known, noisy, np.nan)
    return [
        grid.numbers(name, shown[:, index])
        for index, (name, grid) in enumerate(zip(records.names, records.grids, strict=True))
    ]


def _suppressed(
    prepared: Prepared,
    noised: NoisyRecoding,
    gone: Ints,
    found: ConfidentSuppression,
    confidence: float,
) -> NoisyRecoding:
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
    suppression = SuppressionEntry(
        confidence=confidence,
        by_search=by_search,
        share_by_search=by_search / prepared.n_input,
        after_noise=found.total + n_left - n_released,
        share_after_noise=(found.total + n_left - n_released) / prepared.n_input,
        records=found.n_records,
        with_their_class=found.n_in_classes,
        by_other_models=n_left - n_released,
    )
    solution = replace(noised.solution, recoding=recoding)
    return replace(noised, solution=solution, classes=classes, suppression=suppression)


def _still_holding(problem: Problem, recoding: Recoding) -> Bools:
    """Return which classes still satisfy every model: (n_classes,)."""
    seen = visible_classes(recoding)
    present = np.unique(seen[recoding.released])
    holds = problem.released(released_classes(problem, recoding))
    return recoding.released & np.isin(seen, present[holds])
