"""Use case: measure a released graph, alone or beside its original."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.former_names import former_names
from indistinct.base.randomness import RandomSource
from indistinct.base.requirements import meets
from indistinct.errors import DataError, Fault, ParameterError
from indistinct.graph.certainty import certainty, supernode_classes
from indistinct.graph.communities import compare_communities
from indistinct.graph.edge_changes import edge_overlap
from indistinct.graph.edges import Graph
from indistinct.graph.fingerprints import (
    degree_fingerprints,
    levels,
    neighborhood_fingerprints,
)
from indistinct.graph.graph_files import as_graph, content_of, decoded
from indistinct.graph.grouping import Grouping, group_levels
from indistinct.graph.loss import (
    core_distance,
    degree_distance,
    edge_disclosure,
    measure,
)
from indistinct.graph.ranks import compare_ranks
from indistinct.graph.worlds import WORLDS, expectations, grouping_of_release


@former_names(positional=("original",))
def assess(  # noqa: PLR0913 - each is a word of the command
    release: object,
    *,
    original: object | None = None,
    crosswalk: Sequence[tuple[object, object]] | None = None,
    groups: Grouping | None = None,
    worlds: int = WORLDS,
    seed: int | None = 0,
    manifest: str | Path | None = None,
) -> dict[str, Any]:
    """Measure what a released graph protects and what it cost.

    Parameters
    ----------
    release : the released graph, a networkx graph, or a path
    original : the graph it was made from; adds ``original``, ``degrees``, ``cores`` and, with the
        crosswalk, ``edges``, ``communities`` and ``ranks``
    crosswalk : pairs (output id, input id)
    groups : the groups of a release by grouping; adds ``worlds``, see
        :func:`~indistinct.graph.worlds.expectations`, and ``certain_edges``, see
        :func:`~indistinct.graph.certainty.certainty`. Default: those beside a path, if its manifest
        names them
    worlds : how many possible worlds are drawn
    seed : repeats what is sampled: distances, communities, hidden edges
    manifest : of a release given by its path; default ``PATH.manifest.json``

    Returns
    -------
    ``vertices``, ``edges_count``, ``levels``, ``disclosure`` (per knowledge, see
    :func:`~indistinct.graph.loss.edge_disclosure`), ``release`` (see
    :func:`~indistinct.graph.loss.measure`)

    Raises
    ------
    ParameterError : the crosswalk does not fit the graphs
    DataError : a file beside the release was changed, is missing, or is left over from another one
    """
    if isinstance(release, str | Path):
        released_groups = grouping_of_release(release, manifest)
        groups = released_groups if groups is None else groups
    after = as_graph(release)
    source = RandomSource(seed)
    knowledge = {
        "degree": degree_fingerprints(after).codes,
        "neighborhood": neighborhood_fingerprints(after).codes,
    }
    document: dict[str, Any] = {
        "vertices": after.n_vertices,
        "edges_count": after.n_edges,
        "levels": levels(after),
        "disclosure": {name: edge_disclosure(after, codes) for name, codes in knowledge.items()},
        "release": measure(after, source),
    }
    before = None if original is None else as_graph(original)
    if groups is not None:
        document["levels"] = group_levels(groups)
        document["certain_edges"] = certainty(groups)
        document["supernodes"] = supernode_classes(groups)
        document["worlds"] = expectations(groups, source, worlds=worlds, original=before)
    if before is not None:
        document["original"] = measure(before, source)
        document["degrees"] = degree_distance(before.degrees, after.degrees)
        document["cores"] = core_distance(before, after)
        if crosswalk is not None:
            document |= compare(before, aligned(after, before, crosswalk), source)
    return document


def compare(before: Graph, after: Graph, source: RandomSource) -> dict[str, Any]:
    """Compare two graphs on the same vertices: edges, communities, and who matters most."""
    return {
        "edges": edge_overlap(before, after),
        "communities": compare_communities(before, after, source),
        "ranks": compare_ranks(before, after, source),
    }


def aligned(release: Graph, original: Graph, crosswalk: Sequence[tuple[object, object]]) -> Graph:
    """Return the release on the original's vertices.

    Raises
    ------
    ParameterError : an id of either graph is not in the crosswalk
    """
    back = {str(output): str(given) for output, given in crosswalk}
    place = {str(original.id_of(vertex)): vertex for vertex in range(original.n_vertices)}
    names = [back.get(str(release.id_of(vertex))) for vertex in range(release.n_vertices)]
    if any(name is None or name not in place for name in names):
        raise ParameterError(
            [Fault("crosswalk", "does not fit the two graphs", "Give the release's own crosswalk.")]
        )
    new: Ints = np.array([place[str(name)] for name in names], np.int64)
    sources, targets = release.edges()
    return original.with_edges(new[sources].astype(np.int32), new[targets].astype(np.int32))


def read_crosswalk(path: str | Path) -> list[tuple[str, str]]:
    """Read a CSV ``output_id,input_id``.

    Raises
    ------
    DataError : it is not such a file
    """
    path = Path(path)
    text = io.StringIO(decoded(content_of(path), path.name), newline="")
    rows = list(csv.reader(text))
    header = rows[0] if rows else []
    known = (["output_id", "input_id"], ["output_id", "input_id", "group"])
    if header not in known or any(len(row) != len(header) for row in rows):
        problem = "is not a crosswalk"
        raise DataError([Fault(path.name, problem, "Its header is output_id,input_id.")])
    return [(row[0], row[1]) for row in rows[1:]]


def unmet(requirements: Sequence[str], found: dict[str, int]) -> list[str]:
    """Return the requirements, such as ``k>=5`` or ``h2>=2``, that the levels do not meet.

    Raises
    ------
    ParameterError : a requirement cannot be read

    Notes
    -----
    ``k`` is the level against knowledge of degrees.
    """
    figures = {**found, "k": found["degree"]}
    return [text for text in requirements if not meets(text, figures, "k>=5", (">=",))]
