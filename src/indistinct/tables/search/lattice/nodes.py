"""Nodes of the lattice: levels per column, and the classes counted at them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from indistinct.base.arrays import Codes, Ints, Words
from indistinct.base.compiled.kernels import cheapest_below
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.recoding import CellDomain

Node = tuple[int, ...]

SNAPSHOT_BYTES = 200_000_000
WORTH_KEEPING = 0.6  # share of the classes of the finest node that may be left half way


@dataclass(frozen=True, slots=True)
class NodeClasses:
    """The equivalence classes of one lattice node.

    Parameters
    ----------
    node : level per column
    representatives : (n_classes,), a tuple of each class
    keys : (n_classes,), sum of the words of each class
    classes : their sizes and sensitive values
    """

    node: Node
    representatives: Codes
    keys: Words
    classes: EquivalenceClasses

    @property
    def n_bytes(self) -> int:
        """Memory that keeping them takes."""
        values = sum(found.values.nbytes * 3 for found in self.classes.value_counts.values())
        return 3 * self.keys.nbytes + values


@dataclass(slots=True)
class Snapshots:
    """The nodes already counted that others can be rolled up from, within a memory bound."""

    n_columns: int
    stored: list[NodeClasses] = field(default_factory=list[NodeClasses])
    nodes: Codes = field(init=False)
    costs: Ints = field(init=False)
    n_bytes: int = 0

    def __post_init__(self) -> None:
        """Make room for the first nodes."""
        self.nodes = np.zeros((64, self.n_columns), np.int32)
        self.costs = np.zeros(64, np.int64)

    def add(self, node: Node, found: NodeClasses) -> None:
        """Store a node, unless the memory is used up; the first is always stored."""
        n_bytes = self.n_bytes + found.n_bytes
        if self.stored and n_bytes > SNAPSHOT_BYTES:
            return
        count = len(self.stored)
        if count == len(self.costs):
            self.nodes = np.vstack([self.nodes, np.zeros_like(self.nodes)])
            self.costs = np.concatenate([self.costs, np.zeros_like(self.costs)])
        self.nodes[count] = node
        self.costs[count] = found.classes.n_classes
        self.stored.append(found)
        self.n_bytes = n_bytes

    def cheapest(self, node: Node) -> NodeClasses:
        """Find the smallest stored node at or below ``node``."""
        index = cheapest_below(self.nodes, self.costs, len(self.stored), np.asarray(node, np.int32))
        return self.stored[index]


@dataclass(frozen=True, slots=True)
class HalfWayNodes:
    """The nodes by way of which others are rolled up from the tuples: each raises one column alone.

    Many nodes raise the column that merges most tuples as far.

    Parameters
    ----------
    alike : per column and level, the pairs of records that agree; left out where none is worth it
    tried : those that were counted
    """

    alike: Sequence[Sequence[float]] = ()
    tried: set[Node] = field(default_factory=set[Node])

    @classmethod
    def of(cls, domains: Sequence[CellDomain], cells: Sequence[Codes]) -> Self:
        """Count the pairs.

        Parameters
        ----------
        cells : per column, (n_levels, n_values), cell of each value at each level
        """
        columns = zip(domains, cells, strict=True)
        return cls([[_pairs(domain, level) for level in levels] for domain, levels in columns])

    def to(self, node: Node) -> Node | None:
        """Return the node half way to another one; None where there is none, or it was tried."""
        if not self.alike:
            return None
        gains = [alike[level] / alike[0] for alike, level in zip(self.alike, node, strict=True)]
        most = gains.index(max(gains))
        half_way = tuple(level if column == most else 0 for column, level in enumerate(node))
        if half_way == node or half_way in self.tried:
            return None
        self.tried.add(half_way)
        return half_way


def _pairs(domain: CellDomain, cells: Codes) -> float:
    """Return how many pairs of records have the same one of some cells, each with itself, too."""
    return float(np.square(domain.counts[np.unique(cells)], dtype=np.float64).sum())


@dataclass(frozen=True, slots=True)
class SortedClasses:
    """The classes of a node, to be found by key.

    Parameters
    ----------
    node : level per column
    classes : in the node's order
    keys : (n_classes,), ascending
    order : (n_classes,), class of each key
    """

    node: Node
    classes: EquivalenceClasses
    keys: Words
    order: Ints


def nodes_above(node: Node, tops: Sequence[int]) -> Iterator[Node]:
    """List the nodes above a node, itself left out, by the sum of their levels."""
    reached: list[Node] = [node]
    while reached:
        following: set[Node] = {
            (*levels[:column], level + 1, *levels[column + 1 :])
            for levels in reached
            for column, level in enumerate(levels)
            if level < tops[column]
        }
        reached = sorted(following)
        yield from reached
