"""Use case: publish a graph that protects its vertices."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, cast, final, get_args

import numpy as np

from indistinct.core.arrays import Codes
from indistinct.core.hierarchy import GeneralizationHierarchy
from indistinct.core.randomness import RandomSource
from indistinct.errors import Fault, ParameterError
from indistinct.graph.certainty import certainty, check_share, merge_certain, supernode_classes
from indistinct.graph.degree_sequence import MIXED, Mode, by_degree, targets_for
from indistinct.graph.edges import Graph
from indistinct.graph.fingerprints import levels
from indistinct.graph.grouping import (
    Grouping,
    find_groups,
    group_levels,
    grouping_of,
    sample_assignment,
)
from indistinct.graph.k_degree import Realization, anonymize_degrees
from indistinct.graph.k_neighborhood import Limits, anonymize_neighborhoods, n_changes
from indistinct.graph.labeled_neighborhoods import anonymize_labeled
from indistinct.graph.labels import VertexLabels, read_hierarchy, vertex_labels
from indistinct.graph.perturbation import perturb, switch
from indistinct.graph.reading import as_graph
from indistinct.graph.release import GraphRelease, relabel

Model = Literal[
    "naive", "k-degree", "k-neighborhood", "grouping", "random-perturbation", "random-switch"
]
NEEDS_K = ("k-degree", "k-neighborhood", "grouping")


@final
@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for; see :func:`anonymize`."""

    model: Model
    k: int | None = None
    mode: Mode = MIXED
    share: float = 0.05
    greedy: bool = False
    realization: Realization = "repair"
    labels: VertexLabels | None = None
    label_weight: float = 1.0
    time_limit: float = 300.0
    max_loss: float = 0.5
    max_certain: float | None = None


@final
@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """A changed graph on the input's vertices, and numbers for the document."""

    graph: Graph
    cost: int | None = None
    lower_bound: int | None = None
    grouping: Grouping | None = None
    groups: Codes | None = None
    labels: VertexLabels | None = None
    more: dict[str, Any] = field(default_factory=dict[str, Any])


def anonymize(  # noqa: PLR0913 - each is a word of the command
    graph: object,
    model: Model = "k-degree",
    *,
    k: int | None = None,
    mode: Mode = MIXED,
    share: float = 0.05,
    greedy: bool = False,
    realization: Realization = "repair",
    labels: str | None = None,
    hierarchy: GeneralizationHierarchy | str | Path | None = None,
    label_weight: float = 1.0,
    keep: Sequence[str] = (),
    seed: int | None = None,
    time_limit: float = 300.0,
    max_loss: float = 0.5,
    max_certain: float | None = None,
) -> GraphRelease:
    """Publish a graph: change its edges as the model wants, drop names, number vertices anew.

    Parameters
    ----------
    graph : a :class:`~indistinct.graph.edges.Graph`, a networkx graph, or a path
    model : ``naive`` changes no edge; ``k-degree``, ``k-neighborhood`` and ``grouping`` protect
        against what their names say; ``random-perturbation`` and ``random-switch`` are baselines
    k : least size of a class, for the models that have one
    mode : ``add``, ``delete`` or ``mixed`` edge changes, for k-degree and k-neighborhood
    share : of edges to change, for the random models, in [0, 1]
    greedy : choose target degrees greedily, for k-degree
    realization : ``repair``, ``supergraph``, ``probing``, ``construct`` or ``priority``, for
        k-degree: see :func:`~indistinct.graph.k_degree.anonymize_degrees`
    labels : vertex attribute that neighborhoods must respect, for k-neighborhood
    hierarchy : broader words for the labels, or a CSV of them: labels are then generalized where
        that costs less than edges; the release has them where ``keep`` names the attribute
    label_weight : how many edges one fully hidden label is worth, at least 0
    keep : vertex attributes that are released; all others are dropped
    seed : makes the run repeatable, for tests; it must not become known
    time_limit : seconds, for k-neighborhood
    max_loss : share of edges that k-neighborhood may change before it gives up
    max_certain : share of edges, in [0, 1], that may be in every world of a grouping; groups are
        merged until no more are. Without it their share is reported only

    Raises
    ------
    ParameterError : a word or number is out of range
    DataError : the graph cannot be read
    NoSolutionError : the model cannot be reached within its limits; says how far it came
    """
    begin = time.perf_counter()
    check_limits(label_weight, time_limit, max_loss)
    check_share(max_certain, model)
    given = as_graph(graph)
    request = Request(
        check_model(model, k, mode, seed),
        k,
        mode,
        share,
        greedy,
        realization,
        labels_of(given, labels, hierarchy),
        label_weight,
        time_limit,
        max_loss,
        max_certain,
    )
    source = RandomSource(seed)
    outcome = change(given, request, source)
    attributes = dict(given.keeping(keep).attributes)
    shown = None if outcome.labels is None else outcome.labels.texts
    if shown is not None and labels in attributes:
        attributes[labels] = shown
    kept = replace(outcome.graph, attributes=attributes)
    released, order = relabel(kept, shifted(source))
    found = group_levels(outcome.grouping) if outcome.grouping else levels(kept, shown)
    if "labels" in outcome.more:
        outcome.more["labels"] |= {"column": labels, "released": labels in attributes}
    document = {
        "indistinct": version("indistinct"),
        "model": model,
        "k": k if model in NEEDS_K else None,
        "mode": mode if model in {"k-degree", "k-neighborhood"} else None,
        "required": required(request),
        "achieved": achieved(request, found, outcome.more),
        "vertices": given.n_vertices,
        "edges": edge_counts(given, outcome.graph),
        "levels": found,
        "cost": outcome.cost,
        "lower_bound": outcome.lower_bound,
        **outcome.more,
        "cleaning": given.cleaning.document(),
        "seconds": round(time.perf_counter() - begin, 3),
    }
    names = tuple(given.id_of(vertex) for vertex in order.tolist())
    groups = None if outcome.groups is None else outcome.groups[order]
    return GraphRelease(released, document, order, names, outcome.grouping, groups)


def required(request: Request) -> dict[str, float]:
    """Give what the release has to reach, by the words of the request."""
    words = {"k": request.k if request.model in NEEDS_K else None}
    return {
        name: value
        for name, value in {**words, "max_certain": request.max_certain}.items()
        if value is not None
    }


def achieved(
    request: Request, levels: Mapping[str, int], more: Mapping[str, Any]
) -> dict[str, float]:
    """Give what the release has reached, for each word that :func:`required` has."""
    known = "neighborhood" if request.model == "k-neighborhood" else "degree"
    reached: dict[str, float] = {"k": levels[known]}
    if request.max_certain is not None:
        reached["max_certain"] = more["certain_edges"]["share"]
    return {name: reached[name] for name in required(request)}


def check_model(model: str, k: int | None, mode: str, seed: int | None) -> Model:
    """Raise a :class:`ParameterError` unless the words are known, k is there, the seed not < 0."""
    if model not in get_args(Model):
        known = ", ".join(get_args(Model))
        raise ParameterError("the model is unknown", f"Known models: {known}.")
    if mode not in get_args(Mode):
        raise ParameterError("the mode is unknown", "Use add, delete or mixed.")
    if seed is not None and seed < 0:
        raise ParameterError("the seed must be a whole number at least 0", "Set it to 1, say.")
    if model in NEEDS_K and k is None:
        raise ParameterError(f"{model} needs k", "Give the least size of a class, such as k=5.")
    return cast("Model", model)


def check_limits(label_weight: float, time_limit: float, max_loss: float) -> None:
    """Raise a :class:`ParameterError` unless the numbers are at least 0, naming each."""
    named = {"label_weight": label_weight, "time_limit": time_limit, "max_loss": max_loss}
    faults = [
        Fault(name, "must be a number at least 0", "Leave it out for the default.")
        for name, value in named.items()
        if not value >= 0
    ]
    if faults:
        raise ParameterError(faults)


def labels_of(
    graph: Graph, name: str | None, hierarchy: GeneralizationHierarchy | str | Path | None
) -> VertexLabels | None:
    """Take a vertex attribute, with broader words for it."""
    if name is None:
        if hierarchy is not None:
            raise ParameterError("a hierarchy needs labels", "Name the attribute it is for.")
        return None
    known = read_hierarchy(hierarchy) if isinstance(hierarchy, str | Path) else hierarchy
    return vertex_labels(graph.keeping([name]).attributes[name], known)


def shifted(source: RandomSource) -> RandomSource:
    """Give a source whose words do not repeat those the model drew."""
    return source if source.seed is None else RandomSource(source.seed + (1 << 64))


def change(graph: Graph, request: Request, source: RandomSource) -> Outcome:
    """Change the edges as the model wants."""
    match request.model:
        case "naive":
            return Outcome(graph, 0, 0)
        case "k-degree":
            return by_degrees(graph, request, source)
        case "k-neighborhood":
            return by_neighborhoods(graph, request, source)
        case "grouping":
            return by_groups(graph, request, source)
        case "random-perturbation":
            return Outcome(perturb(graph, request.share, source))
        case "random-switch":
            return Outcome(switch(graph, request.share, source))


def by_degrees(graph: Graph, request: Request, source: RandomSource) -> Outcome:
    """Make every degree occur k times."""
    result = anonymize_degrees(
        graph,
        cast("int", request.k),
        request.mode,
        source,
        greedy=request.greedy,
        realization=request.realization,
    )
    counts = edge_counts(graph, result.graph)
    gap = counts["added"] + counts["removed"] - result.lower_bound
    more = {"realization": request.realization, "gap": gap, "probes": result.probes}
    return Outcome(result.graph, result.cost, result.lower_bound, more=more)


def by_neighborhoods(graph: Graph, request: Request, source: RandomSource) -> Outcome:
    """Make every neighborhood occur k times."""
    k, mode = cast("int", request.k), request.mode
    limits = Limits(request.max_loss, request.time_limit)
    bound = targets_for(graph.degrees, k, mode, by_degree(graph.degrees)).lower_bound
    if request.labels is None:
        changed = anonymize_neighborhoods(graph, k, mode, source, limits=limits)
        changes = n_changes(graph, changed)
        return Outcome(changed, changes, bound, more={"gap": changes - bound})
    found = anonymize_labeled(
        graph, request.labels, k, mode, source, limits=limits, weight=request.label_weight
    )
    penalty, changes = found.labels.penalty, n_changes(graph, found.graph)
    more = {
        "gap": changes - bound,
        "labels": {
            "penalty": penalty,
            "mean_penalty": penalty / max(graph.n_vertices, 1),
            "words": len(set(found.labels.shown)),
            "cost": found.cost,
        },
    }
    return Outcome(found.graph, changes, bound, labels=found.labels, more=more)


def by_groups(graph: Graph, request: Request, source: RandomSource) -> Outcome:
    """Group vertices and draw one of the worlds the groups leave possible."""
    groups = find_groups(graph, cast("int", request.k), source)
    grouping = grouping_of(graph, groups)
    if request.max_certain is not None:
        groups = merge_certain(grouping, request.max_certain)[groups]
        grouping = grouping_of(graph, groups)
    stands_for = sample_assignment(groups)
    world = grouping.sample(source)
    sources, targets = (stands_for[ends].astype(np.int32) for ends in world.edges())
    more = {
        "grouping": {
            "groups": len(grouping.sizes),
            "smallest": grouping.smallest,
            "largest": int(grouping.sizes.max()),
            "log_worlds": grouping.log_worlds,
            "structural_loss": float(grouping.structural_losses().sum()),
            "normalized_structural_loss": grouping.normalized_structural_loss,
            "supernodes": supernode_classes(grouping),
        },
        "certain_edges": certainty(grouping),
    }
    world = graph.with_edges(sources, targets)
    return Outcome(world, grouping=grouping, groups=groups, more=more)


def edge_counts(before: Graph, after: Graph) -> dict[str, Any]:
    """Count edges of a graph and of a changed one on the same vertices."""
    sources, targets = before.edges()
    kept = int(np.count_nonzero(after.has_edges(sources, targets)))
    return {
        "input": before.n_edges,
        "output": after.n_edges,
        "added": after.n_edges - kept,
        "removed": before.n_edges - kept,
        "kept": kept,
        "overlap": kept / before.n_edges if before.n_edges else 1.0,
    }
