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
    return first_day(period, now).isoformat(timespec="seconds")


def ends(period: PeriodName, now: datetime) -> str:
    """Return the day in UTC on which the next period begins.

    Examples
    --------
    >>> ends("month", datetime(2026, 12, 14, 15, 9, tzinfo=UTC))
    '2027-01-01'
    """
    days = {"day": 1, "week": 7, "month": 31, "year": 366}[period]
    following = first_day(period, first_day(period, now) + timedelta(days=days))
    return following.date().isoformat()


def first_day(period: PeriodName, now: datetime) -> datetime:
    """Return the midnight with which a period begins."""
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
    return day
