"""Labels of a list that are not true of a value below them, as whoever reads the release takes it.

A label may be a range of numbers, a period of the calendar or the beginning of a code. What reads
as none of them is a name, and says nothing here: what cannot be read is no fault.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from indistinct.base.cells.date_formats import month_number
from indistinct.base.cells.plain_numbers import EITHER_MARK, RANGE, is_plain_number
from indistinct.base.hierarchy import ROOT
from indistinct.errors import Fault, HierarchyError
from indistinct.tables.core.date_hierarchies import Span, moments_of, period_of
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.hierarchies import listed_paths
from indistinct.tables.reading.date_formats import listed_dates
from indistinct.tables.reading.declared_formats import AS_TEXT

TEXT = r"[^0-9*\[\](),;]"
MONEY = r"[€$£]? ?"
MINUS = r"(?:(?<![^\W_])-)?"  # behind a letter it is the mark of a code
THOUSANDS = re.compile(r"[0-9][,' \u2019\u202f\u00a0][0-9]{3}(?![0-9])")  # or decimals
ENDS = re.compile(
    rf"(?P<opens>[\[(]?)(?P<before>{TEXT}*?){MONEY}(?P<low>{MINUS}{EITHER_MARK})"
    rf"(?:(?P<between>{TEXT}+?){MONEY}(?P<high>{EITHER_MARK}))?(?P<closes>[\])]?)(?P<after>{TEXT}*)"
)
# What stands before a band, between its ends, before one end alone, and behind it.
WORDS: Mapping[str, frozenset[str]] = {
    place: frozenset(words.split("|"))
    for place, words in {
        "band": "|from|between|von|zwischen|de|entre|od|wiek|desde",
        "between": "-|\u2013|\u2014|..|...|to|bis|a|à|do|until|and|und|et|y|i",
        "below": "<|under|below|less than|younger than|unter|weniger als|menos de|moins de|poniżej",
        "at most": "≤|<=|=<|up to|at most|bis|bis zu|höchstens|hasta|jusqu'à|do",
        "at least": ">|≥|>=|=>|over|above|more than|older than|at least|from|über|ab|mehr als"
        "|mindestens|más de|mas de|desde|plus de|à partir de|powyżej|od",
        "or less": "less|under|younger|fewer|jünger|weniger|moins|menos|mniej",
        "or more": "+|plus|older|more|over|above|up|älter|mehr|darüber|más|mas|mayor|więcej"
        "|starszy|starsi",
    }.items()
}
# How periods are also written, and how :func:`period_of` reads them.
PERIODS: Mapping[str, str | Callable[[re.Match[str]], str]] = {
    r"([0-9]{1,2}|[QHS][1-4]|[^\W\d_]{3,}\.?)([-/. ]?)([0-9]{4})": r"\3\2\1",
    r"([0-9]{4}) ([^\W\d_]{3,})\.?": lambda found: f"{found[1]}-{month_number(found[2])}",
    r"([0-9]{4})[-/.]([1-9]|0[1-9]|1[0-2])": lambda found: f"{found[1]}-{found[2]:0>2}",
    r"([0-9]{4})[-/. ]?([QW][0-9]{1,2})": lambda found: f"{found[1]}-{found[2].upper()}",
    r"([0-9]{4})[-/. ]?[HS]([12])": r"\1-H\2",
    r"([0-9]{3}0)(?:s|er|'s)": r"\1s",
    r"([0-9]{4})\.0": r"\1",
}
PERIOD_PATTERNS = [(re.compile(f"^{one}$", re.IGNORECASE), plain) for one, plain in PERIODS.items()]
YEAR = re.compile(r"[0-9]{4}")
YEARS = range(1000, 3000)
WITH_LEVEL = re.compile(r" \(level [0-9]+\)\Z")  # behind a label that is also another one
OUTWARD = re.compile(r"([A-Z]{1,2}[0-9][A-Z0-9]?) ?(?:[0-9][A-Z]{2})?")
REMEDY = "Correct these labels, or give the groups names that are no ranges or dates."
OF_CODES = (
    'Correct these labels; if the values are codes and no numbers, set type = "nominal" for the '
    "column."
)
MOST_SHOWN = 5
SECOND = 1 / 86_400
WEEK_DAYS = 7
DAY = len("2024-05-01")
YEAR_DIGITS = 4
INFINITE = Decimal("Infinity")
MARKS = re.compile(r"[\s.-]")  # between the parts of a code


class NumberRange(NamedTuple):
    """A range of numbers, without an end where that is infinite.

    Parameters
    ----------
    has_low, has_high : whether the ends belong to it
    digits : of a range that whole numbers alone write, the most digits of an end; else 0
    """

    low: Decimal
    high: Decimal
    has_low: bool = True
    has_high: bool = True
    digits: int = 0

    def contains(self, other: NumberRange) -> bool:
        """Return whether all numbers of another range lie in this one."""
        above = (self.low, not self.has_low) <= (other.low, not other.has_low)
        return above and (other.high, other.has_high) <= (self.high, self.has_high)


class LabelReading(NamedTuple):
    """What a text says: a range of numbers, a period in days, the beginning of a code, or nothing.

    Parameters
    ----------
    days : half-open, counted from the year 1
    """

    text: str = ""
    numbers: NumberRange | None = None
    days: Span | None = None

    @property
    def is_mask(self) -> bool:
        """Whether it shows the beginning of a code, and stars."""
        return self.text.endswith(ROOT)

    def is_true_of(self, value: str, read: LabelReading, *, are_codes: bool, exact: bool) -> bool:
        """Return whether a label is true of a value, as far as both can be read."""
        if self.is_mask:
            return value.startswith(self.text.rstrip(ROOT)) or _begins_as(self.text, value)
        if YEAR.fullmatch(self.text) and YEAR.fullmatch(value):
            return True  # codes of four digits may have a code as the name of their group
        judged: list[bool] = []
        if read.days is not None and self.days is not None:
            judged.append(_lies_in(read.days, self.days))
        if self.numbers is not None and read.numbers is not None and not are_codes:
            judged.append(_holds(self.numbers, read.numbers, value, exact=exact))
        # No range of numbers is true of a day, unless it is one of years.
        is_of_days = read.days is not None and read.numbers is None and self.days is None
        return any(judged) if judged else not (is_of_days and self.numbers is not None)


NAME = LabelReading()


class FalseLabel(NamedTuple):
    """A label at a level, 1 or more, that is not true of a value below it."""

    level: int
    label: str
    value: str


def untrue_labels(rule: ColumnRule, paths: Iterable[Sequence[str]]) -> Iterator[Fault]:
    """Yield the levels of a column's list with labels that are not true of a value below them.

    Parameters
    ----------
    paths : per value that a table has, its labels, itself first
    """
    if rule.hierarchy is None or not rule.hierarchy.lists_values:
        return
    found = false_labels(paths, are_codes=rule.words.type in AS_TEXT)
    for level in sorted({one.level for one in found}):
        pairs = [(one.label, one.value) for one in found if one.level == level]
        labels = sorted({label for label, _ in pairs})
        what = "1 label that is" if len(labels) == 1 else f"{len(labels):,} labels that are"
        are_codes = all(value.isdigit() and read_label(label).numbers for label, value in pairs)
        yield Fault(
            f"columns.{rule.name}.hierarchy",
            f"level {level} has {what} not true of a value below, such as a range without it",
            OF_CODES if are_codes else REMEDY,
            tuple(labels[:MOST_SHOWN]),
            code="untrue-labels",
            columns=(rule.name,),
            parts={"level": level, "count": len(labels)},
        )


def label_notes(rules: Iterable[ColumnRule]) -> Iterator[str]:
    """Yield a sentence per level of the lists of a policy with labels that are not true.

    They are looked at without a table, so that no record may have the values below them.
    """
    for rule in rules:
        try:
            faults = list(untrue_labels(rule, listed_paths(rule)))
        except HierarchyError:
            continue  # whoever reads the table names all that is wrong with the list
        yield from (f"{fault.place}: {fault.problem}" for fault in faults)


def false_labels(
    paths: Iterable[Sequence[str]], *, are_codes: bool = False, exact: bool = False
) -> list[FalseLabel]:
    """Return the labels that are not true of a value below them, one entry for every such value.

    Parameters
    ----------
    paths : per value, its labels, itself first
    are_codes : whether values that look like numbers are none, so that no range speaks of them
    exact : whether a range of whole numbers ends where it says; else the next number may be in it
    """
    below: dict[tuple[int, str], list[str]] = {}
    for value, *labels in paths:
        for level, label in enumerate(labels, start=1):
            if label not in {ROOT, value} and value:
                below.setdefault((level, label), []).append(value)
    said = {key: label for key in below if (label := read_label(key[1])) is not NAME}
    # A mask is compared with values as they are written.
    to_read = {value for key, label in said.items() if not label.is_mask for value in below[key]}
    read = _read_values(to_read)
    return [
        FalseLabel(*key, value)
        for key, label in said.items()
        for value in below[key]
        if not label.is_true_of(value, read.get(value, NAME), are_codes=are_codes, exact=exact)
    ]


def _read_values(values: Iterable[str]) -> dict[str, LabelReading]:
    """Return the number, the band of numbers or the time that each value is.

    All of them together prove how dates are written.
    """
    texts = sorted(values)
    return dict(zip(texts, map(_read_value, listed_dates(texts, None)), strict=True))


def _read_value(value: str) -> LabelReading:
    """Return what a value is whose dates are written as ISO does."""
    if not is_plain_number(value):
        return read_label(value)
    number = NumberRange(Decimal(value), Decimal(value))
    return LabelReading(value, number, _period(value) if YEAR.fullmatch(value) else None)


@lru_cache(maxsize=1 << 16)
def read_label(label: str) -> LabelReading:
    """Return what a label says of the values below it.

    Examples
    --------
    >>> read_label("20 to 29").numbers == NumberRange(Decimal(20), Decimal(29), digits=2)
    True
    >>> read_label("infections") == NAME, read_label("123**").is_mask
    (True, True)
    """
    text = WITH_LEVEL.sub("", label).strip()
    if not any(map(str.isdigit, text)):
        return NAME
    if text.endswith(ROOT):
        return NAME if ROOT in text.rstrip(ROOT) else LabelReading(text)
    numbers = None if THOUSANDS.search(text) else _range(text)
    days = _period(text) or _years(numbers)
    return LabelReading(text, numbers, days) if numbers or days else NAME


def _range(text: str) -> NumberRange | None:
    """Read a range of numbers."""
    if found := RANGE.fullmatch(text):
        low, high = map(_number, found.group("low", "high"))
        return NumberRange(low, high, found["opens"] == "[", found["closes"] == "]")
    found = ENDS.fullmatch(text)
    if found is None:
        return None
    before = found["before"].strip().lower()
    return _open_range(found, before) if found["high"] is None else _band(found, before)


def _band(found: re.Match[str], before: str) -> NumberRange | None:
    """Read a range with words or a mark between its ends: ``20-29``, ``from 20 to 29 years``."""
    ends = found.group("low", "high")
    low, high = map(_number, ends)
    *_, between = found["between"].lower().split() or [""]
    if before not in WORDS["band"] or between not in WORDS["between"] or low > high:
        return None
    digits = max(map(len, ends)) if all(map(str.isdigit, ends)) else 0
    is_open = found["opens"] and found["closes"] == ")"
    return NumberRange(low, high, has_high=not is_open, digits=digits)


def _open_range(found: re.Match[str], before: str) -> NumberRange | None:
    """Read a range without one of its ends: ``under 25``, ``65 or older``."""
    number = _number(found["low"])
    after = set[str]() if before else {*found["after"].replace("+", " + ").lower().split()}
    if before in WORDS["below"]:
        return NumberRange(-INFINITE, number, has_high=False)
    if before in WORDS["at most"] or after & WORDS["or less"]:
        return NumberRange(-INFINITE, number)
    is_least = before in WORDS["at least"] or after & WORDS["or more"]
    return NumberRange(number, INFINITE) if is_least else None


def _number(text: str) -> Decimal:
    """Return a number with either decimal mark."""
    return Decimal(text.replace(",", "."))


def _period(text: str) -> Span | None:
    """Read a period of the calendar in days; None where a text is none."""
    if YEAR.search(text) is None:
        return None
    for written, plain in PERIOD_PATTERNS:
        text = written.sub(plain, text)
    period = period_of(text)
    if period is not None:
        return period.span
    (start,) = moments_of([text])
    # A day, or a moment, which lies in each period around it for a second.
    return None if math.isnan(start) else (start, start + (1 if len(text) == DAY else SECOND))


def _years(numbers: NumberRange | None) -> Span | None:
    """Read a range of years that whole numbers write."""
    if numbers is None or numbers.digits != YEAR_DIGITS or int(numbers.low) not in YEARS:
        return None
    first, last = _period(str(numbers.low)), _period(str(numbers.high))
    return None if first is None or last is None else (first[0], last[1])


def _lies_in(time: Span, period: Span) -> bool:
    """Return whether a time lies in a period; a week by its Thursday, as its year is counted."""
    start, end = time
    if end - start == WEEK_DAYS:
        start, end = start + 3, start + 4
    return period[0] <= start and end <= period[1]


def _holds(said: NumberRange, number: NumberRange, value: str, *, exact: bool) -> bool:
    """Return whether a range holds a number; that of codes may go by their first digits."""
    if said.contains(number):
        return True
    # A band may end where the range does, neither of which has its end.
    if number.low < number.high:
        return not said.has_high and number.high == said.high
    # Lists that everybody uses have 20 under 0-19.
    if not said.digits or (number.high == said.high + 1 and not exact):
        return said.digits > 0
    first = Decimal(value[: said.digits]) if value.isdigit() else number.low
    return said.contains(NumberRange(first, first))


def _begins_as(mask: str, value: str) -> bool:
    """Return whether a code begins as its mask shows.

    A blank before the stars ends the first half of a British postcode.
    """
    kept, code = mask.rstrip(ROOT).upper(), value.strip().upper()
    if kept.endswith(" ") and (outward := OUTWARD.fullmatch(code)) is not None:
        return outward[1] == kept.strip()
    # A spreadsheet takes the leading zeros of codes.
    filled = code.zfill(len(mask)) if code.isdigit() and kept.isdigit() else code
    return filled.startswith(kept) or MARKS.sub("", code).startswith(MARKS.sub("", kept))
