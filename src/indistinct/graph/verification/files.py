"""The files of a released graph, read strictly and by plain code for their verification.

Nothing here is used to make a release. Every deviation from the released form is a fault: whoever
writes rows in another order, or ids in another way, can say more than the graph does.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from xml.etree import ElementTree as ET

from indistinct.errors import Fault

# One way to write each number: leading zeros could mark vertices.
NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")
PUBLISH_NOT = "Do not publish this file."
# A release begins so; no entity or processing instruction can then be declared.
GRAPHML_HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
# What CSV cells are quoted for, and what XML writes in another way.
QUOTED = frozenset(',"\r\n')
ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
IN_QUOTES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
    | {"\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)


@dataclass(slots=True)
class PlainGraph:
    """A released graph as plain sets.

    Parameters
    ----------
    n_vertices : number of vertices
    edges : pairs of vertices, smaller number first
    attributes : per name, a text for each vertex
    faults : where a file is not of the released form
    """

    n_vertices: int = 0
    edges: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    attributes: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    faults: list[Fault] = field(default_factory=list[Fault])

    def neighbors(self) -> list[set[int]]:
        """Return the neighbors of each vertex."""
        rows: list[set[int]] = [set() for _ in range(self.n_vertices)]
        for one, other in self.edges:
            rows[one].add(other)
            rows[other].add(one)
        return rows


@dataclass(slots=True)
class PlainGroups:
    """The two tables of a release by groups.

    Parameters
    ----------
    sizes : vertices of each group
    counts : edges of each pair of groups that has some, smaller number first
    faults : where a file is not of the released form
    """

    sizes: list[int] = field(default_factory=list[int])
    counts: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    faults: list[Fault] = field(default_factory=list[Fault])

    def places(self, one: int, other: int) -> int:
        """Count the pairs of vertices between two groups, or inside one."""
        size = self.sizes[one]
        return size * (size - 1) // 2 if one == other else size * self.sizes[other]


def read_release(name: str, content: bytes, vertices: tuple[str, bytes] | None) -> PlainGraph:
    """Read a released graph by the form that its name says.

    Parameters
    ----------
    name, content : of the release
    vertices : name and content of the file of vertices, where the release has one
    """
    suffix = suffix_of(name)
    if suffix in {".graph", ".metis"}:
        return read_metis(name, content)
    if suffix == ".graphml":
        return read_graphml(name, content)
    return read_edge_list(name, content, vertices)


def suffix_of(name: str) -> str:
    """Return the end of a name that says the form of a file, in small letters."""
    return Path(name.lower()).suffix


def rows_of(
    name: str, content: bytes, header: Sequence[str] | None
) -> tuple[list[list[str]], list[Fault]]:
    """Read a CSV with a header; nothing where it is none."""
    try:
        rows = list(csv.reader(io.StringIO(content.decode(), newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error):
        return [], [Fault(name, "is not a CSV file in UTF-8", PUBLISH_NOT)]
    if not rows or (header is not None and rows[0] != list(header)):
        wanted = ",".join(header or ("id",))
        return [], [Fault(name, f"has not the header {wanted}", PUBLISH_NOT)]
    wrong = sum(len(row) != len(rows[0]) for row in rows)
    if wrong:
        return [], [Fault(name, f"{wrong} lines do not fit the header", PUBLISH_NOT)]
    return rows, []


def numbers_of(name: str, rows: list[list[str]]) -> tuple[list[list[int]], list[Fault]]:
    """Return the whole numbers of cells, written in the one way that says nothing more."""
    wrong = sum(not all(NUMBER.fullmatch(cell) for cell in row) for row in rows)
    if wrong:
        problem = f"{wrong} rows hold something else than whole numbers"
        return [], [Fault(name, problem, PUBLISH_NOT)]
    return [[int(cell) for cell in row] for row in rows], []


def read_edge_list(name: str, content: bytes, vertices: tuple[str, bytes] | None) -> PlainGraph:
    """Read ``source,target``, and the file of vertices."""
    graph = PlainGraph()
    rows, faults = rows_of(name, content, ("source", "target"))
    numbers, more = numbers_of(name, rows[1:])
    graph.faults += [*faults, *more]
    pairs = [(row[0], row[1]) for row in numbers]
    if pairs != sorted({pair for pair in pairs if pair[0] < pair[1]}):
        problem = "the rows are not each edge once, its smaller id first, in ascending order"
        graph.faults.append(Fault(name, problem, PUBLISH_NOT))
    graph.edges = {pair for pair in pairs if pair[0] < pair[1]}
    named = {end for pair in pairs for end in pair}
    graph.n_vertices = max(named, default=-1) + 1
    if vertices is not None:
        add_vertices(graph, *vertices)
    elif len(named) < graph.n_vertices:
        problem = "ids between 0 and the largest one are missing"
        graph.faults.append(Fault(name, problem, "List isolated vertices in the file of vertices."))
        graph.n_vertices = 0
        graph.edges = set()
    return graph


def add_vertices(graph: PlainGraph, name: str, content: bytes) -> None:
    """Add isolated vertices and attributes from the file of vertices."""
    rows, faults = rows_of(name, content, None)
    graph.faults += faults
    if faults:
        return
    ids = [row[0] for row in rows[1:]]
    if rows[0][0] != "id" or ids != [str(number) for number in range(len(ids))]:
        problem = "does not list the ids 0, 1, 2 ... in this order"
        graph.faults.append(Fault(name, problem, PUBLISH_NOT))
        return
    if len(ids) < graph.n_vertices:
        graph.faults.append(Fault(name, "does not contain all ids of the edge list", PUBLISH_NOT))
        return
    graph.n_vertices = len(ids)
    graph.attributes = {
        column: [row[place] for row in rows[1:]] for place, column in enumerate(rows[0]) if place
    }


def read_metis(name: str, content: bytes) -> PlainGraph:
    """Read a METIS file without weights: a row of neighbors, numbered from 1, for each vertex."""
    graph = PlainGraph()
    lines = content.decode("ascii", "replace").split("\n")
    words = [line.split(" ") if line else [] for line in lines]
    is_whole = len(words[0]) == 2 and all(NUMBER.fullmatch(word) for row in words for word in row)  # noqa: PLR2004 - the format's two numbers
    if not is_whole or len(words) != int(words[0][0]) + 2 or words[-1]:
        graph.faults.append(Fault(name, "is not a METIS file without weights", PUBLISH_NOT))
        return graph
    size = int(words[0][0])
    rows = [[int(word) - 1 for word in row] for row in words[1:-1]]
    arcs = {(one, other) for one, row in enumerate(rows) for other in row}
    if not all(0 <= other < size and (other, one) in arcs for one, other in arcs):
        problem = "the rows do not name each edge once from either end, in ascending order"
        graph.faults.append(Fault(name, problem, PUBLISH_NOT))
        return graph
    graph.n_vertices = size
    graph.edges = {(one, other) for one, other in arcs if one < other}
    return graph


def read_graphml(name: str, content: bytes) -> PlainGraph:
    """Read GraphML with nodes 0, 1, 2 ... and attributes that are texts."""
    graph = PlainGraph()
    if not content.startswith(GRAPHML_HEAD):
        graph.faults.append(Fault(name, "does not begin as a released GraphML file", PUBLISH_NOT))
        return graph
    try:
        root = ET.fromstring(content)  # noqa: S314 - the head leaves no room for entities
    except ET.ParseError:
        graph.faults.append(Fault(name, "is not XML", PUBLISH_NOT))
        return graph
    keys = {key.get("id"): key.get("attr.name", "") for key in root.iterfind(".//{*}key")}
    nodes = list(root.iterfind(".//{*}node"))
    ids = [node.get("id") for node in nodes]
    pairs: list[tuple[int, int]] = []
    ends = [
        (edge.get("source", ""), edge.get("target", "")) for edge in root.iterfind(".//{*}edge")
    ]
    if all(NUMBER.fullmatch(end) for pair in ends for end in pair):
        pairs = [(int(one), int(other)) for one, other in ends]
    known = all(0 <= one < other < len(ids) for one, other in pairs)
    if (
        ids != [str(number) for number in range(len(ids))]
        or len(pairs) != len(ends)
        or not known
        or pairs != sorted(set(pairs))
    ):
        problem = "does not list the nodes 0, 1, 2 ... and each edge once, in ascending order"
        graph.faults.append(Fault(name, problem, PUBLISH_NOT))
        return graph
    graph.n_vertices, graph.edges = len(ids), set(pairs)
    for key, column in keys.items():
        texts = [
            {data.get("key"): data.text or "" for data in node.iterfind("{*}data")}
            for node in nodes
        ]
        graph.attributes[column] = [row.get(key, "") for row in texts]
    return graph


def read_groups(groups: tuple[str, bytes], superedges: tuple[str, bytes]) -> PlainGroups:
    """Read the sizes of groups and the edges of their pairs, each file as name and content."""
    found = PlainGroups()
    rows, faults = rows_of(*groups, ("group", "size"))
    numbers, more = numbers_of(groups[0], rows[1:])
    found.faults += [*faults, *more]
    if [row[0] for row in numbers] != list(range(len(numbers))) or not all(r[1] for r in numbers):
        problem = "does not list the groups 0, 1, 2 ... with a vertex in each"
        found.faults.append(Fault(groups[0], problem, PUBLISH_NOT))
        return found
    found.sizes = [row[1] for row in numbers]
    rows, faults = rows_of(*superedges, ("source", "target", "edges"))
    numbers, more = numbers_of(superedges[0], rows[1:])
    found.faults += [*faults, *more]
    pairs = [(row[0], row[1]) for row in numbers]
    if any(one > other or other >= len(found.sizes) for one, other in pairs):
        problem = "a row names an unknown group, or the larger group first"
        found.faults.append(Fault(superedges[0], problem, PUBLISH_NOT))
        return found
    found.counts = {(row[0], row[1]): row[2] for row in numbers}
    wrong = sum(not 0 < count <= found.places(*pair) for pair, count in found.counts.items())
    if wrong:
        problem = f"{wrong} pairs of groups have no edge, or more than there are pairs of vertices"
        found.faults.append(Fault(superedges[0], problem, PUBLISH_NOT))
    return found


def contents_of_companions(path: Path, names: Sequence[str]) -> dict[str, bytes]:
    """Read the files that a manifest names, as far as they stand beside it."""
    return {
        name: path.with_name(name).read_bytes()
        for name in names
        if Path(name).name == name and path.with_name(name).is_file()
    }


def files_again(
    names: Mapping[str, str], graph: PlainGraph, groups: PlainGroups | None
) -> dict[str, bytes]:
    """Write the files of a release again, from what was read of them.

    Parameters
    ----------
    names : of the files ``graph``, ``vertices``, ``groups`` and ``superedges``
    graph, groups : as they were read, without a fault

    Returns
    -------
    the content of each file that the release needs, by name
    """
    suffix = suffix_of(names["graph"])
    if suffix in {".graph", ".metis"}:
        found = {names["graph"]: metis_again(graph)}
    elif suffix == ".graphml":
        found = {names["graph"]: graphml_again(graph)}
    else:
        found = {names["graph"]: table_again(["source", "target"], sorted(graph.edges))}
        named = {end for edge in graph.edges for end in edge}
        if graph.attributes or len(named) < graph.n_vertices:
            columns = [map(str, range(graph.n_vertices)), *graph.attributes.values()]
            rows = zip(*columns, strict=True)
            found[names["vertices"]] = table_again(["id", *graph.attributes], rows)
    if groups is not None:
        found[names["groups"]] = table_again(["group", "size"], enumerate(groups.sizes))
        pairs = [(*pair, count) for pair, count in sorted(groups.counts.items())]
        found[names["superedges"]] = table_again(["source", "target", "edges"], pairs)
    return found


def rewriting_faults(files: Mapping[str, bytes], again: Mapping[str, bytes]) -> Iterator[Fault]:
    """Find files that differ from what is written of the graph that was read from them.

    Parameters
    ----------
    files : contents of those that the manifest names, by name
    again : as :func:`files_again` gives them
    """
    if files.keys() != again.keys():
        problem = "names files that such a release does not have, or lacks one that it has"
        yield Fault("manifest.files", problem, PUBLISH_NOT)
    for name in sorted(files.keys() & again.keys()):
        if files[name] != again[name]:
            problem = "has bytes that say more than the graph, such as comments, quotes or blanks"
            yield Fault(name, problem, "Write the release again with this version.")


def table_again(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Write a CSV; a text is quoted only where it is empty or has a mark of the format."""
    lines = [",".join(map(cell_again, row)) for row in chain([header], rows)]
    return "".join(f"{line}\n" for line in lines).encode()


def cell_again(value: object) -> str:
    """Write a cell of a CSV."""
    text = str(value)
    return text if text and not QUOTED & set(text) else '"' + text.replace('"', '""') + '"'


def metis_again(graph: PlainGraph) -> bytes:
    """Write a METIS file without weights."""
    rows = [" ".join(str(one + 1) for one in sorted(row)) for row in graph.neighbors()]
    return "".join(
        f"{line}\n" for line in [f"{graph.n_vertices} {len(graph.edges)}", *rows]
    ).encode()


def graphml_again(graph: PlainGraph) -> bytes:
    """Write GraphML whose attributes are texts."""
    keys = [
        f'<key id="k{at}" for="node" attr.name="{name.translate(IN_QUOTES)}" attr.type="string"/>'
        for at, name in enumerate(graph.attributes)
    ]
    nodes = [
        f'<node id="{vertex}">'
        + "".join(
            f'<data key="k{at}">{column[vertex].translate(ENTITIES)}</data>'
            for at, column in enumerate(graph.attributes.values())
        )
        + "</node>"
        for vertex in range(graph.n_vertices)
    ]
    edges = [f'<edge source="{one}" target="{other}"/>' for one, other in sorted(graph.edges)]
    body = [*keys, '<graph edgedefault="undirected">', *nodes, *edges, "</graph>", "</graphml>"]
    return GRAPHML_HEAD + "".join(f"{line}\n" for line in body).encode()
