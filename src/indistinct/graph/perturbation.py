"""Random perturbation: edges changed at random, as a baseline without any guarantee."""

from __future__ import annotations

import numpy as np

from indistinct.base.randomness import RandomSource
from indistinct.errors import ParameterError
from indistinct.graph.edges import Graph, first_of_equal
from indistinct.graph.perturbation_kernels import switch_ends


def check_share(share: float) -> None:
    """Raise :class:`ParameterError` unless 0 <= share <= 1."""
    if not 0 <= share <= 1:
        raise ParameterError("the share of edges must be between 0 and 1", "Set it to 0.05, say.")


def perturb(graph: Graph, share: float, source: RandomSource) -> Graph:
    """Remove a share of the edges and add as many random non-edges.

    Parameters
    ----------
    graph : the graph
    share : of the edges to replace, in [0, 1]
    source : where the edges are drawn from

    Raises
    ------
    ParameterError : the share is out of range

    Notes
    -----
    An added edge was none of the input, so the number of edges stays unless the graph is nearly
    complete, when fewer can be replaced.

    Source: hay2007, section 4.
    """
    check_share(share)
    n_vertices, n_edges = graph.n_vertices, graph.n_edges
    pairs = n_vertices * (n_vertices - 1) // 2
    count = min(round(share * n_edges), pairs - n_edges)
    chance = np.random.default_rng(source.words(4))
    sources, targets = graph.edges()
    kept = np.sort(chance.permutation(n_edges)[count:])
    fresh = np.empty(0, np.int64)
    while len(fresh) < count:
        # Twice as many as are wanted: some are loops, edges already, or drawn twice.
        ends = chance.integers(0, n_vertices, (2 * (count - len(fresh)) + 16, 2))
        low, high = ends.min(axis=1), ends.max(axis=1)
        new = (low != high) & ~graph.has_edges(low.astype(np.int32), high.astype(np.int32))
        fresh = np.concatenate([fresh, (low * n_vertices + high)[new]])
        fresh.sort()
        # They are sorted by now, and cutting the tail off would favor small numbers.
        fresh = chance.permutation(fresh[first_of_equal(fresh)])[:count]
    return graph.with_edges(
        np.concatenate([sources[kept], (fresh // max(n_vertices, 1)).astype(np.int32)]),
        np.concatenate([targets[kept], (fresh % max(n_vertices, 1)).astype(np.int32)]),
    )


def switch(graph: Graph, share: float, source: RandomSource) -> Graph:
    """Swap the ends of random pairs of edges; every degree stays.

    Parameters
    ----------
    graph : the graph
    share : of the edges to swap, in [0, 1]; each swap changes two
    source : where the pairs are drawn from

    Raises
    ------
    ParameterError : the share is out of range

    Notes
    -----
    A swap that would make a loop or a double edge is not done.

    Source: ying2008, section 3.1.
    """
    check_share(share)
    swaps = round(share * graph.n_edges / 2)
    sources, targets = (ends.copy() for ends in graph.edges())
    switch_ends(sources, targets, graph.n_vertices, swaps, source.words(1).copy())
    return graph.with_edges(sources, targets)
