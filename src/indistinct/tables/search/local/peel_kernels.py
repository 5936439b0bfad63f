"""The compiled loops of forest peel: grow a tree of groups, claim groups, count their values."""

# Single numbers out of arrays stand for int here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints, Words
from indistinct.base.compiled.kernels import GOLDEN, compiled, compiled_part, sort_keys


class Items(NamedTuple):
    """Weighted items and their cells, as compiled loops read them.

    A *level* of a column is one of those that its hierarchy may be released at, numbered from the
    finest. Levels that tell no more values apart than the one before have no number.

    Parameters
    ----------
    codes : (n_items, n_columns), value codes
    weights : (n_items,), records
    offsets : (n_columns, most levels), where a level's cells begin in ``cells``
    cells : cell of each value at each level of each column, one after the other
    costs : (n_cells,), what a record pays for being released in a cell
    tops : (n_columns,), highest level
    """

    codes: Codes
    weights: Ints
    offsets: Ints
    cells: Codes
    costs: Floats
    tops: Codes


class PeeledGroups(NamedTuple):
    """Candidate classes: each is a run of members and the levels they would be released at.

    Parameters
    ----------
    members : runs of items; the runs of a tree's groups lie inside one another
    starts, sizes : (n_groups,), where a group's run begins, and how many items it has
    losses : (n_groups,), what each record of a group pays
    nodes : (n_groups, n_columns), level per column
    """

    members: Codes
    starts: Ints
    sizes: Ints
    losses: Floats
    nodes: Codes


@compiled_part
def next_word(state: Words) -> np.uint64:
    """Draw the next 64-bit word of the splitmix64 generator whose state is ``state[0]``."""
    state[0] += GOLDEN
    word = state[0]
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@compiled_part
def tighten(items: Items, members: Codes, start: int, stop: int, node: Codes) -> float:
    """Lower each level of ``node`` while all members share the cell; give the loss of a record."""
    codes, offsets, cells = items.codes, items.offsets, items.cells
    first = members[start]
    loss = 0.0
    for column in range(len(node)):
        level = node[column]
        code = codes[first, column]
        while level > 0:  # at ``level``, all members share the cell
            offset = offsets[column, level - 1]
            cell = cells[offset + code]
            shared = True
            for position in range(start + 1, stop):
                if cells[offset + codes[members[position], column]] != cell:
                    shared = False
                    break
            if not shared:
                break
            level -= 1
        node[column] = level
        loss += items.costs[cells[offsets[column, level] + code]]
    return loss


@compiled
def common_levels(items: Items, members: Codes, starts: Ints) -> Codes:
    """Find the lowest level per column that all members of a class share: (n_classes, n_columns).

    Parameters
    ----------
    members, starts : items class after class, and where each class begins: (n_classes + 1,)
    """
    nodes = np.empty((len(starts) - 1, len(items.tops)), np.int32)
    for index in range(len(nodes)):
        for column in range(len(items.tops)):
            nodes[index, column] = items.tops[column]
        tighten(items, members, starts[index], starts[index + 1], nodes[index])
    return nodes


@compiled_part
def with_room(rows: Codes) -> Codes:
    """Copy a matrix into one with twice as many rows."""
    larger = np.empty((2 * rows.shape[0], rows.shape[1]), np.int32)
    for row in range(rows.shape[0]):
        for column in range(rows.shape[1]):
            larger[row, column] = rows[row, column]
    return larger


@compiled_part
def copy_node(source: Codes, target: Codes) -> None:
    """Copy a level per column; compiles much faster than the assignment of a slice."""
    for column in range(len(source)):
        target[column] = source[column]


@compiled
def grow_tree(
    items: Items, members: Codes, least: int, looks: int, price: float, seed: np.uint64
) -> PeeledGroups:
    """Split ``members`` at random from the top down and give every group on the way.

    Parameters
    ----------
    members : items to split
    least : records that a group needs
    looks : columns drawn per split, of which the best is taken
    price : groups that cost a record more are left out
    seed : of the draws

    Notes
    -----
    Invariants: a split permutes the members of a group among themselves, so that every group is
    one run of ``order``; the groups that wait are disjoint and hold ``least`` records each; between
    splits, ``tally`` and ``count`` are 0 everywhere.
    O(n_members * depth * (n_columns + looks)) time, O(n_members + n_groups) memory.
    """
    codes, weights, offsets, cells = items.codes, items.weights, items.offsets, items.cells
    costs = items.costs
    n_columns = codes.shape[1]
    order = members.copy()
    n_members = len(order)
    spare = np.empty(n_members, np.int32)
    tally = np.zeros(len(costs), np.int64)
    count = np.zeros(len(costs), np.int32)
    touched = np.empty(n_members, np.int32)
    columns = np.empty(n_columns, np.int32)
    for column in range(n_columns):
        columns[column] = column
    state = np.empty(1, np.uint64)
    state[0] = seed
    total = np.int64(0)
    for position in range(n_members):
        total += weights[order[position]]
    # Disjoint groups of `least` records each: no more can wait at a time.
    room = min(n_members, total // max(least, 1)) + 2
    wait_start = np.empty(room, np.int32)
    wait_size = np.empty(room, np.int32)
    wait_weight = np.empty(room, np.int64)
    wait_node = np.empty((room, n_columns), np.int32)
    waiting = 0
    if total >= least and n_members > 0:
        wait_start[0] = 0
        wait_size[0] = n_members
        wait_weight[0] = total
        copy_node(items.tops, wait_node[0])
        waiting = 1
    # Per group its levels, where its run begins and how long that is: one matrix grows as one.
    found = np.empty((4 * room, n_columns + 2), np.int32)
    n_groups = 0
    node = np.empty(n_columns, np.int32)
    while waiting > 0:
        waiting -= 1
        start = np.int64(wait_start[waiting])
        stop = start + wait_size[waiting]
        weight = wait_weight[waiting]
        copy_node(wait_node[waiting], node)
        loss = tighten(items, order, start, stop, node)
        # A group that costs more than suppression is never opened. Its parts may cost less.
        if loss <= price + 1e-9:
            if n_groups == len(found):
                found = with_room(found)
            copy_node(node, found[n_groups])
            found[n_groups, n_columns] = start
            found[n_groups, n_columns + 1] = stop - start
            n_groups += 1
        if weight <= least or stop - start == 1:
            continue
        best = -1
        best_score = 0.0
        looked = 0
        left = n_columns
        # Columns are drawn without replacement: those from ``left`` on have had their turn. If none
        # of the first ``looks`` gains anything, the others are tried as well.
        while left > 0 and (looked < looks or best < 0):
            pick = int(next_word(state) % np.uint64(left))
            left -= 1
            column = columns[pick]
            columns[pick] = columns[left]
            columns[left] = column
            if node[column] == 0:
                continue
            looked += 1
            offset = offsets[column, node[column] - 1]
            n_touched = 0
            for position in range(start, stop):
                item = order[position]
                cell = cells[offset + codes[item, column]]
                if tally[cell] == 0:
                    touched[n_touched] = cell
                    n_touched += 1
                tally[cell] += weights[item]
            # All members share the cell at the present level, so the first one tells its cost.
            # Parts with too few records gain nothing, because nobody can be released in them.
            above = costs[cells[offsets[column, node[column]] + codes[order[start], column]]]
            score = 0.0
            for position in range(n_touched):
                cell = touched[position]
                if tally[cell] >= least:
                    score += tally[cell] * (above - costs[cell])
                tally[cell] = 0
            if score > best_score:
                best = column
                best_score = score
        if best < 0:
            continue
        # A counting sort of the run by the cells of the best column. ``count`` first holds the
        # number of items per cell, then the place where the next item of the cell goes.
        offset = offsets[best, node[best] - 1]
        n_touched = 0
        for position in range(start, stop):
            item = order[position]
            spare[position] = item
            cell = cells[offset + codes[item, best]]
            if count[cell] == 0:
                touched[n_touched] = cell
                n_touched += 1
            count[cell] += 1
            tally[cell] += weights[item]
        node[best] -= 1
        begin = start
        for position in range(n_touched):
            cell = touched[position]
            size = count[cell]
            # Smaller parts do not wait: their items remain in the groups above alone.
            if tally[cell] >= least:
                wait_start[waiting] = begin
                wait_size[waiting] = size
                wait_weight[waiting] = tally[cell]
                copy_node(node, wait_node[waiting])
                waiting += 1
            count[cell] = begin
            begin += size
        for position in range(start, stop):
            item = spare[position]
            cell = cells[offset + codes[item, best]]
            order[count[cell]] = item
            count[cell] += 1
        for position in range(n_touched):
            count[touched[position]] = 0
            tally[touched[position]] = 0
    starts = np.empty(n_groups, np.int64)
    sizes = np.empty(n_groups, np.int64)
    losses = np.empty(n_groups, np.float64)
    nodes = np.empty((n_groups, n_columns), np.int32)
    for group in range(n_groups):
        starts[group] = found[group, n_columns]
        sizes[group] = found[group, n_columns + 1]
        item = order[starts[group]]  # later splits permuted the members among themselves only
        loss = 0.0
        for column in range(n_columns):
            nodes[group, column] = found[group, column]
            loss += costs[cells[offsets[column, found[group, column]] + codes[item, column]]]
        losses[group] = loss
    return PeeledGroups(order, starts, sizes, losses, nodes)


@compiled
def claim_groups(
    items: Items,
    groups: PeeledGroups,
    ranking: Ints,
    taken: Codes,
    spent: Codes,
    least: int,
    target: int,
    judged: int,
) -> tuple[PeeledGroups, int]:
    """Claim the cheapest groups that still have ``least`` free records.

    Parameters
    ----------
    ranking : groups in the order they may claim
    taken : (n_items,), 0 where an item is free; marked here
    spent : (n_groups,), 1 where a group has had its turn; marked here
    target : records to claim; groups as cheap as the last one still have their turn
    judged : 0: claims are final. Else they await a judgement: each claim is marked as taken by
        this stamp, a group that meets an item with this stamp puts it on its own members and
        keeps its turn, and no group claims an item that a cheaper one may get

    Returns
    -------
    claims : their free members, at levels as low as these allow
    weight : records claimed
    """
    n_columns = items.codes.shape[1]
    room = 0
    for item in range(len(taken)):
        if taken[item] == 0:
            room += 1
    members = np.empty(room, np.int32)
    starts = np.empty(room, np.int64)
    sizes = np.empty(room, np.int64)
    losses = np.empty(room, np.float64)
    nodes = np.empty((room, n_columns), np.int32)
    n_claims = 0
    filled = np.int64(0)
    claimed = np.int64(0)
    limit = np.inf
    for place in range(len(ranking)):
        group = ranking[place]
        if spent[group] == 1:
            continue
        if claimed >= target and groups.losses[group] > limit:
            break
        # The free members are listed behind those that were claimed. What comes next writes over
        # them unless this group claims them.
        weight = np.int64(0)
        contested = False
        stop = filled
        for position in range(groups.starts[group], groups.starts[group] + groups.sizes[group]):
            item = groups.members[position]
            if taken[item] == 0:
                members[stop] = item
                stop += 1
                weight += items.weights[item]
            elif judged > 0 and taken[item] == judged:
                contested = True
                weight += items.weights[item]
        if weight < least:
            # What is taken never becomes free again, so this group has had its turn for good.
            spent[group] = 1
            continue
        for position in range(filled, stop):
            taken[members[position]] = max(judged, 1)
        if contested:
            continue
        spent[group] = 1
        copy_node(groups.nodes[group], nodes[n_claims])
        losses[n_claims] = tighten(items, members, filled, stop, nodes[n_claims])
        starts[n_claims] = filled
        sizes[n_claims] = stop - filled
        n_claims += 1
        filled = stop
        claimed += weight
        # Groups that cost as much as this one are alike for the search, and all have their turn.
        if claimed >= target and limit == np.inf:
            limit = groups.losses[group]
    claims = PeeledGroups(
        members[:filled].copy(),
        starts[:n_claims].copy(),
        sizes[:n_claims].copy(),
        losses[:n_claims].copy(),
        nodes[:n_claims].copy(),
    )
    return claims, claimed


@compiled
def list_members(labels: Codes, n_classes: int) -> tuple[Codes, Ints]:
    """List the items of each class: items, and where each class begins, (n_classes + 1,).

    Parameters
    ----------
    labels : (n_items,), class of each item, -1 for none
    """
    # The sizes stand two places further on than their class. Once they are summed up, the place
    # after a class holds where the class begins, and listing its items moves it to where the next
    # one begins.
    starts = np.zeros(n_classes + 2, np.int64)
    for item in range(len(labels)):
        if labels[item] >= 0:
            starts[labels[item] + 2] += 1
    for index in range(2, n_classes + 2):
        starts[index] += starts[index - 1]
    members = np.empty(starts[n_classes + 1], np.int32)
    for item in range(len(labels)):
        label = labels[item]
        if label >= 0:
            members[starts[label + 1]] = item
            starts[label + 1] += 1
    return members, starts[: n_classes + 1].copy()


@compiled
def count_members(
    members: Codes, starts: Ints, values: Codes, weights: Ints, n_values: int
) -> tuple[Ints, Codes, Ints]:
    """Count the values of each class's members.

    Parameters
    ----------
    members : items, class after class
    starts : (n_classes + 1,), where each class begins
    values, weights : (n_items,), value and records of each item
    n_values : 0 <= value < n_values

    Returns
    -------
    starts, values, counts : runs of distinct values per class, ascending
    """
    n_classes = len(starts) - 1
    tally = np.zeros(n_values, np.int64)
    touched = np.empty(n_values, np.int32)
    runs = np.zeros(n_classes + 1, np.int64)
    found = np.empty(len(members), np.int32)
    counts = np.empty(len(members), np.int64)
    filled = 0
    for index in range(n_classes):
        n_touched = 0
        for position in range(starts[index], starts[index + 1]):
            value = values[members[position]]
            if tally[value] == 0:
                touched[n_touched] = value
                n_touched += 1
            tally[value] += weights[members[position]]
        # Only values that occur are sorted, and set back to 0, so that the time of a class does not
        # grow with the number of values in the whole column.
        sort_keys(touched, n_touched)
        for entry in range(n_touched):
            found[filled] = touched[entry]
            counts[filled] = tally[touched[entry]]
            tally[touched[entry]] = 0
            filled += 1
        runs[index + 1] = filled
    return runs, found[:filled].copy(), counts[:filled].copy()
