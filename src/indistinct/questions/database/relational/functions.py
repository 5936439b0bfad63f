"""All functions of one row: what they take and give, how both engines write them, and in Python.

Each function of numbers has one function of intervals: it bounds what the engine computes, and
computes what a reply makes of noisy numbers, of a number as an interval without width. No form
fails for any row: numbers stay between 1e-150 and 1e150 or are missing, and no cast is bare.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from itertools import product
from operator import mul
from typing import Any, final

from indistinct.questions.database.preparation import double, literal
from indistinct.questions.database.relational import tree
from indistinct.questions.database.relational.dialect import QueryDialect
from indistinct.questions.database.relational.tree import BoundColumn, Call, Constant, Expression
from indistinct.questions.database.relational.typed import (
    MOMENTS,
    ONE,
    TEXTS,
    Value,
    bool_value,
    merged,
    moment_value,
    null_value,
    number_value,
    shared_step,
    text_value,
    wrong,
)
from indistinct.questions.database.relational.words import (
    COMPARISONS,
    FIELDS,
    MEASURES,
    PERIODS,
    PERSON_FIRST,
)

Ends = tuple[Any, Any]
MOST_LISTED = 1000
INSTEAD = {
    "bool": "Write CASE WHEN ... THEN 1 ELSE 0 END.",
    "text": "Write NUMBER(x): the number in a text.",
    "code": "Write NUMBER(x): the number in a code.",
}
OF_ROWS = ("is not computed of groups", "Group by it, or use it in WHERE.")
MOST_DIGITS = 9
OLDEST = 130
DAYS = MOMENTS | frozenset(PERIODS)  # a period is its first day
LARGEST_BOUND = Fraction(10) ** 150


def added(parts: Sequence[Ends]) -> Ends:
    """Return the ends of a sum."""
    (low, high), (least, most) = parts
    return low + least, high + most


def negated(parts: Sequence[Ends]) -> Ends:
    """Return the ends of a number with the other sign."""
    ((low, high),) = parts
    return -high, -low


def subtracted(parts: Sequence[Ends]) -> Ends:
    """Return the ends of a difference."""
    return added([parts[0], negated(parts[1:])])


def multiplied(parts: Sequence[Ends]) -> Ends:
    """Return the ends of a product; zero times what has no bound is zero."""
    found = [0 if 0 in {a, b} else a * b for a, b in product(*parts)]
    return min(found), max(found)


def divided(parts: Sequence[Ends]) -> Ends | None:
    """Return the ends of a quotient whose divisor stays on one side of zero."""
    one, other = parts
    if other[0] <= 0 <= other[1]:
        return None
    found = [0 if is_infinite(b) else a / b for a, b in product(one, other)]
    return min(found), max(found)


def sizes(parts: Sequence[Ends]) -> Ends:
    """Return the ends of an absolute value."""
    ((low, high),) = parts
    found = sorted((abs(low), abs(high)))
    return (0 if low <= 0 <= high else found[0]), found[1]


def least(parts: Sequence[Ends]) -> Ends:
    """Return the ends of the least of some numbers."""
    return min(low for low, _ in parts), min(high for _, high in parts)


def greatest(parts: Sequence[Ends]) -> Ends:
    """Return the ends of the greatest of some numbers."""
    return max(low for low, _ in parts), max(high for _, high in parts)


def clamped(parts: Sequence[Ends]) -> Ends:
    """Return the ends of a number between two others."""
    number, (low, _), (high, _) = parts
    return min(max(number[0], low), high), min(max(number[1], low), high)


def rising(compute: Callable[[Any], Any]) -> Callable[[Sequence[Ends]], Ends]:
    """Return a function of ends that rises with its number, and keeps what is infinite."""

    def ends(parts: Sequence[Ends]) -> Ends:
        low, high = (one if is_infinite(one) else compute(one) for one in parts[0])
        return low, high

    return ends


def is_infinite(number: Any) -> bool:
    """Return whether a number is infinite; no fraction is."""
    return isinstance(number, float) and math.isinf(number)


def root(number: Any) -> float:
    """Return the root of a number; of one below zero, zero."""
    return math.sqrt(max(0.0, float(number)))


def rounded(digits: int) -> Callable[[Any], Any]:
    """Return what rounds half up to a number of digits."""
    unit = 10 ** abs(digits)
    if digits > 0:
        return lambda x: (
            math.floor(x * unit + Fraction(1, 2))
            / (Fraction(unit) if isinstance(x, Fraction) else unit)
        )
    return lambda x: math.floor(x / unit + Fraction(1, 2)) * unit


@final
@dataclass(frozen=True, slots=True)
class Numeric:
    """A function of numbers that gives a number.

    Parameters
    ----------
    sql : as both engines write it, of the written numbers; or of the first, as ``it``
    ends : the ends of the result, of those of the numbers; None where it has none
    step : how the step of the result follows: shared, whole, product, or none
    may_miss : whether the result can be missing where no number is
    grows : whether the result can be larger, or closer to zero, than the numbers
    """

    sql: str
    ends: Callable[[Sequence[Ends]], Ends | None]
    step: str = "shared"
    may_miss: bool = False
    grows: bool = False


NUMERIC: Mapping[str, Numeric] = {
    "+": Numeric("({0} + {1})", added, grows=True),
    "-": Numeric("({0} - {1})", subtracted, grows=True),
    "*": Numeric("({0} * {1})", multiplied, "product", grows=True),
    "/": Numeric("({0} / {1})", divided, "none", grows=True),
    "minus": Numeric("(- {0})", negated),
    "ABS": Numeric("abs({0})", sizes),
    "FLOOR": Numeric("floor({0})", rising(math.floor), "whole"),
    "CEIL": Numeric("ceil({0})", rising(math.ceil), "whole"),
    "CEILING": Numeric("ceil({0})", rising(math.ceil), "whole"),
    "SQRT": Numeric("sqrt(CASE WHEN it >= 0 THEN it END)", rising(root), "none", may_miss=True),
    "LEAST": Numeric("least({0})", least),
    "GREATEST": Numeric("greatest({0})", greatest),
    "CLAMP": Numeric("CASE WHEN it < {1} THEN {1} WHEN it > {2} THEN {2} ELSE it END", clamped),
}
OVER_MISSING = frozenset({"LEAST", "GREATEST"})  # that pass over missing numbers


def rounding(digits: int) -> Numeric:
    """Return ROUND to a number of digits."""
    unit, half = double(Fraction(10) ** -digits), double(Fraction(1, 2))
    sql = f"(floor(({{0}}) / {unit} + {half}) * {unit})" if digits else f"floor({{0}} + {half})"
    return Numeric(sql, rising(rounded(digits)), f"{digits}")


def step_of(function: Numeric, parts: Sequence[Value]) -> Fraction | None:
    """Return of what a result is a multiple."""
    steps = [part.step for part in parts]
    match function.step:
        case "shared":
            return shared_step(parts)
        case "whole":
            return ONE
        case "product":
            known = [one for one in steps if one is not None]
            return reduce(mul, known, ONE) if len(known) == len(steps) else None
        case "none":
            return None
        case digits:
            return Fraction(10) ** -int(digits)


@final
@dataclass(frozen=True, slots=True)
class Moment:
    """A function of dates and times that gives a number.

    Parameters
    ----------
    sql : of two moments
    """

    sql: str
    ends: Callable[[Value, Value], Ends | None]
    step: Fraction | None = None


def days_between(start: Value, end: Value, scale: int) -> Ends | None:
    """Return how far two moments can be apart, with a day's part."""
    if start.days is None or end.days is None:
        return None
    (first, last), (least, most) = (
        [day.toordinal() for day in days] for days in (start.days, end.days)
    )
    return (least - last - 1) * scale, (most - first + 1) * scale


def age_bounds(*_: Value) -> Ends:
    """Return the completed years that are no mistake."""
    return 0, OLDEST


SECONDS = (
    "CAST(EXTRACT(EPOCH FROM CAST({1} AS TIMESTAMP)) - EXTRACT(EPOCH FROM CAST({0} AS TIMESTAMP)) "
    "AS DOUBLE PRECISION)"
)
# Years, months and days as one number each, such as 20210131.
DIGITS = "EXTRACT(YEAR FROM it) * 10000 + EXTRACT(MONTH FROM it) * 100 + EXTRACT(DAY FROM it)"
BETWEEN: Mapping[str, Moment] = {
    "-": Moment(
        "CAST(CAST({1} AS DATE) - CAST({0} AS DATE) AS DOUBLE PRECISION)",
        lambda a, b: days_between(a, b, 1), ONE,
    ),
    "DAYS_BETWEEN": Moment(f"({SECONDS} / 86400.0)", lambda a, b: days_between(a, b, 1)),
    "HOURS_BETWEEN": Moment(f"({SECONDS} / 3600.0)", lambda a, b: days_between(a, b, 24)),
    "AGE_YEARS": Moment(
        "floor(CAST({1} - {0} AS DOUBLE PRECISION) / 10000.0)", age_bounds, ONE
    ),
}  # fmt: skip
FIELD_BOUNDS = {"QUARTER": (1, 4), "MONTH": (1, 12), "WEEK": (1, 53), "DAY": (1, 31),
                "HOUR": (0, 23), "DOW": (0, 6), "ISODOW": (1, 7)}  # fmt: skip
ARGUMENTS: dict[str, tuple[int, int]] = {
    **dict.fromkeys(("ABS", "FLOOR", "CEIL", "CEILING", "SQRT"), (1, 1)),
    **dict.fromkeys(("COALESCE", "LEAST", "GREATEST"), (1, 20)),
    "NUMBER": (1, 1), "ROUND": (1, 2), "NULLIF": (2, 2), "CLAMP": (3, 3), "DATE_TRUNC": (2, 2),
    **dict.fromkeys(("DAYS_BETWEEN", "HOURS_BETWEEN", "AGE_YEARS"), (2, 2)),
}  # fmt: skip
# What is computed of noisy numbers and keys in Python.
IN_PYTHON = frozenset({*NUMERIC, "ROUND", "COALESCE", "NULLIF"})


def digits_of(node: Call) -> int:
    """Return the constant number of digits of ROUND."""
    given = node.arguments[1] if len(node.arguments) > 1 else Constant(Fraction(0))
    number = given.value if isinstance(given, Constant) else None
    if not isinstance(number, Fraction) or number.denominator != 1 or abs(number) > MOST_DIGITS:
        raise wrong(node, "rounds to no constant number of digits", "Write ROUND(x, 1).")
    return int(number)


def numeric_of(node: Call) -> Numeric:
    """Return the row of a function of numbers."""
    return rounding(digits_of(node)) if node.name == "ROUND" else NUMERIC[node.name]


@final
@dataclass(frozen=True, slots=True)
class Writer:
    """Writes the expressions of one scope.

    Parameters
    ----------
    occurs : writes whether a value occurs in a select, for the person of a row
    person : where the person of a row stands
    known : in a select that groups, the values of keys and measures; no other column is read
    has_texts : whether people have numbers, and the text of a person stands beside it
    in_python : whether it is computed of groups, in Python: there are no rows any more
    """

    dialect: QueryDialect
    occurs: Callable[[tree.Occurs, Writer], Value]
    person: str
    known: Mapping[Expression, Value] | None = None
    has_texts: bool = False
    in_python: bool = False

    def whole(self, node: Expression) -> Value:
        """Write an expression that is read as it is: whatever fails in it is missing."""
        return self.tried(node, self.write(node))

    def where(self, node: Expression) -> str:
        """Write a condition of rows; where it fails it does not hold."""
        return self.tried(node, self.condition(node)).sql

    def tried(self, node: Expression, value: Value) -> Value:
        """Catch a failure; columns have none, and what is looked up cannot be within."""
        is_plain = isinstance(node, BoundColumn | Constant) or node in (self.known or ())
        if is_plain or any(isinstance(one, tree.Occurs) for one in tree.walked(node)):
            return value
        return replace(value, sql=self.dialect.tried(value.sql))

    def write(self, node: Expression) -> Value:  # noqa: C901, PLR0911 - a kind each
        """Write any expression; what is grouped by or measured stands there already."""
        if self.known is not None and node in self.known:
            return self.known[node]
        match node:
            case BoundColumn() if self.known is None:
                return node.value
            case tree.Name() | BoundColumn():
                raise wrong(
                    node, "is neither grouped by nor within a measure", "Add it to GROUP BY."
                )
            case Constant():
                return constant(node)
            case Call():
                return self.call(node)
            case tree.Operation():
                return self.operation(node)
            case tree.Negation("NOT", inner):
                value = self.condition(inner)
                return bool_value(f"(NOT {value.sql})", nullable=value.nullable)
            case tree.Negation(_, inner):
                return self.numeric(NUMERIC["minus"], "minus", [self.number(inner)])
            case tree.IsNull(inner):
                return bool_value(f"({self.write(inner).sql} IS NULL)", nullable=False)
            case tree.Among():
                return self.among(node)
            case tree.Occurs():
                return self.occurs(node, self)
            case tree.Case():
                return self.case(node)

    def number(self, node: Expression) -> Value:
        """Write a number, or refuse."""
        value = self.write(node)
        if value.kind not in {"number", "null"}:
            raise wrong(node, f"is a {value.kind}, where a number is needed", INSTEAD.get(
                value.kind, "Use a number."))  # fmt: skip
        sql = self.dialect.as_kind(value.sql, "number") if value.kind == "null" else value.sql
        return replace(value, kind="number", sql=sql)

    def moment(self, node: Expression) -> Value:
        """Write a date or time, or refuse."""
        value = self.write(node)
        if value.kind not in MOMENTS:
            raise wrong(
                node, f"is a {value.kind}, where a date is needed",
                'The owner declares the column with type = "date".',
            )  # fmt: skip
        return value

    def condition(self, node: Expression) -> Value:
        """Write a condition; a text of true and false is one, too."""
        value = self.write(node)
        if value.kind == "null":
            return bool_value("CAST(NULL AS BOOLEAN)")
        if value.kind in TEXTS and value.values and set(value.values) <= {"true", "false"}:
            return bool_value(f"({value.sql} = 'true')", nullable=value.nullable)
        if value.kind != "bool":
            raise wrong(node, "is no condition", "Compare it with a constant.")
        return value

    def operation(self, node: tree.Operation) -> Value:
        """Write an operator between two expressions."""
        operator = node.operator
        if operator in {"AND", "OR"}:
            left, right = self.condition(node.left), self.condition(node.right)
            nullable = left.nullable or right.nullable
            return bool_value(f"({left.sql} {operator} {right.sql})", nullable=nullable)
        if operator == "LIKE":
            return self.like(node)
        if operator in COMPARISONS:
            return self.comparison(node)
        left, right = self.write(node.left), self.write(node.right)
        if operator == "-" and left.kind in MOMENTS and right.kind in MOMENTS:
            return self.between("-", right, left)
        return self.numeric(
            NUMERIC[operator], operator, [self.number(node.left), self.number(node.right)]
        )

    def numeric(self, function: Numeric, name: str, parts: Sequence[Value]) -> Value:
        """Write a function of numbers, whose result stays within what both engines compute."""
        listed = [part.sql for part in parts]
        if name == "/":
            listed[1] = self.dialect.once(listed[1], "CASE WHEN it <> 0 THEN it END")
        sql = function.sql.format(", ".join(listed) if name in OVER_MISSING else listed[0],
                                  *listed[1:])  # fmt: skip
        if "{0}" not in function.sql:
            sql = self.dialect.once(listed[0], sql)
        low = high = None
        intervals = [part.interval for part in parts]
        nullable = [part.nullable for part in parts]
        known = [one for one in intervals if one is not None]
        ends = function.ends(known) if len(known) == len(intervals) else None
        if ends is not None:
            low, high = (max(-LARGEST_BOUND, min(LARGEST_BOUND, Fraction(end))) for end in ends)
        all_miss = all(nullable) if name in OVER_MISSING else any(nullable)
        return Value(
            self.dialect.settled(sql) if function.grows else sql, "number", low, high,
            step_of(function, parts), loose=any(part.loose for part in parts) and name != "CLAMP",
            nullable=all_miss or function.may_miss or function.grows,
        ).checked()  # fmt: skip

    def like(self, node: tree.Operation) -> Value:
        """Write LIKE with a constant pattern, which minds case and has no escape."""
        left, right = self.write(node.left), node.right
        pattern = right.value if isinstance(right, Constant) else None
        if left.kind not in TEXTS or not isinstance(pattern, str):
            raise wrong(node, "compares no text with a constant", "Write x LIKE 'North%'.")
        sql = f"({left.sql} LIKE {literal(pattern)} ESCAPE '')"
        return bool_value(sql, nullable=left.nullable)

    def same(self, node: object, left: Value, right: Value) -> tuple[str, str]:
        """Write two values so that they are compared in one type, whatever that of each is.

        A person is compared with a person by number, and with codes by what the person is called:
        the number of a person depends on who else is there.
        """
        if left.kind == right.kind == "person":
            return left.sql, right.sql
        left, right = self.alike(node, left, right)
        kind = left.kind if right.kind == "null" else right.kind
        if "timestamp" in {left.kind, right.kind}:
            kind = "timestamp"
        one, other = (self.dialect.as_kind(self.called(value), kind) for value in (left, right))
        return one, other

    def called(self, value: Value) -> str:
        """Write a value; of a person the text."""
        if value.kind != "person" or not self.has_texts:
            return value.sql
        source, _, column = value.sql.partition(".")
        if column != "p":
            raise wrong("the person", "is computed, and compared with a code", "Compare a column.")
        return f"{source}.t"

    def lookup(self, node: object, column: BoundColumn, other: Expression) -> Value:
        """Write an equation with the bare column of a key on one side."""
        _, sql = self.same(node, *self.both(node, column, other))
        return bool_value(f"({column.at} = {sql})")

    def comparison(self, node: tree.Operation) -> Value:
        """Write a comparison of two values of one type."""
        left, right = self.both(node, node.left, node.right)
        one, other = self.same(node, left, right)
        ordered = node.operator not in {"=", "<>"}
        if ordered and not {left.kind, right.kind} <= {"number", "null", *DAYS}:
            raise wrong(node, "compares the order of texts", "Use = or IN, or compare numbers.")
        nullable = left.nullable or right.nullable
        return bool_value(f"({one} {node.operator} {other})", nullable=nullable)

    def both(self, node: object, left: Expression, right: Expression) -> tuple[Value, Value]:
        """Write two expressions; a constant takes the type of what it is compared with."""
        if isinstance(left, Constant) and not isinstance(right, Constant):
            second, first = self.with_constant(node, self.write(right), left)
            return first, second
        if isinstance(right, Constant):
            return self.with_constant(node, self.write(left), right)
        return self.write(left), self.write(right)

    def with_constant(self, node: object, value: Value, one: Constant) -> tuple[Value, Value]:
        """Return a value, and a constant in its type.

        Only what stands in the question as a constant is one. A column that is known to have one
        value may be missing, or hold another one.
        """
        known = None if one.kind in {"DATE", "TIMESTAMP"} else one.value
        match value.kind, known:
            case (("id" | "person"), _):
                raise wrong(node, "compares an identifier with a constant", "Join on it instead.")
            case kind, str() if kind in DAYS:
                return value, moment_value(known, kind)
            case "code", Fraction(denominator=1):
                return value, text_value(str(known.numerator))
            case "bool", ("true" | "false"):
                return value, bool_value(str(known).upper(), nullable=False)
            case (("text" | "code"), bool()):
                return value, text_value(str(known).lower())
            case _:
                return value, constant(one)

    def alike(self, node: object, left: Value, right: Value) -> tuple[Value, Value]:
        """Return two values that can be compared, or refuse."""
        kinds = {left.kind, right.kind}
        one_type = ({"id", "person", "code"}, DAYS, TEXTS)
        if "null" in kinds or len(kinds) == 1 or any(kinds <= types for types in one_type):
            return left, right
        if kinds & {"id", "person"}:
            raise wrong(node, "compares an identifier with a value", "Join on it instead.")
        raise wrong(node, f"compares a {left.kind} with a {right.kind}", "Use values of one type.")

    def among(self, node: tree.Among) -> Value:
        """Write IN with a list of constants."""
        if len(node.values) > MOST_LISTED:
            raise wrong("IN", f"lists more than {MOST_LISTED} values", "Ask for fewer.")
        left = self.write(node.inner)
        sides: list[tuple[str, str]] = []
        for value in node.values:
            if not isinstance(value, Constant):
                raise wrong(node, "lists more than constants", "Write IN (1, 2, 3).")
            sides.append(self.same(node, *self.with_constant(node, left, value)))
        if len({one for one, _ in sides}) > 1:
            raise wrong(node, "lists values of several types", "Use values of one type.")
        listed = ", ".join(other for _, other in sides)
        return bool_value(f"({sides[0][0]} IN ({listed}))", nullable=left.nullable)

    def case(self, node: tree.Case) -> Value:
        """Write CASE; its values are those of its parts."""
        conditions = [self.condition(one).sql for one, _ in node.whens]
        parts = [self.write(then) for _, then in node.whens]
        parts.append(null_value() if node.otherwise is None else self.write(node.otherwise))
        whens = " ".join(
            f"WHEN {condition} THEN {part.sql}"
            for condition, part in zip(conditions, parts[:-1], strict=True)
        )
        return merged(node, f"CASE {whens} ELSE {parts[-1].sql} END", parts)

    def call(self, node: Call) -> Value:  # noqa: C901, PLR0911 - a kind each
        """Write a function of one row."""
        name = node.name
        if name in MEASURES:
            raise wrong(node, "is a measure within an expression of rows", PERSON_FIRST)
        if self.in_python and name not in IN_PYTHON:
            raise wrong(node, *OF_ROWS)
        if name == "COALESCE":
            parts = [self.write(one) for one in node.arguments]
            found = merged(node, f"coalesce({', '.join(part.sql for part in parts)})", parts)
            return replace(found, nullable=all(part.nullable for part in parts))
        if name == "NULLIF":
            left, right = self.both(node, *node.arguments)
            one, other = self.same(node, left, right)
            sql = self.dialect.once(one, f"CASE WHEN it = {other} THEN NULL ELSE it END")
            return replace(left, sql=sql, nullable=True, declared=("", ""))
        if name in BETWEEN:
            return self.between(name, *map(self.moment, node.arguments))
        if name == "NUMBER":
            value = self.write(node.arguments[0])
            if value.kind not in TEXTS:
                raise wrong(node, f"is of a {value.kind}", "Write NUMBER(x) of a text.")
            return Value(self.dialect.number(value.sql), "number").checked()
        if name == "EXTRACT":
            return self.extract(node, self.moment(node.arguments[0]))
        if name == "DATE_TRUNC":
            return self.truncate(node, self.moment(node.arguments[1]))
        numbers = node.arguments[:1] if name == "ROUND" else node.arguments
        if name == "CLAMP":
            low, high = (one.value if isinstance(one, Constant) else None for one in numbers[1:])
            if not isinstance(low, Fraction) or not isinstance(high, Fraction) or low > high:
                raise wrong(node, "has no constant bounds, in order", "Write CLAMP(x, 0, 100).")
        return self.clamped(
            node, self.numeric(numeric_of(node), name, [*map(self.number, numbers)])
        )

    def clamped(self, node: Call, value: Value) -> Value:
        """Return a function's value; the ends of CLAMP, LEAST and GREATEST bound any number."""
        if node.name not in {"CLAMP", *OVER_MISSING} or value.interval is not None:
            return value
        parts = [self.number(one) for one in node.arguments]
        if node.name == "CLAMP":
            return replace(value, low=parts[1].low, high=parts[2].high)
        bounds = [part.interval for part in parts if part.interval and not part.nullable]
        if node.name == "LEAST" and bounds:
            return replace(value, high=min(high for _, high in bounds))
        return replace(value, low=max(low for low, _ in bounds)) if bounds else value

    def between(self, name: str, start: Value, end: Value) -> Value:
        """Write the time from one moment to another: in days, in hours, or in completed years."""
        function, once = BETWEEN[name], self.dialect.once
        sql = function.sql.format(start.sql, end.sql)
        if name == "AGE_YEARS":
            years = function.sql.format(once(start.sql, DIGITS), once(end.sql, DIGITS))
            sql = once(years, f"CASE WHEN it >= 0 AND it <= {OLDEST} THEN it END")
        ends = function.ends(start, end)
        low, high = (None, None) if ends is None else map(Fraction, ends)
        return Value(
            sql, "number", low, high, function.step,
            nullable=start.nullable or end.nullable or name == "AGE_YEARS",
        ).checked()  # fmt: skip

    def extract(self, node: Call, value: Value) -> Value:
        """Write a part of a date, which is a whole number within bounds."""
        if node.word == "HOUR" and value.kind == "date":
            raise wrong(node, "asks for the hour of a date", "Use a timestamp.")
        years = value.days and (value.days[0].year, value.days[1].year)
        ends = FIELD_BOUNDS[node.word] if node.word != FIELDS[0] else years
        low, high = (None, None) if ends is None else map(Fraction, ends)
        sql = f"CAST(EXTRACT({node.word} FROM {value.sql}) AS DOUBLE PRECISION)"
        return Value(sql, "number", low, high, ONE, nullable=value.nullable).checked()

    def truncate(self, node: Call, value: Value) -> Value:
        """Write the first day of a period."""
        period = node.arguments[0]
        word = str(period.value).lower() if isinstance(period, Constant) else ""
        if word not in PERIODS:
            raise wrong(node, "names no period", f"Use {', '.join(PERIODS)}.")
        sql = f"CAST(date_trunc('{word}', {value.sql}) AS DATE)"
        return Value(sql, word, value.low, value.high, nullable=value.nullable).checked()


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
