"""What a label says of the values below it, as whoever reads it takes it: ranges and periods.

A label may be written in the ways of five languages. It says nothing here if it is a name.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import TypeAlias

NUMBER = r"[+-]?(?:\d{1,3}(?:[ ,'\u2019\u202f\u00a0]\d{3})+|\d+)(?:[.,]\d+)?"
UNIT = r"(?:\s*(?:%|€|\$|£|[^\W\d_][^\d+]{0,14}))?"
CURRENCY = r"[€$£]?\s*"
INTERVAL = re.compile(rf"([\[(\]])\s*({NUMBER})\s*[,;]\s+({NUMBER})\s*([\])\[])")
BAND = re.compile(
    rf"(?:(?:from|between|von|zwischen|de|entre|od|wiek)\s+)?([\[(]?)\s*{CURRENCY}({NUMBER}){UNIT}\s*"
    rf"(?:-|\u2013|\u2014|\.\.\.?|to|bis|a|à|do|until|and|und|et|y|i)\s*{CURRENCY}({NUMBER})"
    rf"\s*([\])]?){UNIT}",
    re.IGNORECASE,
)
BELOW = re.compile(
    rf"(?:<|under|below|less than|younger than|unter|weniger als|menos de|moins de|poniżej)"
    rf"\s*{CURRENCY}({NUMBER}){UNIT}",
    re.IGNORECASE,
)
AT_MOST = re.compile(
    rf"(?:≤|<=|=<|up to|at most|bis|höchstens|hasta|jusqu'à|do)\s*{CURRENCY}({NUMBER}){UNIT}"
    rf"|{CURRENCY}({NUMBER}){UNIT}\s*(?:or|and|und|et|ou|y|o|i|lub)?\s*"
    rf"(?:less|under|younger|fewer|jünger|weniger|moins|menos|mniej)",
    re.IGNORECASE,
)
AT_LEAST = re.compile(
    rf"(?:>|≥|>=|=>|over|above|more than|older than|at least|from|über|ab|mehr als|mindestens"
    rf"|más de|mas de|desde|plus de|à partir de|powyżej|od)\s*{CURRENCY}({NUMBER}){UNIT}"
    rf"|{CURRENCY}({NUMBER})\s*(?:\+|{UNIT}\s*(?:or|and|und|et|ou|y|o|i|lub)?\s*"
    rf"(?:plus|older|more|over|above|up|älter|mehr|darüber|más|mas|mayor|więcej|starsz\w*))"
    rf"{UNIT}",
    re.IGNORECASE,
)
MONTH = re.compile(r"(\d{4})[-/.](\d{1,2})|(\d{1,2})[-/.](\d{4})")
QUARTER = re.compile(r"(\d{4})[-/. ]?Q([1-4])|Q([1-4])[-/. ]?(\d{4})")
HALF = re.compile(r"(\d{4})[-/. ]?[HS]([12])|[HS]([12])[-/. ]?(\d{4})")
YEAR = re.compile(r"(\d{4})(?:\.0)?")
DECADE = re.compile(r"(\d{3}0)(?:s|er|'s)")
WEEK = re.compile(r"(\d{4})-?W(\d{2})")
DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
HOUR = re.compile(r"(\d{4})-(\d{2})-(\d{2})T(\d{2})")
NAMED = re.compile(r"([^\W\d_]{3,})\.? (\d{4})|(\d{4}) ([^\W\d_]{3,})")
YEARS = range(1000, 3000)
NAMES_OF_MONTHS = (
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "jan feb mär apr mai jun jul aug sep okt nov dez",
    "jan fév mar avr mai juin juil aoû sep oct nov déc",
    "ene feb mar abr may jun jul ago sep oct nov dic",
    "sty lut mar kwi maj cze lip sie wrz paź lis gru",
    "jän fev mrz apr mai jun jul aou set oct nov dec",
)
DAY_OF_SECONDS = 86_400


@dataclass(frozen=True, slots=True)
class NumberRange:
    """A range of numbers.

    Parameters
    ----------
    low, high : its ends; infinite where it has none
    has_low, has_high : whether the ends belong to it
    digits : of a range written by whole numbers alone, the most digits of an end; else 0
    """

    low: Decimal
    high: Decimal
    has_low: bool = True
    has_high: bool = True
    digits: int = 0

    def contains(self, low: Decimal, high: Decimal) -> bool:
        """Return whether the numbers from one to another lie in the range."""
        is_above = low >= self.low if self.has_low else low > self.low
        return is_above and (high <= self.high if self.has_high else high < self.high)


@dataclass(frozen=True, slots=True)
class Period:
    """A period of time, in seconds since the year 1, half-open."""

    start: int
    end: int

    def contains(self, other: Period) -> bool:
        """Return whether another period lies in this one."""
        return self.start <= other.start and other.end <= self.end


LabelMeaning: TypeAlias = NumberRange | Period


@lru_cache(maxsize=1 << 14)
def meanings_of(label: str) -> tuple[LabelMeaning, ...]:
    """Return what a label may say: none for a name.

    Examples
    --------
    >>> meanings_of("infections")
    ()
    >>> len(meanings_of("2015-04")), len(meanings_of("20 to 29"))
    (1, 1)
    """
    text = label.strip()
    found = [*_ranges(text), *_periods(text)]
    return tuple(found)


def number_of(text: str) -> Decimal:
    """Return a number that is written with groups of thousands or a decimal comma."""
    plain = re.sub(r"(?<=\d)[ '\u2019\u202f\u00a0](?=\d{3})", "", text)
    if re.search(r",\d{3}(?:\D|$)", plain) and "." not in plain.split(",")[0]:
        plain = plain.replace(",", "")
    return Decimal(plain.replace(",", "."))


def month_of(name: str) -> int | None:
    """Return the number of the month that a name begins as one in five languages does."""
    name = name.lower()
    for names in NAMES_OF_MONTHS:
        for number, short in enumerate(names.split(), start=1):
            if name.startswith(short):
                return number
    return None


def months(year: int, first: int, count: int) -> Period:
    """Return some months of a year, counted from its first one."""
    begin = year * 12 + first - 1
    return Period(_seconds(begin), _seconds(begin + count))


def days(year: int, month: int, day: int, count: int = 1) -> Period | None:
    """Return a day and those that follow it; None where the calendar has no such day."""
    try:
        start = dt.date(year, month, day).toordinal() * DAY_OF_SECONDS
    except ValueError:
        return None
    return Period(start, start + count * DAY_OF_SECONDS)


def week(year: int, number: int) -> Period | None:
    """Return an ISO week; None where the year has no such week."""
    try:
        monday = dt.date.fromisocalendar(year, number, 1)
    except ValueError:
        return None
    return days(monday.year, monday.month, monday.day, 7)


def _seconds(count: int) -> int:
    """Return when a month begins, counted from the year 0; before the year 1, its beginning."""
    year, month = divmod(count, 12)
    year = min(max(year, 1), dt.MAXYEAR)
    return dt.date(year, month + 1, 1).toordinal() * DAY_OF_SECONDS


def _ranges(text: str) -> list[LabelMeaning]:
    """Read a range of numbers, which may also be one of years."""
    if found := INTERVAL.fullmatch(text):
        low, high = number_of(found[2]), number_of(found[3])
        return [NumberRange(low, high, has_low=found[1] == "[", has_high=found[4] == "]")]
    if (found := BAND.fullmatch(text)) and number_of(found[2]) <= number_of(found[3]):
        low, high = number_of(found[2]), number_of(found[3])
        are_whole = found[2].isdigit() and found[3].isdigit()
        digits = max(len(found[2]), len(found[3])) if are_whole else 0
        is_open = found[1] != "" and found[4] == ")"
        result: list[LabelMeaning] = [NumberRange(low, high, has_high=not is_open, digits=digits)]
        if low in YEARS and high in YEARS and are_whole:
            last = int(high) - is_open
            result.append(months(int(low), 1, 12 * (last - int(low) + 1)))
        return result
    if found := BELOW.fullmatch(text):
        return [NumberRange(Decimal(-math.inf), number_of(found[1]), has_high=False)]
    if found := AT_MOST.fullmatch(text):
        return [NumberRange(Decimal(-math.inf), number_of(found[1] or found[2]))]
    if found := AT_LEAST.fullmatch(text):
        return [NumberRange(number_of(found[1] or found[2]), Decimal(math.inf))]
    return []


def _periods(text: str) -> list[LabelMeaning]:
    """Read a period of time."""
    found: Period | None = None
    if (part := MONTH.fullmatch(text)) and 1 <= int(part[2] or part[3]) <= 12:  # noqa: PLR2004 - months
        found = months(int(part[1] or part[4]), int(part[2] or part[3]), 1)
    elif part := QUARTER.fullmatch(text):
        found = months(int(part[1] or part[4]), 3 * int(part[2] or part[3]) - 2, 3)
    elif part := HALF.fullmatch(text):
        found = months(int(part[1] or part[4]), 6 * int(part[2] or part[3]) - 5, 6)
    elif part := YEAR.fullmatch(text):
        found = months(int(part[1]), 1, 12)
    elif part := DECADE.fullmatch(text):
        found = months(int(part[1]), 1, 120)
    elif part := WEEK.fullmatch(text):
        found = week(int(part[1]), int(part[2]))
    elif part := DAY.fullmatch(text):
        found = days(int(part[1]), int(part[2]), int(part[3]))
    elif part := HOUR.fullmatch(text):
        day = days(int(part[1]), int(part[2]), int(part[3]))
        begin = None if day is None else day.start + 3600 * int(part[4])
        found = None if begin is None else Period(begin, begin + 3600)
    elif (part := NAMED.fullmatch(text)) and (month := month_of(part[1] or part[4])):
        found = months(int(part[2] or part[3]), month, 1)
    return [] if found is None else [found]
