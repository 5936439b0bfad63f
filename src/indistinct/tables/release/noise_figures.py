"""What noise by class costs and leaves open, measured over the records that are released."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.base.randomness import RandomSource
from indistinct.tables.core.recoding import Recoding
from indistinct.tables.frames.frame import Frame
from indistinct.tables.masks import ClassProtection
from indistinct.tables.masks.mechanisms.discrete_laplace import mean_size
from indistinct.tables.masks.noise.class_scales import BudgetSplit, ClassScales, class_scales
from indistinct.tables.masks.noise.grid import Grid
from indistinct.tables.masks.noise.linking import (
    REPETITIONS,
    add_noise,
    expected_linking_on_grid,
    simulated_linking,
)
from indistinct.tables.masks.noise.members import Members
from indistinct.tables.masks.noise.noise_error import Zero, epsilon_for_error, expected_error
from indistinct.tables.policy.sections.noise import NoisePolicy
from indistinct.tables.release.entries import ProtectionEntry

FAR = 2.0**51  # where missing values lie for the attacker: no noise leads there
LINKED_AT_MOST = 20_000
TARGETS = (0.1, 0.05, 0.01)


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
    noises, words : what the policy says of each column, and of all together
    """

    names: tuple[str, ...]
    grids: tuple[Grid, ...]
    values: Floats
    is_known: Bools
    members: Members
    scales: ClassScales
    noises: Mapping[str, ClassProtection]
    words: NoisePolicy

    __repr__ = short_repr

    def with_noise(self, source: RandomSource) -> Floats:
        """Add noise to what is known: (n, n_columns)."""
        noisy = add_noise(self.values, self.scales.scales, self.members, source)
        return np.where(self.is_known, noisy, FAR)


def visible_classes(recoding: Recoding) -> Ints:
    """Return numbers to the classes as a reader of the release sees them: equal cells are one.

    Returns
    -------
    (n_classes,)
    """
    return np.unique(recoding.cells, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)


def records_of(
    frame: Frame, members: Members, noises: Mapping[str, ClassProtection], words: NoisePolicy
) -> NoisyRecords:
    """Measure the noisy columns of some records in their classes.

    Parameters
    ----------
    frame : the original values
    members : class of each record of ``frame``
    """
    names, protections = tuple(noises), list(noises.values())
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
    budget = BudgetSplit(words.budget)
    inside = np.where(is_known, values, members.least(values)[members.labels])
    scales = class_scales(inside, members, words.epsilon, budget, bounds)
    return NoisyRecords(
        names, grids, np.where(is_known, values, FAR), is_known, members, scales, noises, words
    )


def noise_entries(
    records: NoisyRecords, n_original: int, source: RandomSource
) -> dict[str, ProtectionEntry]:
    """Return what each noisy column promises, costs and leaves open.

    Parameters
    ----------
    n_original : records of the input
    source : for the simulation of linking by several columns
    """
    shared = {
        "epsilon": records.words.epsilon,
        "total_epsilon": records.scales.epsilon,
        "budget": records.words.budget,
        "linking_risk": linking_risk(records, source),
    }
    return {
        name: ProtectionEntry.of(
            records.noises[name],
            {
                **shared,
                "resolution": records.grids[column].resolution,
                **_error_figures(records, column, n_original),
                "guarantee": records.noises[name].guarantee,
            },
        )
        for column, name in enumerate(records.names)
    }


def linking_risk(records: NoisyRecords, source: RandomSource) -> float:
    """Return the expected share of records that the nearest original of their class tells.

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


def _error_figures(records: NoisyRecords, column: int, n_original: int) -> dict[str, Any]:
    """Return the expected relative error of a column, and the epsilon for some others."""
    step = records.grids[column].resolution
    epsilon, zero = records.words.epsilon, Zero(records.words.zero)
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
