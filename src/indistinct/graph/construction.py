"""Graphs made from degrees: ConstructGraph, Priority and GreedySwap."""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.randomness import RandomSource
from indistinct.errors import NoSolutionError
from indistinct.graph.edges import Graph
from indistinct.graph.k_degree_kernels import Changes, changed_edges, join_needy, swap_ends


def no_edges(n_vertices: int) -> tuple[Ints, Codes]:
    """Return the rows of a graph without edges."""
    return np.zeros(n_vertices + 1, np.int64), np.empty(0, np.int32)


def no_changes(graph: Graph, targets: Ints) -> Changes:
    """Return the changes that lead to target degrees before the first of them is made."""
    need = targets - graph.degrees
    # Each unit of need ends in at most two added edges, here counted by their ends.
    capacity = 4 * int(np.abs(need).sum()) + 4
    return Changes(
        graph.starts,
        graph.neighbors,
        need,
        targets.copy(),
        np.bincount(targets, minlength=graph.n_vertices + 2).astype(np.int32),
        np.zeros(len(graph.neighbors), np.bool_),
        np.full(graph.n_vertices, -1, np.int32),
        np.empty(capacity, np.int32),
        np.empty(capacity, np.int32),
        np.zeros(1, np.int64),
    )


def construct(targets: Ints, like: Graph | None = None) -> Graph:
    """Make a graph with the given degrees, out of the edges of another where possible.

    Parameters
    ----------
    targets : (n_vertices,), degree of each vertex
    like : a graph on the same vertices whose edges come first (Priority); none for ConstructGraph

    Raises
    ------
    NoSolutionError : no simple graph was found; without ``like`` none exists

    Notes
    -----
    Source: liu2008, sections 5.1 and 5.3.
    """
    empty = Graph(*no_edges(len(targets)))
    liked = empty if like is None else like
    changes = no_changes(empty, targets)
    join_needy(changes, liked.starts, liked.neighbors)
    if not changes.settled:
        raise NoSolutionError(
            "no graph with these degrees was found",
            "Check the sum and the largest degree, or realize them by repair.",
        )
    return empty.with_edges(*changed_edges(changes))


def swap_towards(graph: Graph, like: Graph, source: RandomSource, passes: int = 20) -> Graph:
    """Swap ends of edges so that more of them are edges of another graph; degrees stay.

    Parameters
    ----------
    graph : the graph to change
    like : a graph on the same vertices
    source : where the order of the wanted edges is drawn from
    passes : most times every wanted edge is tried

    Notes
    -----
    GreedySwap of liu2008, section 5.4, with swaps that are sure to gain instead of sampled ones.
    """
    order = source.permutation(like.n_edges)
    sources, targets = (ends[order] for ends in like.edges())
    neighbors = graph.neighbors.copy()
    swap_ends(graph.starts, neighbors, like.starts, like.neighbors, sources, targets, passes)
    owners = np.repeat(np.arange(graph.n_vertices, dtype=np.int32), graph.degrees)
    once = owners < neighbors
    return graph.with_edges(owners[once], neighbors[once])
