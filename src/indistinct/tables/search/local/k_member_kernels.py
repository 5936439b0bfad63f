"""The compiled loops of k-member clustering."""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Codes
from indistinct.base.compiled.kernels import compiled
from indistinct.tables.search.local.peel_kernels import Items, copy_node


@compiled
def furthest_item(items: Items, free: Codes, item: int) -> int:
    """Find the position in ``free`` of the item that costs most together with ``item``."""
    best = 0
    most = -1.0
    for position in range(len(free)):
        loss = 0.0
        for column in range(items.codes.shape[1]):
            one = items.codes[item, column]
            other = items.codes[free[position], column]
            level = 0
            offset = items.offsets[column, level]
            while items.cells[offset + one] != items.cells[offset + other]:
                level += 1
                offset = items.offsets[column, level]
            loss += items.costs[items.cells[offset + one]]
        if loss > most:
            best = position
            most = loss
    return best


@compiled
def nearest_items(items: Items, free: Codes, first: int, size: int) -> tuple[Codes, Codes]:
    """Grow a cluster from one item, each time by the item that raises its loss least.

    Parameters
    ----------
    free : the items to choose from
    first : position in ``free`` of the first member
    size : members wanted, at most ``len(free)``

    Returns
    -------
    positions : (size,), in ``free``, in the order they joined
    nodes : (size, n_columns), levels of the cluster after each joined
    """
    n_columns = items.codes.shape[1]
    positions = np.empty(size, np.int32)
    nodes = np.zeros((size, n_columns), np.int32)
    used = np.zeros(len(free), np.bool_)
    cells = np.empty(n_columns, np.int32)
    start = free[first]
    for column in range(n_columns):
        cells[column] = items.cells[items.offsets[column, 0] + items.codes[start, column]]
    positions[0] = first
    used[first] = True
    node = np.zeros(n_columns, np.int32)
    for joined in range(1, size):
        best = -1
        least = np.inf
        for position in range(len(free)):
            if used[position]:
                continue
            loss = 0.0
            for column in range(n_columns):
                # Rungs of the cluster only rise, so the common cell is sought from its own up.
                code = items.codes[free[position], column]
                level = node[column]
                cell = cells[column]
                while items.cells[items.offsets[column, level] + code] != cell:
                    level += 1
                    cell = items.cells[items.offsets[column, level] + items.codes[start, column]]
                loss += items.costs[cell]
                # No column costs less than nothing: the rest cannot bring the loss down again.
                if loss >= least:
                    break
            if loss < least:
                best = position
                least = loss
        for column in range(n_columns):
            code = items.codes[free[best], column]
            level = node[column]
            while items.cells[items.offsets[column, level] + code] != cells[column]:
                level += 1
                cells[column] = items.cells[
                    items.offsets[column, level] + items.codes[start, column]
                ]
            node[column] = level
        positions[joined] = best
        used[best] = True
        copy_node(node, nodes[joined])
    return positions, nodes
