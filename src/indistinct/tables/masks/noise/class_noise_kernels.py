"""Compiled searches for the records of a class that lie near a noisy one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.compiled.kernels import compiled, compiled_part

ROUNDING = 1e-12  # sums of scaled distances that differ by less are equal


class SortedRecords(NamedTuple):
    """Noisy records, and the originals of each class in the order of their values.

    Parameters
    ----------
    noisy, values : (n, n_columns)
    labels, starts : class of each record, and where classes begin among sorted records
    by_value : (n_sorted_columns, n), records by class, then by value of the column
    ascending : (n_sorted_columns, n), the values in that order
    """

    noisy: Floats
    values: Floats
    labels: Codes
    starts: Ints
    by_value: Ints
    ascending: Floats


@compiled_part
def first_not_below(values: Floats, start: int, end: int, bound: float) -> int:
    """Find the first place of ascending ``values[start:end]`` that is at least ``bound``."""
    while start < end:
        middle = (start + end) // 2
        if values[middle] < bound:
            start = middle + 1
        else:
            end = middle
    return start


@compiled_part
def first_above(values: Floats, start: int, end: int, bound: float) -> int:
    """Find the first place of ascending ``values[start:end]`` that is above ``bound``."""
    while start < end:
        middle = (start + end) // 2
        if values[middle] <= bound:
            start = middle + 1
        else:
            end = middle
    return start


@compiled
def candidates(records: SortedRecords, reach: Floats, limit: int) -> Ints:
    """Count the originals of its class that each noisy record may stand for, up to ``limit``.

    Parameters
    ----------
    reach : (n_classes, n_columns), how far the noise may have moved a value
    limit : where to stop counting

    Returns
    -------
    (n,), originals within reach in every column

    Notes
    -----
    Walks the column whose window is smallest; with one column the window is the answer.
    """
    noisy, values, labels, starts, by_value, ascending = records
    n_records, n_columns = noisy.shape
    counts = np.zeros(n_records, np.int64)
    for record in range(n_records):
        label = labels[record]
        start, end = int(starts[label]), int(starts[label + 1])
        low, high, chosen = start, end, 0
        for column in range(n_columns):
            lower = first_not_below(
                ascending[column], start, end, noisy[record, column] - reach[label, column]
            )
            upper = first_above(
                ascending[column], lower, end, noisy[record, column] + reach[label, column]
            )
            # Whoever is within reach in all columns is in the window of each of them.
            if column == 0 or upper - lower < high - low:
                low, high, chosen = lower, upper, column
        if n_columns == 1:
            counts[record] = min(high - low, limit)
            continue
        found = 0
        for place in range(low, high):
            other = by_value[chosen, place]
            near = True
            for column in range(n_columns):
                away = abs(values[other, column] - noisy[record, column])
                if away > reach[label, column]:
                    near = False
                    break
            if near:
                found += 1
                if found == limit:
                    break
        counts[record] = found
    return counts


@compiled
def nearest(targets: Ints, records: SortedRecords, inverse: Floats) -> tuple[Ints, Ints]:
    """Find how many originals of its class are nearest to each noisy record, and if it is one.

    Parameters
    ----------
    targets : (n_targets,), the records to link
    records : sorted by the first column
    inverse : (n_classes, n_columns), weight of a distance in each column

    Returns
    -------
    n_nearest : (n_targets,), originals at the least distance
    is_nearest : (n_targets,), 1 where the record's own original is one of them, else 0

    Notes
    -----
    Walks outward along the first column until that alone is farther than the nearest found.
    """
    noisy, values, labels, starts = records.noisy, records.values, records.labels, records.starts
    by_value, ascending = records.by_value[0], records.ascending[0]
    n_columns = noisy.shape[1]
    n_nearest = np.zeros(len(targets), np.int64)
    is_nearest = np.zeros(len(targets), np.int64)
    for index in range(len(targets)):
        record = targets[index]
        label = labels[record]
        start, end = int(starts[label]), int(starts[label + 1])
        right = first_not_below(ascending, start, end, noisy[record, 0])
        left = right - 1
        best = np.inf
        while left >= start or right < end:
            below = np.inf
            above = np.inf
            if left >= start:
                below = abs(ascending[left] - noisy[record, 0]) * inverse[label, 0]
            if right < end:
                above = abs(ascending[right] - noisy[record, 0]) * inverse[label, 0]
            # Other columns only add to a distance: what is farther in the first is farther
            # altogether.
            if min(below, above) > best * (1 + ROUNDING):
                break
            if below <= above:
                other = by_value[left]
                left -= 1
            else:
                other = by_value[right]
                right += 1
            away = 0.0
            for column in range(n_columns):
                step = abs(values[other, column] - noisy[record, column])
                away += step * inverse[label, column]
            # Distances that differ by rounding alone are ties: both originals are nearest.
            if away < best * (1 - ROUNDING):
                best = away
                n_nearest[index] = 0
                is_nearest[index] = 0
            if away <= best * (1 + ROUNDING):
                n_nearest[index] += 1
                if other == record:
                    is_nearest[index] = 1
    return n_nearest, is_nearest


@compiled
def nearest_in_one_column(
    noisy: Floats, values: Floats, labels: Codes, starts: Ints, ascending: Floats
) -> tuple[Ints, Ints]:
    """Do as :func:`nearest` for every record and one column, by binary search: (n,) and (n,)."""
    n_nearest = np.zeros(len(noisy), np.int64)
    is_nearest = np.zeros(len(noisy), np.int64)
    for record in range(len(noisy)):
        label = labels[record]
        start, end = int(starts[label]), int(starts[label + 1])
        place = first_not_below(ascending, start, end, noisy[record])
        best = np.inf
        if place < end:
            best = ascending[place] - noisy[record]
        if place > start:
            best = min(best, noisy[record] - ascending[place - 1])
        found = 0
        if place < end and ascending[place] - noisy[record] == best:
            found += first_above(ascending, place, end, ascending[place]) - place
        if place > start and noisy[record] - ascending[place - 1] == best:
            found += place - first_not_below(ascending, start, place, ascending[place - 1])
        n_nearest[record] = found
        if abs(noisy[record] - values[record]) == best:
            is_nearest[record] = 1
    return n_nearest, is_nearest
