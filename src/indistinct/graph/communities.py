"""Communities: groups of vertices with more edges inside than chance would lay there."""

from __future__ import annotations

from typing import Any

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.randomness import RandomSource
from indistinct.graph.communities_kernels import merge_vertices, move_vertices
from indistinct.graph.edges import Graph


def communities(graph: Graph, source: RandomSource) -> Codes:
    """Find communities of high modularity: (n_vertices,), numbered 0..n_communities-1.

    Parameters
    ----------
    graph : the graph
    source : where the order of the moves is drawn from

    Notes
    -----
    Vertices move one by one to where the modularity grows most; then each community becomes one
    vertex, and so on until nothing moves. O(n_edges) per pass.

    Source: blondel2008, section 2.
    """
    state = source.words(1).copy()
    rows = graph.starts, graph.neighbors, np.ones(len(graph.neighbors)), np.zeros(graph.n_vertices)
    found = np.arange(graph.n_vertices, dtype=np.int32)
    while True:
        labels, n_labels = move_vertices(*rows, state)
        if n_labels == len(labels):
            return found
        found = labels[found]
        rows = merge_vertices(*rows, labels, n_labels)


def modularity(graph: Graph, labels: Codes) -> float:
    """Return the share of edges inside communities above what chance would lay there.

    Parameters
    ----------
    graph : the graph
    labels : (n_vertices,), community of each vertex, at least 0

    Notes
    -----
    Between -1/2 and 1; 0 without edges.

    Source: newman2004.
    """
    if graph.n_edges == 0:
        return 0.0
    sources, targets = graph.edges()
    inside = np.count_nonzero(labels[sources] == labels[targets]) / graph.n_edges
    ends: Floats = np.bincount(labels, graph.degrees) / (2 * graph.n_edges)
    return float(inside - (ends**2).sum())


def common_members(one: Codes, other: Codes) -> tuple[Ints, Ints, Ints]:
    """Count how many vertices each pair of communities shares, and each community has."""
    keys = one.astype(np.int64) * (int(other.max(initial=0)) + 1) + other
    shared = np.unique(keys, return_counts=True)[1]
    sizes = (np.unique(labels, return_counts=True)[1] for labels in (one, other))
    return shared.astype(np.int64), *(size.astype(np.int64) for size in sizes)  # pyright: ignore[reportReturnType] - two sizes


def entropy(sizes: Ints) -> float:
    """Return the entropy of a random vertex's community, in nats."""
    shares = sizes / sizes.sum()
    return float(-(shares * np.log(shares)).sum())


def mutual_information(one: Codes, other: Codes) -> float:
    """Return the normalized mutual information of two partitions: 1 when they are the same.

    Parameters
    ----------
    one, other : (n_vertices,), community of each vertex

    Notes
    -----
    Divided by the mean of the two entropies; 1 where both partitions have one community only.

    Source: danon2005, section 3.
    """
    if not len(one):
        return 1.0
    joint, *sizes = (entropy(counts) for counts in common_members(one, other))
    mean = sum(sizes) / 2
    return max(float((sum(sizes) - joint) / mean), 0.0) if mean > 0 else 1.0


def adjusted_rand(one: Codes, other: Codes) -> float:
    """Return the share of vertex pairs that two partitions treat alike, adjusted for chance.

    Parameters
    ----------
    one, other : (n_vertices,), community of each vertex

    Notes
    -----
    1 when they are the same, about 0 for unrelated ones.

    Source: hubert1985.
    """
    joint, left, right = (
        float((counts * (counts - 1) // 2).sum()) for counts in common_members(one, other)
    )
    pairs = len(one) * (len(one) - 1) / 2
    expected = left * right / pairs if pairs else 0.0
    most = (left + right) / 2
    return (joint - expected) / (most - expected) if most != expected else 1.0


def precision(one: Codes, other: Codes) -> float:
    """Return the share of vertices whose community in ``other`` mostly has their one of ``one``.

    Parameters
    ----------
    one, other : (n_vertices,), community of each vertex before and after

    Notes
    -----
    Source: casasroma2017, section 5, its precision index.
    """
    if not len(one):
        return 1.0
    width = int(one.max()) + 1
    keys, counts = np.unique(other.astype(np.int64) * width + one, return_counts=True)
    most = np.zeros(int(other.max()) + 1, np.int64)
    np.maximum.at(most, keys // width, counts)
    return float(most.sum() / len(one))


def compare_communities(before: Graph, after: Graph, source: RandomSource) -> dict[str, Any]:
    """Compare the communities of two graphs on the same vertices.

    Parameters
    ----------
    before, after : the original, and the release on the original's vertices
    source : where the order of the moves is drawn from

    Returns
    -------
    ``nmi``, ``ari``, ``precision`` of the release's communities against the original's;
    ``baseline``, the same for the original against itself in another order, since any less is
    noise; ``modularity``, of the original's communities in the original and in the release
    """
    other = RandomSource(None if source.seed is None else source.seed + 1)
    given = communities(before, source)
    found = communities(after, other)
    again = communities(before, other)
    return {
        **likeness(given, found),
        "baseline": likeness(given, again),
        "modularity": {"original": modularity(before, given), "release": modularity(after, given)},
    }


def likeness(one: Codes, other: Codes) -> dict[str, float]:
    """Compare two partitions in three ways."""
    return {
        "nmi": mutual_information(one, other),
        "ari": adjusted_rand(one, other),
        "precision": precision(one, other),
    }
