"""GraphRelease: the frozen result that shells read, and the files it becomes."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from indistinct.core.arrays import Codes, Ints
from indistinct.core.brief import briefly
from indistinct.core.randomness import RandomSource
from indistinct.core.writing import atomic
from indistinct.errors import Fault, OutputError
from indistinct.graph.edges import Graph
from indistinct.graph.grouping import GROUP_SUFFIX, SUPEREDGE_SUFFIX, Grouping
from indistinct.graph.reading import VERTEX_SUFFIX, form_of

STANDARD_STREAM = "-"
MANIFEST_SUFFIX = ".manifest.json"


@final
@dataclass(frozen=True, slots=True, eq=False)
class GraphRelease:
    """A graph that may be published, and what its owner should know of it.

    Parameters
    ----------
    graph : the released graph; its vertices are numbered anew, at random
    document : the manifest: levels, counts of edges, cost; holds nothing of any vertex
    order : (n_vertices,), secret: input vertex of each released one
    input_ids : (n_vertices,), secret: what the input calls the vertex behind each released one
    grouping : sizes and edge counts of the groups, where the model is grouping
    """

    graph: Graph
    document: Mapping[str, Any]
    order: Ints
    input_ids: tuple[object, ...]
    grouping: Grouping | None = None

    __repr__ = briefly

    def write(
        self,
        path: str | Path,
        crosswalk: str | Path | None = None,
        manifest: str | Path | None = None,
    ) -> None:
        """Write the release, its manifest and, for the owner alone, the crosswalk.

        Parameters
        ----------
        path : ``.graph`` and ``.metis`` become METIS, ``.graphml`` GraphML, any other name an edge
            list ``source,target``. What an edge list cannot say (isolated vertices, vertex
            attributes, groups) goes into ``NAME.vertices.csv`` and ``NAME.groups.csv`` beside it.
            ``-`` is standard output, for an edge list that says everything
        crosswalk : CSV ``output_id,input_id``
        manifest : where the document goes; default ``PATH.manifest.json``, or nowhere for ``-``

        Raises
        ------
        OutputError : two of the files are one, the folder is missing, the disk is full; or standard
            output cannot say everything
        """
        path = Path(path)
        files = release_files(self, path)
        streamed = str(path) == STANDARD_STREAM
        if streamed:
            check_one(files)
        if manifest is not None or not streamed:
            files[Path(manifest or f"{path}{MANIFEST_SUFFIX}")] = (
                json.dumps(dict(self.document), indent=1) + "\n"
            ).encode()
        if crosswalk is not None:
            check_apart(Path(crosswalk), files)
            files[Path(crosswalk)] = crosswalk_table(self.input_ids)
        table = files.pop(path) if streamed else b""
        with ExitStack() as stack:
            for target, content in files.items():
                is_secret = crosswalk is not None and target == Path(crosswalk)
                stack.enter_context(atomic(target, private=is_secret)).write_bytes(content)
            if streamed:
                sys.stdout.buffer.write(table)
                sys.stdout.flush()


def check_one(files: Mapping[Path, bytes]) -> None:
    """Raise :class:`OutputError` when a release needs more than an edge list."""
    if len(files) > 1:
        raise OutputError(
            [
                Fault(
                    "out",
                    "isolated vertices, attributes or groups do not fit into one edge list",
                    "Name a file; what an edge list cannot say is written beside it.",
                )
            ]
        )


def check_apart(crosswalk: Path, files: Mapping[Path, bytes]) -> None:
    """Raise :class:`OutputError` when the secret file would be a published one."""
    if crosswalk.absolute() in {file.absolute() for file in files}:
        raise OutputError(
            [Fault(crosswalk.name, "is the release and its crosswalk at once", "Name two files.")]
        )


def release_files(release: GraphRelease, path: Path) -> dict[Path, bytes]:
    """Give the published files but for the manifest."""
    graph = release.graph
    match form_of(path):
        case "metis":
            files = {path: metis_text(graph)}
        case "graphml":
            files = {path: graphml_text(graph)}
        case "edges":
            files = {path: edge_table(graph)}
            if graph.attributes or not graph.degrees.all():
                files[beside(path, VERTEX_SUFFIX)] = vertex_table(graph)
    if release.grouping is not None:
        files[beside(path, GROUP_SUFFIX)] = release.grouping.group_table()
        files[beside(path, SUPEREDGE_SUFFIX)] = release.grouping.edge_table()
    return files


def beside(path: Path, suffix: str) -> Path:
    """Name a companion of a file."""
    return path.with_name(path.name.removesuffix(".csv") + suffix)


def relabel(graph: Graph, source: RandomSource) -> tuple[Graph, Ints]:
    """Give the vertices new numbers, uniformly at random.

    Returns
    -------
    graph : with vertex i standing for ``order[i]`` of the input
    order : (n_vertices,)
    """
    order = source.permutation(graph.n_vertices)
    new = np.empty(graph.n_vertices, np.int64)
    new[order] = np.arange(graph.n_vertices)
    return graph.relabeled(new), order


def edge_table(graph: Graph) -> bytes:
    """Write ``source,target``.

    Notes
    -----
    Rows stand in the order of the new numbers, which are random, so they tell nothing more.
    """
    sources, targets = graph.edges()
    return b"source,target\n" + number_rows(sources, targets)


def number_rows(sources: Codes | Ints, targets: Codes | Ints) -> bytes:
    """Write two columns of whole numbers as CSV."""
    import polars as pl

    frame = pl.DataFrame({"source": sources, "target": targets})
    buffer = io.BytesIO()
    frame.write_csv(buffer, include_header=False)
    return buffer.getvalue()


def vertex_table(graph: Graph) -> bytes:
    """Write ``id`` and the vertex attributes."""
    import polars as pl

    columns = {name: [str(one) for one in values] for name, values in graph.attributes.items()}
    frame = pl.DataFrame({"id": np.arange(graph.n_vertices), **columns})
    return frame.write_csv().encode()


def crosswalk_table(input_ids: tuple[object, ...]) -> bytes:
    """Write ``output_id,input_id``."""
    import polars as pl

    frame = pl.DataFrame(
        {"output_id": np.arange(len(input_ids)), "input_id": [str(name) for name in input_ids]}
    )
    return frame.write_csv().encode()


def metis_text(graph: Graph) -> bytes:
    """Write a METIS adjacency file."""
    rows = [
        " ".join(map(str, (graph.row(vertex) + 1).tolist())) for vertex in range(graph.n_vertices)
    ]
    return "\n".join([f"{graph.n_vertices} {graph.n_edges}", *rows, ""]).encode()


def graphml_text(graph: Graph) -> bytes:
    """Write GraphML with vertex attributes as texts."""
    from xml.sax.saxutils import escape, quoteattr

    keys = [
        f'<key id="k{number}" for="node" attr.name={quoteattr(name)} attr.type="string"/>'
        for number, name in enumerate(graph.attributes)
    ]
    columns = list(graph.attributes.values())
    nodes = [
        f'<node id="{vertex}">'
        + "".join(
            f'<data key="k{number}">{escape(str(column[vertex]))}</data>'
            for number, column in enumerate(columns)
        )
        + "</node>"
        for vertex in range(graph.n_vertices)
    ]
    sources, targets = graph.edges()
    edges = [
        f'<edge source="{one}" target="{other}"/>'
        for one, other in zip(sources.tolist(), targets.tolist(), strict=True)
    ]
    head = '<?xml version="1.0" encoding="UTF-8"?>'
    root = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    body = [*keys, '<graph edgedefault="undirected">', *nodes, *edges, "</graph>", "</graphml>", ""]
    return "\n".join([head, root, *body]).encode()
