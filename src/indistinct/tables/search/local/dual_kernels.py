"""The compiled walk of the dual bound: by how much the prices around every item may rise.

The lattice is walked depth first. A node's groups are rolled up from those of the node before it,
which differs by one level in one column, and every group keeps the highest prices of its members.
Columns are raised from left to right, so that below a node the columns to the left of the last one
raised stay as they are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints, Words
from indistinct.base.compiled.compiling import compiled, compiled_part
from indistinct.base.compiled.kernels import GOLDEN, slots_for
from indistinct.tables.search.local.peel_kernels import Items


class Stack(NamedTuple):
    """The groups of the nodes on the way, one row per depth.

    Parameters
    ----------
    counts : (depth,), groups at each depth
    members : (depth, n_items), an item of each group
    keys : (depth, n_items), sum of the words of its cells
    costs : (depth, n_items), what a record of the group pays
    weights : (depth, n_items), its records, ``least`` at most
    tops : (depth, n_items, least), its highest prices, as many as it has records
    slack : (depth, n_items), least slack of the groups around it that were looked at
    parents : (depth, n_items), the group one depth down that it became part of; -1 for none
    """

    counts: Ints
    members: Codes
    keys: Words
    costs: Floats
    weights: Ints
    tops: Floats
    slack: Floats
    parents: Codes


class DualWorkspace(NamedTuple):
    """What a walk reads, and its arrays. Python makes them: each here costs time to compile.

    Parameters
    ----------
    words : (n_cells,), a random word per cell
    least : records that a group needs, and prices that it keeps
    table, marked : (a power of two, twice ``n_items`` or more,), hash tables
    frozen, moved, groups, slack : (n_items,), as the loops below say
    columns : (depth,), the column to raise next
    node : (n_columns,), the levels of the node where the walk stands
    own : (1, least), the prices of an item
    """

    items: Items
    words: Words
    least: int
    stack: Stack
    table: Codes
    marked: Words
    frozen: Words
    moved: Floats
    groups: Codes
    columns: Ints
    node: Codes
    own: Floats
    slack: Floats


def workspace_for(items: Items, words: Words, least: int) -> DualWorkspace:
    """Return a workspace for walks over some items, whose groups keep ``least`` prices each."""
    n_items, n_columns = items.codes.shape
    depth = 1 + int(items.tops.sum())
    n_slots = slots_for(n_items)  # 1 << hash_bits(n_items)
    stack = Stack(
        np.zeros(depth, np.int64),
        np.empty((depth, n_items), np.int32),
        np.empty((depth, n_items), np.uint64),
        np.empty((depth, n_items)),
        np.empty((depth, n_items), np.int64),
        np.empty((depth, n_items, least)),
        np.empty((depth, n_items)),
        np.empty((depth, n_items), np.int32),
    )
    return DualWorkspace(
        items,
        words,
        least,
        stack,
        np.empty(n_slots, np.int32),
        np.empty(n_slots, np.uint64),
        np.empty(n_items, np.uint64),
        np.empty(n_items),
        np.empty(n_items, np.int32),
        np.empty(depth, np.int64),
        np.empty(n_columns, np.int32),
        np.empty((1, least)),
        np.empty(n_items),
    )


@compiled_part
def hash_bits(n_entries: int) -> int:
    """Return the bits of a hash table that is at most half full."""
    bits = 4
    while (1 << bits) < 2 * n_entries:
        bits += 1
    return bits


@compiled_part
def add_prices(
    tops: Floats, group: int, filled: int, others: Floats, other: int, n_others: int, least: int
) -> int:
    """Merge the descending prices of another group into a group's; give how many it has."""
    total = min(filled + n_others, least)
    # Both lists are in descending order. First it is counted how many prices of each are kept. The
    # lowest of these are then filled in first, from behind.
    left, right = 0, 0
    for _ in range(total):
        if right >= n_others or (left < filled and tops[group, left] >= others[other, right]):
            left += 1
        else:
            right += 1
    for place in range(total - 1, -1, -1):
        if right == 0 or (left > 0 and tops[group, left - 1] < others[other, right - 1]):
            left -= 1
            tops[group, place] = tops[group, left]
        else:
            right -= 1
            tops[group, place] = others[other, right]
    return total


@compiled_part
def fill_first(workspace: DualWorkspace, prices: Floats) -> None:
    """Group the items at the lowest levels, where the policy may already join some."""
    items, stack, table, own = workspace.items, workspace.stack, workspace.table, workspace.own
    n_items, n_columns = items.codes.shape
    bits = hash_bits(n_items)
    shift = np.uint64(64 - bits)
    mask = (1 << bits) - 1
    for slot in range(1 << bits):
        table[slot] = -1
    n_groups = 0
    for item in range(n_items):
        key, cost = np.uint64(0), 0.0
        for column in range(n_columns):
            cell = items.cells[items.offsets[column, 0] + items.codes[item, column]]
            key += workspace.words[cell]
            cost += items.costs[cell]
        slot = np.int64((key * GOLDEN) >> shift)
        while table[slot] >= 0 and stack.keys[0, table[slot]] != key:
            slot = (slot + 1) & mask
        group = table[slot]
        if group < 0:
            group = n_groups
            n_groups += 1
            table[slot] = group
            stack.members[0, group] = item
            stack.keys[0, group] = key
            stack.costs[0, group] = cost
            stack.weights[0, group] = 0
        # All records of an item have its price. More than ``least`` of them never count.
        filled = min(items.weights[item], workspace.least)
        for place in range(filled):
            own[0, place] = prices[item]
        workspace.groups[item] = group
        stack.weights[0, group] = add_prices(
            stack.tops[0], group, stack.weights[0, group], own, 0, filled, workspace.least
        )
    stack.counts[0] = n_groups


@compiled_part
def judge_groups(workspace: DualWorkspace, depth: int) -> None:
    """Write the slack of the groups of a node that have enough records."""
    stack, least = workspace.stack, workspace.least
    for group in range(stack.counts[depth]):
        stack.slack[depth, group] = np.inf
        if stack.weights[depth, group] >= least:
            total = 0.0
            for place in range(least):
                total += stack.tops[depth, group, place]
            stack.slack[depth, group] = stack.costs[depth, group] - total / least


@compiled_part
def mark_open(workspace: DualWorkspace, depth: int, column: int, cap: float) -> int:
    """Find the groups that may matter where a column, or one to the right of it, is raised.

    A group is open if its highest price comes within ``cap`` of what it will pay. Only groups that
    agree with an open one in all columns that stay as they are can ever be joined with it.

    In ``workspace.frozen`` and ``workspace.moved`` is then the key of these columns, and the new
    cost, of each group.

    Returns
    -------
    the number of open groups
    """
    items, stack, node, marked = workspace.items, workspace.stack, workspace.node, workspace.marked
    n_open = 0
    bits = hash_bits(stack.counts[depth])
    shift = np.uint64(64 - bits)
    mask = (1 << bits) - 1
    for slot in range(1 << bits):
        marked[slot] = np.uint64(0)
    low = items.offsets[column, node[column]]
    high = items.offsets[column, node[column] + 1]
    for group in range(stack.counts[depth]):
        item = stack.members[depth, group]
        code = items.codes[item, column]
        cost = (
            stack.costs[depth, group]
            + items.costs[items.cells[high + code]]
            - items.costs[items.cells[low + code]]
        )
        workspace.moved[group] = cost
        if stack.tops[depth, group, 0] + cap > cost:
            n_open += 1
    if n_open == 0:
        return 0
    # Groups that agree in the columns to the left have one key. Any of them may be joined with an
    # open one later, so what is kept are the keys of the open ones.
    for group in range(stack.counts[depth]):
        item = stack.members[depth, group]
        key = np.uint64(1)
        for other in range(column):
            cell = items.cells[items.offsets[other, node[other]] + items.codes[item, other]]
            key += workspace.words[cell]
        workspace.frozen[group] = key
        if stack.tops[depth, group, 0] + cap > workspace.moved[group]:
            slot = np.int64((key * GOLDEN) >> shift)
            while marked[slot] != np.uint64(0) and marked[slot] != key:
                slot = (slot + 1) & mask
            marked[slot] = key
    return n_open


@compiled_part
def roll_up_marked(workspace: DualWorkspace, depth: int, column: int) -> None:
    """Join the marked groups of a node that are one group where a column is raised by a level."""
    items, words, stack, node = workspace.items, workspace.words, workspace.stack, workspace.node
    table, marked, frozen, moved = (
        workspace.table,
        workspace.marked,
        workspace.frozen,
        workspace.moved,
    )
    above = depth + 1
    bits = hash_bits(stack.counts[depth])
    shift = np.uint64(64 - bits)
    mask = (1 << bits) - 1
    for slot in range(1 << bits):
        table[slot] = -1
    low = items.offsets[column, node[column]]
    high = items.offsets[column, node[column] + 1]
    n_groups = 0
    for group in range(stack.counts[depth]):
        slot = np.int64((frozen[group] * GOLDEN) >> shift)
        while marked[slot] != np.uint64(0) and marked[slot] != frozen[group]:
            slot = (slot + 1) & mask
        if marked[slot] == np.uint64(0):
            stack.parents[depth, group] = -1
            continue
        code = items.codes[stack.members[depth, group], column]
        key = (
            stack.keys[depth, group]
            + words[items.cells[high + code]]
            - words[items.cells[low + code]]
        )
        slot = np.int64((key * GOLDEN) >> shift)
        while table[slot] >= 0 and stack.keys[above, table[slot]] != key:
            slot = (slot + 1) & mask
        joined = table[slot]
        if joined < 0:
            joined = n_groups
            n_groups += 1
            table[slot] = joined
            stack.members[above, joined] = stack.members[depth, group]
            stack.keys[above, joined] = key
            stack.costs[above, joined] = moved[group]
            stack.weights[above, joined] = 0
        stack.parents[depth, group] = joined
        # Rounding may give one group several costs: the least is safe.
        stack.costs[above, joined] = min(stack.costs[above, joined], moved[group])
        stack.weights[above, joined] = add_prices(
            stack.tops[above],
            joined,
            stack.weights[above, joined],
            stack.tops[depth],
            group,
            stack.weights[depth, group],
            workspace.least,
        )
    stack.counts[above] = n_groups


@compiled
def walk(prices: Floats, cap: float, most_work: int, workspace: DualWorkspace) -> int:
    """Find the least slack of the groups around each item, where it is below ``cap``.

    The slack of a group of at least ``least`` records is what a record of it pays minus the mean
    of the ``least`` highest prices in it.

    Parameters
    ----------
    prices : (n_items,), at least 0
    cap : above 0; groups whose slack is larger need not be looked at
    most_work : groups that may be rolled up
    workspace : in use; in ``slack`` what is found, ``cap`` at most, below 0 if prices are too high

    Returns
    -------
    the groups that were rolled up: more than ``most_work`` where the walk was given up, and the
    slack means nothing

    Notes
    -----
    Two groups with one key, which has a probability of about n_groups**2 / 2**65 per node, would
    count as one.
    """
    items, stack, columns, node = (
        workspace.items,
        workspace.stack,
        workspace.columns,
        workspace.node,
    )
    n_items, n_columns = items.codes.shape
    fill_first(workspace, prices)
    judge_groups(workspace, 0)
    for column in range(n_columns):
        node[column] = 0
    columns[0] = 0
    depth, work = 0, 0
    while True:
        # From a node only its own column and those to the right of it are raised, so that every
        # node of the lattice is reached once, along one path. The groups on the path are kept.
        column = columns[depth]
        if column < n_columns:
            columns[depth] += 1
            if node[column] >= items.tops[column]:
                continue
            work += stack.counts[depth]
            if work > most_work:
                break
            if mark_open(workspace, depth, column, cap) == 0:
                continue
            roll_up_marked(workspace, depth, column)
            node[column] += 1
            depth += 1
            columns[depth] = column
            judge_groups(workspace, depth)
        else:
            if depth == 0:
                break
            # What was found above holds for the groups that were joined there, too.
            depth -= 1
            node[columns[depth] - 1] -= 1
            for group in range(stack.counts[depth]):
                joined = stack.parents[depth, group]
                if joined >= 0:
                    stack.slack[depth, group] = min(
                        stack.slack[depth, group], stack.slack[depth + 1, joined]
                    )
    for item in range(n_items):
        workspace.slack[item] = min(stack.slack[0, workspace.groups[item]], cap)
    return work
