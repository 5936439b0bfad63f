"""k-neighborhood anonymity: every neighborhood occurs at least k times, up to isomorphism."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from indistinct.base.arrays import Words
from indistinct.base.randomness import RandomSource
from indistinct.errors import NoSolutionError
from indistinct.graph.degree_sequence import ADD, DELETE, MIXED, Mode, check_k
from indistinct.graph.edge_changes import n_changes
from indistinct.graph.edges import Graph
from indistinct.graph.fingerprint_kernels import neighborhood_words
from indistinct.graph.fingerprints import Fingerprints, label_words, neighborhood_fingerprints
from indistinct.graph.k_degree import anonymize_degrees
from indistinct.graph.k_neighborhood_kernels import (
    OpenRows,
    edges_of_rows,
    improve,
    open_rows,
    take_back,
)
from indistinct.graph.labels import VertexLabels

# Free places behind each row, so that edges can be added before all rows are laid out anew.
ROOM = 16
# Edge changes between two looks at the clock.
STEPS = 50
# Searches from the beginning, with other candidates; the one with fewest changes is kept.
RESTARTS = 12
# Neighbors that may be looked at once there is a solution: what is found depends on the seed, and
# on the clock only where the time limit strikes.
WORK = 150_000_000
# Changes without fewer vertices in small classes, before a search that may add is given up.
STALE = 400


@final
@dataclass(frozen=True, slots=True)
class SearchLimits:
    """When to give up: share of edges changed, and seconds."""

    max_loss: float = 0.5
    seconds: float = 300.0


@final
@dataclass(frozen=True, slots=True, eq=False)
class NeighborhoodTask:
    """What is to be done to which graph; see :func:`anonymize_neighborhoods`."""

    graph: Graph
    k: int
    mode: Mode
    words: Words
    limits: SearchLimits
    until: float
    work: float = math.inf
    most: float = math.inf


def anonymize_neighborhoods(  # noqa: PLR0913 - each is a word of the command
    graph: Graph,
    k: int,
    mode: Mode,
    source: RandomSource,
    *,
    labels: Sequence[object] | None = None,
    limits: SearchLimits | None = None,
) -> Graph:
    """Change edges, best first, until every neighborhood occurs at least k times.

    Parameters
    ----------
    graph : the input
    k : 2 <= k <= n_vertices
    mode : ``delete`` (which always ends), ``add`` or ``mixed``
    source : where candidates are drawn from
    labels : (n_vertices,), a label per vertex that equal neighborhoods must share
    limits : when to give up

    Raises
    ------
    ParameterError : k is out of range
    NoSolutionError : a limit was reached; says the best level

    Notes
    -----
    A change is judged by how many vertices leave classes smaller than k; only its ends and their
    common neighbors are coded anew. Modes that add also begin with k-degree anonymity, ``mixed``
    also with removals only; the fewest changes win.

    Source: zhou2008, sections 3 and 4; the modes and the search are our own.
    """
    check_k(graph.n_vertices, k)
    limits = limits or SearchLimits()
    task = NeighborhoodTask(
        graph, k, mode, label_words(graph, labels), limits, time.monotonic() + limits.seconds
    )
    best, least = neighborhood_fingerprints(graph, labels), graph.n_vertices**2
    chosen = graph if best.level >= k else None
    state = source.words(1).copy()
    spent = 0
    for attempt, (start, way) in enumerate(beginnings(task, source) if chosen is None else ()):
        if attempt and (spent > WORK or time.monotonic() > task.until):
            break
        step = replace(task, mode=way)
        if chosen is not None:
            # More than twice the changes of what is known will not become fewer by taking back.
            step = replace(step, work=WORK - spent, most=2 * least)
        result, used = search(step, start, state)
        spent += used
        found = neighborhood_fingerprints(result, labels)
        changes = n_changes(graph, result)
        if found.level >= k and changes < least:
            chosen, least = result, changes
        best = min(best, found, key=lambda one: (-one.level, one.below(k)))
    if chosen is None:
        raise gave_up(task, best)
    return chosen


def gave_up(task: NeighborhoodTask, best: Fingerprints) -> NoSolutionError:
    """Return how far the search came, and what may go further."""
    size = max(task.graph.n_vertices, 1)
    below = best.below(task.k)
    remedies = [f"'indistinct graph anonymize --model grouping --k {task.k}' always ends"]
    if task.mode != DELETE:
        remedies.insert(0, "the mode 'delete' goes furthest")
    return NoSolutionError(
        f"neighborhoods reached the level {best.level}, not {task.k}, within the limits by "
        f"'{task.mode}'; {below} of {size} vertices ({below / size:.2%}) are in smaller classes",
        f"Raise max_loss or time_limit; {'; '.join(remedies)}.",
    )


def beginnings(task: NeighborhoodTask, source: RandomSource) -> Iterator[tuple[Graph, Mode]]:
    """Yield graphs to search from and how, again and again."""
    graph = task.graph
    starts: list[tuple[Graph, Mode]] = [(graph, task.mode)]
    if task.mode != DELETE:
        with suppress(NoSolutionError):
            ready = anonymize_degrees(graph, task.k, task.mode, source).graph
            starts.insert(0, (ready, task.mode))
    if task.mode == MIXED:
        starts.insert(0, (graph, DELETE))
    for attempt in range(RESTARTS):
        yield starts[attempt % len(starts)]


def search(task: NeighborhoodTask, start: Graph, state: Words) -> tuple[Graph, int]:
    """Search from one graph until it is anonymous or a limit is reached; tell the work, too."""
    graph, mode = task.graph, task.mode
    rows = rows_with_room(start, task.words, mode)
    spent = work = 0
    allowed = int(min(task.limits.max_loss * graph.n_edges, task.most))
    small, least, since = 1, graph.n_vertices + 1, 0
    while small and spent < allowed and work < task.work and time.monotonic() < task.until:
        steps = min(STEPS, allowed - spent)
        ways = mode != DELETE, mode != ADD
        small, changes, used = improve(
            start.starts, start.neighbors, rows, task.k, *ways, steps, state
        )
        spent, work = spent + changes, work + used
        since = 0 if small < least else since + changes
        least = min(small, least)
        # Removal that finds nothing to remove is at its end; a search that may add could go on and
        # on without a gain.
        if small and ((not changes and not ways[0]) or (ways[0] and since > STALE)):
            break
        # Fewer changes than asked for: some row is full.
        if small and changes < steps:
            rows = rows_with_room(graph_of(rows, graph), task.words, mode)
    if not small:
        restore(task, rows, state)
    return graph_of(rows, graph), work


def restore(task: NeighborhoodTask, rows: OpenRows, state: Words) -> None:
    """Undo changes that were not needed after all, until none is left."""
    before, after = task.graph, graph_of(rows, task.graph)
    for sign, one, other in ((1, before, after), (-1, after, before)):
        sources, targets = one.edges()
        changed = ~other.has_edges(sources, targets)
        order = np.random.default_rng(state).permutation(int(np.count_nonzero(changed)))
        sources, targets = sources[changed][order], targets[changed][order]
        done = True
        while done and time.monotonic() < task.until:
            done = take_back(rows, task.k, sources, targets, sign)
            lasting = graph_of(rows, task.graph).has_edges(sources, targets) == (sign < 0)
            sources, targets = sources[lasting], targets[lasting]


def rows_with_room(graph: Graph, words: Words, mode: Mode) -> OpenRows:
    """Lay out a graph for changes."""
    room = 0 if mode == DELETE else ROOM
    full = neighborhood_words(graph.starts, graph.neighbors, words, np.arange(graph.n_vertices))
    return open_rows(graph.starts, graph.neighbors, words, full, room)


def graph_of(rows: OpenRows, graph: Graph) -> Graph:
    """Return the graph of the rows."""
    return graph.with_edges(*edges_of_rows(rows))


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
    limits: SearchLimits | None = None,
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
    limits = limits or SearchLimits()
    until = time.monotonic() + limits.seconds
    best: LabeledResult | None = None
    given_up: NoSolutionError | None = None
    for level in range(labels.hierarchy.n_levels):
        left = max(until - time.monotonic(), 0.0) / (labels.hierarchy.n_levels - level)
        part, tried = SearchLimits(limits.max_loss, left), labels.at(level)
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
    """Return one value for each word above level 0 that is shown, dearest first."""
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
