"""Cells of a quasi-identifier that follow from released numbers or dates by arithmetic.

A year of birth is the year of a diagnosis minus the age at it, or the year before; a price is an
amount divided by a number. A relation is believed where two neighboring differences cover nearly
all cells that are exact; where too few cells are exact, because derived values nearly always lie in
the released cells. In both cases they must not fit as often by chance: every derived value is also
held against the cells of all records. A single column may tell the cells up to a number that is the
same in all records, such as an age without the year in which it was asked for. Where too few cells
are exact, this is believed if the cells leave that number open by 1 at most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, permutations
from typing import TypeAlias

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.release.cell_spans import MOST_TESTED

LEAST_COVERED, LEAST_INSIDE, MOST_BY_CHANCE = 0.98, 0.995, 0.9  # shares of the tested records
LEAST_EXACT = 20  # records with an exact cell, by which a difference is told
MOST_COLUMNS, MOST_DERIVED = 20, 400  # numbers or dates, and pairs of them in a form
LEAST_CELLS, VALUES_A_CELL = 3, 2  # that tell a number which is the same in all records
MOST_OPEN = 2  # values that such a number may have
MONTHS, DAYS_OF_YEAR, DAYS_OF_WEEK, PERCENT = 12, 365.25, 7, 100
DIGITS = 9  # of a ratio that count
FIRST = 200  # records that tell nearly always that a relation is none
LEAST_BY_FIRST = 0.9
# A derived value may be too great by
EARLIER: Mapping[str, int] = {"number": 1, "day": 0, "month": 1, "quarter": 1, "year": 1}
Units: TypeAlias = Mapping[str, Floats]
"""Per unit of ``EARLIER``, what each cell of a column is; NaN for no number."""


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
    """The cells of one quasi-identifier that some columns tell by arithmetic.

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


@dataclass(frozen=True, slots=True)
class Derivation:
    """A way in which columns may tell the values of another one.

    Parameters
    ----------
    columns : one or two
    values : returns the derived values of some rows
    is_open : whether these may differ by a number that is the same in all records
    """

    columns: tuple[str, ...]
    values: Callable[[Ints], Floats]
    is_open: bool = False

    __repr__ = short_repr

    @classmethod
    def of(
        cls, name: str, own: Floats, form: Callable[[Floats], Floats], *, is_open: bool = False
    ) -> Derivation:
        """Return what a column tells by itself."""
        return cls((name,), lambda rows: form(own[rows]), is_open)

    @classmethod
    def of_two(
        cls,
        names: tuple[str, str],
        given: tuple[Floats, Floats],
        form: Callable[[Floats, Floats], Floats],
    ) -> Derivation:
        """Return what two columns tell together."""

        def values(rows: Ints) -> Floats:
            with np.errstate(divide="ignore", invalid="ignore"):
                found = form(given[0][rows], given[1][rows])
            return np.where(np.isfinite(found), found, np.nan)

        return cls(names, values)


def derived_cells(
    codes: Codes, spans: Mapping[str, UnitSpans], numbers: Mapping[str, Units], records: Ints
) -> Iterator[DerivedCells]:
    """Yield what columns tell of a quasi-identifier by arithmetic.

    Parameters
    ----------
    codes : (n_rows,), the cell of each row
    spans : per unit, where the cells lie
    numbers : per column that is not generalized, its values: (n_rows,)
    records : (n_rows,), records of each row

    Notes
    -----
    At most 20 columns and 400 pairs of them in each form are tried on about 20,000 rows. A pair is
    not tried if one column of it tells the cells alone.
    """
    rows = np.flatnonzero(records > 0)
    some = rows[:: max(1, len(rows) // MOST_TESTED)]
    for unit, placed in spans.items():
        if not (placed.lasts - placed.firsts)[codes[rows]].max(initial=0) > 1:
            continue
        known = [name for name, units in numbers.items() if unit in units or "number" in units]
        alone: set[str] = set()
        for one in _derivations(known[:MOST_COLUMNS], numbers, unit):
            if alone.intersection(one.columns):
                continue
            told = _difference(placed, codes[some], one.values(some), unit, is_open=one.is_open)
            if told is None:
                continue
            if len(one.columns) == 1:
                alone.update(one.columns)
            values = one.values(np.arange(len(codes))) + told
            yield _read_by(one.columns, placed, codes, values, records)


def _derivations(
    names: Sequence[str], numbers: Mapping[str, Units], unit: str
) -> Iterator[Derivation]:
    """Yield what may be a value of a unit: single columns, then pairs of them."""
    placed = {name: numbers[name].get(unit, numbers[name].get("number")) for name in names}
    plain = {name: numbers[name].get("number") for name in names}
    for name in names:
        if (own := placed[name]) is not None:
            yield from _of_one(name, own, plain[name], unit)
    for one, other in islice(permutations(names, 2), MOST_DERIVED):
        first, second = placed[one], plain[other]
        if first is not None and second is not None:
            yield from _of_ordered((one, other), (first, second), unit)
    for one, other in islice(combinations(names, 2), MOST_DERIVED):
        first, second = placed[one], plain[other]
        if first is None or second is None:
            first, second = plain[one], placed[other]
        if first is not None and second is not None:
            yield from _of_any_order((one, other), (first, second), unit)


def _of_one(name: str, own: Floats, plain: Floats | None, unit: str) -> Iterator[Derivation]:
    """Yield a column, the same with the sign changed, and years that it may have as months or days.

    Parameters
    ----------
    own, plain : (n_rows,), in the unit and as a number
    """
    yield Derivation.of(name, own, np.floor, is_open=True)
    if plain is None:
        return
    yield Derivation.of(name, plain, lambda a: -np.floor(a), is_open=True)
    if unit in {"number", "year"}:
        for size in (MONTHS, DAYS_OF_YEAR):
            yield Derivation.of(name, plain / size, _upward)


def _of_ordered(
    names: tuple[str, str], given: tuple[Floats, Floats], unit: str
) -> Iterator[Derivation]:
    """Yield a difference of two columns, of days and weeks, or a ratio of numbers."""
    yield Derivation.of_two(names, given, lambda a, b: np.floor(a - b))
    if unit == "day":
        yield Derivation.of_two(names, given, lambda a, b: np.floor(a - DAYS_OF_WEEK * b))
        yield Derivation.of_two(names, given, lambda a, b: np.floor(a + DAYS_OF_WEEK * b))
    if unit == "number":
        yield Derivation.of_two(names, given, lambda a, b: _upward(a / b))
        yield Derivation.of_two(names, given, lambda a, b: _upward(PERCENT * a / b))


def _of_any_order(
    names: tuple[str, str], given: tuple[Floats, Floats], unit: str
) -> Iterator[Derivation]:
    """Yield a sum of two columns, or a product of numbers."""
    yield Derivation.of_two(names, given, lambda a, b: np.floor(a + b))
    if unit == "number":
        yield Derivation.of_two(names, given, lambda a, b: np.floor(a * b))


def _upward(values: Floats) -> Floats:
    """Return the whole numbers at or above some: one that is rounded or cut is it, or 1 less."""
    return np.ceil(np.round(values, DIGITS))


def _difference(
    spans: UnitSpans, codes: Codes, values: Floats, unit: str, *, is_open: bool
) -> int | None:
    """Return the smaller of the two differences of cells and derived values; None if none holds.

    Parameters
    ----------
    codes, values : (n_tested,), cell and derived value of some records
    is_open : whether a difference that is the same in all records is looked for
    """
    firsts, lasts = spans.firsts[codes], spans.lasts[codes]
    known = ~(np.isnan(values) | np.isnan(firsts))
    if int(known.sum()) < LEAST_EXACT:
        return None
    firsts, lasts, values = firsts[known], lasts[known], values[known]
    exact = firsts == lasts
    if int(exact.sum()) >= LEAST_EXACT:
        return _of_exact(firsts[exact], values[exact])
    # A birthday may be to come: the year before is as good as the derived one.
    earlier = EARLIER[unit]
    if _is_inside(firsts, lasts + earlier, values):
        return -earlier
    if not is_open:
        return None
    added = _same_in_all(firsts, lasts + earlier, values)
    if added is None or not _is_inside(firsts, lasts + earlier, values + added):
        return None
    return added - earlier


def _is_inside(firsts: Floats, lasts: Floats, values: Floats) -> bool:
    """Return whether nearly all values lie in their cells, and not by chance."""
    inside = (firsts <= values) & (values <= lasts)
    if inside[:FIRST].mean() < LEAST_BY_FIRST or inside.mean() < LEAST_INSIDE:
        return False
    return _by_chance(firsts, lasts, values) <= MOST_BY_CHANCE


def _same_in_all(firsts: Floats, lasts: Floats, values: Floats) -> int | None:
    """Return the number that, added to values, brings most of them into their cells.

    None where the cells say too little of it: they are few, the values are hardly more, or several
    numbers are as good.
    """
    bounded = np.isfinite(firsts) & np.isfinite(lasts)
    low, high = firsts[bounded] - values[bounded], lasts[bounded] - values[bounded]
    n_cells = len(np.unique(firsts[bounded]))
    if n_cells < LEAST_CELLS or len(np.unique(values[bounded])) < VALUES_A_CELL * n_cells:
        return None
    starts, ends = np.sort(low), np.sort(high)
    # The number of values inside only grows where one begins to be.
    tried = np.unique(low)
    inside = np.searchsorted(starts, tried, "right") - np.searchsorted(ends, tried, "left")
    most = int(inside.max())
    best = tried[int(np.argmax(inside))]
    after = ends[np.searchsorted(ends, best, "left")]  # the first value leaves beyond it
    return int(best) if most >= LEAST_INSIDE * len(low) and after - best < MOST_OPEN else None


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
