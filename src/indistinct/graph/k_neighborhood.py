"""k-neighborhood anonymity: every neighborhood occurs at least k times, up to isomorphism."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from indistinct.core.arrays import Codes, Ints, Words
from indistinct.core.randomness import RandomSource
from indistinct.errors import NoSolutionError
from indistinct.graph.degree_sequence import ADD, DELETE, MIXED, Mode, check_k
from indistinct.graph.edges import Graph
from indistinct.graph.fingerprint_kernels import neighborhood_words
from indistinct.graph.fingerprints import Fingerprints, label_words, neighborhood_fingerprints
from indistinct.graph.k_degree import anonymize_degrees
from indistinct.graph.k_neighborhood_kernels import (
    edges_of_rows,
    improve,
    lay_out_with_room,
    quick_words,
    take_back,
)

ROOM = 16
# Edge changes between two looks at the clock.
STEPS = 50
# Searches from the beginning, with other candidates; the one with fewest changes is kept.
RESTARTS = 12


@final
@dataclass(frozen=True, slots=True)
class Limits:
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
    limits: Limits
    until: float


@final
@dataclass(slots=True, eq=False)
class Rows:
    """A graph under change, as the compiled search wants it."""

    begins: Ints
    ends: Ints
    neighbors: Codes
    supports: Codes
    quick: Words
    full: Words

    @property
    def edges(self) -> tuple[Ints, Ints, Codes, Codes]:
        """The part that holds the edges."""
        return self.begins, self.ends, self.neighbors, self.supports


def anonymize_neighborhoods(  # noqa: PLR0913 - each is a word of the command
    graph: Graph,
    k: int,
    mode: Mode,
    source: RandomSource,
    *,
    labels: Sequence[object] | None = None,
    limits: Limits | None = None,
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
    limits = limits or Limits()
    task = NeighborhoodTask(
        graph, k, mode, label_words(graph, labels), limits, time.monotonic() + limits.seconds
    )
    best, least = neighborhood_fingerprints(graph, labels), graph.n_vertices**2
    chosen = graph if best.level >= k else None
    state = source.words(1).copy()
    for start, way in beginnings(task, source) if chosen is None else ():
        # Once a solution is known, a better one is worth a part of the time only.
        part = limits.seconds if chosen is None else 0.05 * limits.seconds
        until = min(task.until, time.monotonic() + part)
        result = search(replace(task, mode=way, until=until), start, state)
        found = neighborhood_fingerprints(result, labels)
        changes = n_changes(graph, result)
        if found.level >= k and changes < least:
            chosen, least = result, changes
        best = max(best, found, key=lambda one: one.level)
    if chosen is None:
        raise gave_up(k, mode, best)
    return chosen


def n_changes(before: Graph, after: Graph) -> int:
    """Count edges that only one of two graphs has."""
    kept = int(np.count_nonzero(after.has_edges(*before.edges())))
    return before.n_edges + after.n_edges - 2 * kept


def gave_up(k: int, mode: Mode, best: Fingerprints) -> NoSolutionError:
    """Say how far the search came, and what may go further."""
    return NoSolutionError(
        f"neighborhoods reached the level {best.level}, not {k}, within the limits by '{mode}'; "
        f"{best.below(k)} vertices are in smaller classes",
        "Raise max_loss or time_limit, use the mode 'delete', or publish by the model 'grouping'.",
    )


def beginnings(task: NeighborhoodTask, source: RandomSource) -> Iterator[tuple[Graph, Mode]]:
    """Give graphs to search from and how, again and again while a quarter of the time is left."""
    graph = task.graph
    starts: list[tuple[Graph, Mode]] = [(graph, task.mode)]
    if task.mode != DELETE:
        with suppress(NoSolutionError):
            ready = anonymize_degrees(graph, task.k, task.mode, source).graph
            starts.insert(0, (ready, task.mode))
    if task.mode == MIXED:
        starts.insert(0, (graph, DELETE))
    for attempt in range(RESTARTS):
        if attempt >= len(starts) and time.monotonic() > task.until - 0.75 * task.limits.seconds:
            return
        yield starts[attempt % len(starts)]


def search(task: NeighborhoodTask, start: Graph, state: Words) -> Graph:
    """Search from one graph until it is anonymous or a limit is reached."""
    graph, mode = task.graph, task.mode
    rows = rows_with_room(start, task.words, mode)
    spent = 0
    allowed = int(task.limits.max_loss * graph.n_edges)
    small = 1
    while small and spent < allowed and time.monotonic() < task.until:
        steps = min(STEPS, allowed - spent)
        ways = mode != DELETE, mode != ADD
        given = start.starts, start.neighbors
        small, changes = improve(
            *given, *rows.edges, task.words, rows.quick, rows.full, task.k, *ways, steps, state
        )
        spent += changes
        if small and not changes and not ways[0]:
            break
        if small and changes < steps:
            rows = rows_with_room(graph_of(rows, graph), task.words, mode)
    if not small:
        restore(task, rows, state)
    return graph_of(rows, graph)


def restore(task: NeighborhoodTask, rows: Rows, state: Words) -> None:
    """Take back changes that were not needed after all, until none is left."""
    before, after = task.graph, graph_of(rows, task.graph)
    for sign, one, other in ((1, before, after), (-1, after, before)):
        sources, targets = one.edges()
        changed = ~other.has_edges(sources, targets)
        order = np.random.default_rng(state).permutation(int(np.count_nonzero(changed)))
        sources, targets = sources[changed][order], targets[changed][order]
        done = True
        while done and time.monotonic() < task.until:
            ends = sources, targets
            done = take_back(*rows.edges, task.words, rows.full, task.k, *ends, sign)
            lasting = graph_of(rows, task.graph).has_edges(sources, targets) == (sign < 0)
            sources, targets = sources[lasting], targets[lasting]


def rows_with_room(graph: Graph, words: Words, mode: Mode) -> Rows:
    """Lay out a graph for changes."""
    room = 0 if mode == DELETE else ROOM
    begins, ends, neighbors, supports = lay_out_with_room(graph.starts, graph.neighbors, room)
    quick = quick_words(begins, ends, neighbors, supports, words)
    full = neighborhood_words(graph.starts, graph.neighbors, words, np.arange(graph.n_vertices))
    return Rows(begins, ends, neighbors, supports, quick, full)


def graph_of(rows: Rows, graph: Graph) -> Graph:
    """Give the graph of the rows."""
    return graph.with_edges(*edges_of_rows(rows.begins, rows.ends, rows.neighbors))
