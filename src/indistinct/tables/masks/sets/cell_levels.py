"""The cells of columns of rows, and the ways from the finest levels of all to the coarsest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.brief import short_repr

PathStep = tuple[int, ...]  # level of each column


@dataclass(frozen=True, slots=True)
class CellLevels:
    """The cells of one column of rows.

    Parameters
    ----------
    cells : (n_levels, n_values), number of the cell of each value at each level
    losses : (n_cells,), what a row loses in this column, in [0, 1]
    levels : those allowed, fine to coarse
    importance : weight of the column among the others, above 0
    hides : places of the columns that are at their coarsest level where this one is
    """

    cells: Codes
    losses: Floats
    levels: tuple[int, ...]
    importance: float
    hides: tuple[int, ...] = ()

    __repr__ = short_repr

    def without_finest(self, number: int) -> CellLevels:
        """Return the same cells without the finest levels; the coarsest one stays."""
        return replace(self, levels=self.levels[min(number, len(self.levels) - 1) :])


@dataclass(frozen=True, slots=True)
class Shares:
    """The weights of columns in the loss of a row, which add up to 1."""

    columns: Sequence[CellLevels]

    def losses(self, cells: Ints) -> Floats:
        """Return what rows lose that show some cells: (n_rows,).

        Parameters
        ----------
        cells : (n_rows, n_columns)
        """
        total = sum(column.importance for column in self.columns)
        found = np.zeros(len(cells))
        for at, column in enumerate(self.columns):
            found += column.losses[cells[:, at]] * (column.importance / total)
        return found


def generalization_paths(columns: Sequence[CellLevels]) -> list[list[PathStep]]:
    """Return the ways through the levels that are tried: evenly, each column first, and halves."""
    heights = [len(column.levels) for column in columns]
    found = [_steps(heights, heights)]
    if len(columns) > 1:
        for first in range(len(columns)):
            found.append(_steps(heights, heights, first=first))
            found.append(_steps(heights, heights, first=first, half=True))
    found = [_with_hidden(steps, columns) for steps in found]
    unique = {tuple(steps): steps for steps in found}
    return [
        [tuple(column.levels[at] for column, at in zip(columns, step, strict=True)) for step in one]
        for one in unique.values()
    ]


def _with_hidden(steps: Sequence[PathStep], columns: Sequence[CellLevels]) -> list[PathStep]:
    """Return the steps, each once, with the columns at their coarsest level that others hide."""
    found: dict[PathStep, None] = {}
    for step in steps:
        place = list(step)
        for at, column in enumerate(columns):
            if step[at] == len(column.levels) - 1:
                for other in column.hides:
                    place[other] = len(columns[other].levels) - 1
        found[tuple(place)] = None
    return list(found)


def _steps(
    heights: Sequence[int], weights: Sequence[int], *, first: int | None = None, half: bool = False
) -> list[PathStep]:
    """Walk from the finest levels to the coarsest: the first column ahead, the others evenly."""
    place = [0] * len(heights)
    found = [tuple(place)]
    ahead = 0 if first is None else (heights[first] - 1 + half) // (1 + half)
    for _ in range(ahead):
        place[first or 0] += 1
        found.append(tuple(place))
    while any(at < height - 1 for at, height in zip(place, heights, strict=True)):
        open_ones = [at for at in range(len(heights)) if place[at] < heights[at] - 1]
        waiting = [at for at in open_ones if at != first] if half else []
        column = min(waiting or open_ones, key=lambda at: (place[at] + 1) / weights[at])
        place[column] += 1
        found.append(tuple(place))
    return found
