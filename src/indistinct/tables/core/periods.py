"""Periods of the calendar: which step a label is of, and the days between which it lies."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Floats
from indistinct.tables.core.date_hierarchies import DATE_LEVELS, WEEK, dated_label

HOURS = 24
HOUR = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})T([01][0-9]|2[0-3])\Z")
CLOCK = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T]([0-9]{2}):([0-9]{2})")
LABEL = re.compile(
    r"([0-9]{4})(?:-(?:(0[1-9]|1[0-2])|Q([1-4])|H([12])|W([0-5][0-9])|[0-9]{4})|s)?\Z"
)
MONTHS = {"month": 1, "quarter": 3, "half-year": 6}
YEARS = {"year": 1, "five-years": 5, "decade": 10, "twenty-years": 20}
PERIODS = (WEEK, *MONTHS, *YEARS)
Span = tuple[float, float]
NOWHERE: Span = (math.nan, math.nan)


class Period(NamedTuple):
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
def period_of(text: str) -> Period | None:
    """Return the period that a label stands for; None for what is no label of a period.

    Examples
    --------
    >>> period_of("2024-H2"), period_of("2020-2024").step, period_of("2024-05-17")
    (Period(step='half-year', begins='2024-07-01'), 'five-years', None)
    """
    if (hour := HOUR.match(text)) is not None:
        return Period("hour", text) if _is_day(hour[1]) else None
    begins = _first_day(text)
    step = next((one for one in PERIODS if begins and dated_label(begins, one) == text), None)
    return None if step is None else Period(step, begins)


def begins_at(step: str, begins: str) -> Period | None:
    """Return the period of a step that begins on a day; None where none does."""
    if step == "hour":
        return period_of(begins)
    if step not in DATE_LEVELS or not _is_day(begins):
        return None
    label = dated_label(begins, step)
    found = Period(step, begins) if step == "day" else period_of(label)
    return found if found == Period(step, begins) else None


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
    return Period("day", text[:10]).span if _is_day(text[:10]) else NOWHERE


def _first_day(text: str) -> str:
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
