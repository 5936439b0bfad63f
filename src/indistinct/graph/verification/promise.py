"""The numbers, the levels and the promise of a released graph, counted again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from indistinct.core.protocols import PlainClass
from indistinct.errors import ParameterError
from indistinct.graph.models.model import GraphModel
from indistinct.graph.verification.checks import ONE_RUN, Checks, part
from indistinct.graph.verification.files import PlainGraph, PlainGroups
from indistinct.graph.verification.levels import Level, degree_levels, neighborhood_level
from indistinct.models import BoundedModel

ModelClass = type[GraphModel]


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
        seen.add("manifest.edges", "does not contain input, added, removed and kept", ONE_RUN)
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
