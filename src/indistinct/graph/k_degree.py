"""k-degree anonymity: every degree occurs at least k times."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, cast, final, get_args

import numpy as np

from indistinct.base.arrays import Ints, Words
from indistinct.base.randomness import RandomSource
from indistinct.errors import NoSolutionError, ParameterError
from indistinct.graph.construction import construct, no_changes, no_edges, swap_towards
from indistinct.graph.degree_sequence import (
    ADD,
    DELETE,
    MIXED,
    DegreeTargets,
    Mode,
    by_degree,
    cheapest_cost,
    check_k,
    targets_for,
)
from indistinct.graph.edges import Graph
from indistinct.graph.k_degree_kernels import (
    Changes,
    changed_edges,
    detour_down,
    detour_up,
    force_up,
    hand_over,
    join_needy,
    lean_down,
    lean_up,
    part_needy,
)

Realization = Literal["repair", "supergraph", "probing", "construct", "priority"]

# Small graphs are tried with other orders of equal degrees while a fewer changes seem possible.
SMALL = 20_000
ATTEMPTS = 12
# Probing is repeated, since each run adds other noise; the rounds of all runs together are bounded.
PROBES = 24
ROUNDS = 600
# Partners of that many different degrees are tried for each edge.
TRIES = 12


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


def anonymize_degrees(  # noqa: PLR0913 - each is a word of the command
    graph: Graph,
    k: int,
    mode: Mode,
    source: RandomSource,
    *,
    greedy: bool = False,
    realization: Realization = "repair",
) -> DegreeResult:
    """Change few edges so that every degree occurs at least k times.

    Parameters
    ----------
    graph : the input
    k : 2 <= k <= n_vertices
    mode : ``add`` only adds edges, ``delete`` only removes, ``mixed`` does both
    source : where ties and partners are drawn from
    greedy : choose the target degrees greedily
    realization : how edges are found for the target degrees. ``repair`` changes the graph's own
        edges and always ends; ``supergraph`` only joins vertices that need edges, or refuses;
        ``probing`` does the same and adds noise where it is stuck; ``construct`` lays all edges
        anew and ``priority`` takes the graph's edges first, both then swap towards the graph

    Raises
    ------
    ParameterError : k is out of range, the realization is unknown or cannot keep to the mode
    NoSolutionError : the realization found no graph

    Notes
    -----
    Optimal target degrees; vertices that need edges are joined with each other (SuperGraph);
    what is left over leans on large classes of low degree, whose members can move to the next
    class, and else on the three edge operations of casasroma2017. O(n_vertices + n_edges) and the
    number of changes in practice.

    Source: liu2008, sections 4 and 5; casasroma2017, section 4.
    """
    check_k(graph.n_vertices, k)
    check_realization(realization, mode)
    state = source.words(1).copy()
    if realization == "repair":
        return repair(DegreeTask(graph, k, mode, greedy), state)
    if realization in {"supergraph", "probing"}:
        return extend(DegreeTask(graph, k, ADD, greedy), state, probing=realization == "probing")
    return lay_anew(DegreeTask(graph, k, MIXED, greedy), source, liking=realization == "priority")


def check_realization(realization: str, mode: Mode) -> None:
    """Raise a :class:`ParameterError` unless the word is known and can keep to the mode."""
    if realization not in get_args(Realization):
        known = ", ".join(get_args(Realization))
        raise ParameterError("the realization is unknown", f"Known realizations: {known}.")
    able = {"supergraph": {ADD, MIXED}, "probing": {ADD, MIXED}}.get(realization, {MIXED})
    if realization != "repair" and mode not in able:
        raise ParameterError(
            f"'{realization}' cannot keep to the mode '{mode}'",
            "Use the mode 'mixed' or the realization 'repair'.",
        )


def repair(task: DegreeTask, state: Words) -> DegreeResult:
    """Change the graph's own edges until every vertex has its target degree."""
    graph, mode = task.graph, task.mode
    first = task.targets(mode)
    best: Graph | None = None
    # More changes than a graph has pairs of vertices.
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


def extend(task: DegreeTask, state: Words, *, probing: bool) -> DegreeResult:
    """Only join vertices that need edges; where that is stuck, probe or refuse.

    Source: liu2008, section 5.1, Supergraph and Probing.
    """
    first = task.targets(ADD)
    chance = np.random.default_rng(state)
    left = first.even_cost
    for attempt in range(ATTEMPTS):
        ties = chance.permutation(task.graph.n_vertices) if attempt else None
        changes = realize(task, task.targets(ADD, ties), state, leaning=False)
        if changes.settled:
            return DegreeResult(changed(task.graph, changes), first.cost, first.lower_bound)
        left = min(left, int(changes.need.sum()))
    if probing:
        return probe(task, state, first)
    raise NoSolutionError(
        f"{left} of {first.even_cost} ends of edges found no partner",
        "Use the realization 'probing' or 'repair', or the mode 'mixed'.",
    )


def lay_anew(task: DegreeTask, source: RandomSource, *, liking: bool) -> DegreeResult:
    """Make a graph of the target degrees, and swap edges towards the one that is there.

    Source: liu2008, sections 5.3 and 5.4, Priority, and Simultaneous_Swap.
    """
    first = task.targets(MIXED)
    laid = construct(first.targets, task.graph if liking else None)
    return DegreeResult(swap_towards(laid, task.graph, source), first.cost, first.lower_bound)


def attempts(
    task: DegreeTask, state: Words, first: DegreeTargets
) -> Iterator[tuple[DegreeTargets, bool]]:
    """Yield targets to try, with and without leaning on large classes.

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
        # The state is the seed here, and an attempt need not advance it by drawing from it.
        state += np.uint64(1)
        yield task.targets(modes[attempt // 2 % len(modes)], ties), attempt % 2 == 0


def realize(task: DegreeTask, targets: DegreeTargets, state: Words, *, leaning: bool) -> Changes:
    """Return changes that bring every vertex to its target, or as near as the mode allows."""
    graph = task.graph
    changes = no_changes(graph, targets.targets)
    # Steps with nothing to do are not called: most graphs need few of them, and each is compiled
    # when it is called for the first time.
    if len(changes.needy):
        join_needy(changes, *no_edges(graph.n_vertices))
    if len(surplus := changes.surplus):
        most_first = surplus[np.argsort(changes.need[surplus], kind="stable")]
        part_needy(changes, most_first)
    if task.mode == MIXED and len(needy := changes.needy) and len(surplus := changes.surplus):
        hand_over(changes, needy, surplus, state)
    if leaning and len(needy := changes.needy):
        lean_up(changes, needy, task.k, state)
    if leaning and len(surplus := changes.surplus):
        lean_down(changes, surplus, task.k, state)
    if task.mode == MIXED and len(needy := changes.needy):
        owners = np.repeat(np.arange(graph.n_vertices, dtype=np.int32), graph.degrees)
        detour_up(changes, needy, owners, state)
    if task.mode == MIXED and len(surplus := changes.surplus):
        detour_down(changes, surplus, state)
    return changes


def changed(graph: Graph, changes: Changes) -> Graph:
    """Return the graph after the changes."""
    if not changes.size:
        return graph
    return graph.with_edges(*changed_edges(changes))


def probe(task: DegreeTask, state: Words, first: DegreeTargets) -> DegreeResult:
    """Probe until the graph is anonymous, several times, and keep the fewest changes.

    Notes
    -----
    Later rounds stop where the whole would take more than ``ROUNDS``; the first always ends.

    Source: liu2008, section 5.1, with the noise where the need is.
    """
    chance = np.random.default_rng(state)
    best, least, spent = None, task.graph.n_vertices**2, 0
    for _ in range(PROBES):
        found, rounds = settle(task, state, chance, None if best is None else ROUNDS - spent)
        spent += rounds
        size = least if found is None else abs(found.n_edges - task.graph.n_edges)
        if found is not None and (best is None or size < least):
            best, least = DegreeResult(found, first.cost, first.lower_bound, rounds), size
        if spent >= ROUNDS:
            break
    return cast("DegreeResult", best)


def settle(
    task: DegreeTask, state: Words, chance: np.random.Generator, rounds: int | None
) -> tuple[Graph | None, int]:
    """Settle what is stuck whatever that does to others, choose new targets, and try again.

    Parameters
    ----------
    task : what is to be done
    state, chance : where ties and partners are drawn from
    rounds : when to give up; None for never

    Returns
    -------
    graph : anonymous, or None
    rounds : how many it took

    Notes
    -----
    Ends: each round adds (or removes) an edge, and the complete (or empty) graph is anonymous.
    """
    done = 0
    while rounds is None or done < rounds:
        done += 1
        ties = chance.permutation(task.graph.n_vertices)
        changes = realize(task, task.targets(task.mode, ties), state, leaning=True)
        if changes.settled:
            return changed(task.graph, changes), done
        if task.mode == DELETE:
            part_with = changed(task.graph, changes)
            task = replace(task, graph=part(part_with, changes.need, task.k, chance))
        else:
            force(changes, by_degree(task.graph.degrees, ties))
            task = replace(task, graph=changed(task.graph, changes))
    return None, done


def force(changes: Changes, order: Ints) -> None:
    """Join what is left over with the vertices of least degree."""
    # The lower half first: classes of low degree are mostly large, and can give a vertex away.
    low = order[::-1][: max(2, len(order) // 2)].copy()
    for some in (low, order[::-1].copy()):
        if len(changes.needy):
            force_up(changes, changes.needy, some)


def part(graph: Graph, need: Ints, k: int, chance: np.random.Generator) -> Graph:
    """Remove an edge from each vertex with a surplus, whatever that does to the other end.

    Parameters
    ----------
    graph : the graph so far
    need : (n_vertices,), below 0 for a surplus, for at least one of them
    k : least occurrences of a degree
    chance : where partners are drawn from

    Notes
    -----
    The other end is one after whose loss the cheapest anonymous degrees are cheapest.
    """
    degrees = graph.degrees.copy()
    gone: list[tuple[int, int]] = []
    for vertex in chance.permutation(np.flatnonzero(need < 0)).tolist():
        used = [one + other - vertex for one, other in gone if vertex in {one, other}]
        able = np.setdiff1d(graph.row(vertex).astype(np.int64), np.array(used, np.int64))
        if len(able):
            partner = best_partner(able, vertex, degrees, k, chance)
            gone.append((vertex, partner))
            degrees[[vertex, partner]] -= 1
    ends = np.array(gone, np.int32).reshape(-1, 2)
    sources, targets = graph.edges()
    lost = graph.with_edges(ends[:, 0].copy(), ends[:, 1].copy()).has_edges(sources, targets)
    return graph.with_edges(sources[~lost], targets[~lost])


def best_partner(
    able: Ints, vertex: int, degrees: Ints, k: int, chance: np.random.Generator
) -> int:
    """Choose, among neighbors, one of the degree whose loss costs least."""
    able = chance.permutation(able)
    choices = able[np.unique(degrees[able], return_index=True)[1]]
    choices = chance.permutation(choices)[:TRIES]
    costs: list[int] = []
    for partner in choices.tolist():
        after = degrees.copy()
        after[[vertex, partner]] -= 1
        costs.append(cheapest_cost(after, k, DELETE))
    return int(choices[int(np.argmin(costs))])
