"""The last steps to the nearest table with given sums, where coordinates are too slow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from indistinct.core.arrays import Bools, Floats

STEPS = 300
# A part of the identity is added to the second derivative, which is singular by itself: what all
# rows gain all columns may lose.
RIDGE = 1e-9
SHORTEST = 1e-8
SUFFICIENT = 1e-4


@final
@dataclass(frozen=True, slots=True)
class Dual:
    """A point of the dual problem: how far every row and every column is raised.

    Parameters
    ----------
    rows, columns : the sums to be met, shapes (a,) and (b,)
    by_row, by_column : shapes (a,) and (b,)
    """

    rows: Floats
    columns: Floats
    by_row: Floats
    by_column: Floats

    def table(self, noisy: Floats) -> Floats:
        """Give the table of this point, shape (a, b)."""
        return np.maximum(0.0, noisy + self.by_row[:, np.newaxis] + self.by_column)

    def value(self, table: Floats) -> float:
        """Give what is minimized."""
        met = float(self.by_row @ self.rows + self.by_column @ self.columns)
        return 0.5 * float((table**2).sum()) - met

    def moved(self, by_row: Floats, by_column: Floats) -> Dual:
        """Give the point that lies so far away."""
        return Dual(self.rows, self.columns, self.by_row + by_row, self.by_column + by_column)

    def turned(self) -> Dual:
        """Exchange rows and columns."""
        return Dual(self.columns, self.rows, self.by_column, self.by_row)


def finished(noisy: Floats, start: Dual, close: float) -> Floats:
    """Give the nearest table, by the semismooth method of Newton with a search along the line.

    Parameters
    ----------
    noisy : shape (a, b)
    start : near the optimum
    close : how far sums may be off

    Notes
    -----
    A step costs a * b * min(a, b). Source: the dual of mckenna2021, section 5.
    """
    if noisy.shape[1] > noisy.shape[0]:
        return finished(noisy.T, start.turned(), close).T
    point, table = start, start.table(noisy)
    for _ in range(STEPS):
        above, beside = table.sum(axis=1) - point.rows, table.sum(axis=0) - point.columns
        if max(float(np.abs(above).max()), float(np.abs(beside).max())) <= close:
            break
        steps = _direction(table > 0, above, beside)
        slope = float(above @ steps[0] + beside @ steps[1])
        length, value = 1.0, point.value(table)
        following = point.moved(*steps)
        while (
            length > SHORTEST
            and following.value(following.table(noisy)) > value + SUFFICIENT * length * slope
        ):
            length /= 2
            following = point.moved(length * steps[0], length * steps[1])
        point, table = following, following.table(noisy)
    return table


def _direction(positive: Bools, above: Floats, beside: Floats) -> tuple[Floats, Floats]:
    """Solve for Newton's step, the rows eliminated first."""
    cells = positive.astype(np.float64)
    ridge = RIDGE * (1.0 + float(np.sqrt(cells.size)))
    by_row, by_column = cells.sum(axis=1) + ridge, cells.sum(axis=0) + ridge
    weighted: Floats = cells / by_row[:, np.newaxis]
    left = np.diag(by_column) - cells.T @ weighted
    columns: Floats = np.asarray(np.linalg.solve(left, weighted.T @ above - beside), np.float64)
    rows = -(above + cells @ columns) / by_row
    return rows, columns
