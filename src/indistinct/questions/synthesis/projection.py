"""The nearest counts that are not negative and meet the totals they must meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints

STEPS = 300
# A part of the identity is added to the second derivative, which is singular by itself: what all
# rows gain all columns may lose.
RIDGE = 1e-9
SHORTEST = 1e-8
SUFFICIENT = 1e-4
ROUNDS = 500
ROUNDS_OF_PATTERNS = 5000
TOLERANCE = 1e-6


def onto_total(noisy: Floats, variances: Floats, total: float) -> Floats:
    """Return the counts of least weighted distance that are at least 0 and add up to ``total``.

    The solution is max(0, noisy + level * variances): a cell falls to 0 once the level is below
    -noisy / variance, so the level lies between two of these.

    Parameters
    ----------
    noisy : noisy counts, shape (n,), n at least 1
    variances : of each of them, greater than 0, shape (n,)
    total : at least 0

    Notes
    -----
    Source: the conditions of Karush, Kuhn and Tucker of min sum (x - noisy)**2 / variance.
    """
    falls = -noisy / variances
    order = np.argsort(falls, kind="stable")
    levels = (total - np.cumsum(noisy[order])) / np.cumsum(variances[order])
    # The cells before the last one whose own level lies above where it falls are those above 0.
    last = np.flatnonzero(levels > falls[order])
    if len(last) == 0:
        return np.zeros_like(noisy)
    return np.maximum(0.0, noisy + levels[last[-1]] * variances)


def onto_margins(
    noisy: Floats, rows: Floats, columns: Floats, allowed: Bools | None = None
) -> Floats:
    """Return the nearest table that is at least 0 and has these sums of rows and columns.

    The dual is climbed by coordinates: in turn all rows, then all columns are moved to their sums.
    Where few records are spread over many cells that is too slow, and Newton's steps finish it.

    Parameters
    ----------
    noisy : noisy counts of pairs, shape (a, b)
    rows, columns : sums, at least 0, shapes (a,) and (b,), with equal totals
    allowed : cells that may hold something, shape (a, b); the sums can be met by them alone. None:
        all cells

    Notes
    -----
    Source: mckenna2021, section 5; the dual of min sum (x - noisy)**2 over tables with margins.
    """
    by_row, by_column = np.zeros(len(rows)), np.zeros(len(columns))
    close = TOLERANCE * max(1.0, float(rows.sum()))
    if allowed is not None:
        noisy = np.where(allowed, noisy, -_beyond(noisy, rows))
    table = np.maximum(0.0, noisy)
    for _ in range(ROUNDS):
        by_row = _levels(noisy + by_column, rows)
        by_column = _levels((noisy + by_row[:, np.newaxis]).T, columns)
        table = np.maximum(0.0, noisy + by_row[:, np.newaxis] + by_column)
        if np.abs(table.sum(axis=1) - rows).max() <= close:
            break
    else:
        table = finished(noisy, Dual(rows, columns, by_row, by_column), close)
    return table if allowed is None else np.where(allowed, table, 0.0)


def _beyond(noisy: Floats, rows: Floats) -> float:
    """Return a count so large that what lies so far below 0 is never raised above it."""
    return 1e9 * (1.0 + float(rows.sum()) + float(np.abs(noisy).max()))


def onto_reachable(rows: Floats, columns: Floats, allowed: Bools) -> Floats:
    """Return the sums of columns nearest to ``columns`` that some table of allowed cells has.

    Parameters
    ----------
    rows : sums that the table has, at least 0, shape (a,); each above 0 has an allowed cell
    columns : sums that it should have, at least 0, shape (b,), with the same total
    allowed : shape (a, b)

    Notes
    -----
    Least squares over all tables of allowed cells with these sums of rows, by coordinates: each
    row in turn is put where its columns lack most. Rows with the same allowed cells are one.
    """
    patterns, of = np.unique(allowed, axis=0, return_inverse=True)
    parts = np.bincount(of.ravel(), rows, len(patterns))
    table = np.zeros(patterns.shape)
    close = TOLERANCE * max(1.0, float(rows.sum()))
    for _ in range(ROUNDS_OF_PATTERNS):
        moved = 0.0
        for at, pattern in enumerate(patterns):
            if parts[at] > 0:
                lacking = columns - table.sum(axis=0) + table[at]
                part = onto_total(
                    lacking[pattern], np.ones(int(np.count_nonzero(pattern))), float(parts[at])
                )
                moved = max(moved, float(np.abs(part - table[at, pattern]).max()))
                table[at, pattern] = part
        if moved <= close / 10:
            break
    found = table.sum(axis=0)
    return columns if np.abs(found - columns).max() <= close else found


def _levels(noisy: Floats, sums: Floats) -> Floats:
    """Return per row the level u with sum(max(0, row + u)) equal to its sum."""
    falling: Floats = -np.sort(-noisy, axis=1)
    kept: Ints = np.arange(1, len(noisy[0]) + 1, dtype=np.int64)
    levels: Floats = (sums[:, np.newaxis] - np.cumsum(falling, axis=1)) / kept
    # A value counts while it is above 0 at the level of itself and all greater ones.
    counted: Ints = np.maximum(1, np.cumprod(falling + levels > 0, axis=1).sum(axis=1))
    return np.where(sums > 0, levels[np.arange(len(sums)), counted - 1], -falling[:, 0])


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
        """Return the table of this point, shape (a, b)."""
        return np.maximum(0.0, noisy + self.by_row[:, np.newaxis] + self.by_column)

    def value(self, table: Floats) -> float:
        """Return what is minimized."""
        met = float(self.by_row @ self.rows + self.by_column @ self.columns)
        return 0.5 * float((table**2).sum()) - met

    def moved(self, by_row: Floats, by_column: Floats) -> Dual:
        """Return the point that lies so far away."""
        return Dual(self.rows, self.columns, self.by_row + by_row, self.by_column + by_column)

    def turned(self) -> Dual:
        """Exchange rows and columns."""
        return Dual(self.columns, self.rows, self.by_column, self.by_row)


def finished(noisy: Floats, start: Dual, close: float) -> Floats:
    """Return the nearest table, by the semismooth method of Newton with a search along the line.

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
        row_excess, column_excess = (
            table.sum(axis=1) - point.rows,
            table.sum(axis=0) - point.columns,
        )
        if max(float(np.abs(row_excess).max()), float(np.abs(column_excess).max())) <= close:
            break
        steps = _direction(table > 0, row_excess, column_excess)
        slope = float(row_excess @ steps[0] + column_excess @ steps[1])
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


def _direction(positive: Bools, row_excess: Floats, column_excess: Floats) -> tuple[Floats, Floats]:
    """Solve for Newton's step, the rows eliminated first."""
    cells = positive.astype(np.float64)
    ridge = RIDGE * (1.0 + float(np.sqrt(cells.size)))
    by_row, by_column = cells.sum(axis=1) + ridge, cells.sum(axis=0) + ridge
    weighted: Floats = cells / by_row[:, np.newaxis]
    left = np.diag(by_column) - cells.T @ weighted
    columns: Floats = np.asarray(
        np.linalg.solve(left, weighted.T @ row_excess - column_excess), np.float64
    )
    rows = -(row_excess + cells @ columns) / by_row
    return rows, columns
