"""Compiled walk over all nodes of a lattice, for the groups that high prices nearly pay for."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints, Words
from indistinct.base.compiled.compiling import compiled, compiled_part
from indistinct.base.compiled.kernels import GOLDEN


class Priced(NamedTuple):
    """The items of a lattice in descending order of price.

    Parameters
    ----------
    cells : (n_columns, most levels, n_items), cell of each item at each level
    costs, words : (n_cells,), what a record pays in each cell, and a random word of each
    weights, prices, marks : (n_items,), records, price of each of them, and a random word
    """

    cells: Codes
    costs: Floats
    words: Words
    weights: Ints
    prices: Floats
    marks: Words


class Wanted(NamedTuple):
    """Which groups are wanted.

    Parameters
    ----------
    least, largest : records of a group
    share : of what ``least`` records pay in the group, which the highest prices have to reach
    """

    least: int
    largest: int
    share: float


class NodeBuffer(NamedTuple):
    """What is in use while a node is looked at.

    Parameters
    ----------
    sums : (n_columns, n_items), sum of the words of each item's cells up to each column
    table : (a power of two, twice ``n_items`` or more,), hash table of the groups of a node
    groups : (n_items,), group of each item
    firsts, sizes, counts : (n_items,), of each group: its first item, its records, its items
    keys, marks : (n_items,), of each group: the sum of its cells' and of its items' words
    tops : (n_items,), of each group: sum of its highest prices
    places : (n_items,), of each group: where its next member is written; -1 for nowhere
    """

    sums: Words
    table: Codes
    groups: Codes
    firsts: Codes
    sizes: Ints
    counts: Ints
    keys: Words
    marks: Words
    tops: Floats
    places: Ints


class GroupPool(NamedTuple):
    """The groups found so far.

    Parameters
    ----------
    found : (1,), how many
    nodes : (most,), number of the node of each
    losses : (most,), what a record pays in each
    marks : (most,), sum of the words of its members
    starts : (most + 1,), where the members of each begin
    members : (n_members,), items
    table : (a power of two, twice ``most`` or more,), hash table of the groups by their marks
    """

    found: Ints
    nodes: Ints
    losses: Floats
    marks: Words
    starts: Ints
    members: Codes
    table: Codes


@compiled
def find_near(
    items: Priced, nodes: Codes, begin: int, wanted: Wanted, buffer: NodeBuffer, pool: GroupPool
) -> None:
    """Add the wanted groups of some nodes to the pool.

    Parameters
    ----------
    nodes : (n_nodes, n_columns), levels; neighbors differ in few of the last columns
    begin : number of the first of these nodes
    """
    n_columns = nodes.shape[1]
    for node in range(len(nodes)):
        first = 0
        if node > 0:
            while nodes[node, first] == nodes[node - 1, first]:
                first += 1
        for column in range(first, n_columns):
            add_words(items, column, nodes[node, column], buffer)
        n_groups = group_items(items, n_columns - 1, wanted.least, buffer)
        if choose_groups(items, nodes, node, begin, n_groups, wanted, buffer, pool):
            for item in range(len(items.prices)):
                place = buffer.places[buffer.groups[item]]
                if place >= 0:
                    pool.members[place] = item
                    buffer.places[buffer.groups[item]] = place + 1


@compiled_part
def add_words(items: Priced, column: int, level: int, buffer: NodeBuffer) -> None:
    """Add the word of each item's cell in a column to those of the columns before it."""
    for item in range(len(items.prices)):
        word = items.words[items.cells[column, level, item]]
        if column > 0:
            word += buffer.sums[column - 1, item]
        buffer.sums[column, item] = word


@compiled_part
def group_items(items: Priced, last: int, least: int, buffer: NodeBuffer) -> int:
    """Group the items with equal sums of words; give the number of groups."""
    n_slots = len(buffer.table)
    for slot in range(n_slots):
        buffer.table[slot] = -1
    n_groups = 0
    for item in range(len(items.prices)):
        key = buffer.sums[last, item]
        slot = np.int64((key * GOLDEN) >> np.uint64(32)) & (n_slots - 1)
        while buffer.table[slot] >= 0 and buffer.keys[buffer.table[slot]] != key:
            slot = (slot + 1) & (n_slots - 1)
        group = buffer.table[slot]
        if group < 0:
            group = n_groups
            n_groups += 1
            buffer.table[slot] = group
            buffer.keys[group] = key
            buffer.firsts[group] = item
            buffer.sizes[group] = 0
            buffer.counts[group] = 0
            buffer.marks[group] = np.uint64(0)
            buffer.tops[group] = 0.0
        # The items come in descending order of price, so the first records have the highest ones.
        room = least - buffer.sizes[group]
        if room > 0:
            buffer.tops[group] += min(room, items.weights[item]) * items.prices[item]
        buffer.groups[item] = group
        buffer.sizes[group] += items.weights[item]
        buffer.counts[group] += 1
        buffer.marks[group] += items.marks[item]
    return n_groups


@compiled_part
def choose_groups(
    items: Priced,
    nodes: Codes,
    node: int,
    begin: int,
    n_groups: int,
    wanted: Wanted,
    buffer: NodeBuffer,
    pool: GroupPool,
) -> bool:
    """Make room for the wanted groups of a node that are new; tell whether there are any."""
    found = False
    for group in range(n_groups):
        buffer.places[group] = -1
        if buffer.sizes[group] < wanted.least or buffer.sizes[group] > wanted.largest:
            continue
        loss = 0.0
        for column in range(nodes.shape[1]):
            loss += items.costs[items.cells[column, nodes[node, column], buffer.firsts[group]]]
        if buffer.tops[group] < wanted.share * wanted.least * loss:
            continue
        # Different nodes often make a group of the same records. It is kept once, with the node at
        # which it loses least.
        number = find_marks(buffer.marks[group], pool)
        if number < 0:
            number = pool.found[0]
            found = True
            put_marks(buffer.marks[group], pool)
            buffer.places[group] = pool.starts[number]
            pool.starts[number + 1] = pool.starts[number] + buffer.counts[group]
        elif loss >= pool.losses[number]:
            continue
        pool.losses[number] = loss
        pool.nodes[number] = begin + node
    return found


@compiled_part
def find_marks(marks: np.uint64, pool: GroupPool) -> int:
    """Find a group by its members; -1 where it is not in the pool."""
    n_slots = len(pool.table)
    slot = np.int64((marks * GOLDEN) >> np.uint64(32)) & (n_slots - 1)
    while pool.table[slot] >= 0:
        if pool.marks[pool.table[slot]] == marks:
            return pool.table[slot]
        slot = (slot + 1) & (n_slots - 1)
    return -1


@compiled_part
def put_marks(marks: np.uint64, pool: GroupPool) -> None:
    """Assign the next number to a group that is not in the pool."""
    n_slots = len(pool.table)
    slot = np.int64((marks * GOLDEN) >> np.uint64(32)) & (n_slots - 1)
    while pool.table[slot] >= 0:
        slot = (slot + 1) & (n_slots - 1)
    pool.table[slot] = pool.found[0]
    pool.marks[pool.found[0]] = marks
    pool.found[0] += 1
