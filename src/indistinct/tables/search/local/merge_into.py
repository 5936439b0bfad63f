"""Absorption: items that no class has taken join the class whose loss grows least.

With a skewed sensitive column this is no cosmetic: the peel uses up the rare values early and
leaves many records behind that satisfy no model among themselves.
"""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Bools, Codes
from indistinct.tables.search.local.local_space import FORBIDDEN, OUTSIDE, Assignment, LocalSpace
from indistinct.tables.search.local.merge_into_kernels import (
    OpenClasses,
    join_class,
    merge_in_turn,
    nearest_classes,
)

AT_ANY_PRICE = FORBIDDEN / 1e3
CHOICES = 16  # classes that a leftover asks after one scan of all classes
SCANS = 4


def merge_into(space: LocalSpace, assignment: Assignment) -> Assignment:
    """Place leftovers where that costs less than suppression, and more while too many are left.

    Parameters
    ----------
    assignment : classes that satisfy the models, and items outside

    Notes
    -----
    O(n_leftovers * n_classes * n_columns), at most SCANS times where classes must be judged.
    """
    records = space.items.weights
    placed = merge_below(space, assignment, space.price, int(records.sum()))
    excess = int(records[placed.outside()].sum()) - space.problem.budget
    return merge_below(space, placed, AT_ANY_PRICE, excess) if excess > 0 else placed


def merge_below(space: LocalSpace, assignment: Assignment, price: float, needed: int) -> Assignment:
    """Place leftovers at less than ``price`` a record, until ``needed`` records are placed."""
    leftovers = assignment.outside()
    if len(leftovers) == 0 or assignment.n_classes == 0:
        return assignment
    classes = open_classes(space, assignment)
    labels = assignment.labels.copy()
    if space.sized or space.hereditary:
        merge_in_turn(space.items, classes, leftovers, labels, price, needed)
    else:
        _merge_judged(space, classes, labels, price, needed)
    return Assignment(labels, classes.nodes)


def open_classes(space: LocalSpace, assignment: Assignment) -> OpenClasses:
    """Lay out the classes of an assignment for compiled loops, in new arrays."""
    cells = assignment.cells(space)
    return OpenClasses(
        assignment.nodes.copy(),
        cells,
        assignment.sizes(space),
        space.items.costs[cells].sum(axis=1),
        assignment.representatives(),
    )


def _merge_judged(
    space: LocalSpace, classes: OpenClasses, labels: Codes, price: float, needed: int
) -> None:
    """Let leftovers ask their nearest classes in turn; a class takes at most one at a time."""
    for _ in range(SCANS):
        leftovers = Assignment(labels, classes.nodes).outside()
        choices = nearest_classes(space.items, classes, leftovers, price, CHOICES)
        asked = 0
        for choice in range(CHOICES):
            waits = (labels[leftovers] == OUTSIDE) & (choices[:, choice] != OUTSIDE)
            wanted, first = np.unique(choices[waits, choice], return_index=True)
            askers = leftovers[waits][first]
            if len(askers) == 0 or needed <= 0:
                break
            verdict = _judge_joined(space, labels, askers, wanted)
            for item, index in zip(askers[verdict], wanted[verdict], strict=True):
                if needed > 0:
                    join_class(space.items, classes, item, index)
                    labels[item] = index
                    needed -= int(space.items.weights[item])
                    asked += 1
        if asked == 0:
            break


def _judge_joined(space: LocalSpace, labels: Codes, leftovers: Codes, wanted: Codes) -> Bools:
    """Return per leftover whether the class it wants would still satisfy the models with it."""
    place = np.full(int(max(labels.max(), wanted.max())) + 2, -1, np.int32)
    place[wanted] = np.arange(len(wanted), dtype=np.int32)
    joined = place[labels]
    joined[leftovers] = np.arange(len(wanted), dtype=np.int32)
    members, starts = Assignment(joined, np.empty((len(wanted), 0), np.int32)).members()
    return space.judge(members, starts)
