"""What numbers and dates that are released tell of cells by arithmetic, found once more.

Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, islice, permutations
from typing import TypeAlias

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.tables.verification.cell_places import COUNTED_IN, Place, days_of, number_of
from indistinct.tables.verification.order_traces import Numbered
from indistinct.tables.verification.periods import is_day
from indistinct.tables.verification.texts import is_finite

MOST_COLUMNS, MOST_SUMS, MOST_TESTED, LEAST, FIRST = 20, 400, 20_000, 20, 200
FEWEST_CELLS, VALUES_OF_CELL, YEARS = 3, 2, (12, 365.25)
COVERED, INSIDE, BY_CHANCE, AT_FIRST = 0.98, 0.995, 0.9, 0.9
Numbers: TypeAlias = Mapping[str, Floats]  # per unit, of each record
ValuesOf: TypeAlias = Callable[[Ints], Floats]  # of some records


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
    """Return the cells of a column as numbers, or as days, months, quarters and years.

    Periods are numbers of those units of which each lies in one. Nothing for other texts.
    """
    shown = [cell for cell in column.values.to_list() if cell]
    if shown and all(map(is_finite, shown)):
        return {"number": _mapped(column, {cell: float(cell) for cell in shown})}
    placed = {cell: days_of(cell) for cell in shown}
    if not shown or None in placed.values():
        return {}
    ends = {cell: place for cell, place in placed.items() if place is not None}
    are_days = all(map(is_day, shown))
    found = {"day": {cell: first for cell, (first, _) in ends.items()}} if are_days else {}
    for unit in COUNTED_IN:
        pairs = {c: (number_of(a, unit), number_of(b - 1, unit)) for c, (a, b) in ends.items()}
        if are_days or all(first == last for first, last in pairs.values()):
            found[unit] = {cell: first for cell, (first, _) in pairs.items()}
    return {unit: _mapped(column, own) for unit, own in found.items()}


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
    for columns, values_of, is_open in _derived(names[:MOST_COLUMNS], numbers, unit):
        if alone.intersection(columns):
            continue
        tried = values_of(some)
        is_known = ~np.isnan(tried) & ~np.isnan(first[some])
        known = some[is_known]
        offset = _offset(first[known], last[known], tried[is_known], unit, is_open=is_open)
        if offset is None:
            continue
        if len(columns) == 1:
            alone.update(columns)
        least = values_of(np.arange(len(first))) + offset
        with np.errstate(invalid="ignore"):
            told = (last - first > 1) & (first <= least + 1) & (least <= last)
        rows = np.flatnonzero(told)
        yield columns, rows, least[rows].astype(np.int64)


def _derived(
    names: Sequence[str], numbers: Mapping[str, Numbers], unit: str
) -> Iterator[tuple[tuple[str, ...], ValuesOf, bool]]:
    """Yield what single columns and pairs make of some records, and whether a constant is open."""
    in_unit = {
        n: numbers[n][unit] if unit in numbers[n] else numbers[n].get("number") for n in names
    }
    plain = {name: numbers[name].get("number") for name in names}
    for name in names:
        for values_of, is_open in _alone(in_unit[name], plain[name], unit):
            yield (name,), values_of, is_open
    for one, other in islice(permutations(names, 2), MOST_SUMS):
        a, b = in_unit[one], plain[other]
        if a is not None and b is not None:
            for form in _in_order(unit):
                yield (one, other), _of_two(a, b, form), False
    for one, other in islice(combinations(names, 2), MOST_SUMS):
        a, b = in_unit[one], plain[other]
        if a is None or b is None:
            a, b = plain[one], in_unit[other]
        if a is not None and b is not None:
            yield (one, other), _of_two(a, b, lambda x, y: np.floor(x + y)), False
            if unit == "number":
                yield (one, other), _of_two(a, b, lambda x, y: np.floor(x * y)), False


def _alone(own: Floats | None, number: Floats | None, unit: str) -> Iterator[tuple[ValuesOf, bool]]:
    """Yield what one column makes, and whether a constant is open.

    Parameters
    ----------
    own, number : in the unit, and as a plain number
    """
    if own is not None:
        yield _of(own, np.floor), True
    if number is not None:
        yield _of(number, lambda a: -np.floor(a)), True
        for size in YEARS if unit in {"number", "year"} else ():
            yield _of(number / size, _whole_above), False


def _of(own: Floats, form: Callable[[Floats], Floats]) -> ValuesOf:
    """Return what makes numbers of one column."""
    return lambda rows: form(own[rows])


def _of_two(a: Floats, b: Floats, form: Callable[[Floats, Floats], Floats]) -> ValuesOf:
    """Return what makes numbers of two columns; NaN where these make none."""

    def values(rows: Ints) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            found = form(a[rows], b[rows])
        return np.where(np.isinf(found), np.nan, found)

    return values


def _in_order(unit: str) -> Iterator[Callable[[Floats, Floats], Floats]]:
    """Yield what two columns make of which the order counts."""
    yield lambda a, b: np.floor(a - b)
    if unit == "day":
        yield lambda a, b: np.floor(a - 7 * b)
        yield lambda a, b: np.floor(a + 7 * b)
    if unit == "number":
        yield lambda a, b: _whole_above(a / b)
        yield lambda a, b: _whole_above(100 * a / b)


def _whole_above(values: Floats) -> Floats:
    """Return the whole number at or above each of some values, after nine digits."""
    return np.ceil(np.round(values, 9))


def _offset(first: Floats, last: Floats, values: Floats, unit: str, *, is_open: bool) -> int | None:
    """Return what makes a value the lesser of the two that a cell is; None where nothing does."""
    if len(values) < LEAST:
        return None
    exact = first == last
    if int(exact.sum()) >= LEAST:
        return _offset_of_exact(first[exact], values[exact])
    earlier = 0 if unit == "day" else 1
    if _lie_inside(first, last + earlier, values):
        return -earlier
    if is_open:
        for constant in _constants(first, last + earlier, values):
            if _lie_inside(first, last + earlier, values + constant):
                return constant - earlier
    return None


def _lie_inside(first: Floats, last: Floats, values: Floats) -> bool:
    """Return whether values lie in their cells, and seldom in those of other records."""
    inside = (values >= first) & (values <= last)
    if inside[:FIRST].mean() < AT_FIRST or inside.mean() < INSIDE:
        return False
    return _by_chance(first, last, values) <= BY_CHANCE


def _constants(first: Floats, last: Floats, values: Floats) -> Iterator[int]:
    """Yield the constant that brings most values into bounded cells, where it is nearly certain.

    Nothing where there are fewer than three cells or two values for each, or where three
    neighboring constants are as good.
    """
    shown = ~(np.isinf(first) | np.isinf(last))
    bounds = (first - values)[shown], (last - values)[shown]
    n_cells = len({*first[shown].tolist()})
    if n_cells < FEWEST_CELLS or len({*values[shown].tolist()}) < VALUES_OF_CELL * n_cells:
        return
    counts: dict[float, int] = {}
    for one in bounds[0].tolist():
        counts[one] = counts.get(one, 0) + 1
    for one in bounds[1].tolist():
        counts[one + 1] = counts.get(one + 1, 0) - 1
    running, best, most = 0, 0.0, 0
    for one in sorted(counts):
        running += counts[one]
        if running > most:
            best, most = one, running
    reaches = bounds[1][bounds[1] >= best].min(initial=np.inf)
    if most >= INSIDE * len(bounds[0]) and reaches - best <= 1:
        yield int(best)


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
