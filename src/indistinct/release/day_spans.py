"""Cells of dates as spans of days."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from indistinct.core.arrays import Floats

MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
PERIOD = re.compile(
    r"(?:(?P<month>[0-9]{4}-(?:0[1-9]|1[0-2]))|(?P<quarter>[0-9]{4}-Q[1-4])"
    r"|(?P<year>[0-9]{4})|(?P<decade>[0-9]{3}0s))\Z"
)
Span = tuple[float, float]
NOWHERE = (math.nan, math.nan)


def day_spans(texts: Sequence[str]) -> Floats:
    """Return where days and periods lie: (n_texts, 2), half-open; NaN for what is neither."""
    return np.array([_day_span(text) for text in texts], np.float64).reshape(-1, 2)


@lru_cache(maxsize=1 << 16)
def _day_span(text: str) -> Span:
    """Return the days of a month, quarter, year or decade, or one day."""
    period = PERIOD.match(text)
    if period is None:
        try:
            day = dt.date.fromisoformat(text[:10]).toordinal()
        except ValueError:
            return NOWHERE
        return float(day), float(day + 1)
    step = period.lastgroup or "year"
    year = int(f"{text[:3]}0") if step == "decade" else int(text[:4])
    month = {"month": text[5:7], "quarter": text[-1]}.get(step, "1")
    before = year * 12 + (3 * int(month) - 3 if step == "quarter" else int(month) - 1)
    after = before + MONTHS[step]
    return _first_day(before), _first_day(after)


def _first_day(months: int) -> float:
    """Return the first day of a month, counted from the year 0, within the calendar."""
    if months < 12:  # noqa: PLR2004 - the year 0, of which the calendar has no day
        return 1.0
    if months // 12 > dt.MAXYEAR:
        return float(dt.date.max.toordinal() + 1)
    return float(dt.date(months // 12, months % 12 + 1, 1).toordinal())
