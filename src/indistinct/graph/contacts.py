"""Attackers who put their contact lists together."""

from __future__ import annotations

from collections.abc import Sequence

from indistinct.core.arrays import Ints
from indistinct.graph.edges import Graph


def collusion_candidates(
    graph: Graph, released: Graph, place: Ints, seeds: Sequence[int]
) -> dict[int, set[int]]:
    """Give the candidates in a release for each contact of identified vertices.

    Parameters
    ----------
    graph : the input, whose contact lists of ``seeds`` are known
    released : the release
    place : (n_vertices,), number of each input vertex in the release; used for ``seeds`` only
    seeds : vertices that know themselves in the release

    Notes
    -----
    A candidate of x is linked to just those seeds that x is linked to.
    """
    lists = {seed: set(graph.row(seed).tolist()) for seed in seeds}
    rows = {seed: set(released.row(int(place[seed])).tolist()) for seed in seeds}
    own = {int(place[seed]) for seed in seeds}
    contacts = {contact for one in lists.values() for contact in one} - set(seeds)
    found: dict[int, set[int]] = {}
    for contact in sorted(contacts):
        knowing = [rows[seed] for seed in seeds if contact in lists[seed]]
        others = [rows[seed] for seed in seeds if contact not in lists[seed]]
        candidates = knowing[0].difference(own, *others)
        found[contact] = candidates.intersection(*knowing)
    return found


def disclosed_edges(released: Graph, identified: Sequence[int]) -> set[tuple[int, int]]:
    """Give the edges of a release between identified vertices, smaller end first."""
    inside = set(identified)
    return {
        (one, other)
        for one in identified
        for other in released.row(one).tolist()
        if one < other and other in inside
    }
