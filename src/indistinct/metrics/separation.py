"""How well a set of columns tells records apart, and which few columns do so already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from indistinct.core.arrays import Codes, Ints
from indistinct.core.kernels import group_rows

ALMOST_ALL = 0.95
MOST_GROUPED = 50_000_000


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
    """Give classes / records: (n_classes,) records per class, in (0, 1].

    Source: motwani2007, section 2 (distinct ratio of a set of attributes); 0 without records.
    """
    return len(sizes) / float(sizes.sum()) if len(sizes) else 0.0


def separation(sizes: Ints) -> float:
    """Give the share of pairs of records that are told apart: in [0, 1].

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
    """Give the share of records that stand alone: (n_classes,) records per class, in [0, 1]."""
    return float(np.count_nonzero(sizes == 1)) / float(sizes.sum()) if len(sizes) else 0.0


def separation_entry(sizes: Ints) -> dict[str, Any]:
    """Give all three of a set of columns, by name."""
    return {
        "distinction": distinction(sizes),
        "separation": separation(sizes),
        "unique": unique(sizes),
    }


def separating_sets(
    columns: Sequence[Codes], at_least: float = ALMOST_ALL
) -> tuple[Separating, ...]:
    """Find the smallest sets of columns on which almost every record stands alone.

    Parameters
    ----------
    columns : per column, (n_records,), codes of its values
    at_least : share of the records that must stand alone, in (0, 1]

    Returns
    -------
    every set of the least size that suffices, the most separating first; one set, which loses
        its effect without any of its columns but need not be of the least size, where there are too
        many to try; none where not even all columns suffice

    Notes
    -----
    Columns more never join records, so that a set fails when a larger one does. Sets of ascending
    size, as long as sets times records stay below 5 * 10**7; then greedily. A set with fewer
    combinations of values than records that must stand alone is not counted at all.

    Source: motwani2007, section 2 (minimum keys), by share of unique records.
    """
    if not columns or len(columns[0]) == 0:
        return ()
    everything = tuple(range(len(columns)))
    if _measured(columns, everything).unique < at_least:
        return ()
    needed = at_least * len(columns[0])
    radices = [float(codes.max(initial=0)) + 1 for codes in columns]
    left = MOST_GROUPED
    for size in range(1, len(columns) + 1):
        left -= comb(len(columns), size) * len(columns[0])
        if left < 0 and size > 1:
            return (_greedy(columns, at_least),)
        chosen = [
            _measured(columns, names)
            for names in combinations(everything, size)
            if np.prod([radices[column] for column in names]) >= needed
        ]
        found = [one for one in chosen if one.unique >= at_least]
        if found:
            return tuple(sorted(found, key=lambda one: (-one.unique, one.columns)))
    return ()


def _greedy(columns: Sequence[Codes], at_least: float) -> Separating:
    """Add the column that leaves most records alone until it suffices; then drop what can go."""
    chosen: tuple[int, ...] = ()
    best = 0.0
    while best < at_least:
        tried = [
            _measured(columns, (*chosen, column))
            for column in range(len(columns))
            if column not in chosen
        ]
        one = max(tried, key=lambda found: (found.unique, found.distinction, -found.columns[-1]))
        chosen, best = one.columns, one.unique
    for column in chosen:
        fewer = tuple(other for other in chosen if other != column)
        if fewer and _measured(columns, fewer).unique >= at_least:
            chosen = fewer
    return _measured(columns, tuple(sorted(chosen)))


def _measured(columns: Sequence[Codes], names: tuple[int, ...]) -> Separating:
    """Group records by a set of columns."""
    rows = np.stack([columns[column] for column in names], axis=1).astype(np.int32)
    sizes = group_rows(rows)[2]
    return Separating(names, distinction(sizes), separation(sizes), unique(sizes))
