"""Descents from random nodes of a lattice that is too large to walk.

Each begins at a coarse node, some of whose columns are at a random level, and takes random moves as
long as they lead to cheaper nodes: a column goes to any level, two do, or one goes down by a level
and another up. Descents from different nodes end in different valleys, which a walk from one node
does not leave.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from indistinct.search.lattice.annealing import Slope
from indistinct.search.lattice.nodes import Node

MOST_LOWERED = 0.3  # share of the columns that begin at a random level, at most
ONE_COLUMN, ANY_LEVELS = 0.35, 0.2  # shares of the moves; the others exchange a level
PATIENCE = 25  # moves for each column that lead to no cheaper node, after which a descent ends


def descend_from_anywhere(slope: Slope, number: int, is_over: Callable[[], bool]) -> None:
    """Descend from a random node, until no move of many helps, or it is over.

    Parameters
    ----------
    number : of the descent; each begins elsewhere, the same in every run
    """
    chance = np.random.default_rng([number, len(slope.top), 1])
    node = _coarse_node(slope, chance)
    cost = slope.cost(node)
    idle = 0
    while idle < PATIENCE * len(node) and not is_over():
        idle += 1
        moved = _moved(node, slope, chance)
        if moved == node or (not slope.is_known(moved) and slope.floor(moved) >= cost):
            continue
        reached = slope.cost(moved)
        if reached < cost:
            node, cost, idle = moved, reached, 0


def _coarse_node(slope: Slope, chance: np.random.Generator) -> Node:
    """Draw a node whose columns are at the top, or for a random share of them at any level."""
    share = MOST_LOWERED * chance.random()
    return tuple(
        int(chance.integers(low, high + 1)) if chance.random() < share else high
        for low, high in zip(slope.bottom, slope.top, strict=True)
    )


def _moved(node: Node, slope: Slope, chance: np.random.Generator) -> Node:
    """Move one column or two inside the lattice."""
    levels = list(node)
    kind = chance.random()
    one, other = (int(column) for column in chance.integers(len(node), size=2))
    if kind < ONE_COLUMN + ANY_LEVELS:
        for column in (one,) if kind < ONE_COLUMN else (one, other):
            levels[column] = int(chance.integers(slope.bottom[column], slope.top[column] + 1))
    elif levels[one] > slope.bottom[one] and levels[other] < slope.top[other]:
        levels[one] -= 1
        levels[other] += 1
    return tuple(levels)
