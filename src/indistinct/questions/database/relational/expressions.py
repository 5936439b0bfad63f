"""Tree -> written expression, one rule per construct; functions of one row that never fail."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import final

from indistinct.questions.database.preparation import double, literal
from indistinct.questions.database.relational.constants import (
    below,
    combined,
    constant,
    merged,
    moment_value,
    one_kind,
    quotient,
    text_of,
    whole,
    wrong,
)
from indistinct.questions.database.relational.dialect import QueryDialect
from indistinct.questions.database.relational.moments import between, extracted, truncated
from indistinct.questions.database.relational.tree import (
    Among,
    Call,
    Case,
    Column,
    Constant,
    Expression,
    IsNull,
    Name,
    Negation,
    Occurs,
    Operation,
)
from indistinct.questions.database.relational.values import (
    MOMENTS,
    TEXTS,
    Value,
    bool_value,
    capped,
    null_value,
    shared_step,
    text_value,
)
from indistinct.questions.database.relational.vocabulary import MEASURES
from indistinct.questions.database.relational.words import refusal

ONE = Fraction(1)
MOST_LISTED = 1000
MOST_DIGITS = 9


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
    """

    dialect: QueryDialect
    occurs: Callable[[Occurs, Writer], Value]
    person: str
    known: Mapping[Expression, Value] | None = None
    has_texts: bool = False

    def write(self, node: Expression) -> Value:  # noqa: C901, PLR0911 - a kind each
        """Write any expression; what is grouped by or measured stands there already."""
        if self.known is not None and node in self.known:
            return self.known[node]
        match node:
            case Column() if self.known is None:
                return node.value
            case Name() | Column():
                raise wrong(
                    node, "is neither grouped by nor within a measure", "Add it to GROUP BY."
                )
            case Constant():
                return constant(node)
            case Call():
                return self.call(node)
            case Operation():
                return self.operation(node)
            case Negation("NOT", inner):
                value = self.condition(inner)
                return bool_value(f"(NOT {value.sql})", nullable=value.nullable)
            case Negation(_, inner):
                return self.minus(self.number(inner))
            case IsNull(inner):
                return bool_value(f"({self.write(inner).sql} IS NULL)", nullable=False)
            case Among():
                return self.among(node)
            case Occurs():
                return self.occurs(node, self)
            case Case():
                return self.case(node)

    def number(self, node: Expression) -> Value:
        """Write a number, or refuse."""
        value = self.write(node)
        if value.kind not in {"number", "null"}:
            raise wrong(node, f"is a {value.kind}, where a number is needed", "Use a number.")
        return replace(value, kind="number") if value.kind == "null" else value

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

    def minus(self, value: Value) -> Value:
        """Write a number with the other sign."""
        low, high = value.interval or (None, None)
        return replace(
            value, sql=f"(- {value.sql})", low=None if high is None else -high,
            high=None if low is None else -low, values=None, declared=("", ""),
        )  # fmt: skip

    def operation(self, node: Operation) -> Value:
        """Write an operator between two expressions."""
        operator = node.operator
        if operator in {"AND", "OR"}:
            left, right = self.condition(node.left), self.condition(node.right)
            nullable = left.nullable or right.nullable
            return bool_value(f"({left.sql} {operator} {right.sql})", nullable=nullable)
        if operator == "LIKE":
            return self.like(node)
        if operator in {"+", "-", "*", "/"}:
            return self.arithmetic(node)
        return self.comparison(node)

    def like(self, node: Operation) -> Value:
        """Write LIKE with a constant pattern."""
        left, right = self.write(node.left), node.right
        if left.kind not in TEXTS or not isinstance(right, Constant):
            raise wrong(node, "compares no text with a constant", "Write x LIKE 'North%'.")
        pattern = text_of(right)
        return bool_value(self.dialect.like(left.sql, literal(pattern)), nullable=left.nullable)

    def same(self, node: object, left: Value, right: Value) -> tuple[str, str]:
        """Write two values so that they are compared in one type, whatever that of each is.

        A person is compared with a person by number, and with codes by what the person is called:
        the number of a person depends on who else is there.
        """
        if left.kind == right.kind == "person":
            return left.sql, right.sql
        left, right = self.alike(node, left, right)
        kind = left.kind if right.kind == "null" else right.kind
        if {left.kind, right.kind} == {"date", "timestamp"}:
            kind = "timestamp"
        written = [self.called(one) for one in (left, right)]
        return self.dialect.as_kind(written[0], kind), self.dialect.as_kind(written[1], kind)

    def called(self, value: Value) -> str:
        """Write a value; of a person the text."""
        is_number = value.kind == "person" and self.has_texts
        return f"{value.sql.removesuffix('.p')}.t" if is_number else value.sql

    def lookup(self, node: object, column: Column, other: Expression) -> Value:
        """Write an equation with the bare column of a key on one side."""
        _, sql = self.same(node, *self.both(node, column, other))
        return bool_value(f"({column.at} = {sql})")

    def comparison(self, node: Operation) -> Value:
        """Write a comparison of two values of one type."""
        left, right = self.both(node, node.left, node.right)
        sides = self.same(node, left, right)
        ordered = node.operator not in {"=", "<>"}
        if ordered and left.kind not in {"number", *MOMENTS}:
            raise wrong(node, "compares the order of texts", "Use = or IN, or compare numbers.")
        nullable = left.nullable or right.nullable
        return bool_value(f"({sides[0]} {node.operator} {sides[1]})", nullable=nullable)

    def both(self, node: object, left: Expression, right: Expression) -> tuple[Value, Value]:
        """Write two expressions in one type; a constant takes that of what it is compared with."""
        if isinstance(left, Constant) and not isinstance(right, Constant):
            second, first = self.with_constant(node, self.write(right), left)
            return first, second
        if isinstance(right, Constant):
            return self.with_constant(node, self.write(left), right)
        return self.alike(node, self.write(left), self.write(right))

    def with_constant(self, node: object, value: Value, one: Constant) -> tuple[Value, Value]:
        """Return a value, and a constant in its type.

        Only what stands in the question as a constant is one. A column that is known to have one
        value may be missing, or hold another one.
        """
        if value.kind in {"id", "person"}:
            raise wrong(node, "compares an identifier with a constant", "Join on it instead.")
        known = None if one.kind in {"DATE", "TIMESTAMP"} else one.value
        if value.kind in MOMENTS and isinstance(known, str):
            return self.alike(node, value, moment_value(known, value.kind))
        is_whole = isinstance(known, Fraction) and known.denominator == 1
        if value.kind == "code" and isinstance(known, Fraction) and is_whole:
            return value, text_value(str(known.numerator))
        if value.kind == "bool" and known in {"true", "false"}:
            return value, bool_value(str(known).upper(), nullable=False)
        if value.kind in TEXTS and isinstance(known, bool):
            return value, text_value(str(known).lower())
        return self.alike(node, value, constant(one))

    def alike(self, node: object, left: Value, right: Value) -> tuple[Value, Value]:
        """Return two values of one type, or refuse."""
        kinds = {left.kind, right.kind}
        if "null" in kinds or left.kind == right.kind:
            return left, right
        if kinds <= {"id", "person", "code"} or kinds <= MOMENTS or kinds <= TEXTS:
            return left, right
        if kinds & {"id", "person"}:
            raise wrong(node, "compares an identifier with a value", "Join on it instead.")
        raise wrong(node, f"compares a {left.kind} with a {right.kind}", "Use values of one type.")

    def among(self, node: Among) -> Value:
        """Write IN with a list of constants."""
        if len(node.values) > MOST_LISTED:
            raise refusal("IN", f"lists more than {MOST_LISTED} values", "Ask for fewer.")
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

    def arithmetic(self, node: Operation) -> Value:
        """Write a sum, difference, product or quotient; a date less a date is whole days."""
        left, right = self.write(node.left), self.write(node.right)
        if node.operator == "-" and left.kind in MOMENTS and right.kind in MOMENTS:
            return between(self.dialect, "-", right, left)
        a, b = self.number(node.left), self.number(node.right)
        nullable = a.nullable or b.nullable
        loose = a.loose or b.loose
        if node.operator == "/":
            sql = self.dialect.settled(f"({a.sql} / NULLIF({b.sql}, 0))")
            low, high = quotient(a, b)
            divisor = b.low if b.is_constant and isinstance(b.low, Fraction) else Fraction(0)
            constant_size = abs(float(divisor)) or 1e-150
            return capped(
                Value(
                    sql, "number", low, high, loose=loose,
                    nullable=nullable or not divisor,
                    size=a.size / constant_size,
                )
            )  # fmt: skip
        sql = f"({a.sql} {node.operator} {b.sql})"
        low, high = combined(node.operator, a, b)
        if node.operator == "*":
            step = None if a.step is None or b.step is None else a.step * b.step
            sql, size = self.dialect.settled(sql), a.size * b.size
        else:
            step, size = shared_step([a, b]), a.size + b.size
        return capped(
            Value(sql, "number", low, high, step, loose=loose, nullable=nullable, size=size)
        )

    def case(self, node: Case) -> Value:
        """Write CASE; its values are those of its parts."""
        conditions = [self.condition(one).sql for one, _ in node.whens]
        parts = [self.write(then) for _, then in node.whens]
        parts.append(null_value() if node.otherwise is None else self.write(node.otherwise))
        kind = one_kind(node, parts)
        whens = " ".join(
            f"WHEN {condition} THEN {part.sql}"
            for condition, part in zip(conditions, parts[:-1], strict=True)
        )
        return merged(f"CASE {whens} ELSE {parts[-1].sql} END", kind, parts)

    def call(self, node: Call) -> Value:  # noqa: PLR0911 - a function each
        """Write a function of one row."""
        if node.name in MEASURES:
            raise wrong(
                node, "is a measure within an expression of rows",
                "Write a value per person first: FROM (SELECT person, ... GROUP BY person).",
            )  # fmt: skip
        match node.name:
            case "COALESCE":
                parts = [self.write(one) for one in node.arguments]
                sql = f"coalesce({', '.join(part.sql for part in parts)})"
                found = merged(sql, one_kind(node, parts), parts)
                return replace(found, nullable=all(part.nullable for part in parts))
            case "NULLIF":
                left, right = self.both(node, *node.arguments)
                sql = f"NULLIF({', '.join(self.same(node, left, right))})"
                return replace(left, sql=sql, nullable=True, declared=("", ""))
            case "LEAST" | "GREATEST":
                return self.extreme(node)
            case "CLAMP":
                return self.clamp(node)
            case "EXTRACT":
                return extracted(self.dialect, node, self.moment(node.arguments[0]))
            case "DATE_TRUNC":
                return truncated(self.dialect, node, self.moment(node.arguments[1]))
            case "DAYS_BETWEEN" | "HOURS_BETWEEN" | "AGE_YEARS":
                return between(self.dialect, node.name, *map(self.moment, node.arguments))
            case _:
                return self.rounded(node)

    def rounded(self, node: Call) -> Value:
        """Write a function of one number."""
        value = self.number(node.arguments[0])
        low, high = value.interval or (None, None)
        value = replace(value, values=None, declared=("", ""))
        match node.name:
            case "ABS":
                ends = sorted((abs(low), abs(high))) if low is not None and high is not None else []
                floor = Fraction(0) if ends and low is not None and low <= 0 else None
                return replace(
                    value, sql=f"abs({value.sql})",
                    low=(floor if floor is not None else ends[0]) if ends else None,
                    high=ends[1] if ends else None,
                )  # fmt: skip
            case "SQRT":
                x = value.sql
                root = f"sqrt(CASE WHEN {x} < 0 THEN NULL ELSE {x} END)"
                top = None if high is None else Fraction(max(0.0, float(high)) ** 0.5) + 1
                return replace(
                    value, sql=root, low=Fraction(0) if top else None, high=top, step=None,
                    nullable=True,
                ).checked()  # fmt: skip
            case "ROUND":
                return self.round(node, value)
            case name:
                word = "floor" if name == "FLOOR" else "ceil"
                return whole(value, f"{word}({value.sql})")

    def round(self, node: Call, value: Value) -> Value:
        """Write ROUND, half up, to constant digits."""
        digits = Fraction(0)
        if len(node.arguments) > 1:
            given = self.number(node.arguments[1])
            if (
                not given.is_constant
                or not isinstance(given.low, Fraction)
                or abs(given.low) > MOST_DIGITS
            ):
                raise wrong(node, "rounds to no constant number of digits", "Write ROUND(x, 1).")
            digits = given.low
        unit = Fraction(10) ** int(-digits)
        if unit == 1:
            return whole(value, f"floor({value.sql} + {double(Fraction(1, 2))})")
        sql = f"(floor(({value.sql}) / {double(unit)} + {double(Fraction(1, 2))}) * {double(unit)})"
        low, high = value.interval or (None, None)
        return replace(
            value, sql=sql, step=unit, low=None if low is None else low - unit,
            high=None if high is None else high + unit, size=value.size + float(unit),
        ).checked()  # fmt: skip

    def extreme(self, node: Call) -> Value:
        """Write LEAST or GREATEST, which pass over missing values."""
        parts = [self.number(one) for one in node.arguments]
        sql = f"{node.name.lower()}({', '.join(part.sql for part in parts)})"
        found = merged(sql, "number", parts)
        lows = [part.low for part in parts if isinstance(part.low, Fraction)]
        highs = [part.high for part in parts if isinstance(part.high, Fraction)]
        always = not any(part.nullable for part in parts)
        if node.name == "LEAST" and highs and always:
            found = replace(found, high=min(highs))
        elif node.name == "GREATEST" and lows and always:
            found = replace(found, low=max(lows))
        return replace(found, nullable=all(part.nullable for part in parts), values=None)

    def clamp(self, node: Call) -> Value:
        """Write CLAMP, whose ends are the new bounds."""
        value, low, high = (self.number(one) for one in node.arguments)
        if not (low.is_constant and high.is_constant) or not below(low.low, high.low):
            raise wrong(node, "has no constant bounds, in order", "Write CLAMP(x, 0, 100).")
        x = value.sql
        ends = f"WHEN {x} < {low.sql} THEN {low.sql} WHEN {x} > {high.sql} THEN {high.sql}"
        sql = f"CASE {ends} ELSE {x} END"
        step = shared_step([value, low, high])
        size = max(low.size, high.size)
        return Value(
            sql, "number", low.low, high.low, step, nullable=value.nullable, size=size
        ).checked()
