"""Classes of units whose numbers of rows are alike, where others may know these numbers.

Units are sorted by their numbers of rows, and divided into runs so that as few rows as possible are
above the least number of their run.
"""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Bools, Ints
from indistinct.related.publish.history import row_numbers
from indistinct.related.publish.tables import RelatedTables, RowTable
from indistinct.tables.core import numbered_rows

STEPS = 16  # ends of runs in a run of the least length, where that is long
NONE = -1


def alike_in_numbers(tables: RelatedTables, classes: Ints, least: int) -> Ints:
    """Divide classes so that few rows are above the least number of a class: (n_units,).

    Parameters
    ----------
    classes : (n_units,), -1 for those that vanish
    least : units of a new class, where a class has so many
    """
    numbers = row_numbers(tables, [table.attached.units >= 0 for table in tables.row_tables])
    lows = np.zeros_like(numbers)
    for kind in np.unique(classes[classes >= 0]).tolist():
        members = np.flatnonzero(classes == kind)
        runs = runs_of_numbers(numbers[members], least)
        for run in range(int(runs.max()) + 1):
            some = members[runs == run]
            lows[some] = numbers[some].min(axis=0)
    found = numbered_rows(np.column_stack([classes, lows]))
    return np.where(classes >= 0, found, NONE)


def runs_of_numbers(numbers: Ints, least: int) -> Ints:
    """Divide units into runs of at least so many: (n_units,), number of the run of each.

    Parameters
    ----------
    numbers : (n_units, n_tables), rows of each unit in each table

    Notes
    -----
    Dynamic programming over the units in the order of their rows. A longer run can be divided at no
    cost, so that none needs to have more than 2 ``least`` - 1 units. Exact for one table, and with
    several ones exact among runs in the order of all rows together, as long as ``least`` is below
    32; beyond that, runs end at each 16th part of ``least``. O(16 * n_units), and exactly below 32
    O(n_units * least).
    """
    n_units, step = len(numbers), max(1, least // STEPS)
    order = np.lexsort((*numbers.T[::-1], numbers.sum(axis=1)))
    ordered = numbers[order]
    sums = np.concatenate([[0], np.cumsum(ordered.sum(axis=1))])
    borders = np.append(np.arange(0, n_units, step), n_units)
    costs = np.full(len(borders), np.inf)
    costs[0] = 0
    begins = np.zeros(len(borders), np.int64)
    for place in range(1, len(borders)):
        end = int(borders[place])
        low = int(np.searchsorted(borders, end - 2 * least - step + 2))
        high = int(np.searchsorted(borders, max(end - least, 0 if end == n_units else -1), "right"))
        starts = borders[low:high]
        if not len(starts):
            continue
        lows = np.minimum.accumulate(ordered[starts[0] : end][::-1], axis=0)[::-1].sum(axis=1)
        own = sums[end] - sums[starts] - (end - starts) * lows[starts - starts[0]]
        best = int(np.argmin(costs[low:high] + own))
        costs[place], begins[place] = costs[low + best] + own[best], low + best
    runs = np.zeros(n_units, np.int64)
    place, number = len(borders) - 1, 0
    while place > 0:
        begin = int(begins[place])
        runs[order[borders[begin] : borders[place]]] = number
        place, number = begin, number + 1
    return runs


def rows_left(tables: RelatedTables, classes: Ints) -> list[Bools]:
    """Return per table which rows are left so that the units of a class have as many.

    A row takes those below it along. Those with few rows below them go first, then those whose
    values are rare.
    """
    found: list[Bools] = []
    for table in tables.row_tables:
        units = table.attached.units
        is_there = (units >= 0) & (classes[units] >= 0)
        is_there &= np.concatenate([*found, [True]])[table.attached.parents]  # -1: the unit
        numbers = np.bincount(units[is_there], minlength=len(classes))
        lows = np.full(int(classes.max(initial=0)) + 1, len(units), np.int64)
        released = classes >= 0
        np.minimum.at(lows, classes[released], numbers[released])
        surplus = np.where(released, numbers - lows[classes], 0)
        some = np.flatnonzero(is_there)
        below = tables.rows_below(table)[some]
        some = some[np.lexsort((value_counts(table)[some], below, units[some]))]
        starts = np.flatnonzero(np.diff(units[some], prepend=NONE))
        ranks = np.arange(len(some)) - np.repeat(starts, np.diff(starts, append=len(some)))
        is_there[some[ranks < surplus[units[some]]]] = False
        found.append(is_there)
    return found


def value_counts(table: RowTable) -> Ints:
    """Return how many rows have the values of each row, added up over the columns: (n_rows,)."""
    found = np.zeros(table.n_rows, np.int64)
    for codes in table.codes.T:
        found += np.bincount(codes)[codes]
    return found
