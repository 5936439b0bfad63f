"""The released rows of all tables as units have them, for counting their patterns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.related.publish.tables import RelatedTables, RowTable
from indistinct.tables.core import numbered_rows
from indistinct.tables.masks import (
    MOST_INSTANCES,
    Instances,
    Rows,
    Shares,
    grouped_rows,
    listed_patterns,
)

LEAST_SAVED = 1e-6
NONE = -1


@dataclass(frozen=True, slots=True)
class ReleasedRows:
    """What becomes of the rows of one table.

    Parameters
    ----------
    cells : (n_rows, n_columns), -1 in rows that are left out
    labels : (n_rows,), number of each label; labels of different classes and tables differ
    """

    cells: Ints
    labels: Ints

    __repr__ = short_repr

    @property
    def kept(self) -> Bools:
        """Which rows are released: (n_rows,)."""
        return self.labels >= 0


@dataclass(frozen=True, slots=True)
class RowHistory:
    """The released rows of all tables, those above others first.

    Parameters
    ----------
    places : per row table, (n_kept,), its rows
    units, labels, parents : (n_rows,), of each row; -1 where it belongs to the unit
    is_released : (n_rows,), whether its key is released
    saved : (n_rows,), what is saved by releasing it
    """

    places: tuple[Ints, ...]
    units: Ints
    labels: Ints
    parents: Ints
    is_released: Bools
    saved: Floats

    __repr__ = short_repr

    def instances(self, m: int, most: int | None = None) -> tuple[Rows, Instances]:
        """Return the rows in groups, and the patterns of at most ``m`` of them.

        Parameters
        ----------
        most : patterns that are listed one by one, where rows belong to rows

        Raises
        ------
        ParameterError
            when there are too many
        """
        grouped = grouped_rows(self.units, self.labels, self.parents, self.is_released)
        rows = Rows(self.units, grouped.of_row, self.parents, self.saved)
        return rows, listed_patterns(grouped, m, most or MOST_INSTANCES)


def labelled_rows(
    tables: RelatedTables, classes: Ints, cells: Sequence[Ints], left: Sequence[Bools]
) -> tuple[ReleasedRows, ...]:
    """Return the rows of all tables with numbers of their labels; rows take those below along.

    Parameters
    ----------
    classes : (n_units,), -1 for those that vanish
    cells : per table, (n_rows, n_columns)
    left : per table, (n_rows,), which rows are released
    """
    found: list[ReleasedRows] = []
    n_labels = 0
    for table, own, is_left in zip(tables.row_tables, cells, left, strict=True):
        above = np.where(is_left, label_above(table, classes, found), NONE)
        found.append(labelled(table, own, above, n_labels))
        n_labels = max(n_labels, int(found[-1].labels.max(initial=-1)) + 1)
    return tuple(found)


def label_above(table: RowTable, classes: Ints, found: Sequence[ReleasedRows]) -> Ints:
    """Return a number for the label of the row above each row, or the class of its unit.

    -1 if none is left.

    Parameters
    ----------
    found : the rows of the tables above
    """
    units, parents = table.attached.units, table.attached.parents
    of_unit = np.where(units >= 0, classes[units], NONE)
    labels = np.concatenate([*(one.labels for one in found), [NONE]])
    first = int(classes.max(initial=NONE)) + 1  # labels of rows are none of classes
    of_row = np.where(labels[parents] >= 0, first + labels[parents], NONE)
    return np.where(parents >= 0, of_row, of_unit)


def labelled(table: RowTable, cells: Ints, above: Ints, first: int) -> ReleasedRows:
    """Return rows with numbers of their labels: their cells, and the label above.

    Parameters
    ----------
    first : the first number
    """
    kept = (above != NONE) & (cells >= 0).all(axis=1)
    labels = np.full(table.n_rows, NONE, np.int64)
    keys = np.column_stack([above, cells])[kept]
    if len(keys):
        labels[kept] = first + numbered_rows(keys)
    return ReleasedRows(np.where(kept[:, None], cells, NONE), labels)


def seen_classes(
    tables: RelatedTables, assigned: Codes, classes: Ints, left: Sequence[Bools]
) -> Ints:
    """Return the classes of units as a reader sees them: (n_units,), -1 for those that vanish.

    Parameters
    ----------
    assigned : (n_units,), number of their cells
    classes : (n_units,), those in which rows were cut
    left : per table, (n_rows,), which rows are released
    """
    if tables.policy.related.rows == "free":
        return classes
    numbers = row_numbers(tables, left)
    return np.where(
        classes >= 0, numbered_rows(np.column_stack([assigned.astype(np.int64), numbers])), NONE
    )


def row_numbers(tables: RelatedTables, kept: Sequence[Bools]) -> Ints:
    """Return the rows of each unit in each table: (n_units, n_tables).

    Parameters
    ----------
    kept : per table, (n_rows,), the rows that count
    """
    columns = [
        np.bincount(table.attached.units[own], minlength=tables.n_units)
        for table, own in zip(tables.row_tables, kept, strict=True)
    ]
    columns = columns or [np.zeros(tables.n_units)]
    return np.column_stack(columns).astype(np.int64)


def shown_rows(tables: RelatedTables, table: RowTable, rows: ReleasedRows) -> Bools:
    """Return which rows are released and show something: (n_rows,)."""
    if tables.policy.related.rows == "free":
        return rows.kept
    return rows.kept & ~table.are_starred(rows.cells)


def row_history(tables: RelatedTables, found: Sequence[ReleasedRows]) -> RowHistory:
    """Return the released rows of all tables one after another."""
    places: list[Ints] = []
    parts: list[tuple[Ints, Ints, Ints, Bools, Floats]] = []
    kept = np.concatenate([np.zeros(0, np.bool_), *(one.kept for one in found), [False]])
    number = np.where(kept, np.cumsum(kept) - 1, NONE)  # the last one stands for no row
    for table, one in zip(tables.row_tables, found, strict=True):
        some = np.flatnonzero(one.kept)
        parents = number[table.attached.parents[some]]
        released = np.full(len(some), table.has_released_key)
        saved = saved_by(table, one.cells[some])
        parts.append((table.attached.units[some], one.labels[some], parents, released, saved))
        places.append(some)
    none = np.zeros(0, np.int64)
    empty = (none, none, none, np.zeros(0, np.bool_), np.zeros(0))
    units, labels, parents, released, saved = map(np.concatenate, zip(*parts, empty, strict=True))
    return RowHistory(tuple(places), units, labels, parents, released, saved)


def flat_history(places: Ints, units: Ints, labels: Ints, saved: Floats) -> RowHistory:
    """Return rows as if all of them belonged to units directly."""
    parents = np.full(len(units), NONE, np.int64)
    return RowHistory((places,), units, labels, parents, np.zeros(len(units), np.bool_), saved)


def saved_by(table: RowTable, cells: Ints) -> Floats:
    """Return what is saved by releasing rows with some cells: (n_rows,), above 0."""
    return np.maximum(1 - Shares(table.levels).losses(np.maximum(cells, 0)), LEAST_SAVED)


def whole_patterns(
    history: RowHistory, classes: Ints, known: Bools | None = None
) -> list[tuple[int, Any]]:
    """Return what is seen of each released unit: its class, and all of its rows.

    Parameters
    ----------
    classes : (n_units,), -1 for those that vanish
    known : (n_rows,), the rows that are looked at, those above them included; all when left out
    """
    rows: Ints = np.arange(len(history.units)) if known is None else np.flatnonzero(known)
    lowest_first: list[int] = rows[::-1].tolist()
    below: dict[int, list[Any]] = {}
    own: dict[int, list[Any]] = {}
    nearest: list[int] = []
    parents: list[int] = history.parents.tolist()
    released: list[bool] = history.is_released.tolist()
    for parent in parents:
        nearest.append(parent if parent < 0 or released[parent] else nearest[parent])
    units, labels = history.units.tolist(), history.labels.tolist()
    for row in lowest_first:
        seen: tuple[Any, ...] = (labels[row], tuple(sorted(below.pop(row, []))))
        if nearest[row] < 0:
            own.setdefault(units[row], []).append(seen)
        else:
            below.setdefault(nearest[row], []).append(seen)
    return [
        (kind, tuple(sorted(own.get(unit, []))))
        for unit, kind in enumerate(classes.tolist())
        if kind >= 0
    ]
