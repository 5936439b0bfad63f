"""Periods of the calendar, in which the budget of an analyst renews."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Literal

PeriodName = Literal["day", "week", "month", "year"]


def began(period: PeriodName, now: datetime) -> str:
    """Return when the current period began, in UTC, as charges are dated.

    Examples
    --------
    >>> began("month", datetime(2026, 3, 14, 15, 9, tzinfo=UTC))
    '2026-03-01T00:00:00+00:00'
    """
    day = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    match period:
        case "week":
            day -= timedelta(days=day.weekday())
        case "month":
            day = day.replace(day=1)
        case "year":
            day = day.replace(month=1, day=1)
        case _:
            pass
    return day.isoformat(timespec="seconds")
