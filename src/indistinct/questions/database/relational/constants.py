"""Constants, and what is known of a value that is computed from others."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from fractions import Fraction

from indistinct.errors import QuestionError
from indistinct.questions.database.relational.tree import Constant
from indistinct.questions.database.relational.values import (
    Known,
    Value,
    bool_value,
    hull,
    null_value,
    number_value,
    shared_step,
    text_value,
)
from indistinct.questions.database.relational.words import refusal, shortened

ONE = Fraction(1)
FIRST_YEAR, LAST_YEAR = 1000, 9999


def wrong(node: object, reason: str, way: str) -> QuestionError:
    """Make the refusal of a part, in its own writing."""
    return refusal(shortened(str(node)), reason, way)


def below(low: object, high: object) -> bool:
    """Return whether two constants are in order."""
    return isinstance(low, Fraction) and isinstance(high, Fraction) and low <= high


def as_day(moment: object) -> int:
    """Return the number of a day."""
    return moment.toordinal() if isinstance(moment, date) else 0


def whole(value: Value, sql: str) -> Value:
    """Return a number that is rounded to a whole one."""
    low, high = value.interval or (None, None)
    return replace(
        value, sql=sql, step=ONE, low=None if low is None else Fraction(low.__floor__()),
        high=None if high is None else Fraction(high.__ceil__()),
    ).checked()  # fmt: skip


def constant(node: Constant) -> Value:
    """Write a constant."""
    if node.kind in {"DATE", "TIMESTAMP"}:
        return moment_value(str(node.value), node.kind.lower())
    match node.value:
        case None:
            return null_value()
        case bool():
            return bool_value(str(node.value).upper(), nullable=False)
        case str():
            return text_value(node.value)
        case number:
            return number_value(number)


def text_of(node: Constant) -> str:
    """Return the text of a constant, or refuse."""
    if not isinstance(node.value, str):
        raise wrong(node, "is no text", "Put the text into '.")
    return node.value


def moment_value(text: str, kind: str) -> Value:
    """Write a date or time."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise refusal("DATE", "is followed by no date", "Write DATE '2022-01-31'.") from None
    if not FIRST_YEAR <= moment.year <= LAST_YEAR or moment.tzinfo is not None:
        raise refusal("DATE", "lies outside the years 1000 to 9999", "Write DATE '2022-01-31'.")
    has_time = moment.time() != datetime.min.time()
    if has_time or kind == "timestamp":
        sql = f"TIMESTAMP '{moment.isoformat(sep=' ')}'"
        return Value(sql, "timestamp", moment.date(), moment.date(), nullable=False)
    day = moment.date()
    return Value(f"DATE '{day.isoformat()}'", "date", day, day, nullable=False)


def one_kind(node: object, parts: list[Value]) -> str:
    """Return the type of all parts, or refuse."""
    kinds = {part.kind for part in parts} - {"null"}
    if kinds == {"text", "code"}:
        return "text"
    if len(kinds) != 1:
        raise wrong(node, "has parts of several types", "Use values of one type.")
    return kinds.pop()


def merged(sql: str, kind: str, parts: list[Value]) -> Value:
    """Return a value that is one of some parts."""
    low, high = hull(parts)
    values: tuple[Known, ...] | None = ()
    for part in parts:
        known = part.values if part.kind != "null" else ()
        values = None if values is None or known is None else (*values, *known)
    if kind == "number" and any(part.loose for part in parts):
        values = None
    listed = None if values is None else tuple(dict.fromkeys(values))
    nullable = any(part.nullable for part in parts)
    return Value(
        sql, kind, low, high, shared_step(parts) if kind == "number" else None,
        listed,
        loose=any(part.loose for part in parts), nullable=nullable,
        size=max((part.size for part in parts), default=1e15),
    ).checked()  # fmt: skip


def combined(operator: str, a: Value, b: Value) -> tuple[Fraction | None, Fraction | None]:
    """Return the bounds of a sum, difference or product."""
    if a.interval is None or b.interval is None:
        return None, None
    (low, high), (least, most) = a.interval, b.interval
    if operator == "+":
        return low + least, high + most
    if operator == "-":
        return low - most, high - least
    corners = [x * y for x in a.interval for y in b.interval]
    return min(corners), max(corners)


def quotient(a: Value, b: Value) -> tuple[Fraction | None, Fraction | None]:
    """Return the bounds of a quotient whose divisor stays on one side of zero."""
    if a.interval is None or b.interval is None or b.interval[0] <= 0 <= b.interval[1]:
        return None, None
    corners = [x / y for x in a.interval for y in b.interval]
    return min(corners), max(corners)
