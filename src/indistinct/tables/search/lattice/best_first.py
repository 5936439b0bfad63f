"""Which lattice nodes are still worth counting, in which order.

Both kinds know, of every node, a bound on its objective from below and how many records it
suppresses at least. They differ in memory only: one keeps an array over the whole lattice, the
other a heap of what has been reached, for lattices too large to allocate.
"""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import sub
from typing import final

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.tables.core.protocols import Problem
from indistinct.tables.metrics import ClassSizeMetric, SeparableMetric
from indistinct.tables.search.lattice.bounds import (
    NO_FLOOR,
    Bound,
    ClassSizeBound,
    CostLowerBound,
    SeparableBound,
)
from indistinct.tables.search.lattice.lattice import Lattice
from indistinct.tables.search.lattice.nodes import Node

DENSE_NODES = 2**24
BLOCK = 2048
MOST_REACHED = 300_000


class OpenNodes(ABC):
    """The nodes that may still hold the optimum."""

    def __init__(self, lattice: Lattice, bound: Bound) -> None:
        self.lattice = lattice
        self.bound = bound
        self.budget = lattice.problem.budget
        self.bottom = np.asarray(lattice.bottom, np.int32)
        self.shape = tuple(
            high - low + 1 for low, high in zip(lattice.bottom, lattice.top, strict=True)
        )
        self.is_exhausted = False
        self.parts = [bound.order(column) for column in range(len(self.shape))]
        self.ascent = self._ascent()

    @abstractmethod
    def candidates(self, limit: Callable[[], float], is_over: Callable[[], bool]) -> Iterator[Node]:
        """Yield nodes whose bound is below the limit, which may fall meanwhile, until it is over.

        Sets :attr:`is_exhausted` when no such node is left.
        """

    @abstractmethod
    def learn(self, node: Node, n_least_suppressed: int, floor: CostLowerBound) -> None:
        """Note what counting a node showed: of the finer nodes, and of the coarser ones."""

    @abstractmethod
    def floor_of(self, node: Node) -> CostLowerBound:
        """Return what the finer nodes that were counted show of a node."""

    @abstractmethod
    def is_open(self, node: Node, limit: float) -> bool:
        """Return whether a node is not counted yet and may still beat the limit."""

    @abstractmethod
    def remaining_bound(self) -> float:
        """Bound the objective of all nodes not yet visited from below."""

    @final
    def _ascent(self) -> list[tuple[int, int]]:
        """Sort the steps of all columns by what they add to the order: (column, level before it).

        A step never comes before the steps below it in its column.
        """
        steps: list[tuple[float, int, int]] = []
        for column, part in enumerate(self.parts):
            rises = np.maximum.accumulate(np.diff(part))
            low = self.lattice.bottom[column]
            steps += [(rise, column, low + level) for level, rise in enumerate(rises.tolist())]
        return [(column, level) for _, column, level in sorted(steps)]

    @final
    def order_of(self, node: Node) -> float:
        """Return a node's place in the order of visits."""
        return float(
            self.bound.merge.reduce(
                [part[level] for part, level in zip(self.parts, self.steps(node), strict=True)]
            )
        )

    @final
    def steps(self, node: Node) -> Node:
        """Return a node's levels above the bottom."""
        return tuple(map(sub, node, self.lattice.bottom))

    @final
    def would_close(self, node: Node, n_least_suppressed: int, limit: float) -> bool:
        """Return whether a node falls out when it suppresses at least so many records."""
        if n_least_suppressed > self.budget:
            return True
        return self.bound.at_one(self.steps(node), n_least_suppressed, self.floor_of(node)) >= limit

    @final
    def chain(self, node: Node) -> list[int]:
        """Return the columns to raise in turn from a node to the top, cheap steps first."""
        return [column for column, level in self.ascent if level >= node[column]]


@final
class DenseOpenNodes(OpenNodes):
    """Keeps four numbers for every node of the lattice."""

    def __init__(self, lattice: Lattice, bound: Bound) -> None:
        super().__init__(lattice, bound)
        merged = self.parts[0]
        for part in self.parts[1:]:
            merged = bound.merge.outer(merged, part)
        self.flat_order = np.argsort(merged.ravel(), kind="stable")
        self.position = 0
        self.least_suppressed = np.zeros(self.shape, np.int32)
        self.floors = np.full(self.shape, -np.inf)
        self.rises = np.zeros(self.shape)
        self.seen = np.zeros(self.shape, np.bool_)
        self.flat = (
            self.least_suppressed.reshape(-1),
            self.floors.reshape(-1),
            self.rises.reshape(-1),
        )
        self.flat_seen = self.seen.reshape(-1)

    def candidates(self, limit: Callable[[], float], is_over: Callable[[], bool]) -> Iterator[Node]:
        """Go through the sorted nodes block by block."""
        while self.position < len(self.flat_order):
            if is_over():
                return
            block = self.flat_order[self.position : self.position + BLOCK]
            steps = np.stack(np.unravel_index(block, self.shape), axis=1).astype(np.int32)
            bounds, alive = self._judge(block, steps, limit())
            # The block was judged at once, and every node that is counted may close others of it.
            for index in np.flatnonzero(alive).tolist():
                if not self._alive(block[index], bounds[index], limit()):
                    continue
                yield tuple((steps[index] + self.bottom).tolist())
                if is_over():
                    return
            self.position += len(block)
            last = tuple(steps[-1].tolist())
            if self.bound.order_is_bound and self.bound.at_one(last, 0, NO_FLOOR) >= limit():
                break
        self.is_exhausted = True

    def learn(self, node: Node, n_least_suppressed: int, floor: CostLowerBound) -> None:
        """Write the suppressed records to all finer nodes, the floor to all coarser ones."""
        steps = self.steps(node)
        self.seen[steps] = True
        # What a node suppresses, all finer ones do; what it costs without that, all coarser ones
        # do.
        below = self.least_suppressed[tuple([slice(0, step + 1) for step in steps])]
        np.maximum(below, n_least_suppressed, out=below)
        if floor.cost > -np.inf:
            coarser = tuple(slice(step, None) for step in steps)
            # Of two floors the higher one, with its own rise: either is a bound, a mixture is none.
            is_higher = self.floors[coarser] < floor.cost
            self.floors[coarser][is_higher] = floor.cost
            self.rises[coarser][is_higher] = floor.rise

    def floor_of(self, node: Node) -> CostLowerBound:
        """Look the node up; where the order is the bound, classes show nothing more."""
        if self.bound.order_is_bound:
            return NO_FLOOR
        steps = self.steps(node)
        return CostLowerBound(float(self.floors[steps]), float(self.rises[steps]))

    def is_open(self, node: Node, limit: float) -> bool:
        """Look the node up."""
        steps = self.steps(node)
        return not self.seen[steps] and not self.would_close(
            node, int(self.least_suppressed[steps]), limit
        )

    def remaining_bound(self) -> float:
        """Return the bound of the first node not yet gone through, or the lowest floor."""
        rest = self.flat_order[self.position :]
        if not len(rest):
            return np.inf
        if self.bound.order_is_bound:
            steps = np.stack(np.unravel_index(rest[:1], self.shape), axis=1)
            first: Node = tuple(steps[0].tolist())
            return self.bound.at_one(first, 0, NO_FLOOR)
        least_suppressed, floors, rises = self.flat
        is_open = ~self.flat_seen & (least_suppressed <= self.budget)
        return float((floors + rises * least_suppressed)[is_open].min(initial=np.inf))

    def _judge(self, block: Ints, steps: Codes, limit: float) -> tuple[Floats, Bools]:
        """Bound a block of nodes, and tell which are still open."""
        least_suppressed, floors, rises = self.flat
        bounds = self.bound.at(
            steps, least_suppressed[block].astype(np.int64), floors[block], rises[block]
        )
        return bounds, ~self.flat_seen[block] & (least_suppressed[block] <= self.budget) & (
            bounds < limit
        )

    def _alive(self, flat_index: np.int64, bound: float, limit: float) -> bool:
        """Look once more at a node that was open when its block began."""
        least_suppressed, floors, rises = self.flat
        return bool(
            least_suppressed[flat_index] <= self.budget
            and not self.flat_seen[flat_index]
            and bound < limit
            and floors[flat_index] + rises[flat_index] * least_suppressed[flat_index] < limit
        )


@dataclass(slots=True)
class Learned:
    """What counting showed, as lists of nodes: for lattices too large for arrays."""

    nodes: Codes
    least_suppressed: Ints
    floors: Floats
    count: int = 0

    def add(self, steps: Node, n_least_suppressed: int, floor: float) -> None:
        """Append a node, doubling the room when it is full."""
        if self.count == len(self.least_suppressed):
            self.nodes = np.vstack([self.nodes, np.zeros_like(self.nodes)])
            self.least_suppressed = np.concatenate(
                [self.least_suppressed, np.zeros_like(self.least_suppressed)]
            )
            self.floors = np.concatenate([self.floors, np.zeros_like(self.floors)])
        self.nodes[self.count] = steps
        self.least_suppressed[self.count] = n_least_suppressed
        self.floors[self.count] = floor
        self.count += 1

    def of(self, steps: Node) -> tuple[int, float]:
        """Return the records a node suppresses at least, and its floor."""
        known = self.nodes[: self.count]
        target = np.asarray(steps, np.int32)
        # What a coarser node suppresses is suppressed here; a finer node bounds the cost here.
        above = np.all(known >= target, axis=1)
        below = np.all(known <= target, axis=1)
        least_suppressed = self.least_suppressed[: self.count][above].max(initial=0)
        return int(least_suppressed), float(self.floors[: self.count][below].max(initial=-np.inf))


@final
class LazyOpenNodes(OpenNodes):
    """Keeps a heap of the nodes reached so far; no node comes before a finer one."""

    def __init__(self, lattice: Lattice, bound: Bound) -> None:
        super().__init__(lattice, bound)
        room = 256
        self.learned = Learned(
            np.zeros((room, len(self.shape)), np.int32), np.zeros(room, np.int64), np.zeros(room)
        )
        self.seen: set[Node] = set()
        self.reached = {lattice.bottom}
        self.heap = [(self.order_of(lattice.bottom), lattice.bottom)]

    def candidates(self, limit: Callable[[], float], is_over: Callable[[], bool]) -> Iterator[Node]:
        """Pop the least node, and push its successors."""
        while self.heap:
            _, node = self.heap[0]
            if is_over() or len(self.reached) > MOST_REACHED:
                return
            if self.bound.order_is_bound and not self._beats(node, 0, limit()):
                break
            heapq.heappop(self.heap)
            for column, high in enumerate(self.lattice.top):
                successor = (*node[:column], node[column] + 1, *node[column + 1 :])
                if node[column] < high and successor not in self.reached:
                    self.reached.add(successor)
                    heapq.heappush(self.heap, (self.order_of(successor), successor))
            if self.is_open(node, limit()):
                yield node
        self.is_exhausted = True

    def learn(self, node: Node, n_least_suppressed: int, floor: CostLowerBound) -> None:
        """Append the node to what is known."""
        self.seen.add(node)
        self.learned.add(self.steps(node), n_least_suppressed, floor.cost)

    def floor_of(self, node: Node) -> CostLowerBound:
        """Return none: it would be compared with all that is known, which :meth:`is_open` does."""
        del node
        return NO_FLOOR

    def is_open(self, node: Node, limit: float) -> bool:
        """Compare the node with all that is known."""
        if node in self.seen:
            return False
        least_suppressed, floor = self.learned.of(self.steps(node))
        return (
            floor < limit
            and least_suppressed <= self.budget
            and self._beats(node, least_suppressed, limit)
        )

    def remaining_bound(self) -> float:
        """Return the bound of the least node of the heap."""
        if not self.heap:
            return np.inf
        if not self.bound.order_is_bound:
            # Every node is above the bottom, whatever else has been learned.
            return self.bound.floor_above(self.lattice.check(self.lattice.bottom)).cost
        return self.bound.at_one(self.steps(self.heap[0][1]), 0, NO_FLOOR)

    def _beats(self, node: Node, n_least_suppressed: int, limit: float) -> bool:
        """Return whether a node's bound is below the limit."""
        return not self.would_close(node, n_least_suppressed, limit)


def open_nodes_of(lattice: Lattice, problem: Problem) -> OpenNodes:
    """Choose the open nodes and the bound that fit the lattice and the objective."""
    metric = problem.objective
    if isinstance(metric, SeparableMetric):
        bound: Bound = SeparableBound(lattice, metric)
    elif isinstance(metric, ClassSizeMetric):
        bound = ClassSizeBound(lattice, metric)
    else:
        message = f"no bound is known for the objective {metric.name}"
        raise TypeError(message)
    kind = DenseOpenNodes if lattice.n_nodes <= DENSE_NODES else LazyOpenNodes
    return kind(lattice, bound)
