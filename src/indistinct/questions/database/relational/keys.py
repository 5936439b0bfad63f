"""What a question groups by: keys whose values are known beforehand, and others."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from functools import lru_cache
from itertools import count, islice
from typing import Any, final

from indistinct.questions.database.preparation import double, literal
from indistinct.questions.database.relational.tree import Expression
from indistinct.questions.database.relational.typed import TEXTS, Value, wrong
from indistinct.questions.database.relational.words import PERIODS, PERSON_FIRST

MOST_CELLS = 100_000
LARGEST_WHOLE = 2**53  # every whole number up to it is a double
OTHER = {"other": True}


@final
@dataclass(frozen=True, slots=True)
class GroupKey:
    """One expression that is grouped by.

    Parameters
    ----------
    label : its name in the reply
    value : as it is written
    sql_type : of its code in the engine
    labels : per code that the engine gives, what the reply says; None where nothing is known
    other : the code of other values; None where there are none
    """

    label: str
    value: Value
    sql_type: str
    labels: dict[Any, Any] | None
    other: Any = None

    def code(self, name: str) -> str:
        """Write the code of a value that stands in a column."""
        if self.labels is None or self.value.kind in {"bool", "date", *PERIODS}:
            return f"CAST({name} AS {self.sql_type})"
        listed = [one for one in self.labels if one is not None and one != self.other]
        if self.value.values is not None:
            constants = ", ".join(
                literal(one) if isinstance(one, str) else double(Fraction(one)) for one in listed
            )
            inside = f"{name} IN ({constants})"
        else:
            low, high = (double(Fraction(end)) for end in (min(listed), max(listed)))
            step = double(self.value.step or Fraction(1))
            is_whole = f"{name} = floor({name} / {step}) * {step}"
            inside = f"{is_whole} AND {name} >= {low} AND {name} <= {high}"
        other = literal(self.other) if isinstance(self.other, str) else str(self.other)
        rest = f"WHEN {name} IS NOT NULL THEN {other} " if self.other is not None else ""
        return f"CASE WHEN {inside} THEN CAST({name} AS {self.sql_type}) {rest}END"

    def constant(self, code: Any) -> str:
        """Write a code that the engine gave, so that it can be looked for."""
        if code is None:
            return f"CAST(NULL AS {self.sql_type})"
        text = literal(str(code)) if not isinstance(code, float) else literal(repr(code))
        return f"CAST({text} AS {self.sql_type})"

    def shown(self, code: Any) -> Any:
        """Return what the reply says of a code."""
        if self.labels is not None:
            return self.labels[code]
        is_whole = isinstance(code, float) and code.is_integer() and abs(code) < 2**53
        return int(code) if is_whole else code

    def order(self, code: Any) -> tuple[bool, bool, Any]:
        """Return what groups are sorted by: other and missing come last."""
        is_last = code is None or (self.other is not None and code == self.other)
        return code is None, is_last, "" if is_last else code


def key_of(node: Expression, value: Value, label: str) -> GroupKey:
    """Return the key of an expression."""
    if value.kind in {"person", "null"}:
        raise wrong(node, "would show people", PERSON_FIRST)
    codes = list(islice(known_codes(value), MOST_CELLS + 1))
    if not 0 < len(codes) <= MOST_CELLS:
        return GroupKey(label, value, sql_type(value), None)
    labels: dict[Any, Any] = {code: code for code in codes}
    other: Any = None
    if value.loose and value.kind not in {"date", "timestamp", *PERIODS}:
        other = other_text(codes) if isinstance(codes[0], str) else other_number(codes)
        labels[other] = OTHER
    if value.nullable:
        labels[None] = None
    is_whole = value.kind == "number" and all(isinstance(code, int) for code in labels if code)
    return GroupKey(label, value, "BIGINT" if is_whole else sql_type(value), labels, other)


def sql_type(value: Value) -> str:
    """Name the type of a key's codes."""
    if value.kind == "bool":
        return "BOOLEAN"
    return "DOUBLE PRECISION" if value.kind == "number" else "VARCHAR"


def other_text(codes: list[Any]) -> str:
    """Return a text that is none of the known ones."""
    text = "other"
    while text in codes:
        text += "'"
    return text


def other_number(codes: Sequence[int | float]) -> int:
    """Return a whole number that is none of the known ones, and that a double holds exactly."""
    following = math.floor(max(codes)) + 1
    if following <= LARGEST_WHOLE:
        return following
    known = set(codes)
    return next(number for number in count() if number not in known)


def known_codes(value: Value) -> Iterable[Any]:
    """List the codes of all values that a key is known to have, in order.

    Beyond 2**53 not every whole number is a double, so that the engine's number is the code.
    """
    if value.kind == "bool":
        return (False, True)
    if value.values is not None and value.kind in {*TEXTS, "number"}:
        return (number_code(one) if isinstance(one, Fraction) else one for one in value.values)
    if value.kind == "number" and value.interval is not None and value.step is not None:
        (low, high), step = value.interval, value.step.numerator
        first, last = math.ceil(low / step), math.floor(high / step)
        if value.step.denominator == 1 and last - first < MOST_CELLS:
            numbers = range(first * step, last * step + 1, step)
            return dict.fromkeys(map(number_code, numbers))
    if value.kind in {"date", "day"} and value.days is not None:
        return days_between(*value.days)
    return periods(value) if value.kind in PERIODS else ()


def number_code(number: Fraction | int) -> int | float:
    """Return a whole number where a double holds it exactly, else the double."""
    is_whole = number.denominator == 1 and abs(number) <= LARGEST_WHOLE
    return int(number) if is_whole else float(number)


@lru_cache(maxsize=4)
def days_between(first: date, last: date) -> Sequence[str]:
    """List all days; a century of them takes longer than the rest of a question."""
    days = range(first.toordinal(), last.toordinal() + 1)
    return tuple(map(date.isoformat, map(date.fromordinal, islice(days, MOST_CELLS + 1))))


def periods(value: Value) -> Iterator[str]:
    """List the first days of the periods between two dates."""
    if value.days is None:
        return
    kind, (low, high) = value.kind, value.days
    day = start_of(low, kind)
    while day <= high:
        yield day.isoformat()
        if (date.max - day).days < 400:  # noqa: PLR2004 - no period is longer
            return
        steps = {"week": 7, "month": 31, "quarter": 93, "year": 366}
        day = start_of(day + timedelta(days=steps[kind]), kind)


def start_of(day: date, kind: str) -> date:
    """Return the first day of the period that a day is in."""
    match kind:
        case "year":
            return day.replace(month=1, day=1)
        case "quarter":
            return day.replace(month=day.month - (day.month - 1) % 3, day=1)
        case "month":
            return day.replace(day=1)
        case "week":
            return day - timedelta(days=day.weekday())
        case _:
            return day
