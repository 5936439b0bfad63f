"""What cell suppression may write: each column at its lowest level allowed, or a star."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from indistinct.base.arrays import Codes, Ints
from indistinct.base.hierarchy import ROOT, GeneralizationHierarchy
from indistinct.tables.core.protocols import Problem
from indistinct.tables.core.recoding import CellDomain, Recoding, hierarchy_cells

FORBIDDEN = "\0"  # before the names of labels that are never released
Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True, slots=True)
class SuppressionCells:
    """The cells of one column.

    Parameters
    ----------
    domain : all cells of the column's hierarchy, the star last
    shown : (n_values,), the cell that each value is released as, unless it is suppressed
    may_be_suppressed : False where the policy keeps the column below its root
    """

    domain: CellDomain
    shown: Codes
    may_be_suppressed: bool

    @property
    def star(self) -> int:
        """The suppressed cell."""
        return len(self.domain.labels) - 1


def suppression_cells(problem: Problem) -> tuple[SuppressionCells, ...]:
    """Lay out what each column may be released as."""
    return tuple(_cells_of(problem, column) for column in range(problem.table.n_columns))


def _cells_of(problem: Problem, column: int) -> SuppressionCells:
    """Lay out one column."""
    hierarchy = problem.hierarchies[column]
    domain = hierarchy_cells(hierarchy.with_root(), problem.table.value_weights(column))
    if domain.labels[-1] != ROOT:
        domain = with_star(domain)
    level = problem.min_levels[column]
    # One text, one cell: a value that is hidden at every level reads like a suppressed one.
    first: dict[str, int] = {ROOT: len(domain.labels) - 1}
    for cell, label in enumerate(domain.labels[: n_cells_up_to(hierarchy, level)]):
        if domain.levels[cell] == level:
            first.setdefault(label, cell)
    labels = hierarchy.labels[level]
    cell_of_label = np.array([first[label] for label in labels], np.int32)
    shown = cell_of_label[hierarchy.codes[level]]
    return SuppressionCells(domain, shown, not problem.is_limited(column))


def n_cells_up_to(hierarchy: GeneralizationHierarchy, level: int) -> int:
    """Count the cells of a hierarchy up to a level."""
    return sum(len(labels) for labels in hierarchy.labels[: level + 1])


def with_star(domain: CellDomain) -> CellDomain:
    """Add a star above a root that is written otherwise; it loses no more than the root."""
    coverage = domain.coverage
    return replace(
        domain,
        labels=(*domain.labels, ROOT),
        levels=_once_more(domain.levels),
        losses=_once_more(domain.losses),
        penalties=_once_more(domain.penalties),
        counts=_once_more(domain.counts),
        bits=_once_more(domain.bits),
        volumes=_once_more(domain.volumes),
        coverage=replace(
            coverage, first=_once_more(coverage.first), last=_once_more(coverage.last)
        ),
    )


def _once_more(values: NDArray[Number]) -> NDArray[Number]:
    """Return the last of some values twice."""
    return np.append(values, values[-1:])


def suppressed_entry(
    problem: Problem, cells: tuple[SuppressionCells, ...], recoding: Recoding
) -> Mapping[str, Any]:
    """Return how many cells of the released records are suppressed, in all and per column."""
    counts = [
        int(recoding.cell_counts(column, released=True)[of_column.star])
        for column, of_column in enumerate(cells)
    ]
    n_cells = (recoding.n_records - recoding.n_suppressed) * len(counts)
    return {
        "count": sum(counts),
        "share": sum(counts) / max(n_cells, 1),
        "columns": dict(zip(problem.table.columns, counts, strict=True)),
    }


def two_level_problem(problem: Problem, objective: Any) -> Problem:
    """Return the problem with hierarchies that know only the lowest level and a star.

    A cell that is not suppressed loses nothing there. A column that may not be suppressed keeps one
    level more, which its limit forbids, and whose labels read like no value.
    """
    hierarchies = tuple(
        _forbidden(_cut(hierarchy, low + 1)) if problem.is_limited(column) else _cut(hierarchy, low)
        for column, (hierarchy, low) in enumerate(
            zip(problem.hierarchies, problem.min_levels, strict=True)
        )
    )
    return replace(
        problem,
        hierarchies=hierarchies,
        numbers=(None,) * len(hierarchies),
        max_levels=problem.min_levels,
        objective=objective,
    )


def _cut(hierarchy: GeneralizationHierarchy, level: int) -> GeneralizationHierarchy:
    """Leave out all levels above one."""
    return replace(
        hierarchy,
        labels=hierarchy.labels[: level + 1],
        codes=np.ascontiguousarray(hierarchy.codes[: level + 1]),
        extents=tuple(np.ones(len(labels)) for labels in hierarchy.labels[: level + 1]),
    )


def _forbidden(hierarchy: GeneralizationHierarchy) -> GeneralizationHierarchy:
    """Return the labels of the highest level names of their own."""
    *allowed, highest = hierarchy.labels
    names = tuple(f"{FORBIDDEN}{number}" for number in range(len(highest)))
    return replace(hierarchy, labels=(*allowed, names))


def full_cells(problem: Problem, cells: tuple[SuppressionCells, ...], cut: Codes) -> Codes:
    """Return the cells of the whole hierarchies for those of a two-level problem.

    Parameters
    ----------
    cut : (n_classes, n_columns), cells of the hierarchies of :func:`two_level_problem`
    """
    found = cut.copy()
    for column, of_column in enumerate(cells):
        level = problem.min_levels[column]
        below = n_cells_up_to(problem.hierarchies[column], level)
        at_level = _at_level(of_column.domain, below, level)
        shown = at_level[np.minimum(cut[:, column], below - 1)]
        found[:, column] = np.where(cut[:, column] < below, shown, of_column.star)
    return found


def _at_level(domain: CellDomain, below: int, level: int) -> Ints:
    """Return for each cell up to a level the one that reads so at the level; itself if none does.

    A value may read like the mask of others, and is then no cell of its own: what is written would
    be the values that the records have.
    """
    alike = {
        domain.labels[cell]: cell for cell in range(below - 1, -1, -1)
        if domain.levels[cell] == level
    }  # fmt: skip
    return np.array([alike.get(domain.labels[cell], cell) for cell in range(below)], np.int64)
