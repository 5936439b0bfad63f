"""Equations between cells: a parent less its children is zero, or what is shown of them."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.base.brief import short_repr


@dataclass(frozen=True, slots=True)
class Equations:
    """Sums with the coefficients 1 and -1, row by row.

    Parameters
    ----------
    starts : (n_rows + 1,), where each row begins among the entries
    cells : (n_entries,), a number below ``n_cells``
    signs : (n_entries,), 1 for the parent, -1 for a child
    n_cells : number of cells that there are
    """

    starts: Ints
    cells: Ints
    signs: Ints
    n_cells: int

    __repr__ = short_repr

    @property
    def n_rows(self) -> int:
        """Number of equations."""
        return len(self.starts) - 1

    @property
    def rows(self) -> Ints:
        """Return the row of each entry: (n_entries,)."""
        return np.repeat(np.arange(self.n_rows), np.diff(self.starts))

    def sums(self, values: Ints) -> Ints:
        """Add up each row exactly: (n_rows,)."""
        products = np.append(self.signs * values[self.cells], 0)
        totals = np.add.reduceat(products, self.starts[:-1]) if self.n_rows else products[:0]
        return np.where(np.diff(self.starts) == 0, 0, totals)

    def chosen(self, rows: Bools | Ints) -> Equations:
        """Return some of the rows, with the numbers of the cells as they are."""
        picked = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        lengths = np.diff(self.starts)[picked]
        entries = ranges(self.starts[picked], lengths)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        return Equations(starts, self.cells[entries], self.signs[entries], self.n_cells)

    def among(self, cells: Ints) -> Equations:
        """Return the equations of some cells alone, which get the numbers of their places.

        Rows that have none of the cells are left out, and the entries of all other cells.

        Parameters
        ----------
        cells : (n_chosen,), sorted
        """
        places = np.full(self.n_cells, -1, np.int64)
        places[cells] = np.arange(len(cells))
        return self.renumbered(places, len(cells))

    def renumbered(self, places: Ints, n_cells: int) -> Equations:
        """Return the equations with other numbers of the cells; entries of -1 are left out.

        Parameters
        ----------
        places : (n_cells,), the number that each cell gets
        n_cells : how many numbers there are
        """
        kept = places[self.cells] >= 0
        lengths = np.bincount(self.rows[kept], minlength=self.n_rows)
        lengths = lengths[lengths > 0]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        return Equations(starts, places[self.cells[kept]], self.signs[kept], n_cells)

    def components(self) -> Ints:
        """Return the number of the component of each cell: (n_cells,); an equation joins its cells.

        Examples
        --------
        >>> one = Equations(np.array([0, 2]), np.array([0, 2]), np.array([1, -1]), 3)
        >>> one.components().tolist()
        [0, 1, 0]
        """
        first = self.cells[self.starts[:-1]] if self.n_rows else self.cells[:0]
        return connected(self.cells, first[self.rows], self.n_cells)


@dataclass(frozen=True, slots=True)
class Neighbors:
    """Which cells stand in an equation with a cell."""

    equations: Equations
    entry_starts: Ints
    rows_of_cells: Ints

    __repr__ = short_repr

    @classmethod
    def of(cls, equations: Equations) -> Neighbors:
        """List the rows of every cell."""
        order = np.argsort(equations.cells, kind="stable")
        counts = np.bincount(equations.cells, minlength=equations.n_cells)
        return cls(equations, np.concatenate([[0], np.cumsum(counts)]), equations.rows[order])

    def among(self, cells: Ints) -> Equations:
        """Return :meth:`Equations.among`, in time that grows with these cells alone."""
        counts = self.entry_starts[cells + 1] - self.entry_starts[cells]
        rows = np.unique(self.rows_of_cells[ranges(self.entry_starts[cells], counts)])
        near = self.equations.chosen(rows)
        places = np.searchsorted(cells, near.cells)
        places[places == len(cells)] = 0
        is_own = cells[places] == near.cells
        lengths = np.add.reduceat(is_own, near.starts[:-1], dtype=np.int64)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        return Equations(starts, places[is_own], near.signs[is_own], len(cells))

    def around(self, cell: int, most: int, allowed: Bools | None = None) -> Ints:
        """Return about ``most`` cells nearest to a cell by equations, itself among them, sorted.

        Parameters
        ----------
        allowed : (n_cells,), which cells may be among them
        """
        found = front = np.array([cell], np.int64)
        while len(front) and len(found) < most:
            counts = self.entry_starts[front + 1] - self.entry_starts[front]
            rows = np.unique(self.rows_of_cells[ranges(self.entry_starts[front], counts)])
            starts = self.equations.starts[rows]
            reached = self.equations.cells[ranges(starts, self.equations.starts[rows + 1] - starts)]
            reached = np.unique(reached if allowed is None else reached[allowed[reached]])
            front = np.setdiff1d(reached, found, assume_unique=True)[: most - len(found)]
            found = np.union1d(found, front)
        return found


def connected(ones: Ints, others: Ints, n_cells: int) -> Ints:
    """Return the number of the component of each cell: (n_cells,); pairs of cells are joined."""
    sparse: Any = import_module("scipy.sparse")  # takes long to import
    graphs: Any = import_module("scipy.sparse.csgraph")
    pairs = (np.ones(len(ones), np.int8), (ones, others))
    joined = sparse.csr_matrix(pairs, shape=(n_cells, n_cells))
    return np.asarray(graphs.connected_components(joined, directed=False)[1], np.int64)


def up_and_down(equations: Equations) -> Equations:
    """Return equations of changes: a way up of each cell, and after all of these a way down."""
    n = equations.n_cells
    entries = np.repeat(np.arange(len(equations.cells)), 2)
    is_down = np.tile([False, True], len(equations.cells))
    columns = equations.cells[entries] + np.where(is_down, n, 0)
    signs = equations.signs[entries] * np.where(is_down, -1, 1)
    return Equations(equations.starts * 2, columns, signs, 2 * n)


def ranges(starts: Ints, lengths: Ints) -> Ints:
    """Return consecutive numbers from each start, beneath each other.

    Examples
    --------
    >>> ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total) + np.repeat(starts - ends + lengths, lengths)
