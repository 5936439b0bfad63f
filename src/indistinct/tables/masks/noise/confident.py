"""Confident k-anonymity: no noisy record may stand for fewer than k originals, but for none.

Noise may carry a record to where only a few originals of its class could have come from. Such
records are suppressed, and classes that this makes too small with them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.errors import Fault, ParameterError
from indistinct.tables.masks.mechanisms import discrete_laplace
from indistinct.tables.masks.noise.class_noise_kernels import SortedRecords, candidates
from indistinct.tables.masks.noise.members import Members

MOST_COMPARED = 2_000_000  # pairs of records held at once


@dataclass(frozen=True, slots=True)
class ConfidentSuppression:
    """Which records are suppressed after the noise.

    Parameters
    ----------
    suppressed : (n,)
    n_records : records that stand for fewer than k originals
    n_in_classes : further records, of classes that would be left with fewer than k
    """

    suppressed: Bools
    n_records: int
    n_in_classes: int

    @property
    def total(self) -> int:
        """Records suppressed after the noise."""
        return self.n_records + self.n_in_classes


def reach_on_grid(scales: Floats, confidence: float) -> Floats:
    """Return how far discrete noise may have moved each column, all columns together confidently.

    Parameters
    ----------
    scales : (n_classes, n_columns), in steps of the grid
    confidence : that no column of a record was moved farther; from 0, below 1

    Returns
    -------
    (n_classes, n_columns), whole numbers; 0 where there is no noise

    Raises
    ------
    ParameterError
        when the confidence is out of its range

    Notes
    -----
    The columns' noise is independent: each gets the confidence's root by the number of columns that
    have noise. With one column this is the linking range of the paper, -scale * ln(1 - confidence),
    to a step.

    Source: holohan2017, equation 9.
    """
    _check(confidence)
    n_noisy = np.maximum((scales > 0).sum(axis=1), 1)
    reach = np.zeros_like(scales)
    for number in np.unique(n_noisy).tolist():
        chosen = n_noisy == number
        reach[chosen] = discrete_laplace.half_width(scales[chosen], confidence ** (1 / number))
    return reach


def confident_suppression(  # noqa: PLR0913, PLR0917 - what was drawn, and what is asked
    noisy: Floats,
    values: Floats,
    members: Members,
    reach: Floats,
    k: int,
    persons: Codes | None = None,
) -> ConfidentSuppression:
    """Choose the records to suppress so that each of the others may stand for k, or for none.

    Parameters
    ----------
    noisy, values : (n, n_columns), released and original values
    members : class of each record
    reach : (n_classes, n_columns), the linking range
    k : least records that a noisy one must be able to stand for, and least of each class
    persons : (n,), person of each record, where k counts people instead of records

    Notes
    -----
    A noisy record stands for the originals of its class within reach in every column. One that
    stands for none is kept: there is nothing to link it to. Originals are counted before anything
    is suppressed here. O(n log n) time for one column.

    Source: holohan2017, section V-C.
    """
    if persons is None:
        counts = candidates_of(noisy, values, members, reach, k)
    else:
        counts = people_within_reach(noisy, values, members, reach, persons)
    few = (counts >= 1) & (counts < k)
    left = members.sums((~few).astype(np.float64))
    whole = (left < k)[members.labels]
    return ConfidentSuppression(few | whole, int(few.sum()), int((whole & ~few).sum()))


def candidates_of(
    noisy: Floats, values: Floats, members: Members, reach: Floats, limit: int
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Count the originals that each noisy record may stand for, up to ``limit``: (n,)."""
    by_value = np.stack([members.sorted_by(column) for column in values.T])
    ascending = np.take_along_axis(np.ascontiguousarray(values.T), by_value, axis=1)
    records = SortedRecords(noisy, values, members.labels, members.starts, by_value, ascending)
    return candidates(records, reach, limit)


def people_within_reach(
    noisy: Floats, values: Floats, members: Members, reach: Floats, persons: Codes
) -> Ints:
    """Count the distinct people that each noisy record may stand for: (n,).

    Notes
    -----
    Compares every two records of a class: O(sum of squared class sizes * n_columns).
    """
    counts = np.zeros(len(noisy), np.int64)
    for number in range(members.n_classes):
        inside = members.order[members.starts[number] : members.starts[number + 1]]
        inside = inside[np.argsort(persons[inside], kind="stable")]
        firsts = np.flatnonzero(np.diff(persons[inside], prepend=-1))
        rows = max(1, MOST_COMPARED // len(inside))
        for some in np.array_split(inside, range(rows, len(inside), rows)):
            apart = np.abs(noisy[some, None, :] - values[None, inside, :])
            is_near = (apart <= reach[number]).all(axis=2)
            counts[some] = np.logical_or.reduceat(is_near, firsts, axis=1).sum(axis=1)
    return counts


def _check(confidence: float) -> None:
    """Refuse a confidence that no range can give."""
    if not 0 <= confidence < 1:
        raise ParameterError([Fault("confidence", "must be at least 0 and below 1", "Try 0.99.")])
