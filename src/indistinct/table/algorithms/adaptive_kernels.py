"""The compiled loops of similarity classes."""

from __future__ import annotations

import numpy as np

from indistinct.core.arrays import Codes, Floats, Ints
from indistinct.core.kernels import compiled


@compiled
def similar_classes(
    codes: Codes, paths: Codes, heights: Ints, ranks: Floats, weights: Floats, size: int
) -> Codes:
    """Group records greedily: the first free one and those most similar to it.

    Parameters
    ----------
    codes : (n_records, n_columns), value code
    paths : (n_columns, n_levels, n_values), label code of each value at each level; a level above
        a column's own repeats its highest
    heights : (n_columns,), highest level of each column, at least 1; 0 where numbers are compared
    ranks : (n_columns, n_values), each number's place in [0, 1] where numbers are compared
    weights : (n_columns,), sum 1
    size : k, at most n_records

    Returns
    -------
    (n_records,), class of each record, each of size k but the last, which has up to 2k - 1

    Notes
    -----
    O(n_records**2 / k * n_columns). Equally similar records are taken in order.
    """
    n_records, n_columns = codes.shape
    labels = np.full(n_records, -1, np.int32)
    free = np.arange(n_records, dtype=np.int64)
    n_free = n_records
    n_classes = 0
    nearest = np.empty(max(size - 1, 1), np.int64)
    furthest = np.empty(max(size - 1, 1), np.float64)
    while n_free >= 2 * size:
        first = free[0]
        n_found = 0
        for place in range(1, n_free):
            other = free[place]
            limit = np.inf if n_found < size - 1 else furthest[n_found - 1]
            distance = 0.0
            for column in range(n_columns):
                one, two = codes[first, column], codes[other, column]
                if one == two:
                    continue
                if heights[column] == 0:
                    distance += weights[column] * abs(ranks[column, one] - ranks[column, two])
                else:
                    level = 1
                    while (
                        level < heights[column]
                        and paths[column, level, one] != paths[column, level, two]
                    ):
                        level += 1
                    distance += weights[column] * level / heights[column]
                if distance >= limit:
                    break
            if distance >= limit:
                continue
            if n_found < size - 1:
                n_found += 1
            slot = n_found - 1
            while slot > 0 and furthest[slot - 1] > distance:
                furthest[slot] = furthest[slot - 1]
                nearest[slot] = nearest[slot - 1]
                slot -= 1
            furthest[slot] = distance
            nearest[slot] = other
        labels[first] = n_classes
        for slot in range(n_found):
            labels[nearest[slot]] = n_classes
        n_classes += 1
        kept = 0
        for place in range(n_free):
            if labels[free[place]] < 0:
                free[kept] = free[place]
                kept += 1
        n_free = kept
    for place in range(n_free):
        labels[free[place]] = n_classes
    return labels
