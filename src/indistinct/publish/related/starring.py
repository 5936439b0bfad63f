"""Rows of ``*`` in place of rows that are left out, where others may know the numbers of rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from indistinct.core.arrays import Bools, Ints
from indistinct.core.grouping import numbered_rows
from indistinct.masks.sets.starred_rows import StarRows, without_rare_labels
from indistinct.publish.related.history import ReleasedRows, row_history
from indistinct.publish.related.people import PeopleClasses
from indistinct.publish.related.tables import RelatedTables

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
    rows, classes = without_rare_labels(rows, people.classes, model.k, model.m)
    is_left = classes[rows.units] >= 0
    ends = np.cumsum([int(one.kept.sum()) for one in found])[:-1]
    numbers = np.column_stack(
        [
            np.bincount(units, is_there, len(classes))
            for units, is_there in zip(
                np.split(rows.units, ends), np.split(is_left, ends), strict=True
            )
        ]
    )
    seen = numbered_rows(np.column_stack([people.assigned, numbers.astype(np.int64)]))
    seen = np.where(classes >= 0, seen, NONE)
    labels = np.where(is_left, rows.labels(seen), NONE)
    is_star = rows.cells == rows.stars
    result = tuple(
        _with_decision(one, table.stars, own, shown)
        for table, one, own, shown in zip(
            tables.row_tables,
            found,
            np.split(labels, ends),
            np.split(is_star, ends),
            strict=True,
        )
    )
    more = int((classes < 0).sum() - (people.classes < 0).sum())
    loss = people.loss + people.weight * more / max(len(classes), 1)
    return replace(people, classes=seen, loss=loss), result


def _with_decision(rows: ReleasedRows, stars: Ints, labels: Ints, is_star: Bools) -> ReleasedRows:
    """Return rows of one table with their labels, and ``*`` in some of them.

    Parameters
    ----------
    labels, is_star : (n_kept,), of the rows that the cut has kept
    """
    places = np.flatnonzero(rows.kept)
    cells, all_labels = rows.cells.copy(), rows.labels.copy()
    cells[places[is_star]] = stars
    all_labels[places] = labels
    return ReleasedRows(np.where((all_labels >= 0)[:, None], cells, NONE), all_labels)


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
