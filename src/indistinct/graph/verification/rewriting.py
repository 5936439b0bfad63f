"""Released files as plain code writes them again, to be compared byte for byte.

Whatever a reader of a graph passes over, such as comments, quotes, further attributes or the order
of lines, makes a file differ from what is written of the graph that was read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from indistinct.errors import Fault
from indistinct.graph.verification.files import (
    GRAPHML_HEAD,
    PUBLISH_NOT,
    PlainGraph,
    PlainGroups,
    suffix_of,
)

# What CSV cells are quoted for, and what XML writes in another way.
QUOTED = frozenset(',"\r\n')
ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
IN_QUOTES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
    | {"\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)


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
