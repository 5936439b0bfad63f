"""Probing by removal: settle vertices that are stuck where it costs least afterwards."""

from __future__ import annotations

import numpy as np

from indistinct.core.arrays import Ints
from indistinct.graph.degree_sequence import DELETE, cheapest_cost
from indistinct.graph.edges import Graph

# Partners of that many different degrees are tried for each edge.
TRIES = 12


def part(graph: Graph, need: Ints, k: int, chance: np.random.Generator) -> Graph:
    """Remove an edge from each vertex with a surplus, whatever that does to the other end.

    Parameters
    ----------
    graph : the graph so far
    need : (n_vertices,), below 0 for a surplus, for at least one of them
    k : least occurrences of a degree
    chance : where partners are drawn from

    Notes
    -----
    The other end is one after whose loss the cheapest anonymous degrees are cheapest.
    """
    degrees = graph.degrees.copy()
    gone: list[tuple[int, int]] = []
    for vertex in chance.permutation(np.flatnonzero(need < 0)).tolist():
        used = [one + other - vertex for one, other in gone if vertex in {one, other}]
        able = np.setdiff1d(graph.row(vertex).astype(np.int64), np.array(used, np.int64))
        if len(able):
            partner = best_partner(able, vertex, degrees, k, chance)
            gone.append((vertex, partner))
            degrees[[vertex, partner]] -= 1
    ends = np.array(gone, np.int32).reshape(-1, 2)
    sources, targets = graph.edges()
    lost = graph.with_edges(ends[:, 0].copy(), ends[:, 1].copy()).has_edges(sources, targets)
    return graph.with_edges(sources[~lost], targets[~lost])


def best_partner(
    able: Ints, vertex: int, degrees: Ints, k: int, chance: np.random.Generator
) -> int:
    """Choose, among neighbors, one of the degree whose loss costs least."""
    able = chance.permutation(able)
    choices = able[np.unique(degrees[able], return_index=True)[1]]
    choices = chance.permutation(choices)[:TRIES]
    costs: list[int] = []
    for partner in choices.tolist():
        after = degrees.copy()
        after[[vertex, partner]] -= 1
        costs.append(cheapest_cost(after, k, DELETE))
    return int(choices[int(np.argmin(costs))])
