"""Labels of a list that are not true of a value below them, as whoever reads the release takes it.

A label may be a range of numbers, a period of the calendar or the beginning of a code. What reads
as none of them is a name, and says nothing here: what cannot be read is no fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from indistinct.base.cells.date_formats import month_number
from indistinct.base.hierarchy import ROOT
from indistinct.errors import Fault, HierarchyError
from indistinct.tables.core.date_hierarchies import moments_of, period_of
from indistinct.tables.core.keys import number_key
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.hierarchies import listed_paths
from indistinct.tables.reading.date_formats import listed_dates
from indistinct.tables.reading.declared_formats import AS_TEXT

Span: TypeAlias = tuple[float, float]
NUMBER = r"[0-9]+(?:[.,][0-9]+)?"
WORDS = r"[^0-9*\[\](),;]*?"
MONEY = r"[€$£]? ?"
THOUSANDS = re.compile(r"[0-9][,' \u2019\u202f\u00a0][0-9]{3}(?![0-9])")  # or decimals
INTERVAL = re.compile(rf"([\[(\]]) ?([+-]?{NUMBER}) ?[,;] ?([+-]?{NUMBER}) ?([\])\[])")
BAND = re.compile(
    rf"([\[(]?)(?P<before>{WORDS}){MONEY}(-?{NUMBER})(?P<between>{WORDS[:-2]}+?){MONEY}({NUMBER})"
    rf"([\])]?){WORDS}"
)
OPEN = re.compile(rf"(?P<before>{WORDS}){MONEY}(-?{NUMBER})(?P<after>{WORDS})")


def _words(listed: str) -> frozenset[str]:
    """Return words with a bar between them."""
    return frozenset(listed.split("|"))


BEFORE_BANDS = _words("|from|between|von|zwischen|de|entre|od|wiek|desde")
BETWEEN = _words("-|\u2013|\u2014|..|...|to|bis|a|à|do|until|and|und|et|y|i")
BELOW = _words("<|under|below|less than|younger than|unter|weniger als|menos de|moins de|poniżej")
AT_MOST = _words("≤|<=|=<|up to|at most|bis|bis zu|höchstens|hasta|jusqu'à|do")
AT_LEAST = _words(
    ">|≥|>=|=>|over|above|more than|older than|at least|from|über|ab|mehr als|mindestens|más de"
    "|mas de|desde|plus de|à partir de|powyżej|od"
)
OR_LESS = _words("less|under|younger|fewer|jünger|weniger|moins|menos|mniej")
OR_MORE = _words(
    "+|plus|older|more|over|above|up|älter|mehr|darüber|más|mas|mayor|więcej|starszy|starsi"
)
# How periods are also written, and how :func:`period_of` reads them.
PERIODS: Sequence[tuple[re.Pattern[str], str]] = [
    (re.compile(written, re.IGNORECASE), read)
    for written, read in (
        (r"([0-9]{4})[-/.]([0-9]{1,2})", "{0}-{1:0>2}"),
        (r"([0-9]{1,2})[-/.]([0-9]{4})", "{1}-{0:0>2}"),
        (r"([0-9]{4})[-/. ]?Q([1-4])", "{0}-Q{1}"),
        (r"Q([1-4])[-/. ]?([0-9]{4})", "{1}-Q{0}"),
        (r"([0-9]{4})[-/. ]?[HS]([12])", "{0}-H{1}"),
        (r"[HS]([12])[-/. ]?([0-9]{4})", "{1}-H{0}"),
        (r"([0-9]{4})-?W([0-9]{2})", "{0}-W{1}"),
        (r"([0-9]{3}0)(?:s|er|'s)", "{0}s"),
        (r"([0-9]{4})\.0", "{0}"),
    )
]
NAMED = re.compile(r"([^\W\d_]{3,})\.? ([0-9]{4})|([0-9]{4}) ([^\W\d_]{3,})\.?")
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
        above = other.low > self.low or (other.low == self.low and self.has_low >= other.has_low)
        return above and (
            other.high < self.high or (other.high == self.high and self.has_high >= other.has_high)
        )


class LabelReading(NamedTuple):
    """What a text says: a range of numbers, a period in days, the beginning of a code, or nothing.

    Parameters
    ----------
    days : half-open, counted from the year 1
    kept : what a mask shows of a code
    """

    numbers: NumberRange | None = None
    days: Span | None = None
    kept: str | None = None


NAME = LabelReading()


class FalseLabel(NamedTuple):
    """A label at a level, 1 or more, that is not true of a value below it.

    Parameters
    ----------
    is_range : of numbers, which speaks of no codes
    """

    level: int
    label: str
    value: str
    is_range: bool


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
        of_level = [one for one in found if one.level == level]
        count = len({one.label for one in of_level})
        what = "1 label that is" if count == 1 else f"{count:,} labels that are"
        are_codes = all(one.is_range and one.value.isdigit() for one in of_level)
        yield Fault(
            f"columns.{rule.name}.hierarchy",
            f"level {level} has {what} not true of a value below, such as a range without it",
            OF_CODES if are_codes else REMEDY,
            tuple(sorted({one.label for one in of_level})[:MOST_SHOWN]),
            code="untrue-labels",
            columns=(rule.name,),
            parts={"level": level, "count": count},
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
    said = {label: read for _, label in below if any(read := read_label(label))}
    judged = [(key, held) for key, held in below.items() if key[1] in said]
    # What begins as its mask shows needs no reading.
    judged = [(key, _not_begun(said[key[1]], held)) for key, held in judged]
    values = sorted(
        {value for (_, label), held in judged if said[label].kept is None for value in held}
    )
    readings = dict(zip(values, map(_read_value, listed_dates(values, None)), strict=True))
    found: list[FalseLabel] = []
    for (level, label), held in judged:
        statement = LabelStatement(
            _without_level(label), said[label], are_codes=are_codes, exact=exact
        )
        is_range = said[label].numbers is not None
        wrong = (
            value for value in held if not statement.is_true_of(value, readings.get(value, NAME))
        )
        found += [FalseLabel(level, label, value, is_range) for value in wrong]
    return found


def _not_begun(said: LabelReading, values: list[str]) -> list[str]:
    """Return the values that do not begin as a mask shows; all where the label is none."""
    if said.kept is None:
        return values
    return [value for value in values if not value.startswith(said.kept)]


@lru_cache(maxsize=1 << 16)
def read_label(label: str) -> LabelReading:
    """Return what a label says of the values below it.

    Examples
    --------
    >>> read_label("20 to 29").numbers == NumberRange(Decimal(20), Decimal(29), digits=2)
    True
    >>> any(read_label("infections")), read_label("123**").kept
    (False, '123')
    """
    text = _without_level(label)
    if not any(map(str.isdigit, text)):
        return LabelReading()
    if text.endswith(ROOT):
        kept = text.rstrip(ROOT)
        return LabelReading() if ROOT in kept else LabelReading(kept=kept)
    numbers = None if THOUSANDS.search(text) else _range(text)
    return LabelReading(numbers, _period(text) or _years(numbers))


def _without_level(label: str) -> str:
    """Return a label without the level by which it is told from another one."""
    return WITH_LEVEL.sub("", label).strip()


def _range(text: str) -> NumberRange | None:
    """Read a range of numbers."""
    if found := INTERVAL.fullmatch(text):
        low, high = _number(found[2]), _number(found[3])
        return NumberRange(low, high, has_low=found[1] == "[", has_high=found[4] == "]")
    if found := BAND.fullmatch(text):
        low, high = _number(found[3]), _number(found[5])
        *_, between = found["between"].lower().split() or [""]
        is_band = found["before"].strip().lower() in BEFORE_BANDS and between in BETWEEN
        if is_band and low <= high:
            are_whole = found[3].isdigit() and found[5].isdigit()
            digits = max(len(found[3]), len(found[5])) if are_whole else 0
            is_open = bool(found[1]) and found[6] == ")"
            return NumberRange(low, high, has_high=not is_open, digits=digits)
        return None
    found = OPEN.fullmatch(text)
    return None if found is None else _open_range(found)


def _open_range(found: re.Match[str]) -> NumberRange | None:
    """Read a range without one of its ends: ``under 25``, ``65 or older``."""
    number, before = _number(found[2]), found["before"].strip().lower()
    after = {*found["after"].replace("+", " + ").lower().split()}
    if before in BELOW:
        return NumberRange(-INFINITE, number, has_high=False)
    if before in AT_MOST or (not before and after & OR_LESS):
        return NumberRange(-INFINITE, number)
    if before in AT_LEAST or (not before and after & OR_MORE):
        return NumberRange(number, INFINITE)
    return None


def _number(text: str) -> Decimal:
    """Return a number with either decimal mark."""
    return Decimal(text.replace(",", "."))


def _period(text: str) -> Span | None:
    """Read a period of the calendar in days; None where a text is none."""
    if (found := NAMED.fullmatch(text)) and (month := month_number(found[1] or found[4])):
        text = f"{found[2] or found[3]}-{month}"
    for written, read in PERIODS:
        if found := written.fullmatch(text):
            text = read.format(*found.groups())
            break
    period = period_of(text)
    if period is not None:
        return period.span
    (start,) = moments_of([text])
    # A day, or a moment, which lies in each period around it for a second.
    return None if start != start else (start, start + (1 if len(text) == DAY else SECOND))  # noqa: PLR0124 - not a number


def _years(numbers: NumberRange | None) -> Span | None:
    """Read a range of years that whole numbers write."""
    if numbers is None or numbers.digits != YEAR_DIGITS or int(numbers.low) not in YEARS:
        return None
    first, last = period_of(str(numbers.low)), period_of(str(numbers.high))
    return None if first is None or last is None else (first.span[0], last.span[1])


def _read_value(value: str) -> LabelReading:
    """Return the number, the band of numbers or the time that a value is."""
    number = number_key(value)
    if number is not None:
        one = NumberRange(Decimal(number), Decimal(number))
        is_year = YEAR.fullmatch(value) is not None
        return LabelReading(one, _period(value) if is_year else None)
    return read_label(value)._replace(kept=None)


class LabelStatement(NamedTuple):
    """What a label says of a value; see :func:`false_labels`."""

    label: str
    said: LabelReading
    are_codes: bool
    exact: bool

    def is_true_of(self, value: str, read: LabelReading) -> bool:
        """Return whether the label is true of a value, as far as both can be read."""
        said = self.said
        if said.kept is not None:
            return _begins_as(said.kept, len(self.label), value)
        if YEAR.fullmatch(self.label) and YEAR.fullmatch(value):
            return True  # codes of four digits may have a code as the name of their group
        judged: list[bool] = []
        if read.days is not None and said.days is not None:
            judged.append(_lies_in(read.days, said.days))
        if said.numbers is not None and read.numbers is not None and not self.are_codes:
            judged.append(_holds(said.numbers, read.numbers, value, exact=self.exact))
        # No range of numbers is true of a day, unless it is one of years.
        is_of_days = read.days is not None and read.numbers is None and said.days is None
        return any(judged) if judged else not (is_of_days and said.numbers is not None)


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
    if not exact and said.digits and number.low == number.high == said.high + 1:
        return True  # lists that everybody uses have 20 under 0-19
    if not said.has_high and number.high == said.high > number.low:
        return True  # a band that ends where the range does, neither of which has its end
    if not (said.digits and value.isdigit() and len(value) > said.digits):
        return False
    first = Decimal(value[: said.digits])
    return said.contains(NumberRange(first, first))


def _begins_as(kept: str, length: int, value: str) -> bool:
    """Return whether a code begins as what its label of some length shows of it.

    A blank before the stars ends the first half of a British postcode.
    """
    code = value.strip().upper()
    if kept.endswith(" ") and (outward := OUTWARD.fullmatch(code)) is not None:
        return outward[1] == kept.strip().upper()
    if MARKS.sub("", code).startswith(MARKS.sub("", kept.upper())):
        return True
    # A spreadsheet takes the leading zeros of codes.
    are_digits = code.isdigit() and kept.isdigit() and len(code) < length
    return are_digits and code.zfill(length).startswith(kept)
