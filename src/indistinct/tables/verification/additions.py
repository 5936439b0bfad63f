"""Sums and differences of released numbers and dates that tell cells, found once more.

Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, islice, permutations
from typing import TypeAlias

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.tables.verification.cell_places import Place, days_of, year_of
from indistinct.tables.verification.order_traces import Numbered
from indistinct.tables.verification.periods import is_day
from indistinct.tables.verification.texts import is_finite

MOST_COLUMNS, MOST_SUMS, MOST_TESTED, LEAST, FIRST = 20, 400, 20_000, 20, 200
COVERED, INSIDE, BY_CHANCE, AT_FIRST = 0.98, 0.995, 0.9, 0.9
Numbers: TypeAlias = Mapping[str, Floats]  # per unit, of each record


def added_up(
    units: Mapping[str, Mapping[str, Mapping[str, Place]]],
    others: Sequence[str],
    column_of: Callable[[str], Numbered],
) -> Iterator[tuple[str, Ints, Ints]]:
    """Yield a quasi-identifier, the records whose cell is told, and a number for what is told.

    Parameters
    ----------
    units : per quasi-identifier and unit, least and greatest whole number of each cell
    others : columns that are not generalized
    column_of : gives the released texts of a column
    """
    if not any(units.values()):
        return
    numbers: dict[str, Numbers] = {}
    for name in others:
        if len(numbers) < MOST_COLUMNS and (found := _numbers(column_of(name))):
            numbers[name] = found
    for name, own_units in units.items():
        seen: set[frozenset[str]] = set()
        for unit, placed in own_units.items():
            told = list(_told_of(column_of(name), unit, placed, numbers))
            for columns, rows, values in told:
                if frozenset(columns) in seen or not len(rows):
                    continue
                seen.add(frozenset(columns))
                yield name, rows, np.unique(values, return_inverse=True)[1]


def _numbers(column: Numbered) -> dict[str, Floats]:
    """Return the cells of a column as numbers, or as days and years; nothing for other texts."""
    shown = [cell for cell in column.values.to_list() if cell]
    if shown and all(map(is_finite, shown)):
        return {"number": _mapped(column, {cell: float(cell) for cell in shown})}
    if not shown or not all(map(is_day, shown)):
        return {}
    days = {cell: place[0] for cell in shown if (place := days_of(cell)) is not None}
    years = {cell: year_of(day) for cell, day in days.items()}
    return {"day": _mapped(column, days), "year": _mapped(column, years)}


def _mapped(column: Numbered, numbers: Mapping[str, float]) -> Floats:
    """Return the number of each cell; NaN where it has none."""
    of_value = [numbers.get(cell, math.nan) for cell in column.values.to_list()]
    return np.array(of_value, np.float64)[column.codes]


def _told_of(
    cells: Numbered, unit: str, placed: Mapping[str, Place], numbers: Mapping[str, Numbers]
) -> Iterator[tuple[tuple[str, ...], Ints, Ints]]:
    """Yield columns that tell a quasi-identifier in one unit, its records and the lesser value."""
    first = _mapped(cells, {cell: place[0] for cell, place in placed.items()})
    last = _mapped(cells, {cell: place[1] for cell, place in placed.items()})
    if not (last - first > 1).any():
        return
    some = np.arange(0, len(first), max(1, len(first) // MOST_TESTED))
    names = [name for name, own in numbers.items() if unit in own or "number" in own]
    alone: set[str] = set()
    for columns, values in _sums(names[:MOST_COLUMNS], numbers, unit):
        if alone.intersection(columns):
            continue
        known = some[~np.isnan(values[some]) & ~np.isnan(first[some])]
        offset = _offset(first[known], last[known], np.floor(values[known]), unit)
        if offset is None:
            continue
        if len(columns) == 1:
            alone.update(columns)
        least = np.floor(values + offset)
        with np.errstate(invalid="ignore"):
            told = (last - first > 1) & (first <= least + 1) & (least <= last)
        rows = np.flatnonzero(told)
        yield columns, rows, least[rows].astype(np.int64)


def _sums(
    names: Sequence[str], numbers: Mapping[str, Numbers], unit: str
) -> Iterator[tuple[tuple[str, ...], Floats]]:
    """Yield single columns of a unit, differences and sums."""
    in_unit = {
        n: numbers[n][unit] if unit in numbers[n] else numbers[n].get("number") for n in names
    }
    plain = {name: numbers[name].get("number") for name in names}
    for name in names:
        if (alone := in_unit[name]) is not None:
            yield (name,), alone
    for one, other in islice(permutations(names, 2), MOST_SUMS):
        a, b = in_unit[one], plain[other]
        if a is not None and b is not None:
            yield (one, other), a - b
    for one, other in islice(combinations(names, 2), MOST_SUMS):
        a, b = in_unit[one], plain[other]
        if a is None or b is None:
            a, b = plain[one], in_unit[other]
        if a is not None and b is not None:
            yield (one, other), a + b


def _offset(first: Floats, last: Floats, values: Floats, unit: str) -> int | None:
    """Return what makes a value the lesser of the two that a cell is; None where nothing does."""
    if len(values) < LEAST:
        return None
    exact = first == last
    if int(exact.sum()) >= LEAST:
        return _offset_of_exact(first[exact], values[exact])
    earlier = 0 if unit == "day" else 1
    inside = (values >= first) & (values - earlier <= last)
    if inside[:FIRST].mean() < AT_FIRST or inside.mean() < INSIDE:
        return None
    return -earlier if _by_chance(first, last + earlier, values) <= BY_CHANCE else None


def _offset_of_exact(cells: Floats, values: Floats) -> int | None:
    """Return the lesser of two neighboring differences that nearly all exact cells have."""
    if _two_commonest(cells[:FIRST] - values[:FIRST])[1] < AT_FIRST * len(values[:FIRST]):
        return None
    offset, count = _two_commonest(cells - values)
    if count < COVERED * len(values):
        return None
    return offset if _by_chance(cells - 1, cells, values + offset) <= BY_CHANCE else None


def _two_commonest(differences: Floats) -> tuple[int, int]:
    """Return the lesser of the two neighboring numbers that occur most often, and how often."""
    counts: dict[int, int] = {}
    for one in differences.tolist():
        counts[int(one)] = counts.get(int(one), 0) + 1
    both = {one: n + counts.get(one + 1, 0) for one, n in counts.items()}
    best = min(both, key=lambda one: (-both[one], one))
    return best, both[best]


def _by_chance(first: Floats, last: Floats, values: Floats) -> float:
    """Return the share of all pairs of a value and a cell of which the value lies in the cell."""
    ordered = np.sort(values)
    hits = np.searchsorted(ordered, last, "right") - np.searchsorted(ordered, first, "left")
    return float(hits.sum()) / len(values) ** 2
