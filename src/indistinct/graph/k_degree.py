"""k-degree anonymity: every degree occurs at least k times."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from indistinct.core.arrays import Bools, Codes, Ints, Words
from indistinct.core.randomness import RandomSource
from indistinct.errors import NoSolutionError
from indistinct.graph.degree_sequence import (
    ADD,
    MIXED,
    DegreeTargets,
    Mode,
    by_degree,
    check_k,
    targets_for,
)
from indistinct.graph.degree_sequence_kernels import count_values
from indistinct.graph.edges import Graph
from indistinct.graph.k_degree_kernels import (
    changed_edges,
    detour_down,
    detour_up,
    force_down,
    force_up,
    hand_over,
    join_needy,
    lean_down,
    lean_up,
    part_needy,
    swap_ends,
)

# Small graphs are tried with other orders of equal degrees while a fewer changes seem possible.
SMALL = 20_000
ATTEMPTS = 12
PROBES = 60


@final
@dataclass(frozen=True, slots=True, eq=False)
class DegreeResult:
    """A k-degree anonymous graph on the input's vertices, and what it cost.

    Parameters
    ----------
    graph : the changed graph
    cost : least sum of degree changes of any sequence in which every degree occurs k times
    lower_bound : least number of edges that must change
    probes : rounds of probing it took; 0 when the first targets could be realized
    """

    graph: Graph
    cost: int
    lower_bound: int
    probes: int = 0


@final
@dataclass(frozen=True, slots=True, eq=False)
class DegreeTask:
    """What is to be done to which graph; see :func:`anonymize_degrees`."""

    graph: Graph
    k: int
    mode: Mode
    greedy: bool = False

    def targets(self, way: Mode, ties: Ints | None = None) -> DegreeTargets:
        """Choose target degrees; ``way`` may be narrower than the mode."""
        order = by_degree(self.graph.degrees, ties)
        return targets_for(self.graph.degrees, self.k, way, order, greedy=self.greedy)


@final
@dataclass(slots=True, eq=False)
class Changes:
    """The edge changes of one attempt, as compiled loops write them."""

    need: Ints
    targets: Ints
    counts: Codes
    removed: Bools
    head: Codes
    follow: Codes
    ends: Codes
    added: Ints

    @property
    def settled(self) -> bool:
        """Tell whether every vertex has its target degree."""
        return not self.need.any()

    @property
    def size(self) -> int:
        """Edges added and removed."""
        return int(self.added[0]) + int(np.count_nonzero(self.removed)) // 2


def anonymize_degrees(
    graph: Graph, k: int, mode: Mode, source: RandomSource, *, greedy: bool = False
) -> DegreeResult:
    """Change few edges so that every degree occurs at least k times.

    Parameters
    ----------
    graph : the input
    k : 2 <= k <= n_vertices
    mode : ``add`` only adds edges, ``delete`` only removes, ``mixed`` does both
    source : where ties and partners are drawn from
    greedy : choose the target degrees greedily

    Raises
    ------
    ParameterError : k is out of range
    NoSolutionError : the mode does not reach k within its limits

    Notes
    -----
    Optimal target degrees; vertices that need edges are joined with each other (SuperGraph);
    what is left over leans on large classes of low degree, whose members can move to the next
    class, and else on the three edge operations of casasroma2017. O(n_vertices + n_edges) and the
    number of changes in practice.

    Source: liu2008, sections 4 and 5; casasroma2017, section 4.
    """
    check_k(graph.n_vertices, k)
    task = DegreeTask(graph, k, mode, greedy)
    state = source.words(1).copy()
    first = task.targets(mode)
    best: Graph | None = None
    least = graph.n_vertices**2
    for targets, leaning in attempts(task, state, first):
        changes = realize(task, targets, state, leaning=leaning)
        if changes.settled and changes.size < least:
            least, best = changes.size, changed(graph, changes)
        if least <= first.lower_bound:
            break
    if best is None:
        return probe(task, state, first)
    return DegreeResult(best, first.cost, first.lower_bound)


def attempts(
    task: DegreeTask, state: Words, first: DegreeTargets
) -> Iterator[tuple[DegreeTargets, bool]]:
    """Give targets to try, with and without leaning on large classes.

    Notes
    -----
    Where edges may be added and removed, targets that only add are tried too: they cost more
    units, but units that need an edge are settled in pairs.
    """
    yield first, True
    modes: tuple[Mode, ...] = (task.mode,)
    if task.mode == MIXED:
        modes = (MIXED, ADD)
        yield first, False
        yield task.targets(ADD), True
    for attempt in range(ATTEMPTS if task.graph.n_edges <= SMALL else 0):
        ties = np.random.default_rng(state).permutation(task.graph.n_vertices)
        state += np.uint64(1)
        yield task.targets(modes[attempt // 2 % len(modes)], ties), attempt % 2 == 0


def begin(graph: Graph, targets: DegreeTargets) -> Changes:
    """Set up the changes of one attempt: none yet."""
    need = targets.targets - graph.degrees
    # Each unit of need ends in at most two added edges, here counted by their ends.
    capacity = 4 * int(np.abs(need).sum()) + 4
    return Changes(
        need,
        targets.targets.copy(),
        count_values(targets.targets, graph.n_vertices + 2),
        np.zeros(len(graph.neighbors), np.bool_),
        np.full(graph.n_vertices, -1, np.int32),
        np.empty(capacity, np.int32),
        np.empty(capacity, np.int32),
        np.zeros(1, np.int64),
    )


def realize(task: DegreeTask, targets: DegreeTargets, state: Words, *, leaning: bool) -> Changes:
    """Bring every vertex to its target, or as near as the mode allows."""
    graph = task.graph
    changes = begin(graph, targets)
    rows = graph.starts, graph.neighbors
    additions = changes.head, changes.follow, changes.ends, changes.added
    join_needy(*rows, *no_edges(graph.n_vertices), changes.need, *additions)
    part_needy(*rows, changes.need, changes.removed)
    if task.mode == MIXED:
        hand_over(*rows, changes.need, changes.removed, *additions, state)
    classes = changes.targets, changes.counts, task.k
    if leaning:
        lean_up(*rows, changes.need, *classes, *additions, state)
        lean_down(*rows, changes.need, *classes, changes.removed, state)
    if task.mode == MIXED and not changes.settled:
        owners = np.repeat(np.arange(graph.n_vertices, dtype=np.int32), graph.degrees)
        detour_up(*rows, changes.need, changes.removed, *additions, owners, state)
        detour_down(*rows, changes.need, changes.removed, *additions, state)
    return changes


def no_edges(n_vertices: int) -> tuple[Ints, Codes]:
    """Give the rows of a graph without edges."""
    return np.zeros(n_vertices + 1, np.int64), np.empty(0, np.int32)


def construct(targets: Ints, like: Graph | None = None) -> Graph:
    """Make a graph with the given degrees, out of the edges of another where possible.

    Parameters
    ----------
    targets : (n_vertices,), degree of each vertex
    like : a graph on the same vertices whose edges come first (Priority); none for ConstructGraph

    Raises
    ------
    NoSolutionError : no simple graph was found; without ``like`` none exists

    Notes
    -----
    Source: liu2008, sections 5.1 and 5.3.
    """
    need = targets.copy()
    size = len(need)
    liked = no_edges(size) if like is None else (like.starts, like.neighbors)
    head = np.full(size, -1, np.int32)
    ends = np.empty(int(need.sum()) + 2, np.int32)
    added = np.zeros(1, np.int64)
    join_needy(*no_edges(size), *liked, need, head, np.empty_like(ends), ends, added)
    if need.any():
        raise NoSolutionError(
            "no graph with these degrees was found",
            "Check the sum and the largest degree, or realize them by repair.",
        )
    used = ends[: 2 * int(added[0])]
    empty = Graph(*no_edges(size))
    return empty.with_edges(used[1::2].copy(), used[::2].copy())


def swap_towards(graph: Graph, like: Graph, source: RandomSource, rounds: int = 20) -> Graph:
    """Swap ends of edges so that more of them are edges of another graph; degrees stay.

    Parameters
    ----------
    graph : the graph to change
    like : a graph on the same vertices
    source : where the pairs of edges are drawn from
    rounds : tries per edge

    Notes
    -----
    GreedySwap of liu2008, section 5.4, one pair of edges at a time.
    """
    sources, targets = (ends.copy() for ends in graph.edges())
    state = source.words(1).copy()
    swap_ends(sources, targets, like.starts, like.neighbors, rounds * len(sources), state)
    return graph.with_edges(sources, targets)


def changed(graph: Graph, changes: Changes) -> Graph:
    """Give the graph after the changes."""
    if not changes.size:
        return graph
    return graph.with_edges(
        *changed_edges(
            graph.starts, graph.neighbors, changes.removed, changes.ends, int(changes.added[0])
        )
    )


def probe(task: DegreeTask, state: Words, first: DegreeTargets) -> DegreeResult:
    """Settle what is stuck with vertices of low degree, choose new targets, and try again.

    Raises
    ------
    NoSolutionError : it was still stuck after the last attempt

    Notes
    -----
    Probing of liu2008, section 5.1, with the noise where the need is: each round leaves the graph
    denser (or sparser), and the complete (or empty) graph is anonymous.
    """
    chance = np.random.default_rng(state)
    for attempt in range(1, PROBES + 1):
        ties = chance.permutation(task.graph.n_vertices)
        changes = realize(task, task.targets(task.mode, ties), state, leaning=True)
        settled = changes.settled
        if not settled:
            force(task.graph, changes, by_degree(task.graph.degrees, ties))
        task = replace(task, graph=changed(task.graph, changes))
        if settled:
            return DegreeResult(task.graph, first.cost, first.lower_bound, attempt)
    raise NoSolutionError(
        f"no graph was found in which every degree occurs {task.k} times by '{task.mode}'",
        "Use the mode 'mixed' or a smaller k.",
    )


def force(graph: Graph, changes: Changes, order: Ints) -> None:
    """Settle what is left over with the vertices of least degree."""
    rows = graph.starts, graph.neighbors
    additions = changes.head, changes.follow, changes.ends, changes.added
    low = order[::-1][: max(2, graph.n_vertices // 2)].copy()
    force_up(*rows, changes.need, low, *additions)
    force_up(*rows, changes.need, order[::-1].copy(), *additions)
    force_down(*rows, changes.need, changes.removed)
