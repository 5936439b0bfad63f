"""k-neighborhood anonymity of labeled vertices: broader words where edges would cost more."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import final

import numpy as np

from indistinct.core.randomness import RandomSource
from indistinct.errors import NoSolutionError
from indistinct.graph.degree_sequence import Mode
from indistinct.graph.edge_changes import n_changes
from indistinct.graph.edges import Graph
from indistinct.graph.fingerprints import neighborhood_fingerprints
from indistinct.graph.k_neighborhood import Limits, anonymize_neighborhoods
from indistinct.graph.labels import VertexLabels


@final
@dataclass(frozen=True, slots=True, eq=False)
class LabeledResult:
    """A graph and its labels, and what both cost.

    Parameters
    ----------
    graph : with k alike labeled neighborhoods of each kind
    labels : as they may be shown
    cost : edges changed, and the penalty of the labels times its weight
    """

    graph: Graph
    labels: VertexLabels
    cost: float


def anonymize_labeled(  # noqa: PLR0913 - each is a word of the command
    graph: Graph,
    labels: VertexLabels,
    k: int,
    mode: Mode,
    source: RandomSource,
    *,
    limits: Limits | None = None,
    weight: float = 1.0,
) -> LabeledResult:
    """Change edges and generalize labels until every labeled neighborhood occurs k times.

    Parameters
    ----------
    graph : the input
    labels : of its vertices
    k, mode, source, limits : see :func:`~indistinct.graph.k_neighborhood.anonymize_neighborhoods`
    weight : how many edges the penalty of one fully hidden label is worth, at least 0

    Raises
    ------
    ParameterError : k is out of range
    NoSolutionError : no level of the labels reached k within the limits

    Notes
    -----
    Edges are changed for all labels at level 0, at level 1 and so on; each time, words are then
    narrowed again, dearest first, where the neighborhoods allow it. The cheapest of all is kept.
    The time is shared out among the levels.

    Source: zhou2008, section 3.1, its cost; the search is our own.
    """
    limits = limits or Limits()
    until = time.monotonic() + limits.seconds
    best: LabeledResult | None = None
    given_up: NoSolutionError | None = None
    for level in range(labels.hierarchy.n_levels):
        left = max(until - time.monotonic(), 0.0) / (labels.hierarchy.n_levels - level)
        part, tried = Limits(limits.max_loss, left), labels.at(level)
        try:
            found = anonymize_neighborhoods(graph, k, mode, source, labels=tried.texts, limits=part)
        except NoSolutionError as error:
            given_up = error
            continue
        narrowed = narrow(found, tried, k)
        changes = n_changes(graph, found)
        cost = changes + weight * narrowed.penalty
        if best is None or cost < best.cost:
            best = LabeledResult(found, narrowed, cost)
        if changes == 0:
            break
    if best is None:
        raise given_up or NoSolutionError("no level of the labels was tried", "Raise time_limit.")
    return best


def narrow(graph: Graph, labels: VertexLabels, k: int) -> VertexLabels:
    """Show narrower words wherever every labeled neighborhood still occurs k times.

    Parameters
    ----------
    graph : the graph
    labels : for which every neighborhood occurs k times
    k : least size of a class

    Notes
    -----
    Afterwards no word can be narrowed: to narrow others only splits classes further, so what failed
    once fails later, too.
    """
    waiting = order_of(labels)
    while waiting:
        under = labels.under(waiting.pop(0))
        lower = labels.lowered(under)
        if neighborhood_fingerprints(graph, lower.texts).level >= k:
            labels = lower
            waiting = [one for one in order_of(labels) if one in waiting or under[one]]
    return labels


def order_of(labels: VertexLabels) -> list[int]:
    """Give one value for each word above level 0 that is shown, dearest first."""
    counts = np.bincount(labels.codes, minlength=len(labels.levels))
    seen: dict[tuple[int, int], int] = {}
    cost: dict[int, float] = {}
    for value, level in enumerate(labels.levels.tolist()):
        code = int(labels.hierarchy.codes[level, value])
        if level > 0 and (level, code) not in seen:
            seen[level, code] = value
            penalty = float(labels.hierarchy.certainty_penalty(level)[code])
            cost[value] = penalty * int(counts[labels.under(value)].sum())
    return sorted(seen.values(), key=lambda value: (-cost[value], value))
