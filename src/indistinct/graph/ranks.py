"""Who matters most: centralities of vertices, and how well a release keeps their order."""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.base.randomness import RandomSource
from indistinct.graph.edges import Graph
from indistinct.graph.loss_kernels import multiply
from indistinct.graph.ranks_kernels import betweenness_from, page_rank, swaps_to_sort

# Shortest paths are exact up to this many vertices, and start from that many sources above.
EXACT = 2000
SOURCES = 200
# How many of the greatest an overlap counts.
TOP = 100
# The customary damping, which others' figures have, too.
DAMPING = 0.85
# Power iterations end when all entries together move less than this, or after so many rounds.
ROUNDS = 200
PRECISE = 1e-10
# Values that differ by less than one part in this many are ties: sums in another order differ so.
DIGITS = 9


def centralities(graph: Graph, roots: Ints) -> dict[str, Floats]:
    """Return ``degree``, ``pagerank``, ``betweenness`` and ``eigenvector`` of each vertex.

    Parameters
    ----------
    graph : the graph
    roots : vertices that shortest paths begin at, see :func:`sampled_roots`
    """
    return {
        "degree": graph.degrees.astype(np.float64),
        "pagerank": page_rank(graph.starts, graph.neighbors, DAMPING, ROUNDS, PRECISE),
        "betweenness": betweenness(graph, roots),
        "eigenvector": eigenvector(graph),
    }


def sampled_roots(graph: Graph, source: RandomSource) -> Ints:
    """Return all vertices, or 200 of them when there are more than 2000."""
    if graph.n_vertices <= EXACT:
        return np.arange(graph.n_vertices)
    return source.permutation(graph.n_vertices)[:SOURCES]


def betweenness(graph: Graph, roots: Ints) -> Floats:
    """Sum the shares of shortest paths through each vertex, over ordered pairs: (n_vertices,).

    Parameters
    ----------
    graph : the graph
    roots : vertices the paths begin at; of all, or scaled as if of all

    Source: brandes2001.
    """
    total = betweenness_from(graph.starts, graph.neighbors, roots)
    return total * (graph.n_vertices / max(len(roots), 1))


def eigenvector(graph: Graph) -> Floats:
    """Return the entries of the leading adjacency eigenvector, of length 1: (n_vertices,).

    Notes
    -----
    Power iteration on adjacency plus identity, which also settles where the graph is bipartite.
    """
    vector = np.full(graph.n_vertices, 1.0 / max(graph.n_vertices, 1) ** 0.5)
    for _ in range(ROUNDS):
        fresh = vector + multiply(graph.starts, graph.neighbors, vector)
        # No division by zero for a graph without vertices.
        fresh /= max(float(np.linalg.norm(fresh)), 1e-300)
        change = float(np.abs(fresh - vector).sum())
        vector = fresh
        if change < PRECISE:
            break
    return vector


def ranks(values: Floats) -> Floats:
    """Return the rank of each value from 1, for ties their mean rank: (n,)."""
    scale = float(np.abs(values).max(initial=0.0)) or 1.0
    _, places, counts = np.unique(
        np.round(values / scale, DIGITS), return_inverse=True, return_counts=True
    )
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[places]


def spearman(one: Floats, other: Floats) -> float:
    """Return the correlation of ranks, in [-1, 1]; 1 where nothing varies in either, else 0.

    Parameters
    ----------
    one, other : (n,), values of the same things

    Source: spearman1904.
    """
    left, right = ranks(one), ranks(other)
    spread = float(left.std() * right.std()) if len(left) else 0.0
    if spread == 0:
        return float(np.array_equal(left, right))
    return float(((left - left.mean()) * (right - right.mean())).mean() / spread)


def tied_pairs(values: Floats) -> int:
    """Count pairs of equal values."""
    counts: Ints = np.unique(values, return_counts=True)[1].astype(np.int64)
    return int((counts * (counts - 1) // 2).sum())


def kendall(one: Floats, other: Floats) -> float:
    """Return Kendall's tau-b, in [-1, 1]; 1 where nothing varies in either, else 0.

    Parameters
    ----------
    one, other : (n,), values of the same things

    Notes
    -----
    O(n log n): pairs in the wrong order are counted while sorting.

    Source: kendall1945.
    """
    left, right = ranks(one), ranks(other)
    pairs = len(left) * (len(left) - 1) // 2
    order = np.lexsort((right, left))
    wrong = swaps_to_sort(right[order].copy())
    tied = tied_pairs(left), tied_pairs(right)
    spread = float(pairs - tied[0]) ** 0.5 * float(pairs - tied[1]) ** 0.5
    if spread == 0:
        return float(np.array_equal(left, right))
    # Ranks are at most n and come in halves, so no two pairs of ranks give the same number.
    both = tied_pairs(left * (2 * len(left) + 1) + right)
    return (pairs - tied[0] - tied[1] + both - 2 * wrong) / spread


def top_overlap(one: Floats, other: Floats, count: int = TOP) -> float:
    """Return the share of the greatest ``count`` that are among the greatest of the other.

    Parameters
    ----------
    one, other : (n,), values of the same things
    count : how many are the greatest, at least 1; no more than n

    Notes
    -----
    Whoever ties with the last of the greatest is among them, in both.
    """
    size = min(count, len(one))
    if size == 0:
        return 1.0
    left, right = (ranks(values) for values in (one, other))
    first, second = (values >= np.sort(values)[-size] for values in (left, right))
    return float((first & second).sum() / max(first.sum(), second.sum()))


def compare_ranks(before: Graph, after: Graph, source: RandomSource) -> dict[str, dict[str, float]]:
    """Compare the order of vertices by each centrality, on the same vertices.

    Parameters
    ----------
    before, after : the original, and the release on the original's vertices
    source : where the beginnings of shortest paths are drawn from, the same for both

    Returns
    -------
    per centrality ``spearman``, ``kendall`` and ``top_overlap`` (of the first 100, in [0, 1])
    """
    roots = sampled_roots(before, source)
    given, found = (centralities(graph, roots) for graph in (before, after))
    return {
        name: {
            "spearman": spearman(given[name], found[name]),
            "kendall": kendall(given[name], found[name]),
            "top_overlap": top_overlap(given[name], found[name]),
        }
        for name in given
    }
