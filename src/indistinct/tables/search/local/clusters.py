"""Greedy k-member clustering: grow one class after the other around far-off records."""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.coded_text import sentence
from indistinct.tables.core.protocols import Deadline, Problem, Progress
from indistinct.tables.search.algorithm import SearchResult
from indistinct.tables.search.local.construct import completed
from indistinct.tables.search.local.found import found_of
from indistinct.tables.search.local.k_member_kernels import furthest_item, nearest_items
from indistinct.tables.search.local.local_space import (
    FORBIDDEN,
    OUTSIDE,
    Assignment,
    LocalSpace,
    local_space,
    node_cells,
)
from indistinct.tables.search.local.lower_bound import DEFAULT_WORK, affordable_bound

STRETCH = 4  # times the least class: how far a class grows in search of the models


def find_clusters(
    problem: Problem, seed: int, deadline: Deadline, progress: Progress
) -> SearchResult:
    """Cluster the records."""
    space = local_space(problem)
    bound = affordable_bound(space, DEFAULT_WORK)
    space = space.expanded()
    assignment = k_member(space, seed, deadline, progress)
    return found_of(space, completed(space, assignment, deadline, progress), bound)


def k_member(space: LocalSpace, seed: int, deadline: Deadline, progress: Progress) -> Assignment:
    """Cluster items until fewer than a class needs are free."""
    labels = np.full(space.n_items, OUTSIDE, np.int32)
    free = np.arange(space.n_items, dtype=np.int32)
    nodes: list[Codes] = [np.zeros((0, space.items.codes.shape[1]), np.int32)]
    last = int(np.random.default_rng(seed).integers(space.n_items))
    n_classes = 0
    while len(free) >= space.least and not deadline.passed:
        first = furthest_item(space.items, free, last)
        last = int(free[first])
        positions, node = _cluster(space, free, first)
        if len(positions):
            labels[free[positions]] = n_classes
            nodes.append(node[None, :])
            n_classes += 1
        free = np.delete(free, positions if len(positions) else [first])
        progress(
            1 - len(free) / space.n_items,
            sentence("classes", "{number} classes", number=n_classes),
        )
    return Assignment(labels, np.concatenate(nodes))


def _cluster(space: LocalSpace, free: Codes, first: int) -> tuple[Codes, Codes]:
    """Return the smallest cluster around a record that satisfies the models, and its levels."""
    size = space.least if space.sized else min(STRETCH * space.least, len(free))
    positions, nodes = nearest_items(space.items, free, first, size)
    ends = np.arange(space.least, size + 1)
    members = np.concatenate([free[positions[:end]] for end in ends])
    starts: Ints = np.concatenate([[0], np.cumsum(ends)])
    around = np.full(size, free[first])
    paid = space.items.costs[node_cells(space, nodes, around)].sum(axis=1)
    fits = np.flatnonzero(space.judge(members, starts) & (paid[ends - 1] < FORBIDDEN))
    if len(fits) == 0:
        return positions[:0], nodes[0]
    end = int(ends[fits[0]])
    return positions[:end], nodes[end - 1]
