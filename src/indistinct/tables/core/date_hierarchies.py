"""Hierarchies of dated labels over ISO dates, or over periods such as months and years."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, get_args

from indistinct.base.hierarchy import MAX_EXAMPLES, ROOT, GeneralizationHierarchy, from_levels
from indistinct.errors import Fault, HierarchyError

PeriodStep = Literal[
    "hour",
    "day",
    "week",
    "month",
    "quarter",
    "half-year",
    "year",
    "five-years",
    "decade",
    "twenty-years",
]
DATE_LEVELS: tuple[PeriodStep, ...] = get_args(PeriodStep)
WEEK = "week"  # it lies in no month, quarter or year: nothing stands above it
NO_PART_OF_A_WEEK = frozenset(DATE_LEVELS[3:])
MOMENT = "moment"
ISO_DATE = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)
ISO_WEEK = re.compile(r"([0-9]{4})-?W(0[1-9]|[1-4][0-9]|5[0-3])")
PERIODS = {
    "month": re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])"),
    "quarter": re.compile(r"([0-9]{4})-Q([1-4])"),
    "year": re.compile(r"([0-9]{4})(?:\.0)?"),
    "decade": re.compile(r"([0-9]{3}0)s"),
}


def from_dates(texts: Sequence[str], steps: Sequence[str]) -> GeneralizationHierarchy:
    """Return the dated labels of ISO dates or periods as a hierarchy, with the root on top.

    Parameters
    ----------
    texts : (n_values,), ISO dates, or months, quarters, years or decades alone; the empty text
        stands for the missing value
    steps : some of :data:`DATE_LEVELS`, from fine to coarse; nothing but a part of a week goes
        with weeks

    Raises
    ------
    HierarchyError
        when a value is no date of this kind, or a step is unknown, out of order, or not coarser
        than the values
    """
    _check_order(steps)
    _check_weeks(steps)
    known = [text for text in texts if text]
    finest = next((precision_of(text) for text in known), None) or MOMENT
    unread = tuple(text for text in known if precision_of(text) is None)
    if not unread and finest in DATE_LEVELS[2:]:
        unread = tuple(text for text in known if precision_of(text) != finest)
    elif not unread:
        unread = tuple(text for text in known if precision_of(text) not in {MOMENT, "day"})
    if unread:
        problem = f"{len(unread)} of {len(texts)} distinct values are not ISO dates"
        remedy = (
            "Write dates as YYYY-MM-DD, or all of them as months (YYYY-MM), quarters (YYYY-Q1), "
            "years or decades (1980s)."
        )
        raise HierarchyError([Fault("dates", problem, remedy, unread[:MAX_EXAMPLES])])
    _check_coarser(finest, steps)
    levels = [tuple(texts)] + [
        tuple(dated_label(text, step) if text else text for text in texts) for step in steps
    ]
    return from_levels([*levels, (ROOT,) * len(texts)])


def is_date(text: str) -> bool:
    """Return whether a text is an ISO date."""
    return _date(text) is not None


def precision_of(text: str) -> str | None:
    """Return how precisely a text tells a time; None for what is no date and no period.

    Returns
    -------
    ``moment``, ``day``, ``week``, ``month``, ``quarter``, ``year`` or ``decade``

    Examples
    --------
    >>> precision_of("2024-05-17"), precision_of("2024-05"), precision_of("1980s")
    ('day', 'month', 'decade')
    """
    if is_date(text):
        return "day" if len(text) == len("2024-05-17") else MOMENT
    if ISO_WEEK.fullmatch(text):
        return WEEK
    return next((step for step, form in PERIODS.items() if form.fullmatch(text)), None)


def dated_label(text: str, step: str) -> str:
    """Return the dated label of a step: the period in which a date or a shorter period lies."""
    day = _date(text)
    if step == "hour":
        return f"{text[:10]}T{text[11:13] or '00'}"
    return _DATED_LABELS[step](_first_day(text) if day is None else day)


def _first_day(text: str) -> dt.date:
    """Return a day of a month, quarter, year or decade; of its year 1 for the decade of year 0."""
    year, month = max(int(text[:4]), 1), 1
    if (found := PERIODS["month"].fullmatch(text)) is not None:
        month = int(found[2])
    elif (found := PERIODS["quarter"].fullmatch(text)) is not None:
        month = 3 * int(found[2]) - 2
    return dt.date(year, month, 1)


def _check_order(steps: Sequence[str]) -> None:
    """Raise when steps are unknown or do not go from fine to coarse."""
    order = [DATE_LEVELS.index(step) if step in DATE_LEVELS else -1 for step in steps]
    if -1 in order or sorted(set(order)) != order or not steps:
        problem = "the steps are not in order from fine to coarse"
        remedy = f"Choose some of {', '.join(DATE_LEVELS)}, in this order."
        raise HierarchyError([Fault("dates", problem, remedy)])


def _check_weeks(steps: Sequence[str]) -> None:
    """Raise when weeks stand below months or years, at whose borders they are in two of them."""
    if WEEK in steps and not NO_PART_OF_A_WEEK.isdisjoint(steps):
        problem = "has weeks and longer periods: a week may lie in two months, and in two years"
        remedy = "Leave the weeks out, or let them be the last step."
        raise HierarchyError([Fault("dates", problem, remedy)])


def _check_coarser(finest: str, steps: Sequence[str]) -> None:
    """Raise when a step is not coarser than the values."""
    place = -1 if finest in {MOMENT, "day"} else DATE_LEVELS.index(finest)
    is_week = finest == WEEK
    if is_week or any(DATE_LEVELS.index(step) <= place for step in steps):
        problem = f"has steps that are not coarser than its values, which are {finest}s"
        above: Sequence[str] = () if is_week else DATE_LEVELS[place + 1 :]
        remedy = (
            f"Choose some of {', '.join(above)}."
            if above
            else "Leave the hierarchy out: a value is then kept or hidden."
        )
        raise HierarchyError([Fault("dates", problem, remedy)])


def _date(text: str) -> dt.date | None:
    """Read an ISO date, or a timestamp's date."""
    if not ISO_DATE.fullmatch(text):
        return None
    try:
        return dt.date.fromisoformat(text[:10])
    except ValueError:
        return None


def _week(day: dt.date) -> str:
    """Return the ISO week of a day, with the year that it is counted in."""
    year, week, _ = day.isocalendar()
    return f"{year:04d}-W{week:02d}"


def _years(year: int, number: int) -> str:
    """Return the first and the last year of so many that begin at a multiple of their number."""
    first = year // number * number
    return f"{first:04d}-{first + number - 1:04d}"


_DATED_LABELS: Mapping[str, Callable[[dt.date], str]] = {
    "day": lambda day: day.isoformat(),
    WEEK: _week,
    "month": lambda day: f"{day.year:04d}-{day.month:02d}",
    "quarter": lambda day: f"{day.year:04d}-Q{(day.month - 1) // 3 + 1}",
    "half-year": lambda day: f"{day.year:04d}-H{(day.month - 1) // 6 + 1}",
    "year": lambda day: f"{day.year:04d}",
    "five-years": lambda day: _years(day.year, 5),
    "decade": lambda day: f"{day.year // 10 * 10:04d}s",
    "twenty-years": lambda day: _years(day.year, 20),
}
