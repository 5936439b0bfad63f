"""Independent parts of a change: classes that exchanged records, and nothing with any other class.

Both before and after a change, every class lies in one part. Any choice of parts therefore leaves
complete classes, and each part can be judged by itself.
"""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Bools, Codes
from indistinct.tables.search.local.local_space import OUTSIDE, Assignment, LocalSpace, merged
from indistinct.tables.search.local.part_kernels import components
from indistinct.tables.search.local.peel_kernels import common_levels

GAIN = 1e-9  # records' worth of loss below which a change is no gain


def combined(space: LocalSpace, one: Assignment, other: Assignment) -> Assignment:
    """Return the better of two assignments in every part in which they are independent.

    Parameters
    ----------
    one : every class of which satisfies the models
    other : of which no part is taken that has a failing class, or leaves out a record of ``one``
    """
    labels = np.where(other.labels == OUTSIDE, OUTSIDE, other.labels + np.int32(one.n_classes))
    parts = components(one.labels, labels, one.n_classes + other.n_classes)
    chosen = _paying(space, one, other, parts)
    takes = (labels != OUTSIDE) & np.append(chosen, False)[labels]
    nodes = np.concatenate([one.nodes, other.nodes])
    return settled(space, Assignment(np.where(takes, labels, one.labels), nodes))


def _paying(space: LocalSpace, one: Assignment, other: Assignment, parts: Codes) -> Bools:
    """Return per class of both whether its part gains, and breaks nothing: (n_classes,)."""
    n_one = one.n_classes
    weights = space.items.weights
    delta = np.append(
        -one.sizes(space) * one.losses(space), other.sizes(space) * other.losses(space)
    )
    rescued = (one.labels == OUTSIDE) & (other.labels != OUTSIDE)
    of_rescued = other.labels[rescued] + n_one
    delta -= space.price * np.bincount(of_rescued, weights[rescued], len(delta))
    pays = np.bincount(parts, delta, len(delta)) < -GAIN
    lost = (one.labels != OUTSIDE) & (other.labels == OUTSIDE)
    pays[parts[one.labels[lost]]] = False
    if not space.sized and other.n_classes:
        pays[parts[n_one:][~space.judge(*other.members())]] = False
    return pays[parts]


def settled(space: LocalSpace, assignment: Assignment) -> Assignment:
    """Drop empty classes, and join those with equal cells where that is harmless."""
    present = np.zeros(assignment.n_classes + 1, np.bool_)
    present[assignment.labels] = True
    present = present[:-1]
    number = np.append(np.cumsum(present) - 1, OUTSIDE).astype(np.int32)
    kept = Assignment(number[assignment.labels], np.ascontiguousarray(assignment.nodes[present]))
    return merged(space, kept) if space.additive else kept


def tightened(space: LocalSpace, assignment: Assignment) -> Assignment:
    """Drop empty classes, lower all others as far as their members allow, and join equal ones."""
    kept = settled(space, assignment)
    if kept.n_classes == 0:
        return kept
    nodes = common_levels(space.items, *kept.members())
    return settled(space, Assignment(kept.labels, nodes))
