"""Simulated annealing over the nodes of a lattice that is too large to walk.

From a node to a neighbor: one column goes to any level, or one goes down by a level and another up,
and sometimes a third one moves, too. Worse nodes are passed through, the less the later it is. A
node that suppresses too much may be passed through as well, at a price, because the way between two
good nodes often leads past it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from indistinct.tables.search.lattice.nodes import Node

FIRST_TEMPERATURE, LAST_TEMPERATURE = 0.02, 0.001  # of the cost at the start
ONE_COLUMN, THREE_COLUMNS = 0.3, 0.15  # shares of the moves; the others move two columns
PATIENCE = 100  # moves for each column that lead to no new node, after which a walk ends


@dataclass(frozen=True, slots=True)
class Slope:
    """What annealing walks on.

    Parameters
    ----------
    bottom, top : the levels allowed
    cost : counts a node once, and gives what it costs; remembers the best
    floor : what a node costs at least, without counting it
    is_known : whether a node's cost is known already
    """

    bottom: Node
    top: Node
    cost: Callable[[Node], float]
    floor: Callable[[Node], float]
    is_known: Callable[[Node], bool]


def anneal(
    slope: Slope, start: Node, counts: int, number: int, is_over: Callable[[], bool]
) -> None:
    """Walk from a node until ``counts`` further nodes were counted, or it is over.

    Parameters
    ----------
    number : of the walk; each takes its own way, the same in every run
    """
    chance = np.random.default_rng([number, len(start)])
    node, cost = start, slope.cost(start)
    first = FIRST_TEMPERATURE * abs(cost)
    done = idle = 0
    while done < counts and idle < PATIENCE * len(start) and not is_over():
        idle += 1
        temperature = first * (LAST_TEMPERATURE / FIRST_TEMPERATURE) ** (done / counts)
        moved = _moved(node, chance)
        if moved == node or not _is_within(moved, slope.bottom, slope.top):
            continue
        most = cost - temperature * math.log(1.0 - chance.random())
        if not slope.is_known(moved):
            if slope.floor(moved) >= most:
                continue
            done, idle = done + 1, 0
        reached = slope.cost(moved)
        if reached <= most:
            node, cost = moved, reached


def _moved(node: Node, chance: np.random.Generator) -> Node:
    """Move one column, two or three; the levels may leave the lattice."""
    levels = list(node)
    kind = chance.random()
    one, other, third = (int(column) for column in chance.integers(len(node), size=3))
    if kind < ONE_COLUMN:
        levels[one] += 1 - 2 * int(chance.integers(2)) * int(chance.integers(1, 3))
        return tuple(levels)
    levels[one] -= 1
    levels[other] += 1
    if kind > 1 - THREE_COLUMNS:
        levels[third] += 1 - 2 * int(chance.integers(2))
    return tuple(levels)


def _is_within(node: Node, bottom: Node, top: Node) -> bool:
    """Return whether a node is in the lattice."""
    return all(low <= level <= high for low, level, high in zip(bottom, node, top, strict=True))
