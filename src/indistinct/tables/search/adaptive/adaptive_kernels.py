"""The compiled loops of similarity classes."""

from __future__ import annotations

import math

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.compiled.kernels import compiled, compiled_part


@compiled_part
def unlikeness(
    one: Codes,
    two: Codes,
    paths: Codes,
    heights: Ints,
    ranks: Floats,
    weights: Floats,
    limit: float,
) -> float:
    """Return how little two records are alike, or a number no less than ``limit`` where it is."""
    distance = 0.0
    for column in range(len(one)):
        first, second = one[column], two[column]
        if first == second:
            continue
        if heights[column] == 0:
            distance += weights[column] * abs(ranks[column, first] - ranks[column, second])
        else:
            level = 1
            while (
                level < heights[column]
                and paths[column, level, first] != paths[column, level, second]
            ):
                level += 1
            distance += weights[column] * level / heights[column]
        # No term is negative, so that what has reached the limit stays beyond it.
        if distance >= limit:
            break
    return distance


@compiled_part
def product(one: Codes, two: Codes, heights: Ints, ranks: Floats, weights: Floats) -> float:
    """Return the inner product of two records: numbers in [0, 1], other values one-hot."""
    total = 0.0
    for column in range(len(one)):
        if heights[column] == 0:
            total += weights[column] * ranks[column, one[column]] * ranks[column, two[column]]
        elif one[column] == two[column]:
            total += weights[column]
    return total


@compiled
def similar_classes(
    codes: Codes,
    paths: Codes,
    heights: Ints,
    ranks: Floats,
    weights: Floats,
    size: int,
    by_angle: bool,
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
    by_angle : records are vectors, one-hot but for numbers; the less the angle the more similar

    Returns
    -------
    (n_records,), class of each record, each of size k but the last, which has up to 2k - 1

    Notes
    -----
    O(n_records**2 / k * n_columns). Equally similar records are taken in order.
    """
    n_records = len(codes)
    labels = np.full(n_records, -1, np.int32)
    free = np.empty(n_records, np.int64)
    for record in range(n_records):
        free[record] = record
    n_free = n_records
    n_classes = 0
    nearest = np.empty(max(size - 1, 1), np.int64)
    furthest = np.empty(max(size - 1, 1), np.float64)
    squares = np.zeros(n_records)
    if by_angle:
        for record in range(n_records):
            squares[record] = product(codes[record], codes[record], heights, ranks, weights)
    # Of fewer than 2k records a class of k would leave too few: they are the last class together.
    while n_free >= 2 * size:
        first = free[0]
        n_found = 0
        for place in range(1, n_free):
            other = free[place]
            limit = np.inf if n_found < size - 1 else furthest[n_found - 1]
            if by_angle:
                lengths = math.sqrt(squares[first] * squares[other])
                inner = product(codes[first], codes[other], heights, ranks, weights)
                distance = 1 - inner / lengths if lengths > 0 else 1.0
                # Rounding errors of the product shall not choose between records at the same angle.
                # ``round(distance, 12)`` gives the same number, but takes much longer to compile.
                distance = round(distance * 1e12) / 1e12
            else:
                distance = unlikeness(
                    codes[first], codes[other], paths, heights, ranks, weights, limit
                )
            if distance >= limit:
                continue
            if n_found < size - 1:
                n_found += 1
            # Invariant: the first n_found distances ascend. Of equally near records the earlier
            # stays.
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
        # In order, so that the first free record stays the first one of the table.
        kept = 0
        for place in range(n_free):
            if labels[free[place]] < 0:
                free[kept] = free[place]
                kept += 1
        n_free = kept
    for place in range(n_free):
        labels[free[place]] = n_classes
    return labels


@compiled
def join_classes(
    codes: Codes,
    levels: Ints,
    counts: Ints,
    paths: Codes,
    costs: Floats,
    highest: Ints,
    least: float,
    evenness: float,
) -> Ints:
    """Join each class of little diversity with the nearest until it is diverse.

    The nearest is the one with which both lose least, among those that make the class diverse;
    where there is none, among those that make it more diverse.

    Parameters
    ----------
    codes : (n_classes, n_columns), value code of one record of each class
    levels : (n_classes, n_columns), level each class is released at; changed in place
    counts : (n_classes, n_values), records per sensitive value; changed in place
    paths : (n_columns, n_levels, n_values), label code of each value at each level, a root on top
    costs : (n_columns, n_levels, n_values), what a record loses there
    highest : (n_columns,), level that no class may rise above
    least, evenness : of a diverse class

    Returns
    -------
    (n_classes,), class that each one has become a part of

    Notes
    -----
    O(classes of little diversity * n_classes * (n_columns * n_levels + n_values)).
    """
    n_classes, n_columns = codes.shape
    n_values = counts.shape[1]
    owners = np.empty(n_classes, np.int64)
    for one in range(n_classes):
        owners[one] = one
    sizes = np.zeros(n_classes)
    squares = np.zeros(n_classes)
    for one in range(n_classes):
        for value in range(n_values):
            sizes[one] += counts[one, value]
            squares[one] += np.float64(counts[one, value]) * counts[one, value]
    for one in range(n_classes):
        while owners[one] == one:
            present = 0
            for value in range(n_values):
                present += counts[one, value] > 0
            # 1 / sum of squared shares.
            diversity = sizes[one] * sizes[one] / squares[one]
            if diversity >= least and diversity >= evenness * present:
                break
            nearest, lost = -1, np.inf
            better, lost_for_better = -1, np.inf
            for other in range(n_classes):
                if other == one or owners[other] != other:
                    continue
                loss = 0.0
                for column in range(n_columns):
                    value, level = codes[one, column], levels[one, column]
                    top = max(level, levels[other, column])
                    # Ends at the root at the latest, which every column has on top.
                    while paths[column, top, value] != paths[column, top, codes[other, column]]:
                        top += 1
                    if top > highest[column]:
                        loss = np.inf
                        break
                    shared = costs[column, top, value]
                    loss += sizes[one] * (shared - costs[column, level, value])
                    own = costs[column, levels[other, column], codes[other, column]]
                    loss += sizes[other] * (shared - own)
                    if loss >= lost and loss >= lost_for_better:
                        break
                if loss >= lost and loss >= lost_for_better:
                    continue
                inner = 0.0
                present = 0
                for value in range(n_values):
                    inner += np.float64(counts[one, value]) * counts[other, value]
                    present += counts[one, value] + counts[other, value] > 0
                # |a + b|**2 = |a|**2 + |b|**2 + 2 ab: one product in place of counting the union.
                size = sizes[one] + sizes[other]
                union = size * size / (squares[one] + squares[other] + 2 * inner)
                if union >= least and union >= evenness * present:
                    if loss < lost:
                        nearest, lost = other, loss
                elif union > diversity and loss < lost_for_better:
                    better, lost_for_better = other, loss
            if nearest < 0:
                nearest = better
            if nearest < 0:
                break
            inner = 0.0
            for value in range(n_values):
                inner += np.float64(counts[one, value]) * counts[nearest, value]
                counts[one, value] += counts[nearest, value]
            squares[one] += squares[nearest] + 2 * inner
            sizes[one] += sizes[nearest]
            for column in range(n_columns):
                top = max(levels[one, column], levels[nearest, column])
                value = codes[one, column]
                while paths[column, top, value] != paths[column, top, codes[nearest, column]]:
                    top += 1
                levels[one, column] = top
            owners[nearest] = one
    for one in range(n_classes):
        # Whoever this one was joined to may have been joined to another later.
        root = one
        while owners[root] != root:
            root = owners[root]
        owners[one] = root
    return owners
