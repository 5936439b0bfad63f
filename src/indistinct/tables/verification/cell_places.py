"""Where released cells lie, as a reader takes them: one lies inside another if it says more.

Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.verification.listed import Listed, list_of, listed_paths
from indistinct.tables.verification.periods import first_day, step_of
from indistinct.tables.verification.texts import (
    CLOSED,
    HALF_OPEN,
    HIDDEN,
    digits_of_number,
    is_finite,
)

Place = tuple[float, float]  # where a cell begins, and where what follows it does
EVERYWHERE: Place = (-math.inf, math.inf)
MISSING: Place = (-1.7e308, -1.6e308)  # inside of a hidden cell alone
MONTHS = {"month": 1, "quarter": 3, "half-year": 6, "year": 12, "decade": 120}
COUNTED_IN = {"month": 1, "quarter": 3, "year": 12}  # months of each
AFTER_ALL = "\U0010ffff"


def places_of(cells: Sequence[str], rule: ColumnRule) -> dict[str, Place]:
    """Return where each distinct cell of a quasi-identifier lies; a missing one is empty."""
    shown = [cell for cell in cells if cell not in {HIDDEN, ""}]
    paths = listed_paths(rule)
    found = _in_list(shown, paths) if paths else _by_form(shown)
    return {**found, HIDDEN: EVERYWHERE, "": MISSING}


def _in_list(shown: Sequence[str], paths: Mapping[str, Sequence[str]]) -> dict[str, Place]:
    """Place cells by a list: the values stand side by side, each label around its own."""
    found: dict[str, Place] = {}
    for number, path in enumerate(sorted(paths.values(), key=lambda one: [*reversed(one)])):
        for label in path:
            first, _ = found.get(label, (number, number))
            found[label] = (first, number + 1)
    unlisted = (cell for cell in shown if cell not in found)
    apart = {cell: (len(paths) + n, len(paths) + n + 1.0) for n, cell in enumerate(unlisted)}
    return {**found, **apart}


def _by_form(shown: Sequence[str]) -> dict[str, Place]:
    """Place cells by what they look like."""
    if any(cell.endswith(HIDDEN) for cell in shown):
        return _by_beginning(shown)
    for placed in ({cell: _range(cell) for cell in shown}, {cell: days_of(cell) for cell in shown}):
        if all(placed.values()):
            return {cell: place for cell, place in placed.items() if place is not None}
    return {cell: (number, number + 1.0) for number, cell in enumerate(shown)}


def _by_beginning(shown: Sequence[str]) -> dict[str, Place]:
    """Place masks by the characters that they keep: what begins so lies inside."""
    ends: dict[str, tuple[str, str]] = {}
    for cell in shown:
        plain = digits_of_number(cell)
        kept = plain.rstrip(HIDDEN)
        ends[cell] = kept, kept + (AFTER_ALL if kept != plain else "\0")
    order = {
        text: float(n) for n, text in enumerate(sorted({one for e in ends.values() for one in e}))
    }
    return {cell: (order[first], order[last]) for cell, (first, last) in ends.items()}


def _range(cell: str) -> Place | None:
    """Return the ends of a number or a range of numbers; None for other cells."""
    if is_finite(cell):
        number = float(cell)
        return number, math.nextafter(number, math.inf)
    if (ends := HALF_OPEN.match(cell)) is not None and float(ends[1]) < float(ends[2]):
        return float(ends[1]), float(ends[2])
    if (ends := CLOSED.match(cell) or HALF_OPEN.match(cell)) is not None:
        return float(ends[1]), math.nextafter(float(ends[2]), math.inf)
    return None


def days_of(cell: str) -> Place | None:
    """Return the days of a date or a period, counted from the year 1; None for other cells."""
    step, first = step_of(cell), first_day(cell)
    if step is None or first is None:
        return None
    try:
        begin = date.fromisoformat(first[:10])
    except ValueError:
        return None
    number = float(begin.toordinal())
    if step == "hour":
        hour = int(cell[11:13])
        return number + hour / 24, number + (hour + 1) / 24
    if step in {"day", "week"}:
        return number, number + (7 if step == "week" else 1)
    months = begin.year * 12 + begin.month - 1 + MONTHS.get(step, 0)
    if step in {"five-years", "twenty-years"}:
        years = 5 if step == "five-years" else 20
        months = (begin.year // years * years + years) * 12
    year, month = divmod(months, 12)
    if year > date.max.year:
        return number, float(date.max.toordinal() + 1)
    return number, float(date(year, month + 1, 1).toordinal())


def whole_numbers_in(cells: Sequence[str], rule: ColumnRule) -> dict[str, dict[str, Place]]:
    """Return least and greatest whole number of each cell, per unit that all of them have.

    Parameters
    ----------
    cells : the distinct cells; a hidden one is everywhere, a missing one is left out
    """
    shown = [cell for cell in cells if cell not in {HIDDEN, ""}]
    found: dict[str, dict[str, Place]] = {}
    if not shown:
        return found
    listed = list_of(rule)
    are_dates = rule.hierarchy is not None and rule.hierarchy.dates is not None
    for unit, placed in _in_units(shown, listed, are_dates=are_dates):
        if all(cell in placed for cell in shown):
            found[unit] = {**placed, HIDDEN: EVERYWHERE}
    return found


def _in_units(
    shown: Sequence[str], listed: Listed | None, *, are_dates: bool
) -> Iterator[tuple[str, dict[str, Place]]]:
    """Yield what cells are in each unit; those that are nothing in it are left out."""
    if listed is not None:
        yield "number", _numbers_in_list(listed)
        return
    if any(cell.endswith(HIDDEN) and _masked(cell) for cell in shown):
        yield "number", {cell: place for cell in shown if (place := _masked(cell)) is not None}
        return
    are_numbers = all(map(is_finite, shown)) and not are_dates
    if are_numbers or any(cell.startswith("[") for cell in shown):
        ranges = {cell: place for cell in shown if (place := _range(cell)) is not None}
        yield "number", {c: (math.floor(a), math.ceil(b) - 1) for c, (a, b) in ranges.items()}
        return
    days = {cell: place for cell in shown if (place := days_of(cell)) is not None}
    yield "day", {cell: (first, after - 1) for cell, (first, after) in days.items()}
    for unit in COUNTED_IN:
        ends = {c: (number_of(a, unit), number_of(b - 1, unit)) for c, (a, b) in days.items()}
        yield unit, ends


def _numbers_in_list(listed: Listed) -> dict[str, Place]:
    """Return least and greatest number under each label of a list of numbers; else nothing."""
    if not all(is_finite(value) or value in {"", HIDDEN} for value in listed.paths):
        return {}
    found: dict[str, Place] = {}
    for value, path in listed.paths.items():
        if not is_finite(value):
            continue
        number = float(math.floor(float(value)))
        for label in path:
            low, high = found.get(label, (number, number))
            found[label] = (min(low, number), max(high, number))
    return found


def _masked(cell: str) -> Place | None:
    """Return what digits before stars may be; None for other cells, and for digits alone."""
    kept = cell.rstrip(HIDDEN)
    if not (kept.isascii() and kept.isdecimal()):
        return None
    size = 10.0 ** (len(cell) - len(kept))
    return float(kept) * size, float(kept) * size + size - 1


def number_of(day: float, unit: str) -> float:
    """Return the number of the month, quarter or year of a day, counted from the year 1."""
    one = date.fromordinal(int(day))
    return float((12 * one.year + one.month - 1) // COUNTED_IN[unit])
