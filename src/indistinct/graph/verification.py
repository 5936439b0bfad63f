"""Use case: check a released graph against what its manifest promises, from the written files.

Nothing that made the release takes part: files are read strictly, levels and figures are counted
from their definitions by plain code. Only the owner's original is read as every input is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np

from indistinct.core.protocols import PlainClass
from indistinct.core.verdicts import Verdict
from indistinct.errors import DataError, Fault, ParameterError
from indistinct.graph.companions import (
    VERTEX_SUFFIX,
    beside,
    check_files,
    hashes_in,
    load_manifest,
    manifest_of,
)
from indistinct.graph.models import GRAPH_MODELS_BY_NAME
from indistinct.graph.models.grouping import GROUP_SUFFIX, SUPEREDGE_SUFFIX
from indistinct.graph.models.model import GraphModel
from indistinct.graph.plain_files import (
    PlainGraph,
    PlainGroups,
    contents_beside,
    read_groups,
    read_release,
)
from indistinct.graph.plain_levels import Level, degree_levels, neighborhood_level
from indistinct.graph.plain_order import clusters, follows
from indistinct.graph.plain_origin import origin_faults, read_origin
from indistinct.models import BoundedModel

ONE_RUN = "Take the files and the manifest of one release."
PUBLISH_NOT = "Do not publish this release."
# Sums of many floats in another order differ by far less; what a manifest could hide, by more.
TOLERANCE = 1e-6

ModelClass = type[GraphModel]


@dataclass(frozen=True, slots=True)
class GraphVerification:
    """Whether a released graph holds what its manifest promises.

    Parameters
    ----------
    verdict : whether it holds, does not hold, or could not be decided
    faults : what is wrong; no id of the original
    undecided : what could not be decided, and what would decide it
    notes : what a reader should know beside the verdict
    found : model, required, achieved, levels, vertices, edges and certain edges as counted here
    """

    verdict: Verdict
    faults: tuple[Fault, ...]
    undecided: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    found: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def holds(self) -> bool | None:
        """Give True, False, or None where it could not be decided."""
        return self.verdict.holds

    def document(self) -> dict[str, Any]:
        """Give the result as one JSON document."""
        return {
            "holds": self.holds,
            "verdict": str(self.verdict),
            "reasons": [f"{fault.place}: {fault.problem}" for fault in self.faults],
            "undecided": list(self.undecided),
            **self.found,
            "notes": list(self.notes),
        }


@dataclass(slots=True)
class Checks:
    """What the checks have found so far."""

    faults: list[Fault] = field(default_factory=list[Fault])
    undecided: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])
    found: dict[str, Any] = field(default_factory=dict[str, Any])
    unreadable: bool = False

    def add(self, place: str, problem: str, remedy: str = PUBLISH_NOT) -> None:
        """Note a fault."""
        self.faults.append(Fault(place, problem, remedy))

    def compare(self, place: str, said: object, counted: object) -> None:
        """Note a fault where the manifest says something else than was counted."""
        if not same(said, counted):
            self.add(f"manifest.{place}", "is not what the release shows", ONE_RUN)

    def verification(self) -> GraphVerification:
        """Give the verdict."""
        verdict = Verdict.of(faults=bool(self.faults), undecided=bool(self.undecided))
        return GraphVerification(
            verdict, tuple(self.faults), tuple(self.undecided), tuple(self.notes), self.found
        )


def verify(
    release: str | Path,
    original: object | None = None,
    *,
    crosswalk: str | Path | None = None,
    manifest: str | Path | None = None,
) -> GraphVerification:
    """Check a released graph against what its manifest promises.

    Parameters
    ----------
    release : path of the released graph
    original : the graph it was made from, or its path
    crosswalk : path of the owner's CSV ``output_id,input_id`` (and ``group``, of a grouping)
    manifest : default ``RELEASE.manifest.json``

    Returns
    -------
    a verdict, with every reason against

    Raises
    ------
    DataError : the release, the original or the crosswalk cannot be read, or there is no manifest
    """
    path = Path(release)
    if not path.is_file():
        raise DataError([Fault(path.name, "is not a file", "Check the path of the release.")])
    said = load_manifest(manifest_of(path, manifest))
    if said is None:
        problem = "does not exist, so nothing says what the release promises"
        remedy = "Name the manifest of the release."
        raise DataError([Fault(manifest_of(path, manifest).name, problem, remedy)])
    seen = Checks()
    try:
        check_files(path, manifest)
    except DataError as error:
        seen.faults += error.faults
    model = GRAPH_MODELS_BY_NAME.get(str(said.get("model")))
    if model is None or not hashes_in(said):
        place, problem = "manifest", "lacks the model or the files with their hashes"
        seen.add(place, problem, "Write the release again with this version.")
        return seen.verification()
    graph, groups = read_files(seen, path, said, model)
    if seen.unreadable:
        return seen.verification()
    seen.faults += numbering_faults(graph)
    check_counts(seen, said, graph, model)
    check_levels(seen, said, graph, groups, model)
    if groups is not None:
        check_groups(seen, said, graph, groups)
    check_promise(seen, said, model)
    if original is not None:
        origin = read_origin(original, crosswalk)
        wrong, open_questions, notes = origin_faults(graph, groups, said, origin, model)
        seen.faults += wrong
        seen.undecided += open_questions
        seen.notes += notes
    elif groups is not None:
        seen.undecided.append(
            "whether the edge list was drawn from the groups: the files alone cannot tell it from "
            "the original; --original and --crosswalk do"
        )
    return seen.verification()


def read_files(
    seen: Checks, path: Path, said: Mapping[str, Any], model: ModelClass
) -> tuple[PlainGraph, PlainGroups | None]:
    """Read the files that the manifest names, and note where they are not of the released form."""
    files = contents_beside(path, list(hashes_in(said)))
    listed = beside(path, VERTEX_SUFFIX).name
    vertices = (listed, files[listed]) if listed in files else None
    graph = read_release(path.name, path.read_bytes(), vertices)
    groups = groups_of(path, files) if model.publishes_groups else None
    found = [*graph.faults, *(groups.faults if groups is not None else [])]
    seen.faults += found
    seen.unreadable = bool(found)
    return graph, groups


def same(said: object, counted: object) -> bool:
    """Tell whether two values of a manifest are equal, floats up to rounding."""
    if isinstance(said, bool) or isinstance(counted, bool) or said is None or counted is None:
        return said is counted
    if isinstance(counted, dict):
        expected = cast("dict[str, object]", counted)
        given = cast("dict[str, object]", said) if isinstance(said, dict) else {}
        return given.keys() == expected.keys() and all(
            same(given[name], value) for name, value in expected.items()
        )
    if not isinstance(said, int | float) or not isinstance(counted, int | float):
        return said == counted
    return math.isclose(said, counted, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def part(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Give a nested part of a manifest; an empty one where it lacks."""
    found: object = document.get(name)
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def groups_of(path: Path, files: Mapping[str, bytes]) -> PlainGroups:
    """Read the groups of a release; a fault where the manifest names none."""
    names = [beside(path, suffix).name for suffix in (GROUP_SUFFIX, SUPEREDGE_SUFFIX)]
    if not all(name in files for name in names):
        problem = "the tables of groups are not among the files of the release"
        return PlainGroups(faults=[Fault("manifest.files", problem, PUBLISH_NOT)])
    return read_groups((names[0], files[names[0]]), (names[1], files[names[1]]))


def numbering_faults(graph: PlainGraph) -> Iterator[Fault]:
    """Find numbers of vertices that tell more than chance."""
    degrees = Counter(end for edge in graph.edges for end in edge)
    if follows([degrees[vertex] for vertex in range(graph.n_vertices)]):
        yield Fault("ids", "go with the degrees of the vertices", "Number the vertices at random.")
    if clusters(graph.edges, graph.n_vertices):
        problem = "of linked vertices are closer than random ones"
        yield Fault("ids", problem, "Number the vertices at random.")


def check_counts(
    seen: Checks, said: Mapping[str, Any], graph: PlainGraph, model: ModelClass
) -> None:
    """Compare the numbers of vertices and edges, and what follows from them."""
    edges = part(said, "edges")
    seen.found |= {
        "model": said["model"],
        "vertices": graph.n_vertices,
        "edges": len(graph.edges),
        "attributes": list(graph.attributes),
    }
    seen.compare("vertices", said.get("vertices"), graph.n_vertices)
    seen.compare("edges.output", edges.get("output"), len(graph.edges))
    names = ("input", "added", "removed", "kept")
    counts = [edges.get(name) for name in names]
    if model.publishes_groups:
        seen.compare("edges", edges, {"input": len(graph.edges), "output": len(graph.edges)})
    elif not all(isinstance(count, int) and count >= 0 for count in counts):
        seen.add("manifest.edges", "lacks input, added, removed or kept", ONE_RUN)
    else:
        before, added, removed, kept = cast("list[int]", counts)
        seen.compare("edges.kept", kept, before - removed)
        seen.compare("edges.added", added, len(graph.edges) - kept)
        seen.compare("edges.overlap", edges.get("overlap"), kept / before if before else 1.0)
        if "gap" in said:
            bound = said.get("lower_bound")
            gap = added + removed - bound if isinstance(bound, int) else None
            seen.compare("gap", said["gap"], gap)
        changes = {"add": removed, "delete": added}.get(str(said.get("mode")), 0)
        if changes or (model.keeps_edges and added + removed):
            seen.add("manifest.edges", "has changes that the model or the mode does not make")
    if graph.attributes:
        seen.notes.append("vertex attributes are published; the levels do not count them in")


def check_levels(
    seen: Checks,
    said: Mapping[str, Any],
    graph: PlainGraph,
    groups: PlainGroups | None,
    model: ModelClass,
) -> None:
    """Count the levels anew and compare them with the manifest's."""
    names = ("degree", "h2", "h3", "neighborhood")
    claimed = part(said, "levels")
    if groups is not None:
        found: dict[str, int | None] = dict.fromkeys(names, min(groups.sizes, default=0))
        seen.found["levels"] = found
        seen.compare("levels", claimed, found)
        return
    rows = graph.neighbors()
    labels = part(said, "labels")
    column = labels.get("column") if labels.get("released") else None
    words = graph.attributes.get(str(column)) if column is not None else None
    if column is not None and words is None:
        seen.add("manifest.labels", "are said to be released, and are not", ONE_RUN)
    level = neighborhood_level(rows, words)
    found = {**degree_levels(rows), "neighborhood": level.exact}
    seen.found["levels"] = found
    for name in names[:3]:
        seen.compare(f"levels.{name}", claimed.get(name), found[name])
    shown, needed = not labels or words is not None, model.knowledge == "neighborhood"
    compare_neighborhoods(seen, said, level, shown=shown, needed=needed)


def compare_neighborhoods(
    seen: Checks, said: Mapping[str, Any], level: Level, *, shown: bool, needed: bool
) -> None:
    """Compare the claimed level of neighborhoods, which may not be decided, with the counted one.

    Notes
    -----
    Labels that are not shown can only split classes further: the claimed level is then at most that
    of the neighborhoods alone.
    """
    claimed = part(said, "levels").get("neighborhood")
    if (
        isinstance(claimed, bool)
        or not isinstance(claimed, int)
        or claimed > level.high
        or (shown and claimed < level.low)
    ):
        seen.add("manifest.levels.neighborhood", "is not what the release shows", ONE_RUN)
    elif level.exact is None and needed:
        least = part(said, "required").get("k", 1)
        if not isinstance(least, int) or level.low < least:
            seen.undecided.append(
                f"the level of neighborhoods, which is between {level.low} and {level.high}: they "
                "are too large for the plain comparison"
            )
    elif level.exact is None:
        seen.notes.append("the level of neighborhoods was not counted: the graph is too large")


def check_groups(
    seen: Checks, said: Mapping[str, Any], graph: PlainGraph, groups: PlainGroups
) -> None:
    """Compare the tables of groups with the edge list and with the manifest."""
    total = sum(groups.counts.values())
    if sum(groups.sizes) != graph.n_vertices or total != len(graph.edges):
        seen.add("groups", "have not as many vertices and edges as the edge list", ONE_RUN)
    full = [pair for pair, count in groups.counts.items() if count == groups.places(*pair)]
    certain = sum(groups.counts[pair] for pair in full)
    size, number = sum(groups.sizes), len(groups.sizes)
    inside = sum(one > 1 for one in groups.sizes)
    found = {
        "count": certain,
        "share": certain / total if total else 0.0,
        "full_pairs": len(full),
        "empty_pairs": number * (number - 1) // 2 + inside - len(groups.counts),
        "non_edges": size * (size - 1) // 2 - sum(groups.places(*pair) for pair in groups.counts),
    }
    seen.found["certain_edges"] = found
    seen.compare("certain_edges", said.get("certain_edges"), found)
    losses = [2 * c * (1 - c / groups.places(*pair)) for pair, c in groups.counts.items()]
    most = size * (size - 1) / 4
    figures = {
        "groups": number,
        "smallest": min(groups.sizes, default=0),
        "largest": max(groups.sizes, default=0),
        "log_worlds": sum(
            log_ways(groups.places(*pair), count) for pair, count in groups.counts.items()
        ),
        "structural_loss": sum(losses),
        "normalized_structural_loss": sum(losses) / most if most else 0.0,
        "supernodes": supernodes(groups),
    }
    claimed = part(said, "grouping")
    for name, value in figures.items():
        seen.compare(f"grouping.{name}", claimed.get(name), value)


def supernodes(groups: PlainGroups) -> dict[str, int]:
    """Count the groups that differ from all others in what the tables say of them."""
    around: list[list[tuple[int, int, int]]] = [[] for _ in groups.sizes]
    for (one, other), count in groups.counts.items():
        around[one].append((int(one == other), groups.sizes[other], count))
        if one != other:
            around[other].append((0, groups.sizes[one], count))
    looks = Counter((size, *sorted(seen)) for size, seen in zip(groups.sizes, around, strict=True))
    return {"classes": len(looks), "unique": sum(count == 1 for count in looks.values())}


def log_ways(places: int, edges: int) -> float:
    """Give the log count of ways to lay edges on places."""
    return math.lgamma(places + 1) - math.lgamma(edges + 1) - math.lgamma(places - edges + 1)


def check_promise(seen: Checks, said: Mapping[str, Any], model: ModelClass) -> None:
    """Judge what the model promises by the levels that were counted."""
    required: dict[str, Any] = part(said, "required")
    achieved: dict[str, Any] = {}
    try:
        promise = model.promised(required)
    except ParameterError:
        promise = None
        seen.add("manifest.required.k", "must be a whole number of at least 2", ONE_RUN)
    else:
        if promise is None:
            seen.notes.append(f"the model {model.name} promises no level")
    if promise is not None:
        seen.compare("k", said.get("k"), required["k"])
        reached = seen.found["levels"][model.knowledge]
        achieved |= judge(seen, promise, model.knowledge, reached)
    most = required.get("max_certain")
    if most is not None and model.publishes_groups:
        share = seen.found["certain_edges"]["share"]
        achieved["max_certain"] = share
        if not isinstance(most, int | float) or share > most:
            seen.add("certain_edges.share", "is above max_certain")
    for name, value in achieved.items():
        if value is not None:
            seen.compare(f"achieved.{name}", part(said, "achieved").get(name), value)
    seen.found |= {"required": required, "achieved": achieved}


def judge(
    seen: Checks, promise: BoundedModel, knowledge: str, reached: int | None
) -> dict[str, Any]:
    """Judge a privacy model by the smallest class under one knowledge, from its plain definition.

    Parameters
    ----------
    reached : size of the smallest class; None where it was not decided
    """
    if reached is None:
        return dict.fromkeys(promise.required())
    worst = promise.measure_plainly(PlainClass(reached, {}, {}))
    if not promise.within(np.array([worst]))[0]:
        problem = f"is {reached}, below the {promise.bound:g} that is promised"
        seen.add(f"levels.{knowledge}", problem)
    return promise.achieved(worst)
