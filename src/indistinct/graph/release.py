"""GraphRelease: the frozen result that shells read, and the files it becomes."""

from __future__ import annotations

import io
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast, final

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.brief import Confidential, in_notebook, short_repr
from indistinct.base.files.documents import json_text
from indistinct.base.files.writing import atomic, print_out
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault, OutputError
from indistinct.graph.companions import SUFFIXES, companion_of, manifest_of, owned, sha256_of
from indistinct.graph.edges import Graph
from indistinct.graph.formats import check_output, form_of
from indistinct.graph.graph_files import VERTEX_SUFFIX
from indistinct.graph.graphml import graphml_text
from indistinct.graph.grouping import Grouping
from indistinct.graph.models import GRAPH_MODELS_BY_NAME

STANDARD_STREAM = "-"
# What the owner may know of a run, and the public need not.
OWNERS_ENTRIES = ("cleaning", "left_out", "seconds")


@final
@dataclass(frozen=True, slots=True, eq=False)
class OwnersPart:
    """What the owner alone may know of a release.

    Parameters
    ----------
    document : all that is known of the run, the owner's entries included
    order : (n_vertices,), input vertex of each released one
    input_ids : (n_vertices,), what the input calls the vertex behind each released one
    groups : (n_vertices,), group of each released vertex, where the model is grouping
    """

    document: Mapping[str, Any]
    order: Ints
    input_ids: tuple[object, ...]
    groups: Codes | None = None

    __repr__ = short_repr


@final
@dataclass(frozen=True, slots=True, eq=False)
class GraphRelease:
    """A graph that may be published, and what its owner should know of it.

    Parameters
    ----------
    graph : the released graph; its vertices are numbered anew, at random
    published : what everybody may know: levels, counts of edges, cost
    owners : for the owner alone; see :class:`OwnersPart`, whose parts are properties here
    grouping : sizes and edge counts of the groups, where the model is grouping
    tables : what the model publishes beside the graph, by the suffix of its file

    Notes
    -----
    A pickle and a dictionary (``dataclasses.asdict``) leave ``order``, ``input_ids``, ``groups``
    and the owner's entries of ``document`` out, so that a release may be handed on.
    """

    graph: Graph
    published: Mapping[str, Any]
    owners: Confidential
    grouping: Grouping | None = None
    tables: Mapping[str, bytes] = field(default_factory=dict[str, bytes])

    def __repr__(self) -> str:
        """Return what it is, and nothing of any vertex."""
        size = f"{self.graph.n_vertices} vertices, {self.graph.n_edges} edges"
        return f"<GraphRelease by {self.published.get('model')}: {size}>"

    _repr_html_ = in_notebook

    @property
    def document(self) -> Mapping[str, Any]:
        """What is known of the run: the owner's entries, too, but not out of a pickle."""
        return self.published if self.owners.held is None else self._of_the_owner().document

    @property
    def order(self) -> Ints:
        """Input vertex of each released one: (n_vertices,), secret.

        Raises
        ------
        OutputError : the release came out of a pickle
        """
        return self._of_the_owner().order

    @property
    def input_ids(self) -> tuple[object, ...]:
        """What the input calls the vertex behind each released one: (n_vertices,), secret.

        Raises
        ------
        OutputError : the release came out of a pickle
        """
        return self._of_the_owner().input_ids

    @property
    def groups(self) -> Codes | None:
        """Group of each released vertex, where the model is grouping: (n_vertices,), secret.

        Raises
        ------
        OutputError : the release came out of a pickle
        """
        return self._of_the_owner().groups

    def _of_the_owner(self) -> OwnersPart:
        """Return what a pickle leaves out."""
        if self.owners.held is None:
            raise OutputError(
                "this release came out of a pickle, which leaves the crosswalk out",
                "Write the crosswalk before the release is pickled, or anonymize the graph again.",
            )
        return self.owners.held

    def write(
        self,
        path: str | Path,
        crosswalk: str | Path | None = None,
        manifest: str | Path | None = None,
    ) -> None:
        """Write the release, its manifest and, for the owner alone, the crosswalk.

        Parameters
        ----------
        path : ``.graph`` and ``.metis`` become METIS, ``.graphml`` GraphML, ``.csv`` and ``.txt``
            an edge list ``source,target``. What an edge list cannot say (isolated vertices, vertex
            attributes, groups) goes into ``NAME.vertices.csv`` and ``NAME.groups.csv`` beside it.
            ``-`` is standard output, for an edge list that says everything
        crosswalk : CSV ``output_id,input_id``, and ``group`` where the model is grouping; only its
            owner may read the file (mode 0600)
        manifest : where the manifest goes; default ``PATH.manifest.json``, or nowhere for ``-``

        Raises
        ------
        OutputError : the end of ``path`` says another form; two of the files are one, the folder is
            missing, the disk is full; standard output cannot say everything; or a file beside
            ``path`` would be read as part of the release and is not known to be of an older one

        Notes
        -----
        What an older release at ``path`` has left beside it is removed when the new files stand.
        """
        path = Path(path)
        check_output(path)
        files = release_files(self, path)
        streamed = str(path) == STANDARD_STREAM
        if streamed:
            check_one(files)
        if manifest is not None or not streamed:
            content = json_text(public_manifest(self.published, files))
            files[manifest_of(path, manifest)] = content.encode()
        old = set[Path]() if streamed else left_over(path, files, manifest)
        secret: dict[Path, bytes] = {}
        if crosswalk is not None:
            check_apart(Path(crosswalk), files)
            secret[Path(crosswalk)] = crosswalk_table(self.input_ids, self.groups)
        table = files.pop(path) if streamed else b""
        with ExitStack() as stack:
            # Names appear in reverse order: the manifest first, which has the hashes of all files
            # of its release. Cut off in between, every reader refuses what then stands together.
            first = dict(list(files.items())[:1])
            for target, content in (first | secret | files).items():
                private = target in secret
                stack.enter_context(atomic(target, private=private)).write_bytes(content)
            if streamed:
                print_out(table)
        for file in old - set(secret):
            remove(file)


def public_entries(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return what everybody may know of a run.

    Notes
    -----
    How many edges of a drawn world are real would tell worlds apart that must be equally likely, so
    a release by groups publishes the number of its edges only. The name of a column of labels that
    are not released stays with the owner, too.
    """
    public = {
        name: value if name == "required" else rounded(value)
        for name, value in document.items()
        if name not in OWNERS_ENTRIES
    }
    if "labels" in public and not public["labels"]["released"]:
        public["labels"]["column"] = None
    if GRAPH_MODELS_BY_NAME[public["model"]].publishes_groups:
        public["edges"] = {name: public["edges"][name] for name in ("input", "output")}
    return public


def rounded(value: Any) -> Any:
    """Return a value of a document with nine digits in each fraction, which say nothing more."""
    if isinstance(value, Mapping):
        return {name: rounded(part) for name, part in cast("Mapping[str, Any]", value).items()}
    return round(float(f"{value:.9g}"), 9) if isinstance(value, float) else value


def public_manifest(published: Mapping[str, Any], files: Mapping[Path, bytes]) -> dict[str, Any]:
    """Return the manifest: what everybody may know, and the hash of each file of the release."""
    named = {file.name: content for file, content in files.items()}
    hashes = {name: {"sha256": sha256_of(named[name])} for name in sorted(named)}
    return {**published, "files": hashes}


def left_over(path: Path, files: Mapping[Path, bytes], manifest: str | Path | None) -> set[Path]:
    """Find what an older release has left beside ``path`` and the new one does not write.

    Raises
    ------
    OutputError : a file would be read as part of the release, and nothing says whose it is
    """
    new = {file.absolute() for file in files}
    known = owned(path, (manifest_of(path), manifest_of(path, manifest)))
    standing = [companion_of(path, suffix) for suffix in SUFFIXES]
    faults = [
        Fault(
            file.name,
            "is in a place where it would be read as part of the release",
            "Remove or rename it, or choose another name for the release.",
        )
        for file in standing
        if file.exists() and file.absolute() not in new and file not in known
    ]
    if faults:
        raise OutputError(faults)
    return {file for file in known if file.absolute() not in new}


def remove(file: Path) -> None:
    """Remove what an older release has left.

    Raises
    ------
    OutputError : it cannot be removed
    """
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        problem = f"belongs to an older release and cannot be removed: {error.strerror}"
        raise OutputError([Fault(file.name, problem, "Remove it before you publish.")]) from error


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
    """Return the published files but for the manifest."""
    graph = release.graph
    match form_of(path):
        case "metis":
            files = {path: metis_text(graph)}
        case "graphml":
            files = {path: graphml_text(graph)}
        case "edges":
            files = {path: edge_table(graph)}
            if graph.attributes or not graph.degrees.all():
                files[companion_of(path, VERTEX_SUFFIX)] = vertex_table(graph)
    tables = release.tables.items()
    return files | {companion_of(path, suffix): content for suffix, content in tables}


def relabel(graph: Graph, source: RandomSource) -> tuple[Graph, Ints]:
    """Return the vertices new numbers, uniformly at random.

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


def crosswalk_table(input_ids: tuple[object, ...], groups: Codes | None = None) -> bytes:
    """Write ``output_id,input_id`` and, where there are groups, ``group``."""
    import polars as pl

    frame = pl.DataFrame(
        {"output_id": np.arange(len(input_ids)), "input_id": [str(name) for name in input_ids]}
    )
    if groups is not None:
        frame = frame.with_columns(group=pl.Series(groups))
    return frame.write_csv().encode()


def metis_text(graph: Graph) -> bytes:
    """Write a METIS adjacency file."""
    rows = [
        " ".join(map(str, (graph.row(vertex) + 1).tolist())) for vertex in range(graph.n_vertices)
    ]
    return "\n".join([f"{graph.n_vertices} {graph.n_edges}", *rows, ""]).encode()
