"""An assignment of items to classes, and the recoding it makes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from indistinct.core.arrays import Bools, Codes, Floats, Ints
from indistinct.core.kernels import group_rows
from indistinct.core.recoding import CellDomain, Recoding
from indistinct.table.algorithms.local_space import LocalSpace
from indistinct.table.algorithms.peel_kernels import list_members

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


def recoding_of(space: LocalSpace, assignment: Assignment) -> Recoding:
    """Write an assignment as a recoding, the items in no class as one suppressed class.

    Items of one tuple and class become one; classes whose cells read the same become one, at the
    costlier of two cells with one text.
    """
    n_columns = space.items.codes.shape[1]
    cells = space.numbers[assignment.cells(space)].reshape(-1, n_columns)
    for column, domain in enumerate(space.domains):
        cells[:, column] = _cell_per_text(domain)[cells[:, column]]
    root = [len(domain.labels) - 1 for domain in space.domains]
    if len(cells):
        groups, first, _ = group_rows(np.ascontiguousarray(cells))
        cells = cells[first]
    else:
        groups = np.zeros(0, np.int32)
    n_released = len(cells)
    is_whole = bool(np.all(assignment.labels != OUTSIDE))
    labels = np.append(groups, n_released)[assignment.labels]
    pairs, inverse = np.unique(
        labels.astype(np.int64) * (int(space.tuples.max()) + 1) + space.tuples,
        return_inverse=True,
    )
    _, first_item = np.unique(inverse, return_index=True)
    weights = np.bincount(inverse, space.items.weights, len(pairs)).astype(np.int64)
    return Recoding(
        space.tuples[first_item],
        labels[first_item].astype(np.int32),
        weights,
        (cells if is_whole else np.vstack([cells, root])).astype(np.int32),
        np.arange(n_released + (not is_whole)) < n_released,
        space.domains,
    )


def _cell_per_text(domain: CellDomain) -> Ints:
    """Give, per cell, the costliest cell that reads the same: (n_cells,)."""
    costliest: dict[str, int] = {}
    for cell in np.argsort(domain.losses, kind="stable").tolist():
        costliest[domain.labels[cell]] = cell
    return np.array([costliest[label] for label in domain.labels], np.int64)
