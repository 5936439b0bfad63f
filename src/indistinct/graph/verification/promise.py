"""The numbers, the levels and the promise of a released graph, counted again."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, cast

from indistinct.errors import ParameterError
from indistinct.graph.models.model import GraphModel
from indistinct.graph.promise import LeastSize
from indistinct.graph.verification.checks import ONE_RUN, Checks, part
from indistinct.graph.verification.files import PlainGraph, PlainGroups
from indistinct.graph.verification.levels import Level, degree_levels, neighborhood_level

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
        check_costs(seen, said, added + removed, model)
        changes = {"add": removed, "delete": added}.get(str(said.get("mode")), 0)
        if changes or (model.keeps_edges and added + removed):
            seen.add("manifest.edges", "has changes that the model or the mode does not make")
    if graph.attributes:
        seen.notes.append("vertex attributes are published; the levels do not count them in")


def check_costs(seen: Checks, said: Mapping[str, Any], changes: int, model: ModelClass) -> None:
    """Compare what the changes cost with what the numbers of edges say.

    Notes
    -----
    The least cost of degrees follows from the original alone; it is at most all places of edges.
    """
    cost, bound = said.get("cost"), said.get("lower_bound")
    if "gap" not in model.entries:
        expected = 0 if model.keeps_edges else None
        seen.compare("cost", cost, expected)
        seen.compare("lower_bound", bound, expected)
        return
    if "labels" in model.entries:
        seen.compare("cost", cost, changes)
    for name, value in (("cost", cost), ("lower_bound", bound), ("probes", said.get("probes", 0))):
        if not isinstance(value, int) or value > max(seen.found["vertices"], 1000) ** 2:
            seen.add(f"manifest.{name}", "is more than all changes of edges can be", ONE_RUN)
    seen.compare("gap", said.get("gap"), changes - bound if isinstance(bound, int) else None)


def check_labels(seen: Checks, said: Mapping[str, Any], words: Sequence[str] | None) -> None:
    """Compare what is said of labels with the released ones, and with the numbers of vertices.

    Parameters
    ----------
    words : (n_vertices,), the released labels; None where they are not released
    """
    labels, size = part(said, "labels"), seen.found["vertices"]
    penalty, cost = labels.get("penalty"), labels.get("cost")
    if not isinstance(penalty, float) or not 0 <= penalty <= size:
        seen.add("manifest.labels.penalty", "is not a penalty of this many vertices", ONE_RUN)
        return
    seen.compare("labels.mean_penalty", labels.get("mean_penalty"), penalty / max(size, 1))
    if not isinstance(cost, float) or cost < (said.get("cost") or 0):
        seen.add("manifest.labels.cost", "is less than the changes of edges cost", ONE_RUN)
    n_words = labels.get("words")
    if words is not None:
        seen.compare("labels.words", n_words, len(set(words)))
    elif labels.get("column") is not None or not isinstance(n_words, int) or n_words > size:
        seen.add("manifest.labels", "says more of labels than is released", ONE_RUN)


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
    if labels.get("released") and words is None:
        seen.add("manifest.labels", "are said to be released, and are not", ONE_RUN)
    if labels:
        check_labels(seen, said, words)
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


def judge(seen: Checks, promise: LeastSize, knowledge: str, reached: int | None) -> dict[str, Any]:
    """Judge a promise by the smallest class under one knowledge.

    Parameters
    ----------
    reached : size of the smallest class; None where it was not decided
    """
    if reached is not None and not promise.holds(reached):
        problem = f"is {reached}, below the {promise.k:g} that is promised"
        seen.add(f"levels.{knowledge}", problem)
    return promise.achieved(reached)


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
    """Return the log count of ways to lay edges on places."""
    return math.lgamma(places + 1) - math.lgamma(edges + 1) - math.lgamma(places - edges + 1)
