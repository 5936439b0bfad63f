"""The first assignment: peel, absorb, and try harder while too many records are left."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from indistinct.base.arrays import Bools
from indistinct.tables.core.protocols import Deadline, Progress
from indistinct.tables.search.local.forest import ClusterTrees, forest_peel
from indistinct.tables.search.local.local_space import OUTSIDE, Assignment, LocalSpace, without
from indistinct.tables.search.local.merge_into import merge_into
from indistinct.tables.search.local.run import LocalSearchRun

TOLERABLE = 0.05  # share of suppressed records above which more is tried
SIZES = (1, 2, 4)  # times the least class: sizes tried where models are hard to foresee
DISSOLVED = 0.25  # share of the records whose classes, the costliest, are peeled once more


def constructed(space: LocalSpace, forest: ClusterTrees, run: LocalSearchRun) -> Assignment:
    """Peel and absorb.

    Models that a class can fail though a part of it satisfies them are hard to foresee: then
    several sizes of classes are tried. While more records are left than the policy or TOLERABLE
    allows, the costliest classes are peeled once more together with what is left, then everything
    with ever larger classes: large classes satisfy most models more easily. The first descent is
    whole, whatever the time.
    """
    sizes = (1,) if space.hereditary else SIZES
    # Half a descent is worth much less than the little time that a whole one takes.
    best = _tried(space, forest, replace(run, deadline=Deadline()), space.least)
    for size in sizes[1:]:
        if run.deadline.passed and is_tolerable(space, best):
            break
        best = better(space, best, _tried(space, forest, run, size * space.least))
    if is_tolerable(space, best):
        return best
    kept = without(best, costliest(space, best))
    again = forest_peel(space, kept.outside(), forest, run)
    best = better(space, best, merge_into(space, united(kept, again)))
    size = 2 * sizes[-1]
    while not is_tolerable(space, best) and not run.deadline.passed:
        best = better(space, best, _tried(space, forest, run, size * space.least))
        if size * space.least >= space.problem.table.n_records:
            break
        size *= 2
    return best


def _tried(space: LocalSpace, forest: ClusterTrees, run: LocalSearchRun, least: int) -> Assignment:
    """Peel everything into classes of at least ``least`` records, and absorb."""
    everything = np.arange(space.n_items, dtype=np.int32)
    least = max(min(least, space.problem.table.n_records), space.least)
    return merge_into(space, forest_peel(space, everything, replace(forest, least=least), run))


def completed(
    space: LocalSpace, assignment: Assignment, deadline: Deadline, progress: Progress
) -> Assignment:
    """Peel what another method left, then absorb; the whole rest where its deadline has passed."""
    with ThreadPoolExecutor(1) as pool:
        run = LocalSearchRun(0, pool, deadline, progress)
        rest = forest_peel(space, assignment.outside(), ClusterTrees(), run)
    return merge_into(space, united(assignment, rest))


def is_tolerable(space: LocalSpace, assignment: Assignment) -> bool:
    """Return whether no more records are left outside than the policy and TOLERABLE allow."""
    limit = min(space.problem.budget, int(TOLERABLE * space.problem.table.n_records))
    return n_outside(space, assignment) <= limit


def n_outside(space: LocalSpace, assignment: Assignment) -> int:
    """Count the records in no class."""
    return int(space.items.weights[assignment.outside()].sum())


def better(space: LocalSpace, one: Assignment, other: Assignment) -> Assignment:
    """Return the assignment that breaks the policy less, then loses less."""

    def badness(assignment: Assignment) -> tuple[int, float]:
        excess = n_outside(space, assignment) - space.problem.budget
        return max(excess, 0), assignment.total(space)

    return min(one, other, key=badness)


def costliest(space: LocalSpace, assignment: Assignment) -> Bools:
    """Mark the costliest classes, DISSOLVED of the records: (n_classes,)."""
    order = np.argsort(-assignment.losses(space), kind="stable")
    below = np.cumsum(assignment.sizes(space)[order])
    marked = np.zeros(assignment.n_classes, np.bool_)
    marked[order[below <= DISSOLVED * space.problem.table.n_records]] = True
    return marked


def united(one: Assignment, other: Assignment) -> Assignment:
    """Return two assignments of different items as one."""
    labels = np.where(other.labels == OUTSIDE, one.labels, other.labels + np.int32(one.n_classes))
    return Assignment(labels.astype(np.int32), np.concatenate([one.nodes, other.nodes]))
