"""How well a set of columns tells records apart, and which few columns do so already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.tables.core.grouping import row_numbers

ALMOST_ALL = 0.95
# Records times sets that are grouped before the search turns greedy: a few seconds.
MOST_GROUPED = 20_000_000


@dataclass(frozen=True, slots=True)
class Separating:
    """A set of columns, and how well it tells records apart.

    Parameters
    ----------
    columns : their numbers, ascending
    distinction, separation, unique : see :func:`distinction`, :func:`separation`, :func:`unique`
    """

    columns: tuple[int, ...]
    distinction: float
    separation: float
    unique: float


def distinction(sizes: Ints) -> float:
    """Return classes / records: (n_classes,) records per class, in (0, 1].

    Source: motwani2007, section 2 (distinct ratio of a set of attributes); 0 without records.
    """
    return len(sizes) / float(sizes.sum()) if len(sizes) else 0.0


def separation(sizes: Ints) -> float:
    """Return the share of pairs of records that are told apart: in [0, 1].

    1 - sum |E| (|E| - 1) / (n (n - 1)) over the classes E.

    Parameters
    ----------
    sizes : (n_classes,), records per class

    Source: motwani2007, section 2 (separation ratio); 0 where there is no pair.
    """
    wide = sizes.astype(np.float64)
    n_records = float(wide.sum())
    if n_records <= 1:
        return 0.0
    return 1.0 - float(wide @ (wide - 1)) / (n_records * (n_records - 1))


def unique(sizes: Ints) -> float:
    """Return the share of records that stand alone: (n_classes,) records per class, in [0, 1]."""
    return float(np.count_nonzero(sizes == 1)) / float(sizes.sum()) if len(sizes) else 0.0


def separation_entry(sizes: Ints) -> dict[str, Any]:
    """Return all three of a set of columns, by name."""
    return {
        "distinction": distinction(sizes),
        "separation": separation(sizes),
        "unique": unique(sizes),
    }


def separating_sets(
    columns: Sequence[Codes], weights: Ints | None = None, at_least: float = ALMOST_ALL
) -> tuple[Separating, ...]:
    """Find the smallest sets of columns on which almost every record stands alone.

    Parameters
    ----------
    columns : per column, (n_items,), codes of its values
    weights : (n_items,), records of each item; 1 each when left out
    at_least : share of the records that must stand alone, in (0, 1]

    Returns
    -------
    every set of the least size that suffices, the most separating first; one set, which loses
        its effect without any of its columns but need not be of the least size, where there are too
        many to try; none where not even all columns suffice

    Notes
    -----
    Columns more never join records, so that a set fails when a larger one does. Sets of ascending
    size, as long as sets times items stay below 2 * 10**7; then greedily. A set with fewer
    combinations of values than records that must stand alone is not counted at all.

    Source: motwani2007, section 2 (minimum keys), by share of unique records.
    """
    if not columns or len(columns[0]) == 0:
        return ()
    counts = np.ones(len(columns[0]), np.int64) if weights is None else weights
    search = _Search(columns, counts, at_least)
    everything = tuple(range(len(columns)))
    whole = search.measured(everything)
    if whole.unique < at_least:
        return ()
    left = MOST_GROUPED
    for size in range(1, len(columns)):
        left -= comb(len(columns), size) * len(counts)
        if left < 0 and size > 1:
            return (search.greedy(),)
        chosen = [
            search.measured(names)
            for names in combinations(everything, size)
            if search.may_suffice(names)
        ]
        found = [one for one in chosen if one.unique >= at_least]
        if found:
            return tuple(sorted(found, key=lambda one: (-one.unique, one.columns)))
    return (whole,)


def group_sizes(columns: Sequence[Codes | Ints], weights: Ints | None = None) -> Ints:
    """Count the records that are alike in some columns: (n_groups,), in no order.

    Parameters
    ----------
    columns : at least one; (n_items,) codes of its values, at least 0
    weights : (n_items,), records of each item, at least 1; one each where left out
    """
    numbers = row_numbers(columns)
    sizes = np.bincount(numbers) if weights is None else np.bincount(numbers, weights)
    return sizes[sizes > 0].astype(np.int64)


@dataclass(frozen=True, slots=True)
class _Search:
    """The columns that sets are made of; see :func:`separating_sets`."""

    columns: Sequence[Codes]
    weights: Ints
    at_least: float

    def may_suffice(self, names: tuple[int, ...]) -> bool:
        """Return whether a set has as many combinations of values as records must stand alone."""
        combined = 1.0
        for column in names:
            combined *= float(self.columns[column].max(initial=0)) + 1
        return combined >= self.at_least * float(self.weights.sum())

    def measured(self, names: tuple[int, ...], rest: Ints | None = None) -> Separating:
        """Group records by a set of columns.

        Parameters
        ----------
        rest : the items that do not stand alone by some of these columns; all where left out
        """
        sizes = group_sizes(*self._among(names, rest))
        if rest is not None:
            n_alone = int(self.weights.sum()) - int(self.weights[rest].sum())
            sizes = np.concatenate([np.ones(n_alone, np.int64), sizes])
        return Separating(names, distinction(sizes), separation(sizes), unique(sizes))

    def _among(self, names: tuple[int, ...], rest: Ints | None) -> tuple[list[Codes], Ints]:
        """Return some columns of some items, and the records of these."""
        columns = [self.columns[column] for column in names]
        if rest is None:
            return columns, self.weights
        return [column[rest] for column in columns], self.weights[rest]

    def together(self, names: tuple[int, ...], rest: Ints) -> Ints:
        """Return those of some items that do not stand alone by a set of columns."""
        columns, weights = self._among(names, rest)
        numbers = row_numbers(columns)
        return rest[np.bincount(numbers, weights)[numbers] > 1]

    def greedy(self) -> Separating:
        """Add the column that leaves most records alone until it suffices; drop what can go."""
        chosen: tuple[int, ...] = ()
        best = 0.0
        rest = np.arange(len(self.weights))
        while best < self.at_least:
            tried = [
                self.measured((*chosen, column), rest)
                for column in range(len(self.columns))
                if column not in chosen
            ]
            one = max(tried, key=lambda found: (found.unique, found.distinction))
            chosen, best = one.columns, one.unique
            rest = self.together(chosen, rest)  # who stands alone does so by more columns, too
        for column in chosen:
            fewer = tuple(other for other in chosen if other != column)
            if fewer and self.measured(fewer).unique >= self.at_least:
                chosen = fewer
        return self.measured(tuple(sorted(chosen)))
