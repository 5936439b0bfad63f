"""Graph: sorted compressed rows of a simple undirected graph, and how raw pairs become one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast, final

import numpy as np

from indistinct.base.arrays import Bools, Codes, Ints
from indistinct.errors import Fault, ParameterError
from indistinct.graph.cleaning import Cleaning
from indistinct.graph.edges_kernels import have_edges, lay_out, upper_edges
from indistinct.graph.formats import refuse_two_modes

if TYPE_CHECKING:
    import networkx as nx

Attributes = Mapping[str, tuple[object, ...]]


@final
@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """A simple undirected graph with vertices 0..n-1.

    Parameters
    ----------
    starts : (n_vertices + 1,), where each vertex's row of ``neighbors`` begins
    neighbors : (2 * n_edges,), sorted within each row
    ids : (n_vertices,), what the input calls each vertex; None when the input does so by number
    attributes : per name, one value for each vertex
    cleaning : what was left out of the input
    """

    starts: Ints
    neighbors: Codes
    ids: tuple[object, ...] | Ints | None = None
    attributes: Attributes = field(default_factory=dict[str, tuple[object, ...]])
    cleaning: Cleaning = field(default_factory=Cleaning)

    def __repr__(self) -> str:
        """Return how large the graph is, and nothing of any vertex."""
        return f"<Graph: {self.n_vertices} vertices, {self.n_edges} edges>"

    @property
    def n_vertices(self) -> int:
        """Number of vertices."""
        return len(self.starts) - 1

    @property
    def n_edges(self) -> int:
        """Number of edges."""
        return len(self.neighbors) // 2

    @property
    def degrees(self) -> Ints:
        """Number of neighbors of each vertex: (n_vertices,)."""
        return np.diff(self.starts)

    def row(self, vertex: int) -> Codes:
        """Return the sorted neighbors of one vertex."""
        return self.neighbors[self.starts[vertex] : self.starts[vertex + 1]]

    def edges(self) -> tuple[Codes, Codes]:
        """List every edge once, sorted, by its smaller end: two arrays of (n_edges,)."""
        return upper_edges(self.starts, self.neighbors)

    def has_edges(self, sources: Codes, targets: Codes) -> Bools:
        """Return for each pair of vertices whether it is an edge: (n_pairs,)."""
        return have_edges(self.starts, self.neighbors, sources, targets)

    def id_of(self, vertex: int) -> object:
        """Return what the input calls a vertex."""
        if isinstance(self.ids, tuple):
            return self.ids[vertex]
        return vertex if self.ids is None else int(self.ids[vertex])

    def with_edges(self, sources: Codes, targets: Codes) -> Graph:
        """Return the graph with the same vertices and other edges, each named once."""
        starts, neighbors = rows_of(self.n_vertices, sources, targets)
        return replace(self, starts=starts, neighbors=neighbors, cleaning=Cleaning())

    def relabeled(self, new: Ints) -> Graph:
        """Return the graph with number ``new[v]`` for vertex ``v``, without the input's names."""
        sources, targets = self.edges()
        starts, neighbors = rows_of(
            self.n_vertices, new[sources].astype(np.int32), new[targets].astype(np.int32)
        )
        old = np.argsort(new)
        attributes = {
            name: tuple(values[vertex] for vertex in old)
            for name, values in self.attributes.items()
        }
        return Graph(starts, neighbors, None, attributes)

    def keeping(self, names: Sequence[str]) -> Graph:
        """Return the graph with the named vertex attributes only.

        Raises
        ------
        ParameterError : an attribute is unknown
        """
        unknown = [name for name in names if name not in self.attributes]
        if unknown:
            known = ", ".join(self.attributes) or "none"
            raise ParameterError(
                Fault(f"keep.{name}", "is not a vertex attribute", f"Known attributes: {known}.")
                for name in unknown
            )
        return replace(self, attributes={name: self.attributes[name] for name in names})

    def to_networkx(self) -> nx.Graph[Any]:
        """Return the graph as networkx knows it, with ids and attributes."""
        import networkx as nx

        graph: nx.Graph[Any] = nx.Graph()
        names = [self.id_of(vertex) for vertex in range(self.n_vertices)]
        for vertex, name in enumerate(names):
            values = {key: column[vertex] for key, column in self.attributes.items()}
            graph.add_node(name, **{key: value for key, value in values.items() if value != ""})
        sources, targets = self.edges()
        graph.add_edges_from(
            (names[one], names[other])
            for one, other in zip(sources.tolist(), targets.tolist(), strict=True)
        )
        return graph


def rows_of(n_vertices: int, sources: Codes, targets: Codes) -> tuple[Ints, Codes]:
    """Sort pairs of distinct vertices, each edge named once, into rows."""
    keys = np.minimum(sources, targets).astype(np.int64) * n_vertices
    keys += np.maximum(sources, targets)
    keys.sort()
    return rows_of_keys(n_vertices, keys)


def rows_of_keys(n_vertices: int, keys: Ints) -> tuple[Ints, Codes]:
    """Lay out edges given as sorted numbers ``smaller * n_vertices + larger``."""
    divisor = max(n_vertices, 1)
    return lay_out(
        n_vertices, (keys // divisor).astype(np.int32), (keys % divisor).astype(np.int32)
    )


def from_pairs(pairs: Ints, n_vertices: int, *, mirrored: bool = False) -> Graph:
    """Make a simple undirected graph of pairs of vertex numbers.

    Parameters
    ----------
    pairs : (n_pairs, 2), 0 <= number < n_vertices
    n_vertices : vertices that no pair names are isolated
    mirrored : the format names every edge in both directions, so that is not worth a report

    Notes
    -----
    One sort of n_pairs numbers.
    """
    sources, targets = pairs[:, 0], pairs[:, 1]
    loops = int(np.count_nonzero(sources == targets))
    # The lowest bit is the direction, so equal numbers are duplicates and neighbors are reversed.
    # Below 2**31 vertices, which codes of 32 bits can name, these numbers stay below 2**63.
    keys = np.minimum(sources, targets) * n_vertices + np.maximum(sources, targets)
    keys = keys * 2 + (sources > targets)
    if loops:
        keys = keys[sources != targets]
    keys.sort()
    directed = keys[first_of_equal(keys)]
    undirected = directed >> 1
    undirected = undirected[first_of_equal(undirected)]
    starts, neighbors = rows_of_keys(n_vertices, undirected)
    cleaning = Cleaning(
        loops,
        len(keys) - len(directed),
        0 if mirrored else len(directed) - len(undirected),
    )
    return Graph(starts, neighbors, cleaning=cleaning)


def first_of_equal(ordered: Ints) -> Bools:
    """Mark the first of each run of equal numbers."""
    first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return first


def number_ids(names: Ints) -> tuple[Ints, Ints]:
    """Return the numbers 0.. of whole-number ids, in ascending order.

    Parameters
    ----------
    names : any shape, each at least 0

    Returns
    -------
    distinct : the ids in ascending order
    numbers : of the shape of ``names``
    """
    # A table over all numbers up to the largest is faster than sorting, unless ids are far apart.
    largest = int(names.max(initial=-1))
    if largest > 8 * names.size + 1000:
        distinct, numbers = np.unique(names, return_inverse=True)
        return distinct, numbers.reshape(names.shape).astype(np.int64)
    present = np.zeros(largest + 1, np.bool_)
    present[names.ravel()] = True
    return np.flatnonzero(present), (np.cumsum(present) - 1)[names]


def from_ids(pairs: Ints, listed: Ints | None = None) -> Graph:
    """Make a graph of pairs of whole-number ids.

    Parameters
    ----------
    pairs : (n_pairs, 2), ids
    listed : (n_listed,), ids of vertices that are there even without an edge

    Notes
    -----
    A vertex that only a loop names goes with its loop, unless it is listed; the cleaning says so.
    """
    proper = pairs[:, 0] != pairs[:, 1]
    named = pairs[proper].ravel()
    if listed is not None:
        named = np.concatenate([named, listed])
    distinct, numbers = number_ids(named)
    n_pairs = int(np.count_nonzero(proper))
    graph = from_pairs(numbers[: 2 * n_pairs].reshape(-1, 2), len(distinct))
    lost = np.setdiff1d(pairs[~proper, 0], distinct)
    cleaning = replace(graph.cleaning, loops=len(pairs) - n_pairs, loop_only_vertices=len(lost))
    return replace(graph, ids=distinct, cleaning=cleaning)


def from_names(pairs: Sequence[tuple[str, str]], listed: Sequence[str] | None = None) -> Graph:
    """Make a graph of pairs of texts; see :func:`from_ids`."""
    numbers: dict[str, int] = {}
    for name in listed or ():
        numbers.setdefault(name, len(numbers))
    n_listed = len(numbers)
    for pair in pairs:
        for name in pair:
            numbers.setdefault(name, len(numbers))
    coded = np.array([(numbers[one], numbers[other]) for one, other in pairs], np.int64)
    graph = from_ids(
        coded.reshape(-1, 2), None if listed is None else np.arange(n_listed, dtype=np.int64)
    )
    names = list(numbers)
    ids: list[int] = cast("Ints", graph.ids).tolist()
    return replace(graph, ids=tuple(names[number] for number in ids))


def from_networkx(graph: nx.Graph[Any]) -> Graph:
    """Return the graph of a networkx graph of any kind, with isolated vertices and attributes."""
    nodes: list[object] = list(graph.nodes)
    numbers = {node: number for number, node in enumerate(nodes)}
    pairs = np.array(
        [(numbers[one], numbers[other]) for one, other in graph.edges()], np.int64
    ).reshape(-1, 2)
    names = sorted({str(key) for _, data in graph.nodes(data=True) for key in data})
    refuse_two_modes(names)
    attributes = {
        name: tuple(cast("object", data.get(name, "")) for _, data in graph.nodes(data=True))
        for name in names
    }
    simple = from_pairs(pairs, len(nodes))
    columns = sorted({str(key) for *_, data in graph.edges(data=True) for key in data})
    cleaning = simple.cleaning.of_a_file(columns, directions=graph.is_directed())
    return replace(simple, ids=tuple(nodes), attributes=attributes, cleaning=cleaning)


def with_attributes(graph: Graph, ids: Sequence[str], values: dict[str, list[str]]) -> Graph:
    """Return the graph with the attributes listed for each vertex's id, or an empty text."""
    refuse_two_modes(values)
    position = {name: number for number, name in enumerate(ids)}
    order = [position.get(str(graph.id_of(vertex)), -1) for vertex in range(graph.n_vertices)]
    attributes = {
        name: tuple(cast("object", column[number]) if number >= 0 else "" for number in order)
        for name, column in values.items()
    }
    return replace(graph, attributes=attributes)
