"""k-sized grouping: super-nodes of at least k vertices, and the worlds that look the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints, Words
from indistinct.base.randomness import RandomSource
from indistinct.graph.degree_sequence import by_degree, check_k
from indistinct.graph.edges import Graph, from_pairs
from indistinct.graph.grouping_kernels import (
    GroupedGraph,
    anneal,
    group_weights,
    lay_edges,
    pair_costs,
)

# Groups of a block stand in a dense table, so a block has at most this many vertices.
BLOCK = 3000
# Moves to try: the bounds keep a small graph from stopping early, and a block within seconds.
STEPS_PER_VERTEX = 2000
LEAST_STEPS, MOST_STEPS = 200_000, 3_000_000
# The temperature that annealing begins at, in the unit of its cost: the log count of worlds.
TEMPERATURE = 5.0


@final
@dataclass(frozen=True, slots=True, eq=False)
class Grouping:
    """What a release by groups says: how large they are, and how many edges lie where.

    Parameters
    ----------
    sizes : (n_groups,), vertices per group
    ones, others : (n_pairs,), groups of each pair that has edges, ones <= others
    counts : (n_pairs,), edges between them, or inside the group where they are equal

    Notes
    -----
    Source: hay2008, section 5.
    """

    sizes: Ints
    ones: Codes
    others: Codes
    counts: Ints

    @property
    def log_worlds(self) -> float:
        """Natural logarithm of the number of graphs that give this very release."""
        return float(pair_costs(self.sizes, self.ones, self.others, self.counts).sum())

    @property
    def smallest(self) -> int:
        """Size of the smallest group: the candidates for any vertex, whatever is known of it."""
        return int(self.sizes.min(initial=self.sizes.sum()))

    def sample(self, source: RandomSource) -> Graph:
        """Draw one world uniformly; the vertices of a group stand next to each other."""
        begins = np.cumsum(self.sizes) - self.sizes
        state = source.words(1).copy()
        sources, targets = lay_edges(self.sizes, begins, self.ones, self.others, self.counts, state)
        return from_pairs(
            np.column_stack([sources, targets]).astype(np.int64), int(self.sizes.sum())
        )

    @property
    def places(self) -> Ints:
        """Vertex pairs of each pair of groups, or inside one: (n_pairs,)."""
        inside = self.sizes[self.ones] * (self.sizes[self.ones] - 1) // 2
        across = self.sizes[self.ones] * self.sizes[self.others]
        return np.where(self.ones == self.others, inside, across)

    def edge_probabilities(self) -> Floats:
        """Return the share of worlds in which a given vertex pair of each group pair is an edge."""
        return self.counts / self.places

    def structural_losses(self) -> Floats:
        """Return the expected wrong guesses at the edges of each pair of groups: (n_pairs,).

        Notes
        -----
        Whoever guesses a vertex pair by its chance p is wrong with chance 2p(1-p).

        Source: campan2008, section 3.
        """
        return 2 * self.counts * (1 - self.edge_probabilities())

    @property
    def normalized_structural_loss(self) -> float:
        """Sum of the structural losses, divided by what it could be at most; in [0, 1]."""
        size = int(self.sizes.sum())
        most = size * (size - 1) / 4
        return float(self.structural_losses().sum()) / most if most else 0.0

    def group_table(self) -> bytes:
        """Write ``group,size``."""
        rows = [f"{group},{size}" for group, size in enumerate(self.sizes.tolist())]
        return "\n".join(["group,size", *rows, ""]).encode()

    def edge_table(self) -> bytes:
        """Write ``source,target,edges`` between groups."""
        columns = (self.ones.tolist(), self.others.tolist(), self.counts.tolist())
        rows = [f"{one},{other},{count}" for one, other, count in zip(*columns, strict=True)]
        return "\n".join(["source,target,edges", *rows, ""]).encode()


def grouping_of(graph: Graph, groups: Codes) -> Grouping:
    """Count sizes and edges of the groups: (n_vertices,), numbered 0..n_groups-1."""
    sizes = np.bincount(groups).astype(np.int64)
    sources, targets = graph.edges()
    one, other = groups[sources], groups[targets]
    keys = np.minimum(one, other).astype(np.int64) * len(sizes) + np.maximum(one, other)
    pairs, counts = np.unique(keys, return_counts=True)
    return Grouping(
        sizes,
        (pairs // max(len(sizes), 1)).astype(np.int32),
        (pairs % max(len(sizes), 1)).astype(np.int32),
        counts.astype(np.int64),
    )


def find_groups(graph: Graph, k: int, source: RandomSource, *, steps: int | None = None) -> Codes:
    """Search groups of k to 2k-1 vertices that few other worlds share.

    Parameters
    ----------
    graph : the graph
    k : 2 <= k <= n_vertices
    source : where the moves are drawn from
    steps : moves to try per block; default by the number of vertices

    Raises
    ------
    ParameterError : k is out of range

    Notes
    -----
    Simulated annealing from groups of like degree. A group of 2k can be cut without adding a world,
    so there are as many groups as fit. A large graph is cut into blocks of neighboring vertices,
    each annealed by itself. Source: hay2008, section 5.3.
    """
    check_k(graph.n_vertices, k)
    state = source.words(1).copy()
    groups = np.empty(graph.n_vertices, np.int32)
    n_groups = 0
    for members in blocks(graph, k):
        block = induced(graph, members) if len(members) < graph.n_vertices else graph
        found = anneal_block(block, k, state, steps)
        groups[members] = found + n_groups
        n_groups += int(found.max()) + 1
    return groups


def anneal_block(graph: Graph, k: int, state: Words, steps: int | None) -> Codes:
    """Anneal one block from groups of like degree."""
    n_groups = graph.n_vertices // k
    groups = np.empty(graph.n_vertices, np.int32)
    groups[by_degree(graph.degrees)] = (
        np.arange(graph.n_vertices) * n_groups // graph.n_vertices
    ).astype(np.int32)
    weights = group_weights(graph.starts, graph.neighbors, groups, n_groups)
    sizes = np.bincount(groups, minlength=n_groups).astype(np.int64)
    default = min(max(graph.n_vertices * STEPS_PER_VERTEX, LEAST_STEPS), MOST_STEPS)
    partition = GroupedGraph(graph.starts, graph.neighbors, groups, sizes, weights)
    best, _ = anneal(partition, k, default if steps is None else steps, TEMPERATURE, state)
    return best


def blocks(graph: Graph, k: int) -> list[Ints]:
    """Cut the vertices into runs of a breadth-first order, each of at most ``BLOCK``."""
    # Below 2k a block would be one group, and nothing to anneal.
    size = max(BLOCK, 2 * k)
    if graph.n_vertices <= size:
        return [np.arange(graph.n_vertices)]
    return list(np.array_split(breadth_first(graph), -(-graph.n_vertices // size)))


def breadth_first(graph: Graph) -> Ints:
    """Order vertices by breadth-first search from each component's first vertex."""
    seen = np.zeros(graph.n_vertices, np.bool_)
    order: list[Ints] = []
    # From the greatest hub of each component, so that its neighbors come into one block.
    for root in np.argsort(-graph.degrees, kind="stable").tolist():
        border = np.array([root])
        while len(border) and not seen[border].all():
            border = border[~seen[border]]
            seen[border] = True
            order.append(border)
            rows = [graph.row(vertex) for vertex in border.tolist()]
            border = np.unique(np.concatenate(rows)).astype(np.int64)
            border = border[~seen[border]]
    return np.concatenate(order)


def induced(graph: Graph, members: Ints) -> Graph:
    """Return the subgraph among some vertices, numbered in their order."""
    position = np.full(graph.n_vertices, -1, np.int64)
    position[members] = np.arange(len(members))
    sources, targets = (position[ends] for ends in graph.edges())
    inside = (sources >= 0) & (targets >= 0)
    return from_pairs(np.column_stack([sources[inside], targets[inside]]), len(members))


def sample_assignment(groups: Codes) -> Ints:
    """Return the input vertex that stands for each vertex of a sampled world."""
    return np.argsort(groups, kind="stable").astype(np.int64)


def group_levels(grouping: Grouping) -> dict[str, int]:
    """Return the level of a release by groups: the smallest group, whatever is known."""
    return dict.fromkeys(("degree", "h2", "h3", "neighborhood"), grouping.smallest)
