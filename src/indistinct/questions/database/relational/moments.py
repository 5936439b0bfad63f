"""Functions of dates and times."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

from indistinct.questions.database.relational.constants import as_day, wrong
from indistinct.questions.database.relational.dialect import QueryDialect
from indistinct.questions.database.relational.tree import Call, Constant
from indistinct.questions.database.relational.values import Value
from indistinct.questions.database.relational.vocabulary import PERIODS

ONE = Fraction(1)
FIELD_BOUNDS = {
    "QUARTER": (1, 4),
    "MONTH": (1, 12),
    "WEEK": (1, 53),
    "DAY": (1, 31),
    "HOUR": (0, 23),
    "DOW": (0, 6),
    "ISODOW": (1, 7),
}
OLDEST = 130
SECONDS = {"DAYS_BETWEEN": 86_400, "HOURS_BETWEEN": 3_600}


def extracted(dialect: QueryDialect, node: Call, value: Value) -> Value:
    """Write a part of a date, which is a whole number within bounds."""
    if node.word == "HOUR" and value.kind == "date":
        raise wrong(node, "asks for the hour of a date", "Use a timestamp.")
    low: Fraction | None = None
    high: Fraction | None = None
    if node.word in FIELD_BOUNDS:
        low, high = (Fraction(end) for end in FIELD_BOUNDS[node.word])
    elif isinstance(value.low, date) and isinstance(value.high, date):
        low, high = Fraction(value.low.year), Fraction(value.high.year)
    sql = dialect.extract(node.word, value.sql)
    return Value(sql, "number", low, high, ONE, nullable=value.nullable, size=10_000).checked()


def truncated(dialect: QueryDialect, node: Call, value: Value) -> Value:
    """Write the first day of a period."""
    period = node.arguments[0]
    word = str(period.value).lower() if isinstance(period, Constant) else ""
    if word not in PERIODS:
        raise wrong(node, "names no period", f"Use {', '.join(PERIODS)}.")
    sql = dialect.truncated(word, value.sql)
    return Value(sql, word, value.low, value.high, nullable=value.nullable).checked()


def between(dialect: QueryDialect, name: str, start: Value, end: Value) -> Value:
    """Write the time from one moment to another: in days, in hours, or in completed years."""
    if name == "AGE_YEARS":
        return age(dialect, start, end)
    low = high = None
    ends = (start.low, start.high, end.low, end.high)
    scale = 24 if name == "HOURS_BETWEEN" else 1
    if all(isinstance(one, date) for one in ends):
        first, last, least, most = (as_day(one) for one in ends)
        low, high = Fraction((least - last - 1) * scale), Fraction((most - first + 1) * scale)
    nullable = start.nullable or end.nullable
    if name == "-":
        sql = dialect.days(start.sql, end.sql)
        return Value(sql, "number", low, high, ONE, nullable=nullable, size=1e9).checked()
    sql = f"({dialect.seconds(start.sql, end.sql)} / {SECONDS[name]}.0)"
    return Value(sql, "number", low, high, nullable=nullable, size=1e9).checked()


def age(dialect: QueryDialect, born: Value, at: Value) -> Value:
    """Write completed years; outside 0 to 130 they are missing."""
    digits = dialect.digits
    years = f"floor(({digits(at.sql)} - {digits(born.sql)}) / 10000.0)"
    # Null becomes the upper end, and both ends become null.
    ended = f"NULLIF(NULLIF(greatest(-1.0, least({OLDEST + 1}.0, {years})), -1), {OLDEST + 1})"
    return Value(ended, "number", Fraction(0), Fraction(OLDEST), ONE, size=OLDEST).checked()
