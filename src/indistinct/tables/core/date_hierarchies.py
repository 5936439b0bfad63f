"""Hierarchies of dated labels over ISO dates, or over periods such as months and years."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

import numpy as np

from indistinct.base.arrays import Floats
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
HOURS = 24
HOUR = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})T([01][0-9]|2[0-3])\Z")
CLOCK = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T]([0-9]{2}):([0-9]{2})")
LABEL = re.compile(
    r"([0-9]{4})(?:-(?:(0[1-9]|1[0-2])|Q([1-4])|H([12])|W([0-5][0-9])|[0-9]{4})|s)?\Z"
)
MONTHS = {"month": 1, "quarter": 3, "half-year": 6}
YEARS = {"year": 1, "five-years": 5, "decade": 10, "twenty-years": 20}
STEPS_OF_LABELS = (WEEK, *MONTHS, *YEARS)
Span = tuple[float, float]
NOWHERE: Span = (math.nan, math.nan)
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


class CalendarPeriod(NamedTuple):
    """A period of the calendar.

    Parameters
    ----------
    step : one of those of ``dates``
    begins : its first day, or the hour itself, as ISO writes it
    """

    step: str
    begins: str

    @property
    def span(self) -> Span:
        """Where it lies, in days from the year 1 on, half open."""
        day = dt.date.fromisoformat(self.begins[:10])
        first = float(day.toordinal())
        if self.step == "hour":
            first += int(self.begins[11:13]) / HOURS
            return first, first + 1 / HOURS
        if self.step in {"day", WEEK}:
            return first, first + (7 if self.step == WEEK else 1)
        if self.step in YEARS:
            # A period of several years begins at a multiple of them, perhaps in the year 0.
            year = day.year // YEARS[self.step] * YEARS[self.step]
            return first, _first_of(year + YEARS[self.step], 1)
        month = day.month - 1 + MONTHS[self.step]
        return first, _first_of(day.year + month // 12, month % 12 + 1)


@lru_cache(maxsize=1 << 16)
def period_of(text: str) -> CalendarPeriod | None:
    """Return the period that a label stands for; None for what is no label of a period.

    Examples
    --------
    >>> period_of("2024-H2"), period_of("2020-2024").step, period_of("2024-05-17")
    (CalendarPeriod(step='half-year', begins='2024-07-01'), 'five-years', None)
    """
    if (hour := HOUR.match(text)) is not None:
        return CalendarPeriod("hour", text) if _is_day(hour[1]) else None
    begins = _first_day_of(text)
    step = next(
        (one for one in STEPS_OF_LABELS if begins and dated_label(begins, one) == text), None
    )
    return None if step is None else CalendarPeriod(step, begins)


def begins_at(step: str, begins: str) -> CalendarPeriod | None:
    """Return the period of a step that begins on a day; None where none does."""
    if step == "hour":
        return period_of(begins)
    if step not in DATE_LEVELS or not _is_day(begins):
        return None
    label = dated_label(begins, step)
    found = CalendarPeriod(step, begins) if step == "day" else period_of(label)
    return found if found == CalendarPeriod(step, begins) else None


def day_spans(texts: Sequence[str]) -> Floats:
    """Return where days and periods lie: (n_texts, 2), half-open; NaN for what is neither."""
    return np.array([_span(text) for text in texts], np.float64).reshape(-1, 2)


def moments_of(texts: Sequence[str]) -> Floats:
    """Return when days, moments and periods begin: (n_texts,), in days; NaN for what is neither."""
    starts = day_spans(texts)[:, 0]
    for place, text in enumerate(texts):
        clock = CLOCK.match(text)
        if clock is not None:
            starts[place] += (int(clock[1]) * 60 + int(clock[2])) / (60 * HOURS)
    return starts


@lru_cache(maxsize=1 << 16)
def _span(text: str) -> Span:
    """Return the days of a period, or one day, also of a moment."""
    period = period_of(text)
    if period is not None:
        return period.span
    return CalendarPeriod("day", text[:10]).span if _is_day(text[:10]) else NOWHERE


def _first_day_of(text: str) -> str:
    """Return the first day of what looks like a label of a period; nothing for other texts."""
    found = LABEL.match(text)
    if found is None:
        return ""
    year, month, quarter, half, week = (int(one) if one else 0 for one in found.groups())
    if week:
        try:
            return dt.date.fromisocalendar(year, week, 1).isoformat()
        except ValueError:
            return ""
    first = month or (3 * quarter - 2 if quarter else 6 * half - 5 if half else 1)
    return f"{max(year, 1):04d}-{first:02d}-01"


def _is_day(text: str) -> bool:
    """Return whether a text is a day of the calendar."""
    try:
        return dt.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _first_of(year: int, month: int) -> float:
    """Return the first day of a month, or the end of the calendar."""
    if year > dt.MAXYEAR:
        return float(dt.date.max.toordinal() + 1)
    return float(dt.date(year, month, 1).toordinal())
