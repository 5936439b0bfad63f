"""What a local search hands back: its classes in the cells that they are written as."""

from __future__ import annotations

from typing import Any

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.tables.core.protocols import Scope, is_sized
from indistinct.tables.core.recoding import Recoding, cell_per_text
from indistinct.tables.search.algorithm import SearchResult
from indistinct.tables.search.finish import counted
from indistinct.tables.search.local.local_space import OUTSIDE, Assignment, LocalSpace
from indistinct.tables.search.local.lower_bound import LowerBound


def found_of(
    space: LocalSpace, assignment: Assignment, bound: LowerBound, **facts: Any
) -> SearchResult:
    """Write an assignment as what the algorithm found."""
    return SearchResult(
        recoding_of(space, assignment),
        "the best local recoding found needs",
        {**facts, "lower_bound": {"value": bound.value, "kind": bound.kind}},
    )


def size_alone(space: LocalSpace, assignment: Assignment) -> dict[str, Any]:
    """Return what the classes of size alone lose, and which further promises they break.

    Parameters
    ----------
    assignment : classes that have enough records each

    Returns
    -------
    loss, broken : the objective, and per further model the share of the records in classes that
        break it
    """
    problem, recoding = space.problem, recoding_of(space, assignment)
    classes = counted(problem, recoding)
    n_records = problem.table.n_records
    broken = [
        {
            "name": model.name,
            "column": next(iter(model.columns), None),
            "share": float(classes.sizes[recoding.released & ~model.holds(classes)].sum())
            / n_records,
        }
        for model in problem.models
        if model.scope != Scope.TABLE and not is_sized(model)
    ]
    return {"loss": float(problem.objective.evaluate(recoding)), "broken": broken}


def recoding_of(space: LocalSpace, assignment: Assignment) -> Recoding:
    """Write an assignment as a recoding, the items in no class as one suppressed class.

    Of two cells with one text each class has the costlier. Items of one tuple and class become
    one.
    """
    labels, cells = assignment.labels, _written_cells(space, assignment)
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


def _written_cells(space: LocalSpace, assignment: Assignment) -> Codes:
    """Return the cells of the domains that the classes are written as: (n_classes, n_columns)."""
    cells = space.numbers[assignment.cells(space)].reshape(assignment.nodes.shape)
    for column, domain in enumerate(space.domains):
        cells[:, column] = cell_per_text(domain)[cells[:, column]]
    return cells
