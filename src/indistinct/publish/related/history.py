"""The released rows of all tables as units have them, for counting their patterns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from indistinct.core.arrays import Bools, Floats, Ints
from indistinct.core.brief import short_repr
from indistinct.masks.sets.listed_patterns import MOST_INSTANCES, grouped_rows, listed_patterns
from indistinct.masks.sets.patterns import Instances, Rows
from indistinct.masks.sets.staircases import Shares
from indistinct.publish.related.tables import RelatedTables, RowTable

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


def row_history(tables: RelatedTables, found: Sequence[ReleasedRows]) -> RowHistory:
    """Return the released rows of all tables one after another."""
    places: list[Ints] = []
    parts: list[tuple[Ints, Ints, Ints, Bools, Floats]] = []
    number: dict[str, Ints] = {}
    first = 0
    for table, one in zip(tables.row_tables, found, strict=True):
        some = np.flatnonzero(one.kept)
        number[table.name] = np.full(table.n_rows, NONE, np.int64)
        number[table.name][some] = first + np.arange(len(some))
        parents = np.full(len(some), NONE, np.int64)
        if table.above in number:
            parents = number[table.above][table.attached.parents[some]]
        released = np.full(len(some), table.has_released_key)
        saved = saved_by(table, one.cells[some])
        parts.append((table.attached.units[some], one.labels[some], parents, released, saved))
        places.append(some)
        first += len(some)
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
