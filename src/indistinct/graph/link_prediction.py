"""Link prediction: how well common neighbors tell hidden edges from pairs that are none."""

from __future__ import annotations

import numpy as np

from indistinct.core.arrays import Codes, Floats
from indistinct.core.randomness import RandomSource
from indistinct.graph.edges import Graph

# A tenth is what the literature hides; 5000 pairs give the chance within a percent.
HIDDEN = 0.1
MOST = 5000


def link_prediction(graph: Graph, source: RandomSource) -> float | None:
    """Give the chance that a hidden edge scores higher than a pair that is no edge (the AUC).

    Parameters
    ----------
    graph : the graph
    source : where hidden edges and other pairs are drawn from

    Returns
    -------
    in [0, 1], 1/2 for guessing; None where there is no edge or nothing but edges

    Notes
    -----
    A tenth of the edges, at most 5000, are hidden; a pair scores the sum of 1 / degree over
    common neighbors among the other edges.

    Source: zhou2009, its index of resource allocation.
    """
    chance = np.random.default_rng(source.words(4))
    size = graph.n_vertices
    count = min(max(round(HIDDEN * graph.n_edges), 1), MOST)
    if graph.n_edges == 0 or 2 * graph.n_edges == size * (size - 1):
        return None
    sources, targets = graph.edges()
    order = chance.permutation(graph.n_edges)
    hidden, rest = order[:count], order[count:]
    known = graph.with_edges(sources[rest], targets[rest])
    others = pairs_without_edges(graph, count, chance)
    return above(scores(known, sources[hidden], targets[hidden]), scores(known, *others))


def pairs_without_edges(
    graph: Graph, count: int, chance: np.random.Generator
) -> tuple[Codes, Codes]:
    """Draw pairs of distinct vertices that are no edge, with replacement."""
    found = np.empty((0, 2), np.int32)
    while len(found) < count:
        pairs = chance.integers(0, graph.n_vertices, (2 * count, 2)).astype(np.int32)
        one, other = pairs[:, 0].copy(), pairs[:, 1].copy()
        free = (one != other) & ~graph.has_edges(one, other)
        found = np.concatenate([found, pairs[free]])
    return found[:count, 0].copy(), found[:count, 1].copy()


def scores(graph: Graph, ones: Codes, others: Codes) -> Floats:
    """Give pairs of vertices the sum of 1 / degree over their common neighbors: (n_pairs,)."""
    shares = 1.0 / np.maximum(graph.degrees, 1)
    return np.array(
        [
            shares[np.intersect1d(graph.row(one), graph.row(other), assume_unique=True)].sum()
            for one, other in zip(ones.tolist(), others.tolist(), strict=True)
        ]
    )


def above(high: Floats, low: Floats) -> float:
    """Give the chance that a number of the first exceeds one of the second, ties counting half."""
    ordered = np.sort(low)
    less = np.searchsorted(ordered, high, side="left")
    no_more = np.searchsorted(ordered, high, side="right")
    return float((less + no_more).sum() / (2 * len(high) * len(low)))
