"""The compiled loops of absorption: find the classes that an item joins at least extra loss."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.compiled.kernels import compiled, compiled_part
from indistinct.tables.search.local.peel_kernels import Items


class OpenClasses(NamedTuple):
    """Classes that items may join; changed in place when one does.

    Parameters
    ----------
    nodes, cells : (n_classes, n_columns), level and cell per column
    sizes : (n_classes,), records
    losses : (n_classes,), what a record pays
    representatives : (n_classes,), an item of each
    """

    nodes: Codes
    cells: Codes
    sizes: Ints
    losses: Floats
    representatives: Codes


@compiled_part
def joined_growth(items: Items, classes: OpenClasses, item: int, index: int, limit: float) -> float:
    """Return by how much a class's loss grows when ``item`` joins; ``limit`` when by no less."""
    size = classes.sizes[index] + items.weights[item]
    paid = classes.sizes[index] * classes.losses[index]
    loss = 0.0
    for column in range(items.codes.shape[1]):
        level = classes.nodes[index, column]
        cell = classes.cells[index, column]
        code = items.codes[item, column]
        other = items.codes[classes.representatives[index], column]
        while items.cells[items.offsets[column, level] + code] != cell:
            level += 1
            cell = items.cells[items.offsets[column, level] + other]
        loss += float(items.costs[cell])
        # No cost is negative: what has reached the limit stays beyond it.
        if size * loss - paid >= limit:
            return limit
    return size * loss - paid


@compiled
def join_class(items: Items, classes: OpenClasses, item: int, index: int) -> None:
    """Raise a class until it contains ``item``, and add its records."""
    loss = 0.0
    for column in range(items.codes.shape[1]):
        level = classes.nodes[index, column]
        cell = classes.cells[index, column]
        other = items.codes[classes.representatives[index], column]
        while items.cells[items.offsets[column, level] + items.codes[item, column]] != cell:
            level += 1
            cell = items.cells[items.offsets[column, level] + other]
        classes.nodes[index, column] = level
        classes.cells[index, column] = cell
        loss += float(items.costs[cell])
    classes.losses[index] = loss
    classes.sizes[index] += items.weights[item]


@compiled
def merge_in_turn(
    items: Items, classes: OpenClasses, leftovers: Codes, labels: Codes, price: float, needed: int
) -> None:
    """Let each leftover join its nearest class where that costs less than ``price`` a record.

    Stops once ``needed`` records are placed.
    """
    for position in range(len(leftovers)):
        if needed <= 0:
            break
        item = leftovers[position]
        best = -1
        growth = price * float(items.weights[item])
        for index in range(len(classes.sizes)):
            extra = joined_growth(items, classes, item, index, growth)
            if extra < growth:
                best = index
                growth = extra
        if best >= 0:
            join_class(items, classes, item, best)
            labels[item] = best
            needed -= int(items.weights[item])


@compiled
def nearest_classes(
    items: Items, classes: OpenClasses, leftovers: Codes, price: float, n_choices: int
) -> Codes:
    """Find the classes that each leftover joins at least cost: (n_leftovers, n_choices).

    Cheapest first; -1 where no more cost less than ``price`` a record.
    """
    choices = np.full((len(leftovers), n_choices), -1, np.int32)
    growths = np.empty(n_choices)
    for position in range(len(leftovers)):
        item = leftovers[position]
        growths[:] = price * items.weights[item]
        for index in range(len(classes.sizes)):
            extra = joined_growth(items, classes, item, index, float(growths[n_choices - 1]))
            slot = n_choices - 1
            if extra >= growths[slot]:
                continue
            while slot > 0 and growths[slot - 1] > extra:
                growths[slot] = growths[slot - 1]
                choices[position, slot] = choices[position, slot - 1]
                slot -= 1
            growths[slot] = extra
            choices[position, slot] = index
    return choices
