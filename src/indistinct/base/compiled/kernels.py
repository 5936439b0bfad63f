"""The few loops that must be compiled: group, roll up, partition."""

from __future__ import annotations

from typing import Any

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints, Words
from indistinct.base.compiled.compiling import compiled, compiled_part

# Odd 64-bit constant of Fibonacci hashing: spreads keys that differ in low bits only.
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def slots_for(n_entries: int) -> int:
    """Return the size of a hash table that is at most half full: a power of two, at least 16."""
    return 1 << max(4, (2 * n_entries - 1).bit_length())


@compiled_part
def sort_keys(keys: Codes, n_keys: int) -> None:
    """Sort the first ``n_keys`` keys in place, ascending.

    Notes
    -----
    Shell's sort with Knuth's gaps, at most O(n**1.5): a tenth of the code of NumPy's sort, which
    takes most of a second to compile. Invariant: after the pass of a gap, keys that far apart are
    in order; later passes keep that, and the last gap is 1.
    """
    gap = np.int64(1)
    while gap < n_keys:
        gap = 3 * gap + 1
    while gap > 1:
        gap //= 3
        for place in range(gap, n_keys):
            key = keys[place]
            hole = place
            while hole >= gap and keys[hole - gap] > key:
                keys[hole] = keys[hole - gap]
                hole -= gap
            keys[hole] = key


@compiled_part
def with_room(numbers: Any) -> Any:
    """Copy numbers of any type into an array of that type that is twice as long."""
    larger = np.empty(2 * len(numbers), numbers.dtype)
    for place in range(len(numbers)):
        larger[place] = numbers[place]
    return larger


@compiled_part
def stable_order(keys: Ints) -> Ints:
    """List the places of keys in ascending order of key, equal keys as they stand: (n_keys,).

    Notes
    -----
    Merges runs of 1, 2, 4, ... places: O(n log n), and quick to compile, as :func:`sort_keys` is.
    Invariant: before a pass, every run of ``width`` places is in order.
    """
    size = len(keys)
    order = np.empty(size, np.int64)
    spare = np.empty(size, np.int64)
    for place in range(size):
        order[place] = place
    width = 1
    while width < size:
        for begin in range(0, size, 2 * width):
            left, right = begin, min(begin + width, size)
            middle, end = right, min(begin + 2 * width, size)
            for place in range(begin, end):
                takes_left = left < middle
                if takes_left and right < end:
                    takes_left = keys[order[left]] <= keys[order[right]]
                if takes_left:
                    spare[place] = order[left]
                    left += 1
                else:
                    spare[place] = order[right]
                    right += 1
        order, spare = spare, order
        width *= 2
    return order


@compiled
def group_rows(codes: Codes) -> tuple[Codes, Codes, Ints]:
    """Group equal rows exactly, in order of first appearance.

    Parameters
    ----------
    codes : (n_rows, n_columns)

    Returns
    -------
    labels : (n_rows,), group of each row
    representatives : (n_groups,), first row of each group
    sizes : (n_groups,), rows per group

    Notes
    -----
    O(n_rows * n_columns) expected time; rows are compared whole, so a collision costs time only.
    """
    n_rows, n_columns = codes.shape
    # At least half of the table stays free, so that every search ends at a free slot, and soon.
    bits = 4
    while (1 << bits) < 2 * n_rows:
        bits += 1
    shift = np.uint64(64 - bits)
    mask = (1 << bits) - 1
    table = np.full(1 << bits, -1, np.int32)
    labels = np.empty(n_rows, np.int32)
    representatives = np.empty(n_rows, np.int32)
    sizes = np.zeros(n_rows, np.int64)
    n_groups = 0
    for row in range(n_rows):
        word = np.uint64(0)
        for column in range(n_columns):
            word = (word ^ np.uint64(codes[row, column])) * GOLDEN
            word ^= word >> np.uint64(29)
        slot = np.int64((word * GOLDEN) >> shift)
        while True:
            group = table[slot]
            if group < 0:
                table[slot] = n_groups
                labels[row] = n_groups
                representatives[n_groups] = row
                sizes[n_groups] = 1
                n_groups += 1
                break
            other = representatives[group]
            same = True
            for column in range(n_columns):
                if codes[row, column] != codes[other, column]:
                    same = False
                    break
            if same:
                labels[row] = group
                sizes[group] += 1
                break
            slot = (slot + 1) & mask
    return labels, representatives[:n_groups].copy(), sizes[:n_groups].copy()


@compiled
def roll_up(
    values: Codes,
    words: Words,
    before: Ints,
    after: Ints,
    representatives: Codes,
    sizes: Ints,
    keys: Words,
) -> tuple[Codes, Codes, Ints, Words]:
    """Merge classes that become equal at a coarser lattice node.

    Parameters
    ----------
    values : (n_columns, n_tuples), value codes of the distinct tuples
    words : flat table of a 64-bit word per column, level and value
    before, after : (n_columns,), where each column's level of the finer and of the coarser node
        begins in ``words``
    representatives, sizes : (n_classes,), one tuple of each finer class, and its records
    keys : (n_classes,), sum of the words of each finer class

    Returns
    -------
    labels : (n_classes,), coarser class of each finer one
    representatives, sizes, keys : of the coarser classes, in order of first appearance

    Notes
    -----
    The key of a class is the sum of its words modulo 2**64, so only columns whose level changes are
    looked at. O(n_classes * changed columns).
    """
    n_classes = len(representatives)
    bits = 4
    while (1 << bits) < 2 * n_classes:
        bits += 1
    shift = np.uint64(64 - bits)
    mask = (1 << bits) - 1
    table = np.full(1 << bits, -1, np.int32)
    moved = keys.copy()
    for column in range(len(before)):
        low, high = before[column], after[column]
        if low != high:
            for index in range(n_classes):
                value = values[column, representatives[index]]
                moved[index] += words[high + value] - words[low + value]
    labels = np.empty(n_classes, np.int32)
    merged = np.empty(n_classes, np.int32)
    merged_sizes = np.zeros(n_classes, np.int64)
    merged_keys = np.empty(n_classes, np.uint64)
    n_merged = 0
    # Equal keys are taken for equal classes. ``tables/search/lattice/label_words.py`` says when
    # that is exact, and how unlikely an error is otherwise. Each class is written as though it were
    # new, so that no branch depends on whether it is, which a processor cannot foresee.
    for index in range(n_classes):
        key = moved[index]
        merged[n_merged] = representatives[index]
        merged_keys[n_merged] = key
        slot = np.int64((key * GOLDEN) >> shift)
        group = n_merged if table[slot] < 0 else table[slot]
        while merged_keys[group] != key:
            slot = (slot + 1) & mask
            group = n_merged if table[slot] < 0 else table[slot]
        table[slot] = group
        labels[index] = group
        merged_sizes[group] += sizes[index]
        n_merged += group == n_merged
    return (
        labels,
        merged[:n_merged].copy(),
        merged_sizes[:n_merged].copy(),
        merged_keys[:n_merged].copy(),
    )


@compiled
def merge_value_counts(
    labels: Codes, starts: Ints, values: Codes, counts: Ints, n_merged: int, n_values: int
) -> tuple[Ints, Codes, Ints]:
    """Add up the value counts of classes that were merged.

    Parameters
    ----------
    labels : (n_classes,), merged class of each class
    starts : (n_classes + 1,), where each class's run of ``values`` and ``counts`` begins
    values, counts : distinct values of each class, and their records
    n_merged, n_values : number of merged classes, of values in the whole table

    Returns
    -------
    starts, values, counts : the same, of the merged classes
    """
    n_classes = len(labels)
    members = np.empty(n_classes, np.int32)
    first = np.zeros(n_merged + 1, np.int64)
    for index in range(n_classes):
        first[labels[index] + 1] += 1
    for merged in range(n_merged):
        first[merged + 1] += first[merged]
    cursor = first[:n_merged].copy()
    for index in range(n_classes):
        members[cursor[labels[index]]] = index
        cursor[labels[index]] += 1
    # Invariant: between two merged classes ``total`` is 0 everywhere. Only the values that a class
    # has are set back, so that classes of few values cost little in a column of many.
    total = np.zeros(n_values, np.int64)
    touched = np.empty(n_values, np.int32)
    new_starts = np.zeros(n_merged + 1, np.int64)
    new_values = np.empty(len(values), np.int32)
    new_counts = np.empty(len(values), np.int64)
    filled = 0
    for merged in range(n_merged):
        n_touched = 0
        for position in range(first[merged], first[merged + 1]):
            index = members[position]
            for entry in range(starts[index], starts[index + 1]):
                value = values[entry]
                if total[value] == 0:
                    touched[n_touched] = value
                    n_touched += 1
                total[value] += counts[entry]
        for entry in range(n_touched):
            value = touched[entry]
            new_values[filled] = value
            new_counts[filled] = total[value]
            total[value] = 0
            filled += 1
        new_starts[merged + 1] = filled
    return new_starts, new_values[:filled].copy(), new_counts[:filled].copy()


@compiled
def ordered_distances(
    starts: Ints, values: Codes, counts: Ints, sizes: Ints, shares: Floats, gaps: Floats
) -> Floats:
    """Return the earth mover's distance of each class on a line of values.

    Parameters
    ----------
    starts, values, counts : value counts per class
    sizes : (n_classes,)
    shares : (n_values,), distribution to compare with, in value order
    gaps : (n_values,), ground distance from each value to the next, as a share of the whole line;
        the last is 0
    """
    n_values = len(shares)
    distances = np.zeros(len(sizes))
    dense = np.zeros(n_values)
    for index in range(len(sizes)):
        for entry in range(starts[index], starts[index + 1]):
            dense[values[entry]] = counts[entry] / sizes[index]
        # On a line, what the values so far have too much or too little must cross the next gap.
        carried = 0.0
        distance = 0.0
        for value in range(n_values):
            carried += dense[value] - shares[value]
            distance += abs(carried) * gaps[value]
            dense[value] = 0.0
        distances[index] = distance
    return distances


@compiled
def hierarchical_distances(
    starts: Ints, values: Codes, counts: Ints, sizes: Ints, shares: Floats, nodes: Codes
) -> Floats:
    """Return the earth mover's distance of each class over a tree of values.

    Parameters
    ----------
    starts, values, counts : value counts per class
    sizes : (n_classes,)
    shares : (n_values,), distribution to compare with
    nodes : (n_levels, n_values), label code below n_values of each value at each level; one label
        at the last

    Notes
    -----
    Only nodes above a value that the class holds can have a positive child, hence a cost.
    """
    height, n_values = nodes.shape[0] - 1, nodes.shape[1]
    distances = np.zeros(len(sizes))
    if height == 0:
        return distances
    overall = np.zeros((height + 1, n_values))
    for level in range(height + 1):
        for value in range(n_values):
            overall[level, nodes[level, value]] += shares[value]
    extra = np.zeros((height + 1, n_values))
    positive = np.zeros((height + 1, n_values))
    for index in range(len(sizes)):
        for entry in range(starts[index], starts[index + 1]):
            share = counts[entry] / sizes[index]
            for level in range(height + 1):
                extra[level, nodes[level, values[entry]]] += share
        for level in range(height + 1):
            for entry in range(starts[index], starts[index + 1]):
                node = nodes[level, values[entry]]
                # A visited node holds -1 - surplus, which is never positive.
                if extra[level, node] > 0.0:
                    surplus = extra[level, node] - overall[level, node]
                    extra[level, node] = -1.0 - surplus
                    if level < height and surplus > 0.0:
                        positive[level + 1, nodes[level + 1, values[entry]]] += surplus
        distance = 0.0
        for level in range(1, height + 1):
            for entry in range(starts[index], starts[index + 1]):
                node = nodes[level, values[entry]]
                if positive[level, node] > 0.0:
                    surplus = -1.0 - extra[level, node]
                    moved = min(positive[level, node], positive[level, node] - surplus)
                    distance += level / height * moved
                    positive[level, node] = 0.0
        for entry in range(starts[index], starts[index + 1]):
            for level in range(height + 1):
                extra[level, nodes[level, values[entry]]] = 0.0
        distances[index] = distance
    return distances


@compiled
def weighted_sums(
    codes: Codes, table: Floats, offsets: Ints, representatives: Codes, sizes: Ints, left_out: Bools
) -> Floats:
    """Add up a value per cell over the records of all classes but some: (n_columns,).

    Parameters
    ----------
    codes : (n_tuples, n_columns), value codes
    table : flat table of a number per column, level and value
    offsets : (n_columns,), where each column's level of the node begins in ``table``
    representatives, sizes : (n_classes,), one tuple of each class, and its records
    left_out : (n_classes,), the classes that do not count
    """
    n_columns = codes.shape[1]
    sums = np.zeros(n_columns)
    for index in range(len(representatives)):
        if left_out[index]:
            continue
        representative = representatives[index]
        for column in range(n_columns):
            sums[column] += sizes[index] * table[offsets[column] + codes[representative, column]]
    return sums


@compiled
def cheapest_below(nodes: Codes, costs: Ints, n_nodes: int, target: Codes) -> int:
    """Find the stored lattice node of least cost that is nowhere above ``target``.

    Parameters
    ----------
    nodes : (capacity, n_columns), of which the first ``n_nodes`` are in use
    costs : (capacity,), what it takes to start from each

    Returns
    -------
    its index; -1 when there is none
    """
    best = -1
    for index in range(n_nodes):
        if best >= 0 and costs[index] >= costs[best]:
            continue
        below = True
        for column in range(len(target)):
            if nodes[index, column] > target[column]:
                below = False
                break
        if below:
            best = index
    return best


@compiled
def smoothed_divergences(
    starts: Ints, values: Codes, counts: Ints, sizes: Ints, spread: Floats, reference: Floats
) -> Floats:
    """Return the Jensen-Shannon divergence, base 2, of each class from a reference, smoothed first.

    Parameters
    ----------
    starts, values, counts : value counts per class
    sizes : (n_classes,)
    spread : (n_values, n_values), what the share of the row's value adds to the column's
    reference : (n_values,), smoothed already, sums to 1
    """
    n_values = len(reference)
    divergences = np.zeros(len(sizes))
    smoothed = np.zeros(n_values)
    for index in range(len(sizes)):
        smoothed[:] = 0.0
        for entry in range(starts[index], starts[index + 1]):
            share = counts[entry] / sizes[index]
            source = values[entry]
            for value in range(n_values):
                smoothed[value] += share * spread[source, value]
        total = 0.0
        for value in range(n_values):
            total += smoothed[value]
        divergence = 0.0
        for value in range(n_values):
            first = smoothed[value] / total
            second = reference[value]
            middle = (first + second) / 2
            if first > 0.0:
                divergence += first * np.log2(first / middle)
            if second > 0.0:
                divergence += second * np.log2(second / middle)
        divergences[index] = max(divergence / 2, 0.0)
    return divergences
