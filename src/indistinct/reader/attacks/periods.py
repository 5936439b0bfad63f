"""The days that a date, or a released period, may stand for."""

from __future__ import annotations

from datetime import date, timedelta


def period_of(cell: str) -> tuple[date, date]:  # noqa: PLR0911 - a line for each period
    """Return the first and the last day of a day, week, month, quarter, year or decade."""
    if not cell[:4].isdigit():
        return date(9000, 1, 1), date(1000, 1, 1)
    year = int(cell[:4])
    if "W" in cell:
        begin = date.fromisocalendar(year, int(cell[-2:]), 1)
        return begin, begin + timedelta(days=6)
    if cell.endswith("s"):
        return date(year, 1, 1), date(year + 9, 12, 31)
    if len(cell) == len("2020"):
        return date(year, 1, 1), date(year, 12, 31)
    if "Q" in cell:
        month = 3 * int(cell[-1]) - 2
        return date(year, month, 1), _month_end(year, month + 2)
    if len(cell) == len("2020-01"):
        return date(year, int(cell[5:7]), 1), _month_end(year, int(cell[5:7]))
    day = date.fromisoformat(cell[:10])
    return day, day


def _month_end(year: int, month: int) -> date:
    """Return the last day of a month."""
    following = date(year + month // 12, month % 12 + 1, 1)
    return following - timedelta(days=1)
