"""The compiled loop of lattice peel: the groups of one lattice node."""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Codes, Words
from indistinct.base.compiled.kernels import GOLDEN, compiled
from indistinct.tables.search.local.peel_kernels import Items, PeeledGroups, copy_node, tighten


@compiled
def groups_at(
    items: Items, words: Words, node: Codes, free: Codes, least: int, limit: float
) -> tuple[PeeledGroups, float]:
    """Return the groups of a node with ``least`` free records that cost a record up to ``limit``.

    Parameters
    ----------
    words : (n_cells,), a random word per cell; a group's key is the sum of its cells' words
    free : the items not yet assigned

    Returns
    -------
    groups : their free members, at levels as low as these allow
    beyond : the least loss of the node's other groups with ``least`` records; else infinite
    """
    n_columns = len(node)
    n_free = len(free)
    bits = 4
    while (1 << bits) < 2 * n_free:
        bits += 1
    shift = np.uint64(64 - bits)
    mask = (1 << bits) - 1
    table = np.full(1 << bits, -1, np.int32)
    keys = np.empty(n_free, np.uint64)
    group_of = np.empty(n_free, np.int32)
    weights = np.zeros(n_free, np.int64)
    counts = np.zeros(n_free, np.int64)
    paid = np.zeros(n_free)
    # ``table`` finds a group by its key. At most half of its slots are taken, so every search ends.
    n_groups = 0
    for position in range(n_free):
        key = np.uint64(0)
        for column in range(n_columns):
            code = items.codes[free[position], column]
            key += words[items.cells[items.offsets[column, node[column]] + code]]
        slot = np.int64((key * GOLDEN) >> shift)
        while table[slot] >= 0 and keys[table[slot]] != key:
            slot = (slot + 1) & mask
        group = table[slot]
        if group < 0:
            group = n_groups
            table[slot] = group
            keys[group] = key
            for column in range(n_columns):
                code = items.codes[free[position], column]
                cell = items.cells[items.offsets[column, node[column]] + code]
                paid[group] += items.costs[cell]
            n_groups += 1
        weights[group] += items.weights[free[position]]
        counts[group] += 1
        group_of[position] = group
    beyond = np.inf
    chosen = np.full(n_groups, -1, np.int32)
    n_chosen = 0
    filled = 0
    for group in range(n_groups):
        if weights[group] >= least:
            if paid[group] <= limit:
                chosen[group] = n_chosen
                n_chosen += 1
                filled += counts[group]
            else:
                beyond = min(beyond, paid[group])
    starts = np.zeros(n_chosen, np.int64)
    sizes = np.zeros(n_chosen, np.int64)
    losses = np.zeros(n_chosen)
    nodes = np.empty((n_chosen, n_columns), np.int32)
    # Members are laid out group by group in two passes: the first gives each group its room, and in
    # the second ``sizes`` counts what stands there already.
    begin = 0
    for group in range(n_groups):
        if chosen[group] >= 0:
            starts[chosen[group]] = begin
            begin += counts[group]
    members = np.empty(filled, np.int32)
    for position in range(n_free):
        index = chosen[group_of[position]]
        if index >= 0:
            members[starts[index] + sizes[index]] = free[position]
            sizes[index] += 1
    for index in range(n_chosen):
        copy_node(node, nodes[index])
        stop = starts[index] + sizes[index]
        losses[index] = tighten(items, members, starts[index], stop, nodes[index])
    return PeeledGroups(members, starts, sizes, losses, nodes), beyond
