"""Shares of values where whole histories are known: no more than so much in each group alike.

Units whose rows are alike, those that show a value left aside, are a group. Whoever knows any of
these rows finds some of the groups, and what holds in each of them holds in all of them together.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.related.publish.history import (
    ReleasedRows,
    RowHistory,
    labelled_rows,
    row_history,
    whole_patterns,
)
from indistinct.related.publish.shares import value_rows
from indistinct.related.publish.tables import RelatedTables
from indistinct.related.publish.whole_histories import WholeCells
from indistinct.tables.masks import SharedPatterns, ValueRows, units_with

NONE = -1


def within_shares(
    tables: RelatedTables, classes: Ints, whole: WholeCells
) -> tuple[ReleasedRows, ...]:
    """Return the rows of all tables, without places in which values have too large a share.

    A place is left to all units of a group that are alike, or to none, so that they stay alike.
    Where numbers of rows are known, its rows show nothing instead.

    Parameters
    ----------
    classes : (n_units,), as they are seen; -1 for those that vanish
    """
    cells, left = [one.copy() for one in whole.cells], [one.copy() for one in whole.left]
    while True:
        rows = labelled_rows(tables, classes, cells, left)
        lost = np.array([*_spots_beyond(tables, classes, rows, whole)], np.int64)
        if not len(lost):
            return rows
        for at, table in enumerate(tables.row_tables):
            is_lost = np.isin(whole.spots[at], lost)
            if tables.policy.related.rows == "known":
                cells[at][is_lost] = table.stars
            else:
                left[at] &= ~is_lost


def whole_shares(history: RowHistory, value: ValueRows, classes: Ints) -> SharedPatterns:
    """Return the units of each whole history without the rows that show a value.

    Parameters
    ----------
    classes : (n_units,), -1 for those that vanish
    """
    is_open = value.open_rows(history.parents, np.ones(len(history.units), np.bool_))
    numbers: dict[object, int] = {}
    own = whole_patterns(history, classes, is_open)
    patterns = [numbers.setdefault(one, len(numbers)) for one in own]
    return SharedPatterns(np.array(patterns, np.int64), np.flatnonzero(classes >= 0))


def _spots_beyond(
    tables: RelatedTables, classes: Ints, rows: tuple[ReleasedRows, ...], whole: WholeCells
) -> Iterator[int]:
    """Yield for each history of too large a share the place in which most units have a value."""
    history = row_history(tables, rows)
    spots = np.concatenate(
        [
            np.zeros(0, np.int64),
            *(own[one.kept] for own, one in zip(whole.spots, rows, strict=True)),
        ]
    )
    for value in value_rows(tables, rows):
        own = np.flatnonzero(value.is_true)
        has = units_with(history.units, value.is_true, len(classes))
        shared = whole_shares(history, value, classes)
        for units in shared.members_beyond(has, value.share):
            found, votes = np.unique(
                spots[own[np.isin(history.units[own], units)]], return_counts=True
            )
            yield int(found[np.argmax(votes)])
