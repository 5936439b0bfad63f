"""A released graph beside its original, compared by plain code for the verification."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from indistinct.errors import DataError, Fault
from indistinct.graph.graph_files import as_graph
from indistinct.graph.models.model import GraphModel
from indistinct.graph.verification.files import NUMBER, PlainGraph, PlainGroups
from indistinct.graph.verification.order import follows

ONE_RUN = "Take the files, the original and the crosswalk of one run."
PUBLISH_NOT = "Do not publish this release."
# A drawn world resembles the original so closely once in a billion releases.
LEAST_LOG_CHANCE = -math.log(1e9)

Edges = set[tuple[int, int]]
# Faults, what could not be decided, and notes.
Answers = tuple[list[Fault], list[str], list[str]]


@dataclass(frozen=True, slots=True)
class Origin:
    """The owner's side of a release.

    Parameters
    ----------
    edges : of the original, smaller number first
    ids : what the original calls each vertex, in its order
    attributes : per name, a text for each vertex
    links : (output id, input id) of the crosswalk, if it is at hand
    groups : group of each output id, if the crosswalk has it
    """

    edges: Edges
    ids: list[str]
    attributes: dict[str, list[str]]
    links: list[tuple[str, str]] | None
    groups: list[str] | None


def read_origin(original: object, crosswalk: str | Path | None) -> Origin:
    """Read the original and the crosswalk.

    Raises
    ------
    DataError : one of them cannot be read
    """
    graph = as_graph(original)
    ends = (one.tolist() for one in graph.edges())
    ids = [str(graph.id_of(vertex)) for vertex in range(graph.n_vertices)]
    attributes = {name: [str(one) for one in column] for name, column in graph.attributes.items()}
    links, groups = (None, None) if crosswalk is None else read_links(Path(crosswalk))
    return Origin(set(zip(*ends, strict=True)), ids, attributes, links, groups)


def read_links(path: Path) -> tuple[list[tuple[str, str]], list[str] | None]:
    """Read ``output_id,input_id`` and, where it is there, ``group``.

    Raises
    ------
    DataError : it cannot be read, or is not a crosswalk
    """
    try:
        rows = list(csv.reader(io.StringIO(path.read_text("utf-8"), newline="")))
    except OSError as error:
        problem = f"cannot be read: {error.strerror}"
        raise DataError([Fault(path.name, problem, "Check the path.")]) from error
    except (UnicodeDecodeError, csv.Error):
        rows = []
    header = rows[0] if rows else []
    known = header[:2] == ["output_id", "input_id"] and header[2:] in ([], ["group"])
    if not known or any(len(row) != len(header) for row in rows):
        remedy = "Its header is output_id,input_id."
        raise DataError([Fault(path.name, "is not a crosswalk", remedy)])
    groups = [row[2] for row in rows[1:]] if len(header) > 2 else None  # noqa: PLR2004 - third column
    return [(row[0], row[1]) for row in rows[1:]], groups


def origin_faults(
    graph: PlainGraph,
    groups: PlainGroups | None,
    said: Mapping[str, Any],
    origin: Origin,
    model: type[GraphModel],
) -> Answers:
    """Compare a release with the graph that it was made from.

    Returns
    -------
    faults, what could not be decided, and notes
    """
    faults: list[Fault] = []
    claimed = edges_in(said)
    if len(origin.ids) != graph.n_vertices:
        faults.append(Fault("original", "has another number of vertices", ONE_RUN))
    if len(origin.edges) != claimed.get("input"):
        faults.append(Fault("manifest.edges.input", "is not the original's number", ONE_RUN))
    if origin.links is None:
        faults += degree_faults(graph, model, origin.edges)
        undecided = "the edges, and which vertex is which: give --crosswalk to decide it"
        return faults, [undecided] if groups is not None else [], [f"not compared: {undecided}"]
    place = {name: number for number, name in enumerate(origin.ids)}
    outputs = [output for output, _ in origin.links]
    inputs = [place.get(name, -1) for _, name in origin.links]
    fits = outputs == [str(number) for number in range(graph.n_vertices)]
    if not fits or sorted(inputs) != list(range(len(origin.ids))) or len(place) < len(origin.ids):
        problem = "does not link every released vertex to one vertex of the original"
        return [*faults, Fault("crosswalk", problem, ONE_RUN)], [], []
    if follows(inputs):
        remedy = "Number the vertices at random."
        faults.append(Fault("ids", "go with the order of the original", remedy))
    back = {tuple(sorted((inputs[one], inputs[other]))) for one, other in graph.edges}
    kept = len(cast("Edges", back) & origin.edges)
    faults += attribute_faults(graph, said, origin, inputs)
    if groups is None:
        faults += change_faults(graph, model, said, origin.edges, kept)
        faults += degree_faults(graph, model, origin.edges, inputs)
        return faults, [], []
    if origin.groups is None:
        undecided = "the groups of the vertices: the crosswalk has no column group"
        return faults, [undecided], []
    faults += world_faults(graph, groups, origin, inputs, kept)
    return faults, [], []


def edges_in(said: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the numbers of edges that a manifest says; none where it lacks them."""
    edges = said.get("edges")
    return cast("dict[str, Any]", edges) if isinstance(edges, dict) else {}


def change_faults(
    graph: PlainGraph,
    model: type[GraphModel],
    said: Mapping[str, Any],
    before: Edges,
    kept: int,
) -> list[Fault]:
    """Compare the changed edges with the manifest's, and with what the model may change."""
    claimed = edges_in(said)
    counted = {
        "kept": kept,
        "added": len(graph.edges) - kept,
        "removed": len(before) - kept,
    }
    faults = [
        Fault(f"manifest.edges.{name}", "is not what the original shows", ONE_RUN)
        for name, count in counted.items()
        if claimed.get(name) != count
    ]
    forbidden = {"add": counted["removed"], "delete": counted["added"]}
    if forbidden.get(str(said.get("mode"))):
        faults.append(Fault("edges", "were changed against the mode", PUBLISH_NOT))
    if model.keeps_edges and counted["added"] + counted["removed"]:
        problem = f"were changed, which the model {model.name} does not"
        faults.append(Fault("edges", problem, PUBLISH_NOT))
    return faults


def degree_faults(
    graph: PlainGraph,
    model: type[GraphModel],
    before: Edges,
    inputs: Sequence[int] | None = None,
) -> list[Fault]:
    """Compare degrees where the model leaves them as they are."""
    if not model.keeps_degrees:
        return []
    size = graph.n_vertices
    new, old = (Counter(end for edge in one for end in edge) for one in (graph.edges, before))
    if inputs is None:
        same = sorted(new.values()) == sorted(old.values())
    else:
        same = all(new[vertex] == old[inputs[vertex]] for vertex in range(size))
    problem = "differ from the original's, which this model keeps"
    return [] if same else [Fault("degrees", problem, PUBLISH_NOT)]


def attribute_faults(
    graph: PlainGraph, said: Mapping[str, Any], origin: Origin, inputs: Sequence[int]
) -> list[Fault]:
    """Compare the released attributes with the original's, but for labels that may be broader."""
    labels = said.get("labels")
    known = cast("dict[str, Any]", labels) if isinstance(labels, dict) else {}
    faults: list[Fault] = []
    for name, column in graph.attributes.items():
        if name == known.get("column"):
            continue
        before = origin.attributes.get(name)
        if before is None or column != [before[vertex] for vertex in inputs]:
            problem = "is not the original's column"
            faults.append(Fault(f"attributes.{name}", problem, PUBLISH_NOT))
    return faults


def world_faults(
    graph: PlainGraph, groups: PlainGroups, origin: Origin, inputs: Sequence[int], kept: int
) -> list[Fault]:
    """Check that the groups are those of the original, and the edges a world drawn from them."""
    cells = origin.groups or []
    if not all(NUMBER.fullmatch(cell) for cell in cells):
        return [Fault("crosswalk.group", "holds something else than numbers of groups", ONE_RUN)]
    members = [int(cell) for cell in cells]
    of_input = dict(zip(inputs, members, strict=True))
    sizes = Counter(members)
    faults: list[Fault] = []
    if dict(sizes) != dict(enumerate(groups.sizes)):
        faults.append(Fault("groups", "are not of the sizes that the crosswalk shows", ONE_RUN))
    if count_pairs(origin.edges, of_input) != groups.counts:
        faults.append(Fault("superedges", "are not those of the original", PUBLISH_NOT))
    if count_pairs(graph.edges, dict(enumerate(members))) != groups.counts:
        faults.append(Fault("edges", "are not a graph that the groups permit", PUBLISH_NOT))
    if not faults and is_no_chance(groups, kept):
        problem = "resemble the original more than a world drawn at random does"
        faults.append(Fault("edges", problem, PUBLISH_NOT))
    return faults


def count_pairs(edges: Edges, group: Mapping[int, int]) -> dict[tuple[int, int], int]:
    """Count the edges of each pair of groups, smaller number first."""
    pairs = ((group[one], group[other]) for one, other in edges)
    return dict(Counter((min(pair), max(pair)) for pair in pairs))


def is_no_chance(groups: PlainGroups, kept: int) -> bool:
    """Return whether a drawn world shares so many edges with the original once in a billion times.

    Notes
    -----
    The shared edges of each pair of groups are hypergeometric, so they are a sum of independent
    binary variables, for which Bernstein's inequality bounds the tail.
    """
    mean = variance = 0.0
    for pair, count in groups.counts.items():
        places = groups.places(*pair)
        share = count / places
        mean += count * share
        if places > 1:
            variance += count * share * (1 - share) * (places - count) / (places - 1)
    excess = kept - mean
    return excess > 0 and -(excess**2) / (2 * (variance + excess / 3)) < LEAST_LOG_CHANCE
