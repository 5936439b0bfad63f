"""The days and numbers that the values of a column may be, by all of its values together.

A text such as 03/04/1975 may be two days. Which of the two orders a column has is proved by its
other values; where they prove none, the value may be either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from functools import lru_cache

from indistinct.tables.verification.label_meanings import (
    WEEK,
    YEAR,
    NumberRange,
    Period,
    days,
    meanings_of,
    month_of,
    months,
    number_of,
)

TIME = (
    r"(?:[ T,]+(\d{1,2})(?::(\d{2}))?(?::\d{2}(?:\.\d+)?)?\s*([AaPp][Mm])?"
    r"\s*(?:Z|[+-]\d{2}:?\d{2})?)?"
)
WEEKDAY = r"(?:[^\W\d_]{2,}\.?,? )?"
THREE = re.compile(rf"{WEEKDAY}(\d{{1,4}})[-/. ]{{1,2}}(\d{{1,2}})[-/. ]{{1,2}}(\d{{1,4}}){TIME}")
NAMED = re.compile(
    rf"{WEEKDAY}(\d{{1,2}})(?:st|nd|rd|th|er)?\.?[-/. ]{{1,2}}(?:de |of )?([^\W\d_]{{3,}})"
    rf"\.?,?[-/. ]{{1,2}}(?:de |of )?(\d{{2}}|\d{{4}}){TIME}"
    rf"|([^\W\d_]{{3,}})\.? (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{2}}|\d{{4}}){TIME}"
)
PACKED = re.compile(r"(\d{4})(\d{2})(\d{2})")
IN_YEAR = re.compile(r"(\d{4}|\d{3}(?=0s$))(?:0s)?")
TWENTIETH = 30  # two digits from here on are a year of the twentieth century
ORDERS = ("dmy", "mdy", "ymd")
PLAIN = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
Readings = Mapping[str, Period]


@lru_cache(maxsize=1 << 16)
def _days_of(value: str) -> Readings:
    """Return the days that a value may be, by the order of its parts."""
    text = value.strip()
    if found := THREE.fullmatch(text):
        parts = {order: _ordered(order, found[1], found[2], found[3]) for order in ORDERS}
        clock = (found[4], found[5], found[6])
        return {order: _at(one, *clock) for order, one in parts.items() if one is not None}
    if found := NAMED.fullmatch(text):
        is_day_first = found[1] is not None
        day, name, year = found.group(1, 2, 3) if is_day_first else found.group(8, 7, 9)
        clock = found.group(4, 5, 6) if is_day_first else found.group(10, 11, 12)
        month = month_of(name)
        one = None if month is None else days(_year(year), month, int(day))
        return {} if one is None else {"named": _at(one, *clock)}
    if found := PACKED.fullmatch(text):
        one = days(int(found[1]), int(found[2]), int(found[3]))
        return {} if one is None else {"packed": one}
    return {}


def _ordered(order: str, first: str, second: str, third: str) -> Period | None:
    """Read three numbers as a day; one whose day or month is 0 is the whole month or year."""
    place = dict(zip(order, (first, second, third), strict=True))
    day, month = place["d"], place["m"]
    if len(place["y"]) not in {2, 4} or len(day) > 2 or len(month) > 2:  # noqa: PLR2004 - digits
        return None
    year = _year(place["y"])
    if not int(month):
        return months(year, 1, 12)
    if not int(day):
        return months(year, int(month), 1) if int(month) <= 12 else None  # noqa: PLR2004 - months
    return days(year, int(month), int(day))


def _year(text: str) -> int:
    """Return a year of two or four digits."""
    number = int(text)
    if len(text) == 4:  # noqa: PLR2004 - digits
        return number
    return number + (2000 if number < TWENTIETH else 1900)


def _at(day: Period, hour: str | None, minute: str | None, half: str | None) -> Period:
    """Return the minute of a day, where a time is written."""
    if hour is None:
        return day
    number = int(hour)
    if half is not None:
        number = number % 12 + (12 if half.lower() == "pm" else 0)
    start = day.start + 3600 * number + 60 * int(minute or 0)
    return Period(start, start + 60) if number < 24 else day  # noqa: PLR2004 - hours


class ColumnMeaning:
    """What the values of a column may be, so that labels can be held against them.

    Parameters
    ----------
    values : of the whole column, none missing
    exact : whether a range of whole numbers ends where it says; else the next number may be in it
    """

    def __init__(self, values: Iterable[str], *, exact: bool = False) -> None:
        self._exact = exact
        fitting: set[str] | None = None
        for value in values:
            found = _days_of(value)
            if found:
                fitting = set(found) if fitting is None else fitting & set(found)
        self._orders = fitting or set()

    def is_true(self, label: str, value: str) -> bool:
        """Return whether a label is true of a value, as far as both can be read.

        A name is taken at its word, and so is any label of a value that is no number and no date.
        """
        said = () if label == value else meanings_of(label)
        if YEAR.fullmatch(label.strip()) and YEAR.fullmatch(value.strip()):
            return True  # codes of four digits may have a code as the name of their group
        if (week := WEEK.fullmatch(value.strip())) and (year := IN_YEAR.fullmatch(label.strip())):
            return week[1].startswith(year[1])  # the year in which most of its days lie
        ranges = [one for one in said if isinstance(one, NumberRange)]
        periods = [one for one in said if isinstance(one, Period)]
        times = list(self._times_of(value))
        if times and not PLAIN.fullmatch(value.strip()):
            # No range of numbers is true of a day, unless it is one of years.
            return not said or all(any(p.contains(time) for p in periods) for time in times)
        number = _numbers_of(value)
        of_number = [
            number is not None and _holds(one, number, value, exact=self._exact) for one in ranges
        ]
        of_time = [all(one.contains(time) for time in times) for one in periods if times]
        judged = [*(of_number if number is not None else ()), *of_time]
        return not judged or any(judged)

    def _times_of(self, value: str) -> Iterator[Period]:
        """Yield the times that a value may be, in the orders of its column."""
        found = _days_of(value)
        chosen = {order: one for order, one in found.items() if order in self._orders} or found
        yield from chosen.values()
        if not found:
            yield from (one for one in meanings_of(value) if isinstance(one, Period))


def _numbers_of(value: str) -> tuple[Decimal, Decimal] | None:
    """Return the numbers from which to which a value goes: one number, or a band."""
    text = value.strip()
    if PLAIN.fullmatch(text):
        number = Decimal(text)
        return number, number
    ranges = [one for one in meanings_of(text) if isinstance(one, NumberRange)]
    if ranges:
        return ranges[0].low, ranges[0].high
    if re.fullmatch(r"[+-]?[\d., '\u2019\u202f\u00a0]*\d", text):
        try:
            number = number_of(text)
        except ArithmeticError:
            return None
        return number, number
    return None


def _holds(said: NumberRange, number: tuple[Decimal, Decimal], value: str, *, exact: bool) -> bool:
    """Return whether a range holds a number; that of codes may go by their first digits."""
    if said.contains(*number):
        return True
    if not exact and said.digits and number == (said.high + 1, said.high + 1):
        return True  # lists that everybody uses have 20 under 0-19
    if not said.has_high and number[1] == said.high > number[0]:
        return True  # a band that ends where the range does, neither of which has its end
    text = value.strip()
    is_code = text.isdigit() and said.digits and len(text) > said.digits
    return bool(is_code) and said.contains(*2 * (Decimal(text[: said.digits]),))
