"""Patterns of which too large a share of the units has a sensitive value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.masks.sets.patterns import Instances, Rows, row_depths

CLOSE = 1e-9


@dataclass(frozen=True, slots=True)
class ValueRows:
    """The rows that have one of the values of a limited share.

    Parameters
    ----------
    share : the largest share that is allowed
    is_true : (n_rows,), whether the record behind a row has one
    is_seen : (n_rows,), whether a reader sees one in the row
    is_in_label : whether the column is part of labels, which others may know
    """

    share: float
    is_true: Bools
    is_seen: Bools
    is_in_label: bool

    __repr__ = short_repr

    def open_rows(self, parents: Ints, kept: Bools) -> Bools:
        """Return the rows that show no value and are below none that does: (n_rows,).

        Parameters
        ----------
        parents : (n_rows,), the row above each; -1 for the unit
        kept : (n_rows,), the rows that show something
        """
        shown = self.is_seen & kept & self.is_in_label
        for _ in range(int(row_depths(parents).max(initial=0))):
            shown |= (parents >= 0) & shown[parents]
        return ~shown

    def patterns(
        self, rows: Rows, instances: Instances, classes: Ints, kept: Bools
    ) -> SharedPatterns:
        """Return the units of each pattern of rows that do not show a value.

        Parameters
        ----------
        instances : those that units have
        classes : (n_units,), -1 for those that are not released
        kept : (n_rows,), the rows that show something
        """
        is_group = np.zeros(rows.n_groups + 1, np.bool_)
        is_group[rows.groups[~self.open_rows(rows.parents, kept)]] = True
        is_open = ~is_group[instances.groups].any(axis=1)
        return SharedPatterns.of(instances.patterns[is_open], instances.units[is_open], classes)


def units_with(units: Ints, which: Bools, n_units: int) -> Bools:
    """Return which units have one of some rows: (n_units,).

    Parameters
    ----------
    units : (n_rows,), of all rows
    """
    return np.bincount(units[which], minlength=n_units) > 0


def rows_beyond(
    values: Sequence[ValueRows], rows: Rows, instances: Instances, classes: Ints, kept: Bools
) -> Bools:
    """Return the rows with sensitive values that have to go, as things are now: (n_rows,).

    Parameters
    ----------
    instances : those that units have
    classes : (n_units,), -1 for those that are not released
    kept : (n_rows,), the rows that show something
    """
    found = np.zeros(len(rows.units), np.bool_)
    for value in values:
        own = value.is_true & kept
        has = units_with(rows.units, own, len(classes))
        costs = np.bincount(rows.units[own], rows.saved[own], len(classes))
        patterns = value.patterns(rows, instances, classes, kept)
        units = patterns.units_beyond(has, value.share, np.where(has, costs, 1.0))
        found |= own & np.isin(rows.units, units)
    return found


@dataclass(frozen=True, slots=True)
class SharedPatterns:
    """The units of each pattern without a sensitive value; the empty one has all units of a class.

    Parameters
    ----------
    patterns, units : (n_pairs,), each pair of a pattern and a unit that has it once
    """

    patterns: Ints
    units: Ints

    __repr__ = short_repr

    @classmethod
    def of(cls, patterns: Ints, units: Ints, classes: Ints) -> SharedPatterns:
        """Return the pairs of some instances.

        Parameters
        ----------
        patterns, units : (n_instances,)
        classes : (n_units,), -1 for those that are not released
        """
        released = np.flatnonzero(classes >= 0)
        first = int(patterns.max(initial=-1)) + 1
        all_patterns = np.concatenate([patterns, first + classes[released]])
        keys = np.unique(all_patterns * len(classes) + np.concatenate([units, released]))
        return cls(keys // len(classes), keys % len(classes))

    def largest(self, has: Bools) -> float:
        """Return the largest share over all patterns of the units that have the value.

        Parameters
        ----------
        has : (n_units,)
        """
        if not len(self.patterns):
            return 0.0
        counts, having = self._counts(has)
        return float((having / np.maximum(counts, 1)).max())

    def members_beyond(self, has: Bools, share: float) -> Iterator[Ints]:
        """Yield the units of each pattern of which more than a share has the value.

        Parameters
        ----------
        has : (n_units,)
        """
        beyond = self._beyond(has, share)
        order = np.argsort(self.patterns, kind="stable")
        starts = np.searchsorted(self.patterns[order], np.arange(len(beyond) + 1))
        for pattern in np.flatnonzero(beyond > 0).tolist():
            yield self.units[order[starts[pattern] : starts[pattern + 1]]]

    def units_beyond(self, has: Bools, share: float, costs: Floats) -> Ints:
        """Return units whose values have to go so that no pattern of now has more than a share.

        Those go first that are in most such patterns per cost.

        Parameters
        ----------
        has : (n_units,), which units have the value
        costs : (n_units,), what is lost with it, above 0
        """
        beyond = self._beyond(has, share)
        some = np.flatnonzero((beyond[self.patterns] > 0) & has[self.units])
        patterns, units = self.patterns[some], self.units[some]
        votes = np.bincount(units, minlength=len(has)) / costs
        order = np.lexsort((units, -votes[units], patterns))
        patterns, units = patterns[order], units[order]
        starts = np.flatnonzero(np.diff(patterns, prepend=-1))
        ranks = np.arange(len(units)) - np.repeat(starts, np.diff(starts, append=len(units)))
        return np.unique(units[ranks < beyond[patterns]])

    def _beyond(self, has: Bools, share: float) -> Ints:
        """Return how many units of each pattern have the value beyond a share: (n_patterns,)."""
        counts, having = self._counts(has)
        return having - np.floor(share * counts + CLOSE).astype(np.int64)

    def _counts(self, has: Bools) -> tuple[Ints, Ints]:
        """Return the units of each pattern, and those of them that have the value."""
        counts = np.bincount(self.patterns)
        having = np.bincount(self.patterns[has[self.units]], minlength=len(counts))
        return counts.astype(np.int64), having.astype(np.int64)
