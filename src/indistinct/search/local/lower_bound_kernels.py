"""The compiled loop of the lower bound: how much dearer every record may still become."""

from __future__ import annotations

import numpy as np

from indistinct.core.arrays import Codes, Floats, Ints, Words
from indistinct.core.kernels import GOLDEN, compiled
from indistinct.search.local.peel_kernels import Items


@compiled
def price_slack(
    items: Items, words: Words, nodes: Codes, order: Ints, prices: Floats, least: int
) -> Floats:
    """Give the least slack of the groups around each item: (n_items,), infinite without a group.

    The slack of a group of at least ``least`` records is what a record of it pays minus the mean
    of the ``least`` highest prices in it.

    Parameters
    ----------
    words : (n_cells,), a random word per cell; a group's key is the sum of its cells' words
    nodes : (n_nodes, n_columns), the lattice nodes to look at
    order : the items by price, highest first
    prices : (n_items,)

    Notes
    -----
    O(n_nodes * n_items * n_columns) expected time. Two groups with one key, which has a
    probability of about n_groups**2 / 2**65, would count as one.
    """
    n_items, n_columns = items.codes.shape
    bits = 4
    while (1 << bits) < 2 * n_items:
        bits += 1
    shift = np.uint64(64 - bits)
    mask = (1 << bits) - 1
    table = np.empty(1 << bits, np.int32)
    keys = np.empty(n_items, np.uint64)
    groups = np.empty(n_items, np.int32)
    weights = np.empty(n_items, np.int64)
    dearest = np.empty(n_items)
    losses = np.empty(n_items)
    slack = np.full(n_items, np.inf)
    for index in range(len(nodes)):
        table[:] = -1
        n_groups = 0
        for item in order:
            key = np.uint64(0)
            for column in range(n_columns):
                offset = items.offsets[column, nodes[index, column]]
                key += words[items.cells[offset + items.codes[item, column]]]
            slot = np.int64((key * GOLDEN) >> shift)
            while table[slot] >= 0 and keys[table[slot]] != key:
                slot = (slot + 1) & mask
            group = table[slot]
            if group < 0:
                group = n_groups
                table[slot] = group
                keys[group] = key
                weights[group] = 0
                dearest[group] = 0.0
                losses[group] = 0.0
                for column in range(n_columns):
                    offset = items.offsets[column, nodes[index, column]]
                    losses[group] += items.costs[items.cells[offset + items.codes[item, column]]]
                n_groups += 1
            counted = min(items.weights[item], least - weights[group])
            if counted > 0:
                dearest[group] += counted * prices[item]
            weights[group] += items.weights[item]
            groups[item] = group
        for item in range(n_items):
            group = groups[item]
            if weights[group] >= least:
                slack[item] = min(slack[item], losses[group] - dearest[group] / least)
    return slack
