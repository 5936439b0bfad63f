"""Cells of dates as spans of days."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from indistinct.base.arrays import Floats

HOURS = 24
CLOCK = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T]([0-9]{2}):([0-9]{2})")
MONTHS = {
    "month": 1,
    "quarter": 3,
    "half-year": 6,
    "year": 12,
    "five-years": 60,
    "decade": 120,
    "twenty-years": 240,
}
PERIODS = {
    "hour": r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}",
    "week": r"[0-9]{4}-W[0-5][0-9]",
    "month": r"[0-9]{4}-(?:0[1-9]|1[0-2])",
    "quarter": r"[0-9]{4}-Q[1-4]",
    "half-year": r"[0-9]{4}-H[12]",
    "year": r"[0-9]{4}",
    "five-years": r"([0-9]{3})(?:0-\1[4]|5-\1[9])",
    "decade": r"[0-9]{3}0s",
    "twenty-years": r"([0-9]{2})(?:00-\1[1]9|20-\1[3]9|40-\1[5]9|60-\1[7]9|80-\1[9]9)",
}
Span = tuple[float, float]
NOWHERE = (math.nan, math.nan)


@lru_cache(maxsize=1 << 16)
def step_of(text: str) -> str | None:
    """Return the step of ``dates`` whose labels look like a text; None for what is no period.

    Examples
    --------
    >>> step_of("2024-H1"), step_of("2020-2024"), step_of("2024-05-17")
    ('half-year', 'five-years', None)
    """
    return next((step for step, form in PERIODS.items() if re.fullmatch(form, text)), None)


def day_spans(texts: Sequence[str]) -> Floats:
    """Return where days and periods lie: (n_texts, 2), half-open; NaN for what is neither."""
    return np.array([_day_span(text) for text in texts], np.float64).reshape(-1, 2)


def moments_of(texts: Sequence[str]) -> Floats:
    """Return when days, moments and periods begin: (n_texts,), in days; NaN for what is neither."""
    starts = day_spans(texts)[:, 0]
    for place, text in enumerate(texts):
        clock = CLOCK.match(text)
        if clock is not None:
            starts[place] += (int(clock[1]) * 60 + int(clock[2])) / (60 * HOURS)
    return starts


@lru_cache(maxsize=1 << 16)
def _day_span(text: str) -> Span:
    """Return the days of a period, or one day, also of a moment; of an hour a part of a day."""
    step = step_of(text)
    try:
        if step is None:
            day = dt.date.fromisoformat(text[:10]).toordinal()
            return float(day), float(day + 1)
        if step == "hour":
            begins = dt.date.fromisoformat(text[:10]).toordinal() + int(text[11:]) / HOURS
            return begins, begins + 1 / HOURS
        if step == "week":
            monday = dt.date.fromisocalendar(int(text[:4]), int(text[6:]), 1).toordinal()
            return float(monday), float(monday + 7)
    except ValueError:
        return NOWHERE
    year = int(f"{text[:3]}0") if step == "decade" else int(text[:4])
    number = int(text[5:].lstrip("QH")) if MONTHS[step] < MONTHS["year"] else 1
    before = year * 12 + (number - 1) * MONTHS[step]
    after = before + MONTHS[step]
    return _first_day(before), _first_day(after)


def _first_day(months: int) -> float:
    """Return the first day of a month, counted from the year 0, within the calendar."""
    if months < 12:  # noqa: PLR2004 - the year 0, of which the calendar has no day
        return 1.0
    if months // 12 > dt.MAXYEAR:
        return float(dt.date.max.toordinal() + 1)
    return float(dt.date(months // 12, months % 12 + 1, 1).toordinal())
