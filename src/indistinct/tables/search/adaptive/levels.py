"""The levels that each column may be released at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.hierarchy import GeneralizationHierarchy
from indistinct.tables.core.protocols import Problem
from indistinct.tables.core.recoding import cell_numbers, cell_per_text, hierarchy_cells


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels that each column may be released at.

    Parameters
    ----------
    hierarchies : with one root on top
    numbers : per column, (n_levels, n_values), number of each cell
    lowest, highest : (n_columns,), levels allowed
    """

    hierarchies: tuple[GeneralizationHierarchy, ...]
    numbers: tuple[Codes, ...]
    lowest: Ints
    highest: Ints

    @classmethod
    def of(cls, problem: Problem) -> Levels:
        """Read the levels of a problem; a column that is not limited may rise to the root."""
        hierarchies = tuple(hierarchy.with_root() for hierarchy in problem.hierarchies)
        highest = [
            problem.max_levels[column] if problem.is_limited(column) else hierarchy.height
            for column, hierarchy in enumerate(hierarchies)
        ]
        return cls(
            hierarchies,
            tuple(
                _written_alike(hierarchy, problem.table.value_weights(column))
                for column, hierarchy in enumerate(hierarchies)
            ),
            np.array(problem.min_levels, np.int64),
            np.array(highest, np.int64),
        )

    def common(self, codes: Codes, labels: Codes) -> Ints:
        """Return the lowest level at which each class agrees: (n_classes, n_columns).

        Parameters
        ----------
        codes : (n_records, n_columns)
        labels : (n_records,), no class empty
        """
        order = np.argsort(labels, kind="stable")
        starts = np.searchsorted(labels[order], np.arange(int(labels.max()) + 1))
        found = np.empty((len(starts), len(self.hierarchies)), np.int64)
        for column, hierarchy in enumerate(self.hierarchies):
            differs = np.zeros(len(starts), np.int64)
            for level in hierarchy.codes[:-1]:
                cells = level[codes[order, column]]
                least = np.minimum.reduceat(cells, starts)
                differs += least != np.maximum.reduceat(cells, starts)
            found[:, column] = differs
        return np.maximum(found, self.lowest)

    def cells(self, codes: Codes, levels: Ints) -> Codes:
        """Return the cell of values at their levels, both (n_classes, n_columns)."""
        return np.stack(
            [
                numbers[levels[:, column], codes[:, column]]
                for column, numbers in enumerate(self.numbers)
            ],
            axis=1,
        ).astype(np.int32)


def _written_alike(hierarchy: GeneralizationHierarchy, value_weights: Ints) -> Codes:
    """Return the number of each cell, one for all that read the same: (n_levels, n_values)."""
    same = cell_per_text(hierarchy_cells(hierarchy, value_weights))
    return same[cell_numbers(hierarchy)].astype(np.int32)
