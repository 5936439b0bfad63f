"""How the dates of a column are written: one format, proved by the cells of the whole column.

A day above 12 proves the order of day and month. Where no cell does, or many cells prove one order
and many the other, the dates cannot be told. What a format makes of a cell is said here once, in
plain Python; engines that read whole columns do the same in their own words, and are tested by it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from indistinct.base.cells.centuries import LAST_YEAR, whole_year
from indistinct.base.cells.month_names import MONTHS
from indistinct.base.cells.shares import NEARLY, are_few, some_of
from indistinct.base.coded_text import sentence

# All patterns are read alike by Python and by Rust.
LETTER = r"[^\W\d_]"
CLOCK = r"(?P<clock>[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?)"
TIME = rf"(?:[ T,]+{CLOCK} ?(?P<half>[AaPp][Mm])?)?"
MARK = r"(?:[-/.]|\. ?| )"
WEEKDAY = rf"(?:{LETTER}{{2,}}\.?,? )?"
PACKED = "packed, year last"  # which codes are as often, so that nobody looks for it
SHAPES: Mapping[str, str] = {
    "numbers": rf"^{WEEKDAY}(?P<first>[0-9]{{1,2}})(?P<mark>{MARK})(?P<second>[0-9]{{1,2}})"
    rf"(?P<again>{MARK})(?P<year>[0-9]{{4}}|[0-9]{{2}}){TIME}$",
    "year first": rf"^(?P<year>[0-9]{{4}})(?P<mark>{MARK})(?P<first>[0-9]{{1,2}})"
    rf"(?P<again>{MARK})(?P<second>[0-9]{{1,2}}){TIME}$",
    "packed": r"^(?P<year>[0-9]{4})(?P<mark>)(?P<first>[0-9]{2})(?P<again>)(?P<second>[0-9]{2})"
    r"(?P<clock>)(?P<half>)$",
    PACKED: r"^(?P<first>[0-9]{2})(?P<mark>)(?P<second>[0-9]{2})(?P<again>)"
    rf"(?P<year>[0-9]{{4}}|[0-9]{{2}}){TIME}$",
    "day and name": rf"^{WEEKDAY}(?P<first>[0-9]{{1,2}})(?:st|nd|rd|th|er)?(?:[-/. ]|\. )?"
    rf"(?:de |of )?(?P<name>{LETTER}{{3,}})\.?,?[-/. ]?(?:de |of )?"
    rf"(?P<year>[0-9]{{4}}|[0-9]{{2}}){TIME}$",
    "name and day": rf"^(?P<name>{LETTER}{{3,}})\.? (?P<first>[0-9]{{1,2}})(?:st|nd|rd|th)?,? "
    rf"(?P<year>[0-9]{{4}}|[0-9]{{2}}){TIME}$",
}
PLAIN_SHAPES = {name: re.compile(shape) for name, shape in SHAPES.items()}
FEWEST_DIGITS = 3  # of a text that has one of these shapes
LIKE_A_DATE = re.compile(
    r"([^\W\d_]{2,}\.?,? )?\d{1,4}[-/. ]{1,2}\d{1,2}[-/. ]{1,2}\d{2,4}|\d{8}$"
    r"|([^\W\d_]{2,}\.?,? )?\d{1,2}[a-z]{0,2}[-/. ]+(de |of )?[^\W\d_]{3,}"
    r"|\d{1,2}[^\W\d_]{3,9}\d{2,4}$"
    r"|[^\W\d_]{3,}\.? \d{1,2}(st|nd|rd|th)?,? \d{2,4}"
)
ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:$|[T ][0-9]{2}:)")  # needs no format
WORD = re.compile(
    r"(?P<a>dd|mm|mmmm|yyyy|yy)(?P<mark>[-/. ]{0,2})(?P<b>dd|mm|mmmm)(?P<again>[-/. ]{0,2})"
    r"(?P<c>dd|yyyy|yy)(?P<time> hh:mm)?"
)
SINCE = re.compile(r"days since (?P<day>\d{4}-\d{2}-\d{2})")
DAYS = r"^[-+]?[0-9]{1,6}(?:\.0*)?$"  # a number of days
PLAIN_DAYS = re.compile(DAYS)
MOST_DAYS = 400_000  # about a thousand years
MOST_PACKED, LEAST_PACKED = 20501231, 18500101
FEWEST_PACKED = 12  # different numbers that are all days, so that they are not by chance
MIDNIGHT = "00:00:00"
NOON, HOURS = 12, 24
LAST_MONTH, LAST_DAY = 12, 31


@dataclass(frozen=True, slots=True)
class DateFormat:
    """A way of writing dates.

    Parameters
    ----------
    order : of day, month and year: ``dmy``, ``mdy`` or ``ymd``
    mark : between them
    short : whether years have two digits
    named : whether months are names
    timed : whether a time stands behind the day
    last_year : that two digits may mean
    since : the day that days are counted from, where they are numbers
    """

    order: str
    mark: str
    short: bool = False
    named: bool = False
    timed: bool = False
    last_year: int = LAST_YEAR
    since: date | None = None

    @property
    def word(self) -> str:
        """The word of a policy: ``dd/mm/yyyy``."""
        if self.since is not None:
            return f"days since {self.since.isoformat()}"
        parts = {
            "d": "dd",
            "m": "mmmm" if self.named else "mm",
            "y": "yy" if self.short else "yyyy",
        }
        return self.mark.join(parts[part] for part in self.order) + (" hh:mm" if self.timed else "")

    @classmethod
    def of(cls, word: str) -> DateFormat | None:
        """Return the format that a word of a policy names; None where it names none."""
        if (counted := SINCE.fullmatch(word.strip().lower())) is not None:
            day = _day(counted["day"])
            return None if day is None else cls("ymd", "-", since=day)
        found = WORD.fullmatch(word.strip().lower().replace("yyyy-mm-ddthh", "yyyy-mm-dd hh"))
        if found is None or found["mark"] != found["again"]:
            return None
        parts = [found[part] for part in "abc"]
        order = "".join(part[0] for part in parts)
        if sorted(order) != ["d", "m", "y"] or order in {"myd", "ydm", "dym"}:
            return None
        return cls(order, found["mark"], "yy" in parts, "mmmm" in parts, bool(found["time"]))

    @property
    def shape(self) -> str:
        """The name of its shape in :data:`SHAPES`."""
        if self.named:
            return "name and day" if self.order == "mdy" else "day and name"
        if self.order == "ymd" and not self.short:
            return "year first" if self.mark else "packed"
        return "numbers" if self.mark else PACKED

    @property
    def parts(self) -> tuple[str, str, str]:
        """The parts of the shape that hold the year, the month and the day."""
        if self.named:
            return "year", "name", "first"
        if self.shape in {"numbers", PACKED} and self.order == "ymd":
            return "first", "second", "year"
        return ("year", "first", "second") if self.order != "dmy" else ("year", "second", "first")

    def iso(self, text: str) -> str | None:
        """Return a cell as an ISO date, or as a moment; None where it is not of the format.

        Examples
        --------
        >>> DateFormat.of("dd.mm.yyyy").iso("3.12.1987"), DateFormat.of("dd.mm.yyyy").iso("soon")
        ('1987-12-03', None)
        """
        text = text.strip()
        if self.since is not None:
            return self._counted(text)
        found = PLAIN_SHAPES[self.shape].match(text)
        if found is None:
            return None
        parts = {"second": "", "mark": self.mark, "again": self.mark, **found.groupdict()}
        day = self._day_of(parts)
        if day is None or not self.timed:
            return day
        clock = _clock(parts["clock"] or "", (parts["half"] or "").lower())
        return None if clock is None else f"{day} {clock}"

    def _day_of(self, parts: Mapping[str, str]) -> str | None:
        """Return the day that the parts of a cell name; None where they are not of the format."""
        year, month, day = (parts[part] for part in self.parts)
        month = MONTHS.get(month.lower(), "") if self.named else month
        has_marks = self.named or parts["mark"] == parts["again"] == self.mark
        if not month or not has_marks or (len(year) == 2) is not self.short:  # noqa: PLR2004 - digits
            return None
        if self.short:
            year = str(whole_year(int(year), self.last_year))
        iso = f"{year}-{month:>02}-{day:>02}"
        return None if _day(iso) is None else iso

    def _counted(self, text: str) -> str | None:
        """Return the day that a number of days leads to."""
        assert self.since is not None  # noqa: S101 - the caller asked
        if not PLAIN_DAYS.match(text) or abs(days := int(float(text))) > MOST_DAYS:
            return None
        return (self.since + timedelta(days)).isoformat()


def _day(text: str) -> date | None:
    """Return the day that a text names; None where the calendar has none of this name."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _clock(clock: str, half: str) -> str | None:
    """Write a time of day with 24 hours and seconds; None where no clock shows it.

    Parameters
    ----------
    half : of the day, ``am`` or ``pm``; empty where the clock has 24 hours
    """
    if not clock:
        return MIDNIGHT
    hour, minute, *rest = clock.split(":")
    second = rest[0] if rest else "00"
    number = int(hour)
    if half:
        number = number % NOON + (NOON if half == "pm" else 0)
    if number >= HOURS or int(minute) >= 60 or float(second) >= 60:  # noqa: PLR2004 - of a clock
        return None
    return f"{number:02}:{minute}:{second}"


def month_number(name: str) -> str | None:
    """Return the number of a month with two digits by its name in a language that is known."""
    return MONTHS.get(name.lower())


def like_dates(texts: Sequence[str]) -> bool:
    """Return whether some cells of a column look like dates, so that all are worth a look."""
    return sum(map(is_like_a_date, texts)) >= NEARLY * len(texts) > 0


def is_like_a_date(text: str) -> bool:
    """Return whether a text looks like a date in some form."""
    return LIKE_A_DATE.match(text) is not None


@dataclass(frozen=True, slots=True)
class FoundDates:
    """How the dates of a column are written.

    Parameters
    ----------
    form : of the dates; None where the cells cannot tell
    proof : records that fit no other order of day and month; None where there is one order
    doubt : why the cells cannot tell, and the two formats between which they do not
    """

    form: DateFormat | None = None
    proof: int | None = None
    doubt: str = ""
    choices: tuple[str, ...] = ()


def find_dates(counted: Mapping[str, int]) -> FoundDates | None:
    """Find how dates are written.

    Parameters
    ----------
    counted : the different cells, none missing, each with its records; of many, some are weighed

    Returns
    -------
    None where these are no dates, or are written as ISO does
    """
    counted = some_of(counted)
    least = NEARLY * sum(counted.values())
    if _records(counted, ISO.match) >= least:
        return None
    # To look for each shape takes a hundred times as long.
    may_fit = [text for text in counted if sum(map(str.isdigit, text)) >= FEWEST_DIGITS]
    if sum(counted[text] for text in may_fit) < least:
        return None
    for name, shape in PLAIN_SHAPES.items():
        if name == PACKED:
            continue
        matched = {text: found for text in may_fit if (found := shape.match(text.strip()))}
        if sum(counted[text] for text in matched) >= least:
            found = _with_order(counted, matched, name)
            if found is not None:
                return found
    return None


def _records(counted: Mapping[str, int], chosen: Callable[[str], object]) -> int:
    """Count the records of some of the different cells."""
    return sum(count for text, count in counted.items() if chosen(text))


def _with_order(
    counted: Mapping[str, int], matched: Mapping[str, re.Match[str]], shape: str
) -> FoundDates | None:
    """Find the order of day, month and year of cells that have a shape."""
    # Nearly all have one mark and one length of years; a few others are odd cells.
    writings: Counter[tuple[str, bool]] = Counter()
    for text, found in matched.items():
        marks = {found.groupdict().get("mark"), found.groupdict().get("again")}
        if len(marks) == 1:
            writings[marks.pop() or "", len(found["year"]) == 2] += counted[text]  # noqa: PLR2004 - digits
    if not writings:
        return None
    ((mark, is_short), most), *_ = writings.most_common(1)
    if most < NEARLY * sum(counted.values()):
        return None
    timed = any(found["clock"] for found in matched.values())
    if shape in {"year first", "packed"}:
        return _proved(counted, DateFormat("ymd", mark, timed=timed))
    if shape in {"day and name", "name and day"}:
        order = "dmy" if shape == "day and name" else "mdy"
        return _proved(counted, DateFormat(order, " ", is_short, named=True, timed=timed))
    alike = {text: one for text, one in matched.items() if one["mark"] == one["again"] == mark}
    return _of_numbers(counted, alike, DateFormat("dmy", mark, is_short, timed=timed))


def _of_numbers(
    counted: Mapping[str, int], matched: Mapping[str, re.Match[str]], form: DateFormat
) -> FoundDates | None:
    """Find the order of two numbers and a year behind them: a day above 12 proves it."""
    of_day = of_month = of_year = 0
    for text, found in matched.items():
        first, second = int(found["first"]), int(found["second"])
        of_day += counted[text] * (LAST_MONTH < first <= LAST_DAY and second <= LAST_MONTH)
        of_month += counted[text] * (LAST_MONTH < second <= LAST_DAY and first <= LAST_MONTH)
        of_year += counted[text] * (first > LAST_DAY)
    if form.short and of_year and not (of_day and are_few(of_year, sum(counted.values()))):
        return _proved(counted, replace(form, order="ymd"))
    rarer = min(of_day, of_month)
    if rarer and are_few(rarer, of_day + of_month):
        of_day, of_month = (of_day, 0) if of_day > of_month else (0, of_month)
    choices = tuple(replace(form, order=order).word for order in ("dmy", "mdy"))
    if of_day and of_month:
        said = sentence(
            "both-orders",
            "{days:,} values have the day first and {months:,} the month first, so that only the "
            "years are sure.",
            days=of_day,
            months=of_month,
        )
        return FoundDates(doubt=said, choices=choices)
    if not of_day and not of_month:
        said = sentence(
            "no-order",
            "No day is above 12, so that the cells cannot tell the day from the month. Name the "
            "format of the column, such as dd/mm/yyyy.",
        )
        return FoundDates(doubt=said, choices=choices)
    order, proof = ("dmy", of_day) if of_day else ("mdy", of_month)
    return _proved(counted, replace(form, order=order), proof)


def _proved(
    counted: Mapping[str, int], form: DateFormat, proof: int | None = None
) -> FoundDates | None:
    """Return a format that fits nearly all records; None where it does not."""
    fitting = [text for text in counted if form.iso(text) is not None]
    if sum(counted[text] for text in fitting) < NEARLY * sum(counted.values()):
        return None
    if form.shape == "packed" and (
        len(counted) < FEWEST_PACKED
        or not str(LEAST_PACKED) <= min(counted) <= max(counted) <= str(MOST_PACKED)
        or len(fitting) < len(counted)
    ):
        return None
    return FoundDates(form, proof)
