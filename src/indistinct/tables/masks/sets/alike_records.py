"""Groups of wide records in which every column has one cell: halves of halves, as Mondrian cuts.

Source: lefevre2006, with the values of a column in the order of its hierarchy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.masks.sets.generalization_paths import CellLevels

MOST_TRIED = 4  # columns by which a group is halved to see which way loses least
LEFT_OUT = -1


@dataclass(frozen=True, slots=True)
class HistoryRecords:
    """Records of one shape.

    Parameters
    ----------
    codes : (n_records, n_columns), value codes
    columns : the cells of each column
    values : of each sensitive value, (n_records,), which records have it, and the largest share of
        a group that may
    """

    codes: Ints
    columns: Sequence[CellLevels]
    values: Sequence[tuple[Bools, float]] = ()

    __repr__ = short_repr

    def cells(self, members: Ints) -> Ints:
        """Return the finest cell that some records have in common in each column; -1 for none."""
        found = np.full(len(self.columns), LEFT_OUT, np.int64)
        for at, column in enumerate(self.columns):
            own = np.unique(self.codes[members, at])
            for level in column.levels:
                cells = column.cells[level, own]
                if (cells == cells[0]).all():
                    found[at] = cells[0]
                    break
        return found

    def keep_shares(self, members: Ints, ends: Ints) -> Bools:
        """Return where records may be divided: (n_ends,).

        Where no more than the share of all have a value, no more of both halves may have it.
        """
        found: Bools = np.ones(len(ends), np.bool_)
        for has, share in self.values:
            before = np.append(0, np.cumsum(has[members]))
            first, last = before[ends], before[-1] - before[ends]
            keeps = (first <= share * ends) & (last <= share * (len(members) - ends))
            found &= keeps | (before[-1] > share * len(members))
        return found

    def losses(self, cells: Ints) -> list[float]:
        """Return what a record loses in each column with some cells, weighed."""
        listed = zip(self.columns, cells.tolist(), strict=True)
        return [
            column.importance * (1.0 if cell < 0 else float(column.losses[cell]))
            for column, cell in listed
        ]


def alike_groups(records: HistoryRecords, k: int) -> Iterator[tuple[Ints, Ints]]:
    """Divide records into groups of at least ``k``.

    Yields
    ------
    the members of a group, and its cell in each column
    """
    orders = [_tree_order(column) for column in records.columns]
    everybody = np.arange(len(records.codes))
    waiting = [(everybody, records.cells(everybody))]
    while waiting:
        members, cells = waiting.pop()
        halves = _halved(records, orders, members, cells, k) if len(members) >= 2 * k else None
        if halves is None:
            yield members, cells
        else:
            waiting += halves


def _tree_order(column: CellLevels) -> Ints:
    """Return the place of each value in an order in which the values below a cell are together."""
    order = np.lexsort([column.cells[level] for level in column.levels])
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return place


def _halved(
    records: HistoryRecords, orders: Sequence[Ints], members: Ints, cells: Ints, k: int
) -> list[tuple[Ints, Ints]] | None:
    """Return the two halves that lose least; None where no column divides the records."""
    losses = records.losses(cells)
    best, least = None, sum(losses) * len(members)
    n_tried = 0
    for at in sorted(range(len(losses)), key=lambda one: -losses[one]):
        if not losses[at] or n_tried == MOST_TRIED:
            break
        parts = _divided(records, at, orders[at], members, k)
        if parts is None:
            continue
        n_tried += 1
        halves = [(part, records.cells(part)) for part in parts]
        lost = sum(len(part) * sum(records.losses(own)) for part, own in halves)
        if best is None or lost < least:
            best, least = halves, lost
    return best


def _divided(
    records: HistoryRecords, at: int, order: Ints, members: Ints, k: int
) -> tuple[Ints, Ints] | None:
    """Divide records by one column, between two of its coarsest cells, near the middle."""
    column = records.columns[at]
    codes = records.codes[members, at]
    sorted_members = np.argsort(order[codes], kind="stable")
    for level in reversed(column.levels):
        cells = column.cells[level, codes[sorted_members]]
        ends = np.flatnonzero(np.diff(cells)) + 1
        ends = ends[(ends >= k) & (ends <= len(members) - k)]
        ends = ends[records.keep_shares(members[sorted_members], ends)]
        if len(ends):
            end = int(ends[np.argmin(np.abs(ends - len(members) / 2))])
            return members[sorted_members[:end]], members[sorted_members[end:]]
    return None
