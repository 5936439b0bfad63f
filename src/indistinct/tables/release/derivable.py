"""Cells of a quasi-identifier that follow from sums and differences of released numbers or dates.

A year of birth is the year of a diagnosis minus the age at it, or the year before. A relation is
believed where two neighboring differences cover nearly all cells that are exact; where too few
cells are exact, because derived values nearly always lie in the released cells. In both cases they
must not fit as often by chance: every derived value is also held against the cells of all records.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, permutations
from typing import TypeAlias

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.release.cell_spans import MOST_TESTED

LEAST_COVERED, LEAST_INSIDE, MOST_BY_CHANCE = 0.98, 0.995, 0.9  # shares of the tested records
LEAST_EXACT = 20  # records with an exact cell, by which a difference is told
MOST_COLUMNS, MOST_DERIVED = 20, 400  # numbers or dates, and their sums or differences
FIRST = 200  # records that tell nearly always that a relation is none
LEAST_BY_FIRST = 0.9
EARLIER: Mapping[str, int] = {
    "number": 1,
    "year": 1,
    "day": 0,
}  # a derived value may be too great by
Units: TypeAlias = Mapping[str, Floats]
"""Per unit, ``number``, ``year`` or ``day``, what each cell of a column is; NaN for no number."""


@dataclass(frozen=True, slots=True)
class UnitSpans:
    """Where the cells of a quasi-identifier lie, in whole units.

    Parameters
    ----------
    firsts, lasts : (n_cells,), least and greatest whole number of each; infinite for a hidden cell,
        NaN for a missing one or one that is no number
    """

    firsts: Floats
    lasts: Floats

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class DerivedCells:
    """The cells of one quasi-identifier that some columns tell by addition.

    Parameters
    ----------
    columns : one or two that are not generalized
    rows : (n_back,), rows whose cell becomes two neighboring values
    values : (n_back,), the smaller one
    """

    columns: tuple[str, ...]
    rows: Ints
    values: Ints

    __repr__ = short_repr


def derived_cells(
    codes: Codes, spans: Mapping[str, UnitSpans], numbers: Mapping[str, Units], records: Ints
) -> Iterator[DerivedCells]:
    """Yield what sums and differences of columns tell of a quasi-identifier.

    Parameters
    ----------
    codes : (n_rows,), the cell of each row
    spans : per unit, where the cells lie
    numbers : per column that is not generalized, its values: (n_rows,)
    records : (n_rows,), records of each row

    Notes
    -----
    At most 20 columns and 400 sums and differences of two of them are tried on about 20,000 rows.
    A pair is not tried if one column of it tells the cells alone.
    """
    rows = np.flatnonzero(records > 0)
    some = rows[:: max(1, len(rows) // MOST_TESTED)]
    for unit, placed in spans.items():
        if not (placed.lasts - placed.firsts)[codes[rows]].max(initial=0) > 1:
            continue
        known = [name for name, units in numbers.items() if unit in units or "number" in units]
        alone: set[str] = set()
        for columns, values in _combined(known[:MOST_COLUMNS], numbers, unit):
            if alone.intersection(columns):
                continue
            told = _difference(placed, codes[some], values[some], unit)
            if told is None:
                continue
            if len(columns) == 1:
                alone.update(columns)
            yield _read_by(columns, placed, codes, values + told, records)


def _combined(
    names: Sequence[str], numbers: Mapping[str, Units], unit: str
) -> Iterator[tuple[tuple[str, ...], Floats]]:
    """Yield columns of a unit, their sums and their differences: (n_rows,)."""
    placed = {name: numbers[name].get(unit, numbers[name].get("number")) for name in names}
    added = {name: numbers[name].get("number") for name in names}
    for name in names:
        if (own := placed[name]) is not None:
            yield (name,), own
    pairs = islice(permutations(names, 2), MOST_DERIVED)
    for one, other in pairs:
        first, second = placed[one], added[other]
        if first is not None and second is not None:
            yield (one, other), first - second
    for one, other in islice(combinations(names, 2), MOST_DERIVED):
        first, second = placed[one], added[other]
        if first is None or second is None:
            first, second = added[one], placed[other]
        if first is not None and second is not None:
            yield (one, other), first + second


def _difference(spans: UnitSpans, codes: Codes, values: Floats, unit: str) -> int | None:
    """Return the smaller of the two differences of cells and derived values; None if none holds.

    Parameters
    ----------
    codes, values : (n_tested,), cell and derived value of some records
    """
    firsts, lasts = spans.firsts[codes], spans.lasts[codes]
    known = ~(np.isnan(values) | np.isnan(firsts))
    if int(known.sum()) < LEAST_EXACT:
        return None
    firsts, lasts, values = firsts[known], lasts[known], np.floor(values[known])
    exact = firsts == lasts
    if int(exact.sum()) >= LEAST_EXACT:
        return _of_exact(firsts[exact], values[exact])
    # A birthday may be to come: the year before is as good as the derived one.
    least = values - EARLIER[unit]
    inside = (firsts <= values) & (least <= lasts)
    if inside[:FIRST].mean() < LEAST_BY_FIRST or inside.mean() < LEAST_INSIDE:
        return None
    by_chance = _by_chance(firsts, lasts + EARLIER[unit], values)
    return -EARLIER[unit] if by_chance <= MOST_BY_CHANCE else None


def _of_exact(cells: Floats, values: Floats) -> int | None:
    """Return the smaller of two neighboring differences that nearly all exact cells have."""
    differences = cells - values
    if _most_common(differences[:FIRST])[1] < LEAST_BY_FIRST * len(differences[:FIRST]):
        return None
    least, count = _most_common(differences)
    if count < LEAST_COVERED * len(differences):
        return None
    by_chance = _by_chance(cells - 1, cells, values + least)  # the cell is the first or the second
    return least if by_chance <= MOST_BY_CHANCE else None


def _most_common(differences: Floats) -> tuple[int, int]:
    """Return the smaller of the two neighboring numbers that are most frequent, and how often."""
    shown, counts = np.unique(differences, return_counts=True)
    following = np.append(np.where(np.diff(shown) == 1, counts[1:], 0), 0)
    both = counts + following
    best = int(np.argmax(both))
    return int(shown[best]), int(both[best])


def _by_chance(firsts: Floats, lasts: Floats, values: Floats) -> float:
    """Return how often a value lies in the cell of any record: the mean over all pairs of both."""
    ordered = np.sort(values)
    inside = np.searchsorted(ordered, lasts, "right") - np.searchsorted(ordered, firsts, "left")
    return float(inside.mean() / len(values))


def _read_by(
    columns: tuple[str, ...], spans: UnitSpans, codes: Codes, values: Floats, records: Ints
) -> DerivedCells:
    """Return the cells that hold more than the two values that are derived."""
    firsts, lasts = spans.firsts[codes], spans.lasts[codes]
    least = np.floor(values)
    # A cell of one or two values says as much; one that does not hold the derived ones is no help.
    is_back = (lasts - firsts > 1) & (firsts <= least + 1) & (least <= lasts) & (records > 0)
    rows = np.flatnonzero(is_back)
    return DerivedCells(columns, rows, least[rows].astype(np.int64))
