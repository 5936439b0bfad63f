"""The levels of dates, and of months, quarters, years and decades alone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from indistinct.base.cells.partial_dates import year_of
from indistinct.base.hierarchy import ROOT
from indistinct.tables.core.date_hierarchies import ISO_WEEK, MOMENT, dated_label, precision_of
from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.drafting.drawn import FLAT, DraftedHierarchy
from indistinct.tables.drafting.vocabulary import readings_of
from indistinct.tables.policy.suggested_periods import are_in_range, names_a_year
from indistinct.tables.reading.plain_columns import days_of

FEW_DAYS, ONE_SEASON, ONE_DECADE = 3, 92, 10 * 366  # spans of days
ABOVE = {
    "month": ("quarter", "year", "decade"),
    "quarter": ("year", "decade"),
    "year": ("decade",),
    "decade": (),
    "week": ("year", "decade"),
}


def are_years(column: CountedColumn, kind: str) -> bool:
    """Return whether the whole numbers of a column are years, by its name and their range."""
    if column.type != "integer" or column.numbers is None or not len(column.numbers):
        return False
    in_range = are_in_range(column.numbers[0], column.numbers[-1])
    return in_range and (kind == "date" or _names_a_year(column.name))


def are_periods(column: CountedColumn) -> bool:
    """Return whether all texts of a column are dates, or periods of one length."""
    if not len(column.texts) or precision_of(column.texts[0]) is None:
        return not len(column.texts)
    found = {precision_of(text) for text in column.texts}
    return found <= {"day", MOMENT} or (len(found) == 1 and None not in found and _is_sure(column))


def of_years() -> DraftedHierarchy:
    """Draw decades above years."""
    return DraftedHierarchy("Decade; then hidden.", rule={"dates": ["decade"]})


def of_dates(column: CountedColumn) -> DraftedHierarchy:
    """Draw periods above dates; of dates of which only the years are sure, those alone."""
    if are_periods(column):
        return _of_periods(column.texts)
    days = days_of(column.texts, column.counts)
    if days is not None:
        rows = [
            (text, day[:7], day[:4], f"{day[:3]}0s", ROOT)
            for text, day in zip(column.texts, days, strict=True)
        ]
        return DraftedHierarchy("Month, year, decade; then hidden.", rows=rows)
    years = [year_of(text) for text in column.texts]
    rows = [
        (text, f"{year:04d}", f"{year // 10 * 10:04d}s", ROOT)
        for text, year in zip(column.texts, years, strict=True)
        if year is not None
    ]
    if len(rows) < len(years):
        return FLAT
    return DraftedHierarchy("Year, decade; then hidden.", rows=rows)


def _of_periods(texts: Sequence[str]) -> DraftedHierarchy:
    """Choose the steps by how precise the dates are, and how far apart."""
    finest = precision_of(texts[0]) or ""
    if finest in ABOVE:
        return _of_shorter(texts, ABOVE[finest])
    days = [dt.date.fromisoformat(text[:10]) for text in texts]
    span = (max(days) - min(days)).days
    finer = ["day"] if any(precision_of(text) == MOMENT for text in texts) else []
    if finer and span <= FEW_DAYS:
        return _by_steps(["hour", "day"])
    if span <= ONE_SEASON:
        return _by_steps([*finer, "week"])
    if span < ONE_DECADE:
        return _by_steps([*finer, "month", "quarter", "year"])
    return _by_steps(["month", "year", "decade"])


def _of_shorter(texts: Sequence[str], steps: Sequence[str]) -> DraftedHierarchy:
    """Draw the longer periods above months, quarters or weeks; a decade has none."""
    spans_decades = len({_year(text) // 10 for text in texts}) > 1
    chosen = [step for step in steps if step != "decade" or spans_decades]
    if not chosen:
        return FLAT
    rows = [(text, *(_longer(text, step) for step in chosen), ROOT) for text in texts]
    return DraftedHierarchy(f"{', '.join(chosen).capitalize()}; then hidden.", rows=rows)


def _longer(text: str, step: str) -> str:
    """Return the period around a shorter one; a week lies in the year by which it is counted."""
    return dated_label(text[:4] if ISO_WEEK.fullmatch(text) else text, step)


def _by_steps(steps: list[str]) -> DraftedHierarchy:
    """Draw some steps of ``dates``."""
    return DraftedHierarchy(f"{', '.join(steps).capitalize()}; then hidden.", rule={"dates": steps})


def _year(text: str) -> int:
    """Return the year in which a period begins."""
    return int(text[:4])


def _is_sure(column: CountedColumn) -> bool:
    """Return whether texts that look like periods are some: numbers of four digits may be codes."""
    return any(precision_of(text) != "year" for text in column.read) or _names_a_year(column.name)


def _names_a_year(name: str) -> bool:
    """Return whether a name says that its numbers are years."""
    return any(names_a_year(" ".join(parts)) for parts in readings_of(name))
