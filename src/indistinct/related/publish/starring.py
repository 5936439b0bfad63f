"""Rows of ``*`` in place of rows that are left out, where others may know the numbers of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.related.publish.history import (
    ReleasedRows,
    labelled_rows,
    row_history,
    seen_classes,
)
from indistinct.related.publish.people import PeopleClasses
from indistinct.related.publish.shares import value_rows
from indistinct.related.publish.tables import RelatedTables, RowTable
from indistinct.tables.core import numbered_rows
from indistinct.tables.masks import StarRows, without_rare_labels

NONE = -1


def with_stars(
    tables: RelatedTables,
    people: PeopleClasses,
    found: Sequence[ReleasedRows],
    kept: Sequence[ReleasedRows],
) -> tuple[PeopleClasses, tuple[ReleasedRows, ...]]:
    """Return rows of which some show nothing, so that no pattern is rare.

    Parameters
    ----------
    found : per table, the rows after the cut
    kept : the same, without those that would be left out

    Returns
    -------
    the people by what is seen of them, their cells and their numbers of rows; and the rows
    """
    model = tables.policy.model
    rows = _star_rows(tables, found)
    pairs = list(zip(found, kept, strict=True))
    is_gone = np.concatenate([(~left.kept)[one.kept] for one, left in pairs])
    is_first = is_gone & ~((rows.parents >= 0) & is_gone[rows.parents])
    rows = rows.starred(np.flatnonzero(is_first & rows.can_lose))
    values, classes = value_rows(tables, found), people.classes
    while True:
        rows, classes = without_rare_labels(rows, classes, model.k, model.known_rows or 1)
        lost = rows.beyond(values, classes, model.known_rows or 1)
        if not len(lost):
            break
        rows = rows.starred(lost)
    ends = np.cumsum([int(one.kept.sum()) for one in found])[:-1]
    stars = np.split(rows.cells == rows.stars, ends)
    cells = [
        _with_stars(one, table, own)
        for one, table, own in zip(found, tables.row_tables, stars, strict=True)
    ]
    left = [
        one.kept & (classes[table.attached.units] >= 0)
        for one, table in zip(found, tables.row_tables, strict=True)
    ]
    seen = seen_classes(tables, people.assigned, classes, left)
    more = int((classes < 0).sum() - (people.classes < 0).sum())
    loss = people.loss + people.weight * more / max(len(classes), 1)
    return replace(people, classes=seen, loss=loss), labelled_rows(tables, seen, cells, left)


def _with_stars(rows: ReleasedRows, table: RowTable, is_star: Bools) -> Ints:
    """Return the cells of the rows of a table, with ``*`` in some of those that the cut has kept.

    Parameters
    ----------
    is_star : (n_kept,)
    """
    cells = rows.cells.copy()
    cells[np.flatnonzero(rows.kept)[is_star]] = table.stars
    return cells


def _star_rows(tables: RelatedTables, found: Sequence[ReleasedRows]) -> StarRows:
    """Return the rows of all tables one after another, with a number for the cells of each."""
    history = row_history(tables, found)
    parts: list[tuple[Ints, Ints, Ints]] = []
    for place, (table, one) in enumerate(zip(tables.row_tables, found, strict=True)):
        cells = one.cells[one.kept]
        numbers = numbered_rows(np.vstack([table.stars[None, :], cells]))
        star = numbers[0] if table.columns else NONE
        n_rows = len(cells)
        parts.append((np.full(n_rows, place), numbers[1:], np.full(n_rows, star)))
    none = np.zeros(0, np.int64)
    own, cells, stars = map(np.concatenate, zip(*parts, (none, none, none), strict=True))
    return StarRows(
        history.units,
        history.parents,
        own.astype(np.int64),
        cells.astype(np.int64),
        stars.astype(np.int64),
        history.is_released,
        history.saved,
    )
