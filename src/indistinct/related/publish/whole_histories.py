"""Whole histories that are alike: all rows of a unit, in one wide record, where all may be known.

The rows of a unit have places: the first, second, ... row of a table below one row. Units are
divided into runs that have most places in common; rows in other places are left out. Units with the
same places are then divided into groups of at least k, of which each has one cell in each place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.base.brief import short_repr
from indistinct.related.publish.known_rows import runs_of_numbers, value_counts
from indistinct.related.publish.shares import rows_with_value
from indistinct.related.publish.tables import RelatedTables, RowTable
from indistinct.tables.core import numbered_rows
from indistinct.tables.masks import HistoryRecords, alike_groups

NONE = -1


@dataclass(frozen=True, slots=True)
class PlacedRows:
    """The rows of all tables one after another, those of a unit together, in order of their places.

    Parameters
    ----------
    tables, rows : (n_rows,), number of the table of each, and its row there
    units : (n_rows,), ascending
    places : (n_rows,), number of the place of each among the rows of its unit
    siblings : (n_places,), a number for the places below one place that differ in order only, in
        tables without rows below them; -1 for others
    """

    tables: Ints
    rows: Ints
    units: Ints
    places: Ints
    siblings: Ints

    __repr__ = short_repr

    def has_place(self, units: Ints) -> Ints:
        """Return whether units have a row in each place: (n_units, n_places), 0 or 1."""
        n_units = max(int(self.units.max(initial=0)), int(units.max(initial=0))) + 1
        number = np.full(n_units, NONE, np.int64)
        number[units] = np.arange(len(units))
        some = np.flatnonzero(number[self.units] >= 0)
        found = np.zeros((len(units), len(self.siblings)), np.int64)
        found[number[self.units[some]], self.places[some]] = 1
        return found


@dataclass(frozen=True, slots=True)
class WholeCells:
    """Rows with which whole histories are alike.

    Parameters
    ----------
    cells : per table, (n_rows, n_columns)
    left : per table, (n_rows,), which rows are left
    spots : per table, (n_rows,), a number for each place of each group of units; -1 for none. All
        units of a group have one row there, and these rows have the same cells
    """

    cells: list[Ints]
    left: list[Bools]
    spots: list[Ints]

    __repr__ = short_repr


def whole_cells(tables: RelatedTables, classes: Ints, *, keeps_shares: bool) -> WholeCells:
    """Return the cells of all rows, and which rows are left.

    Parameters
    ----------
    classes : (n_units,), -1 for those that vanish
    keeps_shares : whether a group in which shares of values hold is divided into such groups only
    """
    placed, k = _placed_rows(tables), tables.policy.model.k
    is_known = tables.policy.related.rows == "known"
    shown = [np.full((t.n_rows, len(t.columns)), NONE, np.int64) for t in tables.row_tables]
    left = [np.zeros(table.n_rows, np.bool_) for table in tables.row_tables]
    spots = [np.full(table.n_rows, NONE, np.int64) for table in tables.row_tables]
    n_spots = 0
    sensitive = [
        ([rows_with_value(tables, one, model) for one in tables.row_tables], model.share)
        for model in tables.policy.largest_shares
        if keeps_shares
    ]
    for units, shape in _alike_shapes(placed, classes, k):
        rows = _rows_of(tables, placed, units, shape)
        own: list[int] = placed.tables[rows[0]].tolist()
        wide = [
            (place, at, column.levels)
            for place, table in enumerate(own)
            for at, column in enumerate(tables.row_tables[table].columns)
        ]
        codes = [
            tables.row_tables[own[place]].codes[placed.rows[rows[:, place]], at]
            for place, at, _ in wide
        ]
        stacked = np.column_stack(codes) if wide else np.zeros((len(units), 0), np.int64)
        values = [
            (
                np.any([of_table[t][placed.rows[rows[:, at]]] for at, t in enumerate(own)], axis=0),
                share,
            )
            for of_table, share in sensitive
        ]
        records = HistoryRecords(stacked, [one for *_, one in wide], values)
        for members, cells in alike_groups(records, k):
            of_place: dict[int, list[int]] = {place: [] for place in range(len(own))}
            for (place, _, _), cell in zip(wide, cells.tolist(), strict=True):
                of_place[place].append(cell)
            for place, listed in of_place.items():
                table, has_cells = own[place], NONE not in listed
                places = placed.rows[rows[members, place]]
                left[table][places] = has_cells or is_known
                spots[table][places] = n_spots + place
                shown[table][places] = listed if has_cells else tables.row_tables[table].stars
            n_spots += len(own)
    return WholeCells(shown, left, spots)


def _placed_rows(tables: RelatedTables) -> PlacedRows:
    """Return the places of all rows: first those with many rows below them, or frequent values."""
    parts: list[tuple[Ints, Ints, Ints, Ints]] = []
    of_row = np.zeros(0, np.int64)
    siblings: list[Ints] = []
    n_places = 0
    for number, table in enumerate(tables.row_tables):
        units, parents = table.attached.units, table.attached.parents
        some = np.flatnonzero(units >= 0)
        above = np.append(of_row, NONE)[parents[some]]
        owner = np.where(parents[some] >= 0, tables.n_units + parents[some], units[some])
        below = tables.rows_below(table)
        order = np.lexsort((-value_counts(table)[some], -below[some], owner))
        starts = np.flatnonzero(np.diff(owner[order], prepend=NONE))
        ranks = np.arange(len(some)) - np.repeat(starts, np.diff(starts, append=len(some)))
        keys = np.column_stack([above[order], ranks])
        places = n_places + numbered_rows(keys)
        of_row = np.concatenate([of_row, np.full(table.n_rows, NONE)])
        of_row[len(of_row) - table.n_rows + some[order]] = places
        own = np.full(len(np.unique(places)), NONE, np.int64)
        if not below.any():
            own[places - n_places] = n_places + numbered_rows(keys[:, :1])
        siblings.append(own)
        n_places += len(own)
        rows = some[order]
        parts.append((np.full(len(rows), number), rows, units[rows], places))
    none = np.zeros(0, np.int64)
    of_table, rows, units, places = map(np.concatenate, zip(*parts, (none,) * 4, strict=True))
    order = np.lexsort((places, units))
    return PlacedRows(
        of_table[order],
        rows[order],
        units[order],
        places[order],
        np.concatenate([*siblings, none]),
    )


def _alike_shapes(placed: PlacedRows, classes: Ints, k: int) -> Iterator[tuple[Ints, Ints]]:
    """Yield units of one class, ascending, and the places in which all of them show a row."""
    for kind in np.unique(classes[classes >= 0]).tolist():
        units = np.flatnonzero(classes == kind)
        has = placed.has_place(units)
        runs = runs_of_numbers(has, k)
        shapes = np.stack([has[runs == run].min(axis=0) for run in range(int(runs.max()) + 1)])
        alike = numbered_rows(shapes)
        for shape in range(int(alike.max()) + 1):
            shown = np.flatnonzero(shapes[int(np.argmax(alike == shape))])
            if len(shown):
                yield units[alike[runs] == shape], shown


def _rows_of(tables: RelatedTables, placed: PlacedRows, units: Ints, shape: Ints) -> Ints:
    """Return the row of each unit in each place: (n_units, n_shown_places).

    Rows in places that differ in order only are in the order of their dates, then of their values.
    """
    is_unit = np.zeros(max(int(placed.units.max()), int(units.max())) + 1, np.bool_)
    is_unit[units] = True
    is_shown = np.zeros(len(placed.siblings), np.bool_)
    is_shown[shape] = True
    rows = np.flatnonzero(is_unit[placed.units] & is_shown[placed.places])
    rows = rows.reshape(len(units), len(shape))
    times = [_in_time(table) for table in tables.row_tables]
    for sibling in np.unique(placed.siblings[shape]).tolist():
        together = np.flatnonzero(placed.siblings[shape] == sibling)
        if sibling < 0 or len(together) == 1:
            continue
        own = rows[:, together]
        table = int(placed.tables[own[0, 0]])
        order = np.argsort(times[table][placed.rows[own]], axis=1, kind="stable")
        rows[:, together] = np.take_along_axis(own, order, axis=1)
    return rows


def _in_time(table: RowTable) -> Ints:
    """Return the place of each row of a table in the order of dates, then of other values."""
    if not table.columns:
        return np.zeros(table.n_rows, np.int64)
    first = sorted(range(len(table.columns)), key=lambda at: not table.columns[at].is_time)
    return numbered_rows(table.codes[:, first].astype(np.int64))
