"""Rows that show nothing but ``*``, where none may be left out, so that no pattern is rare.

Where the number of a unit's rows is known, a row that has to go becomes a row of ``*``. This is a
label like others: it counts in patterns. Rows below such a row keep their own cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.core.grouping import numbered_rows
from indistinct.tables.masks.sets.large_shares import ValueRows, rows_beyond
from indistinct.tables.masks.sets.listed_patterns import GroupedRows, grouped_rows, listed_patterns
from indistinct.tables.masks.sets.patterns import Instances, PatternCounts, Rows, row_depths

NONE = -1


@dataclass(frozen=True, slots=True)
class StarRows:
    """Rows of all tables with the cells that they show.

    Parameters
    ----------
    units, parents : (n_rows,), of each row; parent -1 where it belongs to the unit
    tables : (n_rows,), number of its table
    cells : (n_rows,), number of its cells in its table
    stars : (n_rows,), the number that stands for ``*`` in its table; -1 where it has no cells
    is_released : (n_rows,), whether its key is released
    saved : (n_rows,), what is lost with its cells, above 0
    """

    units: Ints
    parents: Ints
    tables: Ints
    cells: Ints
    stars: Ints
    is_released: Bools
    saved: Floats

    __repr__ = short_repr

    @property
    def can_lose(self) -> Bools:
        """Whether a row shows something that can become ``*``: (n_rows,)."""
        return (self.stars >= 0) & (self.cells != self.stars)

    def some(self, which: Bools) -> StarRows:
        """Return some of the rows, those above them included."""
        places = np.flatnonzero(which)
        number = np.full(len(which), NONE, np.int64)
        number[places] = np.arange(len(places))
        parents = self.parents[places]
        return StarRows(
            self.units[places],
            np.where(parents >= 0, number[parents], NONE),
            self.tables[places],
            self.cells[places],
            self.stars[places],
            self.is_released[places],
            self.saved[places],
        )

    def starred(self, rows: Ints) -> StarRows:
        """Return the same rows with ``*`` in some of them."""
        cells = self.cells.copy()
        cells[rows] = self.stars[rows]
        return replace(self, cells=cells)

    def labels(self, classes: Ints) -> Ints:
        """Return the number of each row's label: (n_rows,).

        Parameters
        ----------
        classes : (n_units,), class of each unit
        """
        labels = np.full(len(self.units), NONE, np.int64)
        depths, first = row_depths(self.parents), 0
        for depth in range(int(depths.max(initial=-1)) + 1):
            some = np.flatnonzero(depths == depth)
            above = labels[self.parents[some]] if depth else classes[self.units[some]]
            keys = np.column_stack([above, self.tables[some], self.cells[some]])
            labels[some] = first + numbered_rows(keys)
            first = int(labels[some].max()) + 1
        return labels

    def beyond(self, values: Sequence[ValueRows], classes: Ints, m: int) -> Ints:
        """Return rows that have to lose their cells so that no share of a value is too large.

        Parameters
        ----------
        classes : (n_units,), class of each unit; -1 where it is not released
        """
        is_left = classes[self.units] >= 0
        if not values or not is_left.any():
            return np.zeros(0, np.int64)
        part, places = self.some(is_left), np.flatnonzero(is_left)
        grouped = grouped_rows(part.units, part.labels(classes), part.parents, part.is_released)
        rows = Rows(part.units, grouped.of_row, part.parents, part.saved)
        own = [
            replace(one, is_true=one.is_true[places], is_seen=one.is_seen[places]) for one in values
        ]
        instances = listed_patterns(grouped, m)
        return places[rows_beyond(own, rows, instances, classes, part.can_lose)]


def without_rare_labels(rows: StarRows, classes: Ints, k: int, m: int) -> tuple[StarRows, Ints]:
    """Write ``*`` into rows until no pattern of at most ``m`` rows is rare.

    Of the rows in a unit's rare patterns that one loses its cells which is in most of them per
    cost, or else one above them. Where rare patterns are made of ``*`` alone, other units of the
    class lose cells, too; where none can, the units with these patterns vanish.

    Parameters
    ----------
    classes : (n_units,), class of each unit; -1 where it is not released

    Returns
    -------
    the rows, and the classes, -1 also for those that vanish
    """
    classes = classes.copy()
    active = np.unique(classes[classes >= 0])
    while len(active):
        is_active = np.isin(classes, active)
        sizes = np.bincount(classes[is_active], minlength=int(active[-1]) + 1)
        small = np.flatnonzero((sizes > 0) & (sizes < k))
        classes[np.isin(classes, small)] = NONE
        is_active &= classes >= 0
        places = np.flatnonzero(is_active[rows.units])
        part = rows.some(is_active[rows.units])
        lost, gone, active = _round(part, classes, k, m)
        rows = rows.starred(places[lost])
        classes[gone] = NONE
    return rows, classes


def _round(rows: StarRows, classes: Ints, k: int, m: int) -> tuple[Ints, Ints, Ints]:
    """Return rows that lose their cells, units that vanish, and the classes with rare patterns."""
    none = np.zeros(0, np.int64)
    grouped = grouped_rows(rows.units, rows.labels(classes), rows.parents, rows.is_released)
    instances = listed_patterns(grouped, m)
    if not len(instances.patterns):
        return none, none, none
    counts = PatternCounts.of(instances).counts(np.ones(len(instances.patterns), np.bool_))
    is_rare = (counts < k)[instances.patterns]
    rare = instances.some(np.flatnonzero(is_rare))
    active = np.unique(classes[rare.units])
    lost = _in_most_rare(rows, grouped, rare)
    stuck = np.setdiff1d(active, classes[rows.units[lost]])
    gone: list[Ints] = [none]
    for kind in stuck.tolist():
        own = rare.some(np.flatnonzero(classes[rare.units] == kind))
        pattern = own.patterns[np.argmax(counts[own.patterns])]
        having = np.unique(own.units[own.patterns == pattern])
        others = _cheapest_of_others(rows, having, np.flatnonzero(classes == kind))
        lost = np.concatenate([lost, others[: k - len(having)]])
        if not len(others):
            gone.append(having)
    return lost, np.concatenate(gone), active


def _in_most_rare(rows: StarRows, grouped: GroupedRows, rare: Instances) -> Ints:
    """Return of each unit with rare patterns the row that is in most of them per cost.

    A row that is above others is taken only where these show nothing any more.
    """
    n_groups = len(grouped.units)
    can = np.flatnonzero(rows.can_lose)
    cheapest = np.full(n_groups, NONE, np.int64)
    order = can[np.argsort(-rows.saved[can], kind="stable")]
    cheapest[grouped.of_row[order]] = order
    votes = np.bincount(rare.groups[rare.groups >= 0], minlength=n_groups).astype(np.float64)
    above = np.zeros(n_groups)
    for depth in range(grouped.above.shape[1]):
        groups = grouped.above[:, depth]
        has = groups >= 0
        above += np.bincount(groups[has], votes[has], n_groups)
    cost = np.where(cheapest >= 0, rows.saved[cheapest], np.inf) if len(can) else np.inf
    own, over = votes / cost, above / cost
    order = np.lexsort((-over, -own, grouped.units))
    order = order[over[order] > 0]
    best = order[np.flatnonzero(np.diff(grouped.units[order], prepend=NONE))]
    return cheapest[best]


def _cheapest_of_others(rows: StarRows, having: Ints, members: Ints) -> Ints:
    """Return the cheapest row of each unit of a class but some, those of most ``*`` first."""
    n_units = int(max(members.max(), rows.units.max(initial=0))) + 1
    is_other = np.zeros(n_units, np.bool_)
    is_other[members] = True
    is_other[having] = False
    is_star = (rows.stars >= 0) & ~rows.can_lose
    n_stars = np.bincount(rows.units[is_star], minlength=n_units)
    some = np.flatnonzero(is_other[rows.units] & rows.can_lose)
    order = some[np.lexsort((rows.saved[some], rows.units[some], -n_stars[rows.units[some]]))]
    return order[np.flatnonzero(np.diff(rows.units[order], prepend=NONE))]
