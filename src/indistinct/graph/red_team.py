"""Use case: attack one's own release, by the same steps as a real one, and count what is found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, final, get_args

import numpy as np

from indistinct.core.arrays import Bools, Ints
from indistinct.core.randomness import RandomSource
from indistinct.errors import ParameterError
from indistinct.graph.anonymization import Model, Request, change, check_model, shifted
from indistinct.graph.degree_sequence import MIXED, Mode
from indistinct.graph.edges import Graph, from_pairs
from indistinct.graph.fingerprint_kernels import refine
from indistinct.graph.reading import as_graph
from indistinct.graph.red_team_kernels import find_planted
from indistinct.graph.release import relabel

Attack = Literal["walk", "passive", "degree", "refinement", "collusion"]

BUDGET = 5_000_000
LEAST_DEGREE, MOST_DEGREE = 10, 20
DEGREE_SLACK, EDGE_SLACK = 2, 2


@final
@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """What the attacker keeps: degrees and links of the own vertices, and whom each set names.

    Parameters
    ----------
    vertices : (size,), own vertices in the input
    degrees : (size,)
    pattern : (size, size), links among them
    parents : (size,), an earlier one each is linked to
    targets : who is to be found, by the set of own vertices linked to each
    """

    vertices: Ints
    degrees: Ints
    pattern: Bools
    parents: Ints
    targets: dict[tuple[int, ...], int]


@final
@dataclass(frozen=True, slots=True)
class Finding:
    """What one trial found: the own vertices, exactly or not; shares of targets and of links."""

    exact: bool
    tolerant: bool
    targets: float
    links: float
    visited: int


def attack(  # noqa: PLR0913 - each is a word of the command
    graph: object,
    attack: Attack = "walk",
    *,
    model: Model = "naive",
    k: int | None = None,
    mode: Mode = MIXED,
    share: float = 0.05,
    trials: int = 20,
    size: int | None = None,
    rounds: int = 2,
    seed: int | None = None,
) -> dict[str, Any]:
    """Publish a graph as a model would, attack the release, and count what is found.

    Parameters
    ----------
    graph : one's own graph, a networkx graph, or a path
    attack : ``walk`` plants vertices before the release; ``passive`` lets vertices that are there
        collude; ``degree`` and ``refinement`` know degrees or ``H_i`` of everybody; ``collusion``
        knows the contact lists of some vertices
    model, k, mode, share : how the graph is released, see
        :func:`~indistinct.graph.anonymization.anonymize`
    trials : releases to attack, at least 1
    size : planted or colluding vertices; default 10 for walk, 4 for passive, 2 for collusion
    rounds : i of ``H_i`` for refinement
    seed : repeats the run

    Returns
    -------
    ``attempts``, ``successes``, ``rate``, ``interval`` (Wilson, 95 %), and more by attack

    Raises
    ------
    ParameterError : a word or number is out of range

    Notes
    -----
    The search that tolerates errors allows each degree to be off by 2 and two links to be wrong.

    Source: backstrom2007, sections 2 and 4; hay2008, section 3; mauw2018.
    """
    given = as_graph(graph)
    if attack not in get_args(Attack):
        known = ", ".join(get_args(Attack))
        raise ParameterError("the attack is unknown", f"Known attacks: {known}.")
    if trials < 1 or (size is not None and size < 2):  # noqa: PLR2004 - one vertex has no links
        raise ParameterError("trials must be at least 1, and size 2", "Raise them.")
    request = Request(
        check_model(model, k, mode, seed), k, mode, share, time_limit=60.0, max_loss=1.0
    )
    base = 0 if seed is None else seed
    sources = [
        RandomSource(None if seed is None else base * 1_000_003 + trial) for trial in range(trials)
    ]
    match attack:
        case "walk":
            found = [plant_and_find(given, request, size or 10, source) for source in sources]
            return planted_document(found)
        case "passive":
            found = [collude_and_find(given, request, size or 4, source) for source in sources]
            return planted_document(found)
        case "degree":
            return known_document([know(given, request, 1, source) for source in sources])
        case "refinement":
            return known_document([know(given, request, rounds, source) for source in sources])
        case "collusion":
            return known_document([share_lists(given, request, size or 2, s) for s in sources])


def publish(graph: Graph, request: Request, source: RandomSource) -> tuple[Graph, Ints]:
    """Release a graph as :func:`anonymize` does; give it and who is behind each new number."""
    return relabel(change(graph, request, source).graph, shifted(source))


def wilson(successes: float, attempts: int) -> list[float]:
    """Give the 95 % interval of a rate.

    Source: wilson1927.
    """
    z = 1.959963984540054
    rate = successes / attempts
    middle = (rate + z * z / (2 * attempts)) / (1 + z * z / attempts)
    spread = rate * (1 - rate) / attempts + z * z / (4 * attempts * attempts)
    half = z * math.sqrt(spread) / (1 + z * z / attempts)
    return [
        max(middle - half, 0.0) if successes else 0.0,
        min(middle + half, 1.0) if successes < attempts else 1.0,
    ]


def planted_document(found: Sequence[Finding]) -> dict[str, Any]:
    """Sum up trials of a search for own vertices."""
    attempts = len(found)
    exact = sum(one.exact for one in found)
    tolerant = sum(one.tolerant for one in found)
    return {
        "attempts": attempts,
        "successes": exact,
        "rate": exact / attempts,
        "interval": wilson(exact, attempts),
        "tolerant": {
            "successes": tolerant,
            "rate": tolerant / attempts,
            "interval": wilson(tolerant, attempts),
        },
        "targets_named": float(np.mean([one.targets for one in found])),
        "links_disclosed": float(np.mean([one.links for one in found])),
        "vertices_visited": float(np.mean([one.visited for one in found])),
    }


def known_document(found: Sequence[dict[str, float]]) -> dict[str, Any]:
    """Sum up trials of an attacker who knows something of everybody."""
    attempts = int(sum(one["attempts"] for one in found))
    successes = sum(one["successes"] for one in found)
    rest = {key for one in found for key in one} - {"attempts", "successes"}
    return {
        "attempts": attempts,
        "successes": successes,
        "rate": successes / attempts if attempts else 0.0,
        "interval": wilson(successes, attempts) if attempts else [0.0, 1.0],
        **{key: float(np.mean([one[key] for one in found])) for key in sorted(rest)},
    }


def plant(graph: Graph, size: int, chance: np.random.Generator) -> tuple[Graph, Memory]:
    """Add own vertices, link them to targets and to others, and remember it.

    Raises
    ------
    ParameterError : the graph has too few vertices to hide among

    Notes
    -----
    Each target is linked to its own set of 2 or 3 own vertices and everybody else to at most one,
    so that found vertices name every target.
    """
    n_vertices = graph.n_vertices
    if n_vertices < MOST_DEGREE * size:
        raise ParameterError(
            f"{size} planted vertices need a graph of {MOST_DEGREE * size} vertices",
            "Set a smaller size.",
        )
    others = iter(chance.permutation(n_vertices).tolist())
    own = np.arange(n_vertices, n_vertices + size)
    pattern = draw_pattern(size, chance)
    sets = draw_sets(size, chance)
    targets = {chosen: next(others) for chosen in sets}
    links = [(n_vertices + i, target) for chosen, target in targets.items() for i in chosen]
    outside = np.bincount([i for chosen in sets for i in chosen], minlength=size)
    wanted = chance.integers(LEAST_DEGREE, MOST_DEGREE + 1, size)
    for index in range(size):
        missing = max(int(wanted[index] - outside[index]), 0)
        links += [(n_vertices + index, next(others)) for _ in range(missing)]
        outside[index] += missing
    inner = [
        (n_vertices + i, n_vertices + j) for i, j in zip(*np.nonzero(np.triu(pattern)), strict=True)
    ]
    old = np.column_stack(graph.edges()).astype(np.int64)
    pairs = np.concatenate([old, np.array(links + inner, np.int64)])
    planted = from_pairs(pairs, n_vertices + size)
    parents = np.arange(-1, size - 1)
    memory = Memory(own, outside + pattern.sum(axis=1), pattern, parents, targets)
    return planted, memory


def draw_pattern(size: int, chance: np.random.Generator) -> Bools:
    """Draw links among own vertices: a path, and every other pair with chance 1/2."""
    pattern = np.triu(chance.random((size, size)) < 0.5, 2)  # noqa: PLR2004 - a fair coin
    pattern |= np.eye(size, k=1, dtype=np.bool_)
    return pattern | pattern.T


def draw_sets(size: int, chance: np.random.Generator) -> list[tuple[int, ...]]:
    """Draw as many distinct sets of 2 or 3 own vertices as there are own vertices, or fewer."""
    sets: dict[tuple[int, ...], None] = {}
    for _ in range(20 * size):
        count = min(int(chance.integers(2, 4)), size)
        sets[tuple(sorted(chance.choice(size, count, replace=False).tolist()))] = None
        if len(sets) == size:
            break
    return list(sets)


def plant_and_find(graph: Graph, request: Request, size: int, source: RandomSource) -> Finding:
    """Plant, release, search."""
    chance = np.random.default_rng(source.words(4))
    planted, memory = plant(graph, size, chance)
    return find(*publish(planted, request, source), memory, planted)


def collude_and_find(graph: Graph, request: Request, size: int, source: RandomSource) -> Finding:
    """Let a vertex and some of its neighbors look for themselves."""
    chance = np.random.default_rng(source.words(4))
    able = np.flatnonzero(graph.degrees >= size - 1)
    if not len(able):
        raise ParameterError(f"nobody has {size - 1} neighbors", "Set a smaller size.")
    first = int(chance.choice(able))
    own = np.concatenate([[first], chance.choice(graph.row(first), size - 1, replace=False)])
    own = own.astype(np.int64)
    pattern = np.array(
        [[other in set(graph.row(int(one)).tolist()) for other in own.tolist()] for one in own]
    )
    memory = Memory(
        own, graph.degrees[own], pattern, np.zeros(size, np.int64), named_sets(graph, own)
    )
    return find(*publish(graph, request, source), memory, graph)


def named_sets(graph: Graph, own: Ints) -> dict[tuple[int, ...], int]:
    """Give the neighbors of own vertices whose set of own neighbors nobody else has."""
    sets: dict[tuple[int, ...], list[int]] = {}
    for other, chosen in linked_sets(graph, own).items():
        sets.setdefault(chosen, []).append(other)
    return {chosen: others[0] for chosen, others in sets.items() if len(others) == 1}


def linked_sets(graph: Graph, own: Ints) -> dict[int, tuple[int, ...]]:
    """Give the positions of own vertices each other vertex is linked to."""
    sets: dict[int, list[int]] = {}
    for index, vertex in enumerate(own.tolist()):
        for other in graph.row(vertex).tolist():
            sets.setdefault(other, []).append(index)
    inside = set(own.tolist())
    return {other: tuple(chosen) for other, chosen in sets.items() if other not in inside}


def find(released: Graph, order: Ints, memory: Memory, before: Graph) -> Finding:
    """Search a release exactly and tolerantly, and compare what is found with the truth."""
    givens = released.starts, released.neighbors, released.degrees
    wanted = memory.degrees, memory.pattern, memory.parents
    best, error, second, visited = find_planted(*givens, *wanted, 0, 0, BUDGET)
    truth = memory.vertices
    exact = error == 0 and second != 0 and bool((order[best] == truth).all())
    tolerant = exact
    if not exact:
        best, error, second, _ = find_planted(*givens, *wanted, DEGREE_SLACK, EDGE_SLACK, BUDGET)
        tolerant = error >= 0 and second != error and bool((order[best] == truth).all())
    targets, links = (0.0, 0.0) if not tolerant else named(released, order, memory, before, best)
    return Finding(exact, tolerant, targets, links, visited)


def named(
    released: Graph, order: Ints, memory: Memory, before: Graph, best: Ints
) -> tuple[float, float]:
    """Give the shares of targets that are named, and of links between targets that are told."""
    places: dict[tuple[int, ...], list[int]] = {}
    for other, chosen in linked_sets(released, best).items():
        places.setdefault(chosen, []).append(other)
    right = [
        target
        for chosen, target in memory.targets.items()
        if len(places.get(chosen, [])) == 1 and order[places[chosen][0]] == target
    ]
    wanted = set(memory.targets.values())
    rows = {target: set(before.row(target).tolist()) & wanted for target in wanted}
    links = sum(len(others) for others in rows.values())
    told = sum(len(rows[target] & set(right)) for target in right)
    return len(right) / max(len(wanted), 1), told / links if links else 0.0


def know(graph: Graph, request: Request, rounds: int, source: RandomSource) -> dict[str, float]:
    """Look for everybody by ``H_i``: a candidate is whoever has the same value in the release.

    Notes
    -----
    Both graphs are colored as one, so equal values have equal colors. A target is named with
    chance 1 / candidates when it is among them.
    """
    released, order = publish(graph, request, source)
    size = graph.n_vertices
    both = from_pairs(
        np.concatenate(
            [np.column_stack(graph.edges()), np.column_stack(released.edges()) + size]
        ).astype(np.int64),
        2 * size,
    )
    colors, n_colors = np.zeros(2 * size, np.int32), 1
    for _ in range(rounds):
        colors, n_colors = refine(both.starts, both.neighbors, colors, n_colors)
    counts = np.bincount(colors[size:], minlength=n_colors)
    place = np.argsort(order)
    right = colors[:size] == colors[size:][place]
    candidates = counts[colors[:size]]
    return {
        "attempts": size,
        "successes": float((right / np.maximum(candidates, 1)).sum()),
        "named": float((right & (candidates == 1)).mean()) if size else 0.0,
        "without_candidates": float((candidates == 0).mean()) if size else 0.0,
    }


def share_lists(
    graph: Graph, request: Request, size: int, source: RandomSource
) -> dict[str, float]:
    """Let identified vertices put their contact lists together and look for their contacts."""
    released, order = publish(graph, request, source)
    chance = np.random.default_rng(source.words(4))
    seeds = chance.choice(graph.n_vertices, min(size, graph.n_vertices), replace=False)
    place = np.argsort(order)
    found = collusion_candidates(graph, released, place, seeds.tolist())
    right = [place[x] in candidates for x, candidates in found.items()]
    chances = [hit / len(c) if c else 0.0 for hit, c in zip(right, found.values(), strict=True)]
    single = {x: next(iter(c)) for x, c in found.items() if len(c) == 1}
    edges = disclosed_edges(released, sorted(single.values()))
    return {
        "attempts": len(found),
        "successes": float(sum(chances)),
        "named": float(sum(single[x] == place[x] for x in single)),
        "edges_disclosed": float(len(edges)),
    }


def collusion_candidates(
    graph: Graph, released: Graph, place: Ints, seeds: Sequence[int]
) -> dict[int, set[int]]:
    """Give the candidates in a release for each contact of identified vertices.

    Parameters
    ----------
    graph : the input, whose contact lists of ``seeds`` are known
    released : the release
    place : (n_vertices,), number of each input vertex in the release; used for ``seeds`` only
    seeds : vertices that know themselves in the release

    Notes
    -----
    A candidate of x is linked to just those seeds that x is linked to.
    """
    lists = {seed: set(graph.row(seed).tolist()) for seed in seeds}
    rows = {seed: set(released.row(int(place[seed])).tolist()) for seed in seeds}
    own = {int(place[seed]) for seed in seeds}
    contacts = {contact for one in lists.values() for contact in one} - set(seeds)
    found: dict[int, set[int]] = {}
    for contact in sorted(contacts):
        knowing = [rows[seed] for seed in seeds if contact in lists[seed]]
        others = [rows[seed] for seed in seeds if contact not in lists[seed]]
        candidates = knowing[0].difference(own, *others)
        found[contact] = candidates.intersection(*knowing)
    return found


def disclosed_edges(released: Graph, identified: Sequence[int]) -> set[tuple[int, int]]:
    """Give the edges of a release between identified vertices, smaller end first."""
    inside = set(identified)
    return {
        (one, other)
        for one in identified
        for other in released.row(one).tolist()
        if one < other and other in inside
    }
