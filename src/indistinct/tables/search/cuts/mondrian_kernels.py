"""The loops of Mondrian: measure partitions, propose a cut for each, carry the cuts out.

All partitions of a generation lie one after another in the same arrays. Values are ranks: numbers
in their order, values of a hierarchy in an order that keeps those with the same label together.
So the least and the greatest rank of a partition say all about its extent.
"""

# Single numbers out of arrays stand for int here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.compiled.kernels import compiled, compiled_part, sort_keys

# Keys are counted in a table while it has no more places than this many per item, else sorted.
PLACES_PER_ITEM = 8
LEAST_PLACES = 64


class MondrianColumns(NamedTuple):
    """What Mondrian knows of the quasi-identifiers.

    Parameters
    ----------
    keys : flat per column, level and rank, number of the label in rank order
    shares : flat likewise, share of the domain that the label stands for
    starts, n_ranks : (n_columns,), where a column begins in these, and its number of ranks
    floors : (n_columns,), lowest level allowed
    numbers : flat per numeric column and rank. Its levels are three: numbers, known or missing,
        everything
    number_starts : (n_columns,), where a column begins in these
    ranges : (n_columns,), range of the numbers; 0 for other columns
    weights : (n_columns,), importance
    """

    keys: Codes
    shares: Floats
    starts: Ints
    n_ranks: Ints
    floors: Ints
    numbers: Floats
    number_starts: Ints
    ranges: Floats
    weights: Floats


class RankedItems(NamedTuple):
    """Records in the order of their partitions.

    Parameters
    ----------
    tuples, weights : (capacity,), distinct tuple of each item, and its records
    ranks : (n_columns, capacity); of a column that is constant in its partition, left as it was
    """

    tuples: Codes
    weights: Ints
    ranks: Codes


class Partitions(NamedTuple):
    """The partitions of a generation.

    Parameters
    ----------
    starts : (n_partitions + 1,), where each one's items begin
    sizes : (n_partitions,), records
    lows, highs : (n_partitions, n_columns), least and greatest rank
    """

    starts: Ints
    sizes: Ints
    lows: Codes
    highs: Codes


class Cuts(NamedTuple):
    """A cut per partition of a generation.

    Parameters
    ----------
    n_parts : (n_partitions,), 0 where there is none
    parts : (n_items,), part of each item in its partition
    torn : (n_partitions,), item whose records belong to the first part, too; -1 where there is none
    torn_weights : (n_partitions,), how many of its records
    """

    n_parts: Codes
    parts: Codes
    torn: Ints
    torn_weights: Ints


@compiled_part
def common_level(columns: MondrianColumns, column: int, low: int, high: int) -> int:
    """Find the lowest level at which two ranks, and all between them, have the same label."""
    # Equal labels stand together at every level, so that it is enough if both ends have the same.
    level = 0
    position = columns.starts[column]
    while columns.keys[position + low] != columns.keys[position + high]:
        position += columns.n_ranks[column]
        level += 1
    return level


@compiled_part
def is_range(columns: MondrianColumns, column: int, level: int) -> bool:
    """Return whether values with a common label at ``level`` are a range of numbers."""
    return columns.ranges[column] > 0.0 and level == 1


@compiled_part
def extent(columns: MondrianColumns, column: int, level: int, low: int, high: int) -> float:
    """Return the share of the domain that a set of values is spread over, in [0, 1]."""
    if is_range(columns, column, level):
        at = columns.number_starts[column]
        length = columns.numbers[at + high] - columns.numbers[at + low]
        return float(length / columns.ranges[column])
    at = columns.starts[column] + level * columns.n_ranks[column]
    return float(columns.shares[at + low])


@compiled
def rank_values(codes: Codes, weights: Ints, ranks: Codes, starts: Ints, target: Codes) -> Ints:
    """Return every value in rank order, and the number of records that have it.

    Parameters
    ----------
    codes : (n_tuples, n_columns), value codes
    weights : (n_tuples,), records per tuple
    ranks : flat per column, rank of each value code
    starts : (n_columns,), where a column begins in ``ranks``
    target : (n_columns, at least n_tuples), filled with the ranks

    Returns
    -------
    counts : flat like ``ranks``, records per value
    """
    counts = np.zeros(len(ranks), np.int64)
    for item in range(codes.shape[0]):
        for column in range(codes.shape[1]):
            at = starts[column] + codes[item, column]
            target[column, item] = ranks[at]
            counts[at] += weights[item]
    return counts


@compiled
def measure(
    columns: MondrianColumns, items: RankedItems, partitions: Partitions, least_size: int
) -> tuple[Codes, Codes]:
    """Find the extent of each partition, and the order in which its columns are worth a cut.

    Parameters
    ----------
    partitions : ``lows`` and ``highs``, those of the partition it was cut from, are brought up to
        date
    least_size : records that a part needs

    Returns
    -------
    order : (n_partitions, n_columns), columns by descending span, ties in column order
    n_open : (n_partitions,), how many of these can be cut at all
    """
    n_partitions, n_columns = partitions.lows.shape
    order = np.empty((n_partitions, n_columns), np.int32)
    n_open = np.zeros(n_partitions, np.int32)
    spans = np.empty(n_columns)
    for index in range(n_partitions):
        start, end = partitions.starts[index], partitions.starts[index + 1]
        is_divisible = partitions.sizes[index] >= 2 * least_size
        n_found = 0
        for column in range(n_columns):
            if partitions.lows[index, column] == partitions.highs[index, column]:
                continue
            low = high = np.int64(items.ranks[column, start])
            for item in range(start + 1, end):
                rank = np.int64(items.ranks[column, item])
                low = min(low, rank)
                high = max(high, rank)
            level = common_level(columns, column, low, high)
            if level <= columns.floors[column]:
                high = low  # no finer label may be released: as good as constant
            partitions.lows[index, column] = low
            partitions.highs[index, column] = high
            if low == high or not is_divisible:
                continue
            span = columns.weights[column] * extent(columns, column, level, low, high)
            # Sorted in as they come; a strict comparison keeps equal spans in the order of columns.
            place = n_found
            while place > 0 and spans[place - 1] < span:
                spans[place] = spans[place - 1]
                order[index, place] = order[index, place - 1]
                place -= 1
            spans[place] = span
            order[index, place] = column
            n_found += 1
        n_open[index] = n_found
    return order, n_open


@compiled
def part_children(counts: Ints, n_keys: int, least_size: int, part_of: Codes) -> int:
    """Make a part of each child that is large enough, and one of all the others.

    Where the others are too few together, the smallest of the large children joins them.

    Parameters
    ----------
    counts : (n_keys,), records per child, in order
    part_of : (n_keys,), filled with the part of each child

    Returns
    -------
    number of parts; 0 when there would be one only
    """
    n_large, n_rest, smallest = 0, 0, -1
    for key in range(n_keys):
        if counts[key] >= least_size:
            n_large += 1
            if smallest < 0 or counts[key] < counts[smallest]:
                smallest = key
        else:
            n_rest += counts[key]
    joins = 0 < n_rest < least_size
    n_parts = n_large + (0 if joins or n_rest == 0 else 1)
    if n_parts <= 1:
        return 0
    part = 0
    for key in range(n_keys):
        if counts[key] >= least_size and not (joins and key == smallest):
            part_of[key] = part
            part += 1
        else:
            part_of[key] = n_parts - 1
    return n_parts


@compiled
def part_median(counts: Ints, n_keys: int, size: int, least_size: int, part_of: Codes) -> int:
    """Cut behind the lower median, or else before it.

    Parameters
    ----------
    counts : (n_keys,), records per value, in order
    size : records
    part_of : (n_keys,), filled with the part of each value

    Returns
    -------
    number of parts; 0 when one would be too small
    """
    below, median = 0, 0
    while 2 * (below + counts[median]) < size:
        below += counts[median]
        median += 1
    left = below + counts[median]
    if left < least_size or size - left < least_size:
        left = below
        median -= 1
    if left < least_size or size - left < least_size:
        return 0
    for key in range(n_keys):
        part_of[key] = 0 if key <= median else 1
    return 2


@compiled
def tear_median(
    counts: Ints, size: int, weights: Ints, keys: Codes, parts: Codes
) -> tuple[int, int]:
    """Divide the records into halves, those with the median going to both.

    Parameters
    ----------
    counts : (n_keys,), records per value, in order
    size : records
    weights, keys : (n_items,), records and value of each item
    parts : (n_items,), filled with the part of each item

    Returns
    -------
    torn : item that has records on both sides; -1 when there is none
    torn_weight : how many of them are on the left
    """
    half = (size + 1) // 2
    below, median = 0, 0
    while below + counts[median] < half:
        below += counts[median]
        median += 1
    free = half - below
    torn, torn_weight = -1, 0
    for item in range(len(keys)):
        if keys[item] != median:
            parts[item] = 0 if keys[item] < median else 1
        elif weights[item] <= free:
            parts[item] = 0
            free -= weights[item]
        else:
            parts[item] = 1
            if free > 0:
                torn, torn_weight = item, free
                free = 0
    return torn, torn_weight


@compiled
def number_keys(keys: Codes, weights: Ints, low: int, high: int, counts: Ints, dense: Codes) -> int:
    """Count the records per key, and number the keys that occur from 0.

    Parameters
    ----------
    keys : (n_items,), low <= key <= high; replaced by their numbers
    weights : (n_items,)
    counts : (at least n_items,), filled with the records per number
    dense : (capacity,), space to work in; keys farther apart than that are sorted

    Returns
    -------
    number of keys that occur

    Notes
    -----
    O(n_items + high - low), or O(n_items * log(n_items)) where keys lie far apart.
    """
    n_items = len(keys)
    n_keys = 0
    if high - low < min(PLACES_PER_ITEM * n_items + LEAST_PLACES, len(dense)):
        for place in range(high - low + 1):
            dense[place] = -1
        for item in range(n_items):
            dense[keys[item] - low] = 0
        for place in range(high - low + 1):
            if dense[place] == 0:
                dense[place] = n_keys
                counts[n_keys] = 0
                n_keys += 1
        for item in range(n_items):
            key = dense[keys[item] - low]
            keys[item] = key
            counts[key] += weights[item]
        return n_keys
    # Keys lie far apart: sort a copy, drop doubles, and find each key's number by halving.
    for item in range(n_items):
        dense[item] = keys[item]
    sort_keys(dense, n_items)
    for place in range(n_items):
        if n_keys == 0 or dense[place] != dense[n_keys - 1]:
            dense[n_keys] = dense[place]
            counts[n_keys] = 0
            n_keys += 1
    for item in range(n_items):
        left, right = 0, n_keys - 1
        while left < right:  # the key's number lies in [left, right]
            middle = (left + right) // 2
            if dense[middle] < keys[item]:
                left = middle + 1
            else:
                right = middle
        keys[item] = left
        counts[left] += weights[item]
    return n_keys


@compiled
def propose(
    columns: MondrianColumns,
    items: RankedItems,
    partitions: Partitions,
    order: Codes,
    n_open: Codes,
    attempts: Codes,
    pending: Codes,
    least_size: int,
    relaxed: bool,
    cuts: Cuts,
) -> None:
    """Find for each pending partition the next column with a cut whose parts are large enough.

    Parameters
    ----------
    attempts : (n_partitions,), place in ``order`` to begin at; moved behind the column that is
        proposed
    pending : the partitions in question
    relaxed : whether records with the median may go to both sides
    cuts : filled; no cut where no column is left
    """
    # The arrays in use are made once, for the largest partition.
    longest = np.int64(0)
    for index in pending:
        longest = max(longest, partitions.starts[index + 1] - partitions.starts[index])
    counts = np.empty(longest, np.int64)
    part_of = np.empty(longest, np.int32)
    dense = np.empty(PLACES_PER_ITEM * longest + LEAST_PLACES, np.int32)
    scratch = np.empty(longest, np.int32)
    for each in pending:
        index = np.int64(each)
        start, end = partitions.starts[index], partitions.starts[index + 1]
        size = partitions.sizes[index]
        weights = items.weights[start:end]
        parts = cuts.parts[start:end]
        keys = scratch[: end - start]
        cuts.torn[index] = -1
        n_parts = 0
        while n_parts == 0 and attempts[index] < n_open[index]:
            column = np.int64(order[index, attempts[index]])
            attempts[index] += 1
            low = np.int64(partitions.lows[index, column])
            high = np.int64(partitions.highs[index, column])
            level = common_level(columns, column, low, high)
            # The partition has one label at ``level``: it can be cut at the labels one level lower.
            at = columns.starts[column] + (level - 1) * columns.n_ranks[column]
            ranks = items.ranks[column, start:end]
            for item in range(len(keys)):
                keys[item] = columns.keys[at + ranks[item]]
            n_keys = number_keys(
                keys,
                weights,
                np.int64(columns.keys[at + low]),
                np.int64(columns.keys[at + high]),
                counts,
                dense,
            )
            if not is_range(columns, column, level):
                n_parts = part_children(counts, n_keys, least_size, part_of)
            elif not relaxed:
                n_parts = part_median(counts, n_keys, size, least_size, part_of)
            else:
                n_parts = 2
                torn, cuts.torn_weights[index] = tear_median(counts, size, weights, keys, parts)
                cuts.torn[index] = torn if torn < 0 else start + torn
                continue
            if n_parts > 0:
                for item in range(len(keys)):
                    parts[item] = part_of[keys[item]]
        cuts.n_parts[index] = n_parts


@compiled
def candidate_sizes(
    items: RankedItems, partitions: Partitions, cuts: Cuts, proposed: Codes
) -> tuple[Ints, Ints]:
    """Count the records of the parts that partitions would be cut into.

    Parameters
    ----------
    proposed : the partitions in question, each with a cut

    Returns
    -------
    firsts : (n_proposed,), first part of each partition
    sizes : (n_parts,), records of each part
    """
    firsts = np.empty(len(proposed), np.int64)
    n_parts = 0
    for place in range(len(proposed)):
        firsts[place] = n_parts
        n_parts += cuts.n_parts[proposed[place]]
    sizes = np.zeros(n_parts, np.int64)
    for place in range(len(proposed)):
        index, first = proposed[place], firsts[place]
        for item in range(partitions.starts[index], partitions.starts[index + 1]):
            sizes[first + cuts.parts[item]] += items.weights[item]
        if cuts.torn[index] >= 0:
            sizes[first] += cuts.torn_weights[index]
            sizes[first + 1] -= cuts.torn_weights[index]
    return firsts, sizes


@compiled
def candidate_items(
    items: RankedItems, partitions: Partitions, cuts: Cuts, proposed: Codes, firsts: Ints
) -> tuple[Codes, Codes, Ints]:
    """List the items of the parts that partitions would be cut into.

    Parameters
    ----------
    proposed : the partitions in question, each with a cut
    firsts : (n_proposed,), first part of each

    Returns
    -------
    labels, tuples, weights : (n_items,), part, distinct tuple and records of each item
    """
    n_items = 0
    for index in proposed:
        n_items += partitions.starts[index + 1] - partitions.starts[index] + 1
    labels = np.empty(n_items, np.int32)
    tuples = np.empty(n_items, np.int32)
    weights = np.empty(n_items, np.int64)
    filled = 0
    for place in range(len(proposed)):
        index, first = proposed[place], firsts[place]
        for item in range(partitions.starts[index], partitions.starts[index + 1]):
            torn_weight = 0
            if item == cuts.torn[index]:
                torn_weight = cuts.torn_weights[index]
                labels[filled] = first
                tuples[filled] = items.tuples[item]
                weights[filled] = torn_weight
                filled += 1
            labels[filled] = first + cuts.parts[item]
            tuples[filled] = items.tuples[item]
            weights[filled] = items.weights[item] - torn_weight
            filled += 1
    return labels[:filled], tuples[:filled], weights[:filled]


@compiled
def carry_out(
    items: RankedItems, partitions: Partitions, cuts: Cuts, target: RankedItems
) -> tuple[Partitions, Codes]:
    """Cut the partitions that have a cut, and write their parts one after another.

    Parameters
    ----------
    target : filled with the parts' items, which keep their order

    Returns
    -------
    partitions : the parts, with the ``lows`` and ``highs`` of the partition they come from
    owners : (n_parts,), that partition
    """
    n_partitions, n_columns = partitions.lows.shape
    n_children, longest = 0, np.int64(0)
    for index in range(n_partitions):
        n_children += cuts.n_parts[index]
        longest = max(longest, partitions.starts[index + 1] - partitions.starts[index])
    starts = np.zeros(n_children + 1, np.int64)
    sizes = np.zeros(n_children, np.int64)
    lows = np.empty((n_children, n_columns), np.int32)
    highs = np.empty((n_children, n_columns), np.int32)
    owners = np.empty(n_children, np.int32)
    cursors = np.empty(n_children, np.int64)
    places = np.empty(longest, np.int64)
    first, filled = 0, np.int64(0)
    for index in range(n_partitions):
        n_parts = cuts.n_parts[index]
        if n_parts == 0:
            continue
        start, end = partitions.starts[index], partitions.starts[index + 1]
        torn = cuts.torn[index]
        for part in range(first, first + n_parts):
            cursors[part] = 0
            owners[part] = index
            for column in range(n_columns):  # the assignment of a row takes seconds to compile
                lows[part, column] = partitions.lows[index, column]
                highs[part, column] = partitions.highs[index, column]
        if torn >= 0:
            cursors[first] = 1
        for item in range(start, end):
            cursors[first + cuts.parts[item]] += 1
        for part in range(first, first + n_parts):
            starts[part] = filled
            filled += cursors[part]
            cursors[part] = starts[part]
        for item in range(start, end):
            weight = items.weights[item]
            if item == torn:
                place = cursors[first]
                cursors[first] += 1
                target.tuples[place] = items.tuples[item]
                target.weights[place] = cuts.torn_weights[index]
                sizes[first] += cuts.torn_weights[index]
                weight -= cuts.torn_weights[index]
                for column in range(n_columns):
                    target.ranks[column, place] = items.ranks[column, item]
            part = first + cuts.parts[item]
            place = cursors[part]
            cursors[part] += 1
            places[item - start] = place
            target.tuples[place] = items.tuples[item]
            target.weights[place] = weight
            sizes[part] += weight
        for column in range(n_columns):
            if partitions.lows[index, column] < partitions.highs[index, column]:
                ranks = items.ranks[column, start:end]
                row = target.ranks[column]
                for item in range(len(ranks)):
                    row[places[item]] = ranks[item]
        first += n_parts
    starts[n_children] = filled
    return Partitions(starts, sizes, lows, highs), owners


@compiled
def settle(
    items: RankedItems,
    partitions: Partitions,
    leaves: Codes,
    first: int,
    n_settled: int,
    tuples: Codes,
    labels: Codes,
    weights: Ints,
) -> int:
    """Write the items of the partitions that stay whole.

    Parameters
    ----------
    leaves : the partitions in question
    first : class that the first of them becomes
    n_settled : items already written
    tuples, labels, weights : (capacity,), filled from ``n_settled`` on

    Returns
    -------
    items written now and before
    """
    for place in range(len(leaves)):
        index = leaves[place]
        for item in range(partitions.starts[index], partitions.starts[index + 1]):
            tuples[n_settled] = items.tuples[item]
            labels[n_settled] = first + place
            weights[n_settled] = items.weights[item]
            n_settled += 1
    return n_settled
