"""An assignment of items to classes, and what it costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from indistinct.core.arrays import Bools, Codes, Floats, Ints
from indistinct.core.kernels import group_rows
from indistinct.search.local.local_space import LocalSpace
from indistinct.search.local.peel_kernels import list_members

OUTSIDE = -1  # label of an item that is in no class


@dataclass(frozen=True, slots=True)
class Assignment:
    """Which class each item is in, and the rungs each class is released at.

    Parameters
    ----------
    labels : (n_items,), class of each item; ``OUTSIDE`` for none
    nodes : (n_classes, n_columns), rung per column; no class is empty
    """

    labels: Codes
    nodes: Codes

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.nodes)

    def outside(self) -> Codes:
        """List the items that are in no class."""
        return np.flatnonzero(self.labels == OUTSIDE).astype(np.int32)

    def members(self) -> tuple[Codes, Ints]:
        """List the items class after class, and where each class begins: (n_classes + 1,)."""
        return list_members(self.labels, self.n_classes)

    def sizes(self, space: LocalSpace) -> Ints:
        """Give the records per class: (n_classes,)."""
        inside = self.labels != OUTSIDE
        return np.bincount(self.labels[inside], space.items.weights[inside], self.n_classes).astype(
            np.int64
        )

    def cells(self, space: LocalSpace) -> Codes:
        """Give the cell of each class per column: (n_classes, n_columns)."""
        return node_cells(space, self.nodes, self.representatives())

    def representatives(self) -> Codes:
        """Give one item of each class: (n_classes,)."""
        found = np.zeros(self.n_classes, np.int32)
        inside = np.flatnonzero(self.labels != OUTSIDE)
        found[self.labels[inside]] = inside
        return found

    def losses(self, space: LocalSpace) -> Floats:
        """Give what a record of each class pays: (n_classes,)."""
        return space.items.costs[self.cells(space)].sum(axis=1)

    def total(self, space: LocalSpace) -> float:
        """Give the mean a record pays, suppressed ones included."""
        weights = space.items.weights
        paid = float(self.sizes(space) @ self.losses(space))
        return (paid + space.price * float(weights[self.outside()].sum())) / float(weights.sum())


def node_cells(space: LocalSpace, nodes: Codes, items: Codes) -> Codes:
    """Give the cells of ``items`` at ``nodes``, both (n_classes, ...): (n_classes, n_columns)."""
    columns = np.arange(nodes.shape[1], dtype=np.int64)
    offsets = space.items.offsets[columns, nodes]
    return space.items.cells[offsets + space.items.codes[items]]


def merged(space: LocalSpace, assignment: Assignment) -> Assignment:
    """Join the classes that are released in the same cells."""
    if assignment.n_classes == 0:
        return assignment
    groups, first, _ = group_rows(assignment.cells(space))
    labels = np.append(groups, np.int32(OUTSIDE))[assignment.labels]
    return Assignment(labels.astype(np.int32), np.ascontiguousarray(assignment.nodes[first]))


def without(assignment: Assignment, failing: Bools) -> Assignment:
    """Dissolve the classes marked in ``failing``: (n_classes,)."""
    numbers = np.where(failing, OUTSIDE, np.cumsum(~failing) - 1)
    labels = np.append(numbers, OUTSIDE)[assignment.labels]
    return Assignment(labels.astype(np.int32), np.ascontiguousarray(assignment.nodes[~failing]))
