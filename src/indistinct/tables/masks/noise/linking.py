"""Who can be told by the nearest value: the linking risk of noisy records, inside their class.

The attacker is given the class of each noisy record and all its original values, and names the
original that lies nearest.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.base.randomness import RandomSource
from indistinct.tables.masks.mechanisms import discrete_laplace
from indistinct.tables.masks.noise.class_noise_kernels import (
    SortedRecords,
    nearest,
    nearest_in_one_column,
)
from indistinct.tables.masks.noise.members import Members

REPETITIONS = 30


class Ties(StrEnum):
    """What it counts to be one of several nearest originals."""

    EXPECTED = "expected"  # 1 over their number: the attacker draws lots
    COUNT = "count"  # 1: an upper bound
    STRICT = "strict"  # 0


@dataclass(frozen=True, slots=True)
class LinkingRisk:
    """The mean share of records that are linked.

    Parameters
    ----------
    mean : in [0, 1]
    standard_error : of the mean, over the repetitions
    """

    mean: float
    standard_error: float


def linked(
    noisy: Floats,
    values: Floats,
    members: Members,
    *,
    ties: Ties = Ties.EXPECTED,
    targets: Ints | None = None,
) -> Floats:
    """Return for each record whether the nearest original is its own.

    Parameters
    ----------
    noisy, values : (n, n_columns)
    members : class of each record
    ties : what several nearest originals count
    targets : (n_targets,), the records to link; all when left out

    Returns
    -------
    (n_targets,), in [0, 1]

    Notes
    -----
    Of several columns the distance is the sum of the distances, each over the diameter of the
    class; columns without a diameter are left out. One column takes O(n log n) time, several
    O(n**2) at worst.

    Source: holohan2017, section V-B.
    """
    by_value = members.sorted_by(values[:, 0])
    if values.shape[1] == 1:
        column = np.ascontiguousarray(values[:, 0])
        found, own = nearest_in_one_column(
            np.ascontiguousarray(noisy[:, 0]),
            column,
            members.labels,
            members.starts,
            column[by_value],
        )
        chosen = slice(None) if targets is None else targets
        return _shares(found[chosen], own[chosen], ties)
    widths = members.spreads(values)
    inverse = np.divide(1.0, widths, out=np.zeros_like(widths), where=widths > 0)
    everyone = np.arange(len(values), dtype=np.int64)
    ascending = np.ascontiguousarray(values[by_value, 0])[np.newaxis]
    records = SortedRecords(
        noisy, values, members.labels, members.starts, by_value[np.newaxis], ascending
    )
    found, own = nearest(everyone if targets is None else targets, records, inverse)
    return _shares(found, own, ties)


def simulated_linking(  # noqa: PLR0913 - the terms of one simulation
    values: Floats,
    scales: Floats,
    members: Members,
    source: RandomSource,
    *,
    ties: Ties = Ties.EXPECTED,
    repetitions: int = REPETITIONS,
    targets: Ints | None = None,
) -> LinkingRisk:
    """Add noise again and again, and link.

    Parameters
    ----------
    values : (n, n_columns), whole numbers: steps of each column's resolution
    scales : (n_classes, n_columns), in the same steps
    repetitions : at least 2 for a standard error
    targets : the records to link; all when left out

    Source: holohan2017, section V-B.
    """
    chosen = np.arange(len(values), dtype=np.int64) if targets is None else targets
    each = scales[members.labels[chosen]]
    risks: list[float] = []
    for turn in range(repetitions):
        noise = discrete_laplace.sample(each.ravel(), source.apart(f"linking {turn}"))
        noisy = values.copy()
        noisy[chosen] += noise.reshape(each.shape)
        risks.append(float(linked(noisy, values, members, ties=ties, targets=targets).mean()))
    spread = float(np.std(risks, ddof=1)) if repetitions > 1 else 0.0
    return LinkingRisk(float(np.mean(risks)), spread / repetitions**0.5)


def add_noise(values: Floats, scales: Floats, members: Members, source: RandomSource) -> Floats:
    """Return whole numbers with discrete Laplace noise by their class: (n, n_columns)."""
    each = scales[members.labels]
    return values + discrete_laplace.sample(each.ravel(), source).reshape(values.shape)


def expected_linking_on_grid(values: Floats, scales: Floats, members: Members) -> Floats:
    """Return the exact probability that each record is linked, under discrete Laplace noise.

    Parameters
    ----------
    values : (n,), one column, whole numbers
    scales : (n_classes,), 0 only where all values of the class are equal

    Returns
    -------
    (n,), in (0, 1]; among nearest records of equal distance the attacker draws lots
    """
    cells = _Cells.of(values, members)
    scale = scales[cells.label]
    above, below = np.ceil(cells.above / 2), np.ceil(cells.below / 2)
    tail = discrete_laplace.tail
    chance = (tail(scale, 1 - below) - tail(scale, above)) / cells.weight
    weight_above = np.append(cells.weight[1:], 0) + cells.weight
    weight_below = np.insert(cells.weight[:-1], 0, 0) + cells.weight
    for gap, weight in ((cells.above, weight_above), (cells.below, weight_below)):
        half = np.where(gap / 2 == np.floor(gap / 2), gap / 2, np.inf)
        chance += (tail(scale, half) - tail(scale, half + 1)) / weight
    return chance[cells.of_record]


@dataclass(frozen=True, slots=True)
class _Cells:
    """The distinct values of each class, in order, with the gaps to the next ones.

    ``label``, ``weight``, ``below`` and ``above`` are (n_cells,): class, records, and distance to
    the next value on either side, infinite at the ends; ``of_record`` is (n,).
    """

    label: Ints
    weight: Ints
    below: Floats
    above: Floats
    of_record: Ints

    @classmethod
    def of(cls, values: Floats, members: Members) -> _Cells:
        """List the distinct values of each class."""
        order = members.sorted_by(values)
        value, label = values[order], members.labels[order].astype(np.int64)
        is_new_class = np.diff(label, prepend=-1) != 0
        is_new = is_new_class | (np.diff(value, prepend=0) != 0)
        firsts = np.flatnonzero(is_new)
        gaps = np.diff(value[firsts], prepend=0)
        below = np.where(is_new_class[firsts], np.inf, gaps)
        of_record = np.empty(len(values), np.int64)
        of_record[order] = np.cumsum(is_new) - 1
        weight = np.diff(np.append(firsts, len(values)))
        return cls(label[firsts], weight, below, np.append(below[1:], np.inf), of_record)


def _shares(found: Ints, own: Ints, ties: Ties) -> Floats:
    """Return what being among the nearest counts."""
    match ties:
        case Ties.EXPECTED:
            return own / np.maximum(found, 1)
        case Ties.COUNT:
            return own.astype(np.float64)
        case Ties.STRICT:
            return (own * (found == 1)).astype(np.float64)
