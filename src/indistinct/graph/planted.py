"""Attackers who look for themselves: vertices planted before a release, or that collude in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.errors import ParameterError
from indistinct.graph.edges import Graph, from_pairs
from indistinct.graph.red_team_kernels import find_planted

# Vertices a search may visit before it gives up, far above what the published attack takes.
MOST_VISITED = 5_000_000
# Planted vertices have as many neighbors as the attacker of backstrom2007 gives them.
LEAST_DEGREE, MOST_DEGREE = 10, 20
# How much a tolerant search overlooks: a few changed edges, not another vertex.
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
class PlantedTrial:
    """What one trial found: the own vertices, exactly or not; shares of targets and of links."""

    exact: bool
    tolerant: bool
    targets: float
    links: float
    visited: int


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


def named_sets(graph: Graph, own: Ints) -> dict[tuple[int, ...], int]:
    """Return the neighbors of own vertices whose set of own neighbors nobody else has."""
    sets: dict[tuple[int, ...], list[int]] = {}
    for other, chosen in linked_sets(graph, own).items():
        sets.setdefault(chosen, []).append(other)
    return {chosen: others[0] for chosen, others in sets.items() if len(others) == 1}


def linked_sets(graph: Graph, own: Ints) -> dict[int, tuple[int, ...]]:
    """Return the positions of own vertices each other vertex is linked to."""
    sets: dict[int, list[int]] = {}
    for index, vertex in enumerate(own.tolist()):
        for other in graph.row(vertex).tolist():
            sets.setdefault(other, []).append(index)
    inside = set(own.tolist())
    return {other: tuple(chosen) for other, chosen in sets.items() if other not in inside}


def find(released: Graph, order: Ints, memory: Memory, before: Graph) -> PlantedTrial:
    """Search a release exactly and tolerantly, and compare what is found with the truth."""
    givens = released.starts, released.neighbors, released.degrees
    wanted = memory.degrees, memory.pattern, memory.parents
    best, error, second, visited = find_planted(*givens, *wanted, 0, 0, MOST_VISITED)
    truth = memory.vertices
    exact = error == 0 and second != 0 and bool((order[best] == truth).all())
    tolerant = exact
    if not exact:
        best, error, second, _ = find_planted(
            *givens, *wanted, DEGREE_SLACK, EDGE_SLACK, MOST_VISITED
        )
        tolerant = error >= 0 and second != error and bool((order[best] == truth).all())
    targets, links = (0.0, 0.0) if not tolerant else named(released, order, memory, before, best)
    return PlantedTrial(exact, tolerant, targets, links, visited)


def named(
    released: Graph, order: Ints, memory: Memory, before: Graph, best: Ints
) -> tuple[float, float]:
    """Return the shares of targets that are named, and of links between targets that are told."""
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
    recovered = sum(len(rows[target] & set(right)) for target in right)
    return len(right) / max(len(wanted), 1), recovered / links if links else 0.0
