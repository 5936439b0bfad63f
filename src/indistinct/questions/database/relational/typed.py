"""A written expression with all that is known of it without a look at the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import final

from indistinct.errors import QuestionError
from indistinct.questions.database.preparation import double, literal
from indistinct.questions.database.relational.words import refusal, shortened
from indistinct.questions.database.tables import TypedColumn

BoundValue = Fraction | date
Known = Fraction | str | bool
LONGEST_SQL = 200_000
FIRST_YEAR, LAST_YEAR = 1000, 9999
TEXTS = frozenset({"text", "code"})
MOMENTS = frozenset({"date", "timestamp"})
ONE = Fraction(1)


@final
@dataclass(frozen=True, slots=True)
class Value:
    """A written expression.

    Parameters
    ----------
    kind : number, text, code, bool, date, timestamp, id or person; or a period, or null
    low, high : public bounds; sums move values into them
    step : of which numbers are multiples; None if they may be any
    values : all that it can be, but for missing and, if ``loose``, other values
    loose : whether a row's value may lie outside of bounds or values
    nullable : whether it can be missing
    declared : table and column of the declaration that it is
    """

    sql: str
    kind: str
    low: BoundValue | None = None
    high: BoundValue | None = None
    step: Fraction | None = None
    values: tuple[Known, ...] | None = None
    loose: bool = False
    nullable: bool = True
    declared: tuple[str, str] = ("", "")

    @property
    def interval(self) -> tuple[Fraction, Fraction] | None:
        """Return the bounds of a number, if it has both."""
        if isinstance(self.low, Fraction) and isinstance(self.high, Fraction):
            return self.low, self.high
        return None

    @property
    def days(self) -> tuple[date, date] | None:
        """Return the bounds of a date, if it has both."""
        if isinstance(self.low, date) and isinstance(self.high, date):
            return self.low, self.high
        return None

    def checked(self) -> Value:
        """Return it, unless its text has grown too long."""
        if len(self.sql) > LONGEST_SQL:
            raise refusal("an expression", "is too long when written out", "Ask for less at once.")
        return self


def wrong(node: object, reason: str, way: str) -> QuestionError:
    """Make the refusal of a part, in its own writing."""
    return refusal(shortened(str(node)), reason, way)


def number_value(number: Fraction) -> Value:
    """Write a constant number: the double that is nearest to it, and exactly that.

    So numbers that are written alike have one value, and one step.
    """
    nearest = Fraction(float(number))
    step = (abs(nearest) or ONE) if nearest.denominator == 1 else None
    return Value(
        double(nearest), "number", nearest, nearest, step, (nearest,), nullable=False
    )  # fmt: skip


def text_value(text: str) -> Value:
    """Write a constant text."""
    return Value(literal(text), "text", values=(text,), nullable=False)


def bool_value(sql: str, *, nullable: bool = True) -> Value:
    """Write a condition."""
    return Value(sql, "bool", values=(False, True), nullable=nullable).checked()


def null_value() -> Value:
    """Write a missing value, which has every type."""
    return Value("NULL", "null", values=())


def moment_of(text: str) -> datetime:
    """Read a date or time of a question."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise refusal("DATE", "is followed by no date", "Write DATE '2022-01-31'.") from None
    if not FIRST_YEAR <= moment.year <= LAST_YEAR or moment.tzinfo is not None:
        raise refusal("DATE", "lies outside the years 1000 to 9999", "Write DATE '2022-01-31'.")
    return moment


def moment_value(text: str, kind: str) -> Value:
    """Write a date or time."""
    moment = moment_of(text)
    day = moment.date()
    if moment.time() != datetime.min.time() or kind == "timestamp":
        sql = f"TIMESTAMP '{moment.isoformat(sep=' ')}'"
        return Value(sql, "timestamp", day, day, nullable=False)
    return Value(f"DATE '{day.isoformat()}'", "date", day, day, nullable=False)


def column_value(sql: str, column: TypedColumn, table: str) -> Value:
    """Return a column of a table as a value."""
    values = column.values or None
    is_bounded = column.low is not None and column.kind == "number"
    return Value(
        sql, column.kind, column.low, column.high, column.step,
        (False, True) if column.kind == "bool" else values,
        loose=(bool(values) and not column.edges) or is_bounded, declared=(table, column.name),
    )  # fmt: skip


def merged(node: object, sql: str, parts: Sequence[Value]) -> Value:
    """Return a value that is one of some parts, which are of one type."""
    known = [part for part in parts if part.kind != "null"]
    kinds = {part.kind for part in known}
    if len(kinds) > 1 and kinds <= TEXTS:
        kinds = {"text"}
    if len(kinds) != 1:
        raise wrong(node, "has parts of several types", "Use values of one type.")
    (kind,) = kinds
    loose = any(part.loose for part in parts)
    values: tuple[Known, ...] | None = None
    if all(part.values is not None for part in known) and not (kind == "number" and loose):
        values = tuple(dict.fromkeys(one for part in known for one in part.values or ()))
    low, high = hull(known)
    return Value(
        sql, kind, low, high, shared_step(known) if kind == "number" else None, values,
        loose=loose, nullable=any(part.nullable for part in parts),
    ).checked()  # fmt: skip


def hull(parts: Sequence[Value]) -> tuple[BoundValue | None, BoundValue | None]:
    """Return bounds that hold all parts, which are of one type, if all have them."""
    for bounds in ([part.interval for part in parts], [part.days for part in parts]):
        ends = [one for one in bounds if one is not None]
        if ends and len(ends) == len(parts):
            return min(low for low, _ in ends), max(high for _, high in ends)
    return None, None


def shared_step(parts: Sequence[Value]) -> Fraction | None:
    """Return a step of which all parts are multiples."""
    found = Fraction(0)
    for part in parts:
        if part.step is None:
            return None
        a, b = found, part.step
        while b:
            a, b = b, a % b
        found = a
    return found or None
