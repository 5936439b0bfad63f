"""A written expression with all that is known of it without a look at the data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import final

from indistinct.questions.database.preparation import double, literal
from indistinct.questions.database.relational.words import refusal
from indistinct.questions.database.tables import TypedColumn

BoundValue = Fraction | date
Known = Fraction | str | bool
CAP = 1e150  # larger results are moved to it, so that no product overflows
LONGEST_SQL = 200_000
TEXTS = frozenset({"text", "code"})
MOMENTS = frozenset({"date", "timestamp"})


@final
@dataclass(frozen=True, slots=True)
class Value:
    """A written expression.

    Parameters
    ----------
    kind : number, text, code, bool, date, timestamp, id or person
    low, high : public bounds; sums move values into them
    step : of which numbers are multiples; None if they may be any
    values : all that it can be, but for missing and, if ``loose``, other values
    loose : whether a row's value may lie outside of bounds or values
    nullable : whether it can be missing
    size : no number is farther from zero
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
    size: float = 1e15
    declared: tuple[str, str] = ("", "")

    @property
    def interval(self) -> tuple[Fraction, Fraction] | None:
        """Return the bounds of a number, if it has both."""
        if isinstance(self.low, Fraction) and isinstance(self.high, Fraction):
            return self.low, self.high
        return None

    @property
    def is_constant(self) -> bool:
        """Return whether it is one number in every row."""
        is_one = self.low is not None and self.low == self.high
        return self.kind == "number" and is_one and not self.loose and not self.nullable

    def checked(self) -> Value:
        """Return it, unless its text has grown too long."""
        if len(self.sql) > LONGEST_SQL:
            raise refusal("an expression", "is too long when written out", "Ask for less at once.")
        return self


def number_value(number: Fraction) -> Value:
    """Write a constant number: the double that is nearest to it, and exactly that.

    So numbers that are written alike have one value, and one step.
    """
    nearest = Fraction(float(number))
    step = Fraction(1) if nearest.denominator == 1 else None
    return Value(
        double(nearest), "number", nearest, nearest, step, (nearest,), nullable=False,
        size=abs(float(nearest)),
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


def capped(value: Value) -> Value:
    """Move results that are too large to be multiplied on."""
    if value.size <= CAP:
        return value.checked()
    x = value.sql
    sql = f"CASE WHEN {x} > {CAP!r} THEN {CAP!r} WHEN {x} < -{CAP!r} THEN -{CAP!r} ELSE {x} END"
    return replace(value, sql=sql, size=CAP).checked()


def hull(parts: list[Value]) -> tuple[BoundValue | None, BoundValue | None]:
    """Return bounds that hold all parts, if all have them and they are of one type."""
    known = [part for part in parts if part.kind != "null"]
    for kind in (Fraction, date):
        lows = [part.low for part in known if isinstance(part.low, kind)]
        highs = [part.high for part in known if isinstance(part.high, kind)]
        if known and len(lows) == len(highs) == len(known):
            return min(lows), max(highs)
    return None, None


def shared_step(parts: list[Value]) -> Fraction | None:
    """Return a step of which all parts are multiples."""
    steps = [part.step for part in parts if part.kind != "null"]
    found = Fraction(0)
    for step in steps:
        if step is None:
            return None
        a, b = found, step
        while b:
            a, b = b, a % b
        found = a
    return found or None


def column_value(sql: str, column: TypedColumn, table: str) -> Value:
    """Return a column of a table as a value."""
    is_bounded = column.low is not None
    values = column.values or None
    return Value(
        sql, column.kind, column.low, column.high, column.step,
        (False, True) if column.kind == "bool" else values,
        loose=(bool(values) and not column.edges) or (is_bounded and column.kind == "number"),
        declared=(table, column.name),
    )  # fmt: skip
