"""Cut the rows of one table in every class: the cheapest of several cuts is taken in each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.related.publish.history import ReleasedRows, flat_history, labelled, saved_by
from indistinct.related.publish.tables import RowTable
from indistinct.tables.masks import ClassRows, Shares, cut_labels, without_rare_patterns
from indistinct.tables.models import JointAnonymity

ALPHAS = (1.0, 2.0, 4.0)
STRICTER = {1: (0,), 2: (1,), 3: (1, 4, 8)}  # factors of k for pairs, by the known rows
MORE_CUTS = 2  # of the rows that are left out
SLIGHT = 1e-9
NONE = -1


@dataclass(slots=True)
class _BestCells:
    """The cheapest cells of a table so far, class by class.

    Parameters
    ----------
    table, above : the rows, and the label above each, -1 where it is left out
    classes : (n_rows,), -1 where the row above is left out
    m, k : of the promise
    price : of a row that is left out
    cells : (n_rows, n_columns), the cheapest ones, and ``lost`` what each row loses with them
    """

    table: RowTable
    above: Ints
    classes: Ints
    m: int
    k: int
    price: float
    cells: Ints
    lost: Floats

    def consider(self, cells: Ints, rest: Ints | None = None) -> bool:
        """Replace the cells of the classes where others cost less; return whether there are any.

        Parameters
        ----------
        cells : (n_rows, n_columns), -1 in rows that are left out
        rest : the cells of rows for which ``cells`` says nothing; -1 when left out
        """
        is_declared = (self.classes >= 0) & (cells >= 0).all(axis=1)
        has_any = np.bincount(self.classes[is_declared], minlength=self.n_classes) > 0
        cells = cells if rest is None else np.where(cells >= 0, cells, rest)
        losses = Shares(self.table.levels).losses(np.maximum(cells, 0))
        # Whatever rare patterns cost comes on top of this.
        least = self._costs(np.where((cells >= 0).all(axis=1), losses, self.price))
        is_open = self._in(has_any & (least < self._costs(self.lost) - SLIGHT))
        if not is_open.any():
            return False
        above = np.where(is_open, self.above, NONE)
        kept = _alone(self.table, labelled(self.table, cells, above, 0), self.m, self.k)
        lost = np.where(kept, losses, self.price)
        is_better = is_open & self._in(self._costs(lost) < self._costs(self.lost) - SLIGHT)
        self.cells[is_better], self.lost[is_better] = cells[is_better], lost[is_better]
        return bool(is_better.any())

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return int(self.classes.max(initial=-1)) + 1

    def _in(self, which: Bools) -> Bools:
        """Return which rows belong to some classes: (n_rows,)."""
        return (self.classes >= 0) & which[self.classes]

    def _costs(self, lost: Floats) -> Floats:
        """Return what the rows of each class lose: (n_classes,)."""
        some = self.classes >= 0
        return np.bincount(self.classes[some], lost[some]).astype(np.float64)

    def left_out(self, members: Sequence[Ints]) -> list[Ints]:
        """Return the rows of each class that would be left out."""
        return [rows[self.lost[rows] >= self.price] for rows in members]


def best_cells(  # noqa: PLR0913 - what a cut depends on
    table: RowTable,
    classes: Ints,
    above: Ints,
    model: JointAnonymity,
    price: float,
    *,
    every: bool,
) -> Ints:
    """Return the cells of the rows of a table by the cheapest cut of each class.

    Rows that it leaves out are cut once more among themselves, as long as that saves something:
    enough of them may share a label that is too coarse for the others.

    Parameters
    ----------
    classes : (n_units,), of the units
    above : (n_rows,), the label above each row, -1 where it is left out
    price : of a row that is left out
    every : whether every path and price of a rare pair is tried

    Returns
    -------
    (n_rows, n_columns), -1 in rows that are left out
    """
    classes = np.where(above == NONE, NONE, classes[table.attached.units])
    order = np.argsort(classes, kind="stable")
    order = order[classes[order] >= 0]
    starts = np.flatnonzero(np.diff(classes[order], prepend=-1))
    members = np.split(order, starts[1:]) if len(order) else []
    m, k = model.known_rows or 1, model.k
    factors = STRICTER[m] if every else STRICTER[m][:1]
    cells = np.full((table.n_rows, len(table.columns)), NONE, np.int64)
    if not table.columns or not members:
        return cells
    lost = np.full(table.n_rows, np.inf)
    best = _BestCells(table, above, classes, m, k, price, cells, lost)
    for factor in factors:
        for cells in _candidates(best, members, factor, every=every):
            best.consider(cells)
    for _ in range(MORE_CUTS if every else 1):
        rest, before = best.left_out(members), best.cells.copy()
        again = _candidates(best, rest, factors[0], every=every)
        taken = [best.consider(cells, before) for cells in again]
        if not any(taken):
            break
    return best.cells


def _candidates(
    best: _BestCells, members: Sequence[Ints], stricter: int, *, every: bool
) -> list[Ints]:
    """Return the cells of all rows for each path and price of a rare pair.

    Parameters
    ----------
    members : per class, the rows that are cut
    stricter : factor of k for pairs
    """
    table, price, k = best.table, best.price, best.k
    found: list[Ints] = []
    alphas = [one * price for one in (ALPHAS if every else ALPHAS[:1])]
    for rows in members:
        kinds, units = np.unique(table.attached.units[rows], return_inverse=True)
        if len(kinds) < k:
            continue
        part = ClassRows(
            units.astype(np.int64),
            table.codes[rows],
            table.levels,
            np.unique(best.above[rows], return_inverse=True)[1].astype(np.int64),
        )
        cuts = cut_labels(part, k, alphas, price=price, stricter=stricter)
        place, met = 0, set[bytes]()
        for of_alphas in cuts:
            for cells in of_alphas:
                if place == len(found):
                    found.append(np.full((table.n_rows, len(table.columns)), NONE, np.int64))
                # The same cut once more is not worth counting.
                if (key := cells.tobytes()) not in met:
                    found[place][rows] = cells
                met.add(key)
                place += 1
            if not every:
                break
    return found


def _alone(table: RowTable, rows: ReleasedRows, m: int, k: int) -> Bools:
    """Return which rows are left if this table is looked at alone: (n_rows,)."""
    some = np.flatnonzero(rows.kept)
    kept = np.zeros(table.n_rows, np.bool_)
    units, saved = table.attached.units[some], saved_by(table, rows.cells[some])
    part, instances = flat_history(some, units, rows.labels[some], saved).instances(m)
    kept[some] = without_rare_patterns(part, instances, k, passes=0)
    return kept
