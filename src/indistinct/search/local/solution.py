"""What a local search hands back: its classes as a reader of the release will count them."""

from __future__ import annotations

from typing import Any

import numpy as np

from indistinct.core.arrays import Codes, Ints
from indistinct.core.kernels import group_rows
from indistinct.core.protocols import Solution
from indistinct.core.recoding import Recoding, cell_per_text
from indistinct.errors import NoSolutionError
from indistinct.search.lattice.feasibility import beyond_the_table, too_many_suppressed
from indistinct.search.local.assignment import OUTSIDE, Assignment, without
from indistinct.search.local.local_space import LocalSpace
from indistinct.search.local.lower_bound import LowerBound


def solution_of(
    space: LocalSpace, assignment: Assignment, bound: LowerBound, **facts: Any
) -> Solution:
    """Write an assignment as a solution.

    Classes that read the same count as one, and a class that then fails a model is suppressed.

    Raises
    ------
    NoSolutionError
        when more records are suppressed than the policy allows
    """
    problem = space.problem
    recoding = recoding_of(space, assignment)
    if recoding.n_suppressed > problem.budget:
        raise NoSolutionError(
            beyond_the_table(problem)
            or [
                too_many_suppressed(
                    problem, recoding.n_suppressed, "the best local recoding found needs"
                )
            ]
        )
    return Solution(recoding, {**facts, "lower_bound": {"value": bound.value, "kind": bound.kind}})


def recoding_of(space: LocalSpace, assignment: Assignment) -> Recoding:
    """Write an assignment as a recoding, the items in no class as one suppressed class.

    Classes whose cells read the same become one, at the costlier of two cells with one text, and
    are judged once more. Items of one tuple and class become one.
    """
    labels, cells = _read_alike(space, assignment)
    if len(cells):
        alike = Assignment(labels, cells)
        failing = ~space.judge(*alike.members())
        alike = without(alike, failing)
        labels, cells = alike.labels, alike.nodes
    n_released = len(cells)
    is_whole = bool(np.all(labels != OUTSIDE))
    labels = np.where(labels == OUTSIDE, n_released, labels)
    pairs, first, inverse = np.unique(
        labels.astype(np.int64) * (int(space.tuples.max()) + 1) + space.tuples,
        return_index=True,
        return_inverse=True,
    )
    root = np.array([[len(domain.labels) - 1 for domain in space.domains]], np.int32)
    cells = cells if is_whole else np.concatenate([cells, root])
    return Recoding(
        space.tuples[first],
        labels[first].astype(np.int32),
        np.bincount(inverse, space.items.weights, len(pairs)).astype(np.int64),
        cells,
        np.arange(n_released + (not is_whole)) < n_released,
        space.domains,
        people=_people(space, labels, cells),
    )


def _people(space: LocalSpace, labels: Codes, cells: Codes) -> Ints | None:
    """Count the people in the cells of each class, where they are counted: (n_classes,)."""
    if space.people is None:
        return None
    levels = [domain.levels[cells[:, j]] for j, domain in enumerate(space.domains)]
    representatives = np.zeros(len(cells), np.int32)
    representatives[labels] = np.arange(len(labels), dtype=np.int32)
    return space.people.count(
        np.stack(levels, axis=1).astype(np.int32), space.items.codes[representatives]
    )


def _read_alike(space: LocalSpace, assignment: Assignment) -> tuple[Codes, Codes]:
    """Join the classes that read the same: class per item, and cells of the domains per class."""
    cells = space.numbers[assignment.cells(space)].reshape(assignment.nodes.shape)
    for column, domain in enumerate(space.domains):
        cells[:, column] = cell_per_text(domain)[cells[:, column]]
    if len(cells) == 0:
        return assignment.labels, cells
    groups, first, _ = group_rows(cells)
    labels = np.append(groups, np.int32(OUTSIDE))[assignment.labels]
    return labels, np.ascontiguousarray(cells[first])
