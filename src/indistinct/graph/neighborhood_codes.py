"""Canonical codes of neighborhoods: equal just when the neighborhoods are isomorphic.

The plain definition, for neighborhoods small enough to read. Fingerprints decide the same question
for any size by comparing neighborhoods with each other, without a code.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import final

from indistinct.errors import NoSolutionError
from indistinct.graph.edges import Graph

Edge = tuple[int, int, str, str]
Component = tuple[int, int, tuple[Edge, ...] | str]
Links = Mapping[int, frozenset[int]]

# Traversals that may be followed at once; a complete graph of 7 vertices has 5,040.
MOST = 20_000


@final
@dataclass(frozen=True, slots=True)
class Traversal:
    """A depth-first traversal under way.

    Parameters
    ----------
    order : vertices by discovery
    path : positions in ``order`` from the first vertex down to the last one discovered
    used : edges gone along, as pairs of positions, the later one first
    """

    order: tuple[int, ...]
    path: tuple[int, ...]
    used: frozenset[tuple[int, int]] = frozenset()


def neighborhood_code(
    graph: Graph, vertex: int, labels: Sequence[object] | None = None
) -> tuple[str, tuple[Component, ...]]:
    """Return a vertex's label and the codes of the components among its neighbors, in order.

    Parameters
    ----------
    graph : the graph
    vertex : whose neighborhood
    labels : (n_vertices,), a label per vertex that isomorphisms must respect

    Returns
    -------
    label : of the vertex
    components : (number of vertices, number of edges, code), ascending; the code of a single
        vertex is its label

    Raises
    ------
    NoSolutionError : a component is too large and too symmetric to be traversed in every way

    Notes
    -----
    Source: zhou2008, section 3.2.
    """
    names = [""] * graph.n_vertices if labels is None else [str(label) for label in labels]
    members = frozenset(graph.row(vertex).tolist())
    links = {one: members & frozenset(graph.row(one).tolist()) for one in members}
    found = [component_code(part, links, names) for part in components(links)]
    return names[vertex], tuple(sorted(found, key=repr_of))


def repr_of(component: Component) -> tuple[int, int, tuple[Edge, ...]]:
    """Return what components are ordered by; a single vertex stands as an edge to itself."""
    size, edges, code = component
    return size, edges, ((0, 0, code, code),) if isinstance(code, str) else code


def components(links: Links) -> list[frozenset[int]]:
    """Return the connected components."""
    left, found = set(links), list[frozenset[int]]()
    while left:
        part, front = set[int](), {min(left)}
        while front:
            part |= front
            front = {other for one in front for other in links[one]} - part
        found.append(frozenset(part))
        left -= part
    return found


def component_code(part: frozenset[int], links: Links, names: Sequence[str]) -> Component:
    """Return the size of a component and its minimum depth-first code."""
    n_edges = sum(len(links[one]) for one in part) // 2
    if not n_edges:
        return 1, 0, names[next(iter(part))]
    code: list[Edge] = []
    traversals = [Traversal((one,), (0,)) for one in part]
    for _ in range(n_edges):
        least, traversals = extended(traversals, links, names)
        code.append(least)
    return len(part), n_edges, tuple(code)


def extended(
    traversals: Iterable[Traversal], links: Links, names: Sequence[str]
) -> tuple[Edge, list[Traversal]]:
    """Return the least next edge of any traversal, and the traversals that go along it.

    Notes
    -----
    Edges back come before edges on: back to the earliest vertex, on from the latest, and then by
    labels. A traversal that could not go along the least edge has a greater code already.
    """
    least: tuple[int, int, str, str] | None = None
    edge: Edge | None = None
    kept: list[Traversal] = []
    for one in traversals:
        for rank, step, after in steps(one, links, names):
            if least is None or rank < least:
                least, edge, kept = rank, step, []
            if rank == least:
                kept.append(after)
        if len(kept) > MOST:
            raise NoSolutionError(
                f"a component among {len(links)} neighbors has too many equal traversals",
                "Compare neighborhoods by their fingerprints instead.",
            )
    if edge is None:
        raise AssertionError
    return edge, kept


def steps(
    traversal: Traversal, links: Links, names: Sequence[str]
) -> Iterable[tuple[tuple[int, int, str, str], Edge, Traversal]]:
    """Yield the edges a traversal may go along next: how early each comes, it, and what then is."""
    order, path = traversal.order, traversal.path
    last = path[-1]
    for place in path[:-1]:
        if order[place] in links[order[last]] and (last, place) not in traversal.used:
            labels = names[order[last]], names[order[place]]
            used = traversal.used | {(last, place)}
            yield (0, place, *labels), (last, place, *labels), replace(traversal, used=used)
    new = len(order)
    for depth, place in enumerate(path):
        for other in links[order[place]]:
            if other not in order:
                labels = names[order[place]], names[other]
                used = traversal.used | {(new, place)}
                after = Traversal((*order, other), (*path[: depth + 1], new), used)
                yield (1, -place, *labels), (place, new, *labels), after
