"""Compiled walk over all nodes of a lattice, for the groups that high prices nearly pay for."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.core.arrays import Codes, Floats, Ints, Words
from indistinct.core.compiling import compiled, compiled_part
from indistinct.core.kernels import GOLDEN


class Priced(NamedTuple):
    """The items of a lattice in descending order of price.

    Parameters
    ----------
    cells : (n_columns, most rungs, n_items), cell of each item at each rung
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
    items: Priced, nodes: Codes, begin: int, wanted: Wanted, desk: NodeBuffer, shelf: GroupPool
) -> None:
    """Add the wanted groups of some nodes to the pool.

    Parameters
    ----------
    nodes : (n_nodes, n_columns), rungs; neighbors differ in few of the last columns
    begin : number of the first of these nodes
    """
    n_columns = nodes.shape[1]
    for node in range(len(nodes)):
        first = 0
        if node > 0:
            while nodes[node, first] == nodes[node - 1, first]:
                first += 1
        for column in range(first, n_columns):
            add_words(items, column, nodes[node, column], desk)
        n_groups = group_items(items, n_columns - 1, wanted.least, desk)
        if choose_groups(items, nodes, node, begin, n_groups, wanted, desk, shelf):
            for item in range(len(items.prices)):
                place = desk.places[desk.groups[item]]
                if place >= 0:
                    shelf.members[place] = item
                    desk.places[desk.groups[item]] = place + 1


@compiled_part
def add_words(items: Priced, column: int, rung: int, desk: NodeBuffer) -> None:
    """Add the word of each item's cell in a column to those of the columns before it."""
    for item in range(len(items.prices)):
        word = items.words[items.cells[column, rung, item]]
        if column > 0:
            word += desk.sums[column - 1, item]
        desk.sums[column, item] = word


@compiled_part
def group_items(items: Priced, last: int, least: int, desk: NodeBuffer) -> int:
    """Group the items with equal sums of words; give the number of groups."""
    n_slots = len(desk.table)
    for slot in range(n_slots):
        desk.table[slot] = -1
    n_groups = 0
    for item in range(len(items.prices)):
        key = desk.sums[last, item]
        slot = np.int64((key * GOLDEN) >> np.uint64(32)) & (n_slots - 1)
        while desk.table[slot] >= 0 and desk.keys[desk.table[slot]] != key:
            slot = (slot + 1) & (n_slots - 1)
        group = desk.table[slot]
        if group < 0:
            group = n_groups
            n_groups += 1
            desk.table[slot] = group
            desk.keys[group] = key
            desk.firsts[group] = item
            desk.sizes[group] = 0
            desk.counts[group] = 0
            desk.marks[group] = np.uint64(0)
            desk.tops[group] = 0.0
        # The items come in descending order of price, so the first records have the highest ones.
        room = least - desk.sizes[group]
        if room > 0:
            desk.tops[group] += min(room, items.weights[item]) * items.prices[item]
        desk.groups[item] = group
        desk.sizes[group] += items.weights[item]
        desk.counts[group] += 1
        desk.marks[group] += items.marks[item]
    return n_groups


@compiled_part
def choose_groups(
    items: Priced,
    nodes: Codes,
    node: int,
    begin: int,
    n_groups: int,
    wanted: Wanted,
    desk: NodeBuffer,
    shelf: GroupPool,
) -> bool:
    """Make room for the wanted groups of a node that are new; tell whether there are any."""
    found = False
    for group in range(n_groups):
        desk.places[group] = -1
        if desk.sizes[group] < wanted.least or desk.sizes[group] > wanted.largest:
            continue
        loss = 0.0
        for column in range(nodes.shape[1]):
            loss += items.costs[items.cells[column, nodes[node, column], desk.firsts[group]]]
        if desk.tops[group] < wanted.share * wanted.least * loss:
            continue
        # Different nodes often make a group of the same records. It is kept once, with the node at
        # which it loses least.
        number = find_marks(desk.marks[group], shelf)
        if number < 0:
            number = shelf.found[0]
            found = True
            put_marks(desk.marks[group], shelf)
            desk.places[group] = shelf.starts[number]
            shelf.starts[number + 1] = shelf.starts[number] + desk.counts[group]
        elif loss >= shelf.losses[number]:
            continue
        shelf.losses[number] = loss
        shelf.nodes[number] = begin + node
    return found


@compiled_part
def find_marks(marks: np.uint64, shelf: GroupPool) -> int:
    """Find a group by its members; -1 where it is not on the shelf."""
    n_slots = len(shelf.table)
    slot = np.int64((marks * GOLDEN) >> np.uint64(32)) & (n_slots - 1)
    while shelf.table[slot] >= 0:
        if shelf.marks[shelf.table[slot]] == marks:
            return shelf.table[slot]
        slot = (slot + 1) & (n_slots - 1)
    return -1


@compiled_part
def put_marks(marks: np.uint64, shelf: GroupPool) -> None:
    """Assign the next number to a group that is not in the pool."""
    n_slots = len(shelf.table)
    slot = np.int64((marks * GOLDEN) >> np.uint64(32)) & (n_slots - 1)
    while shelf.table[slot] >= 0:
        slot = (slot + 1) & (n_slots - 1)
    shelf.table[slot] = shelf.found[0]
    shelf.marks[shelf.found[0]] = marks
    shelf.found[0] += 1
