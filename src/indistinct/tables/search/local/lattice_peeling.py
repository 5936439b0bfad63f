"""Lattice peel: always release the cheapest group of the whole lattice, by a lazy heap.

Counts of free records only fall. So a node's cheapest group is never cheaper than it was when the
node was last looked at, and a node without a group of enough records never has one again.
"""

from __future__ import annotations

import heapq
from math import prod

import numpy as np

from indistinct.base.arrays import Codes, Floats
from indistinct.base.coded_text import sentence
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault, ParameterError
from indistinct.tables.core.protocols import Deadline, Problem, Progress
from indistinct.tables.search.algorithm import SearchResult
from indistinct.tables.search.local.construct import completed
from indistinct.tables.search.local.forest import chosen, judge_groups
from indistinct.tables.search.local.found import found_of
from indistinct.tables.search.local.lattice_peel_kernels import groups_at
from indistinct.tables.search.local.local_space import OUTSIDE, Assignment, LocalSpace, local_space
from indistinct.tables.search.local.lower_bound import (
    DEFAULT_WORK,
    affordable_bound,
)

MOST_NODES = 5_000_000
ROUNDING = 1e-9


KEY_DIGITS = 12


def find_peeled(
    problem: Problem, mix: float, deadline: Deadline, progress: Progress
) -> SearchResult:
    """Release group after group, then absorb what is left.

    Raises
    ------
    ParameterError
        when the lattice has more than MOST_NODES nodes
    """
    space = local_space(problem)
    if n_nodes(space) > MOST_NODES:
        raise ParameterError(
            [
                Fault(
                    "method.algorithm",
                    f"lattice-peel looks at every one of {n_nodes(space):,} lattice nodes",
                    'Choose algorithm = "local".',
                )
            ]
        )
    assignment = lattice_peel(space, mix, deadline, progress)
    assignment = completed(space, assignment, deadline, progress)
    return found_of(space, assignment, affordable_bound(space, DEFAULT_WORK))


def n_nodes(space: LocalSpace) -> int:
    """Count the lattice nodes."""
    return prod(int(top) + 1 for top in space.items.tops)


def lattice_nodes(space: LocalSpace) -> Codes:
    """List the lattice nodes: (n_nodes, n_columns), level per column."""
    shape = tuple(int(top) + 1 for top in space.items.tops)
    return np.stack(np.unravel_index(np.arange(prod(shape)), shape), axis=1).astype(np.int32)


def lattice_peel(
    space: LocalSpace, mix: float, deadline: Deadline, progress: Progress
) -> Assignment:
    """Release the cheapest group of at least ``space.least`` free records, again and again."""
    nodes = lattice_nodes(space)
    words = RandomSource(0).words(len(space.items.costs))
    heap = [(key, index) for index, key in enumerate(_keys(space, nodes, mix).tolist())]
    heapq.heapify(heap)
    labels = np.full(space.n_items, OUTSIDE, np.int32)
    free = np.arange(space.n_items, dtype=np.int32)
    found = [np.zeros((0, nodes.shape[1]), np.int32)]
    n_classes = visits = 0
    ceiling = space.price * (1 + ROUNDING)
    while heap and len(free) and not deadline.passed:
        key, index = heapq.heappop(heap)
        limit = min(max(key, heap[0][0]) if heap else ceiling, ceiling)
        groups, beyond = groups_at(space.items, words, nodes[index], free, space.least, limit)
        if len(groups.sizes) and not space.sized:
            groups = chosen(groups, judge_groups(space, groups))
        if len(groups.sizes):
            order = np.argsort(groups.losses, kind="stable")
            numbers = np.empty(len(order), np.int32)
            numbers[order] = np.arange(n_classes, n_classes + len(order))
            labels[groups.members] = np.repeat(numbers, groups.sizes)
            found.append(groups.nodes[order])
            n_classes += len(groups.sizes)
            free = free[labels[free] == OUTSIDE]
        if beyond <= ceiling:
            heapq.heappush(heap, (beyond, index))
        visits += 1
        progress(1 - len(free) / space.n_items, sentence("nodes", "{number} nodes", number=visits))
    return Assignment(labels, np.concatenate(found))


def _keys(space: LocalSpace, nodes: Codes, mix: float) -> Floats:
    """Return ``mix`` * least loss + (1 - ``mix``) * mean loss of each node: (n_nodes,)."""
    items = space.items
    keys = np.zeros(len(nodes))
    for column, top in enumerate(items.tops):
        of_level = np.empty(int(top) + 1)
        for level in range(int(top) + 1):
            costs = items.costs[items.cells[items.offsets[column, level] + items.codes[:, column]]]
            of_level[level] = mix * costs.min() + (1 - mix) * np.average(
                costs, weights=items.weights
            )
        keys += of_level[nodes[:, column]]
    # Weighted and single records differ in the last digits of a mean, and must not in the order.
    return np.round(keys, KEY_DIGITS)
