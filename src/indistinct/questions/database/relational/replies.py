"""Noisy numbers -> rows of a reply: arithmetic, HAVING, ORDER BY and LIMIT, which cost nothing."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from indistinct.questions.database.relational.answering import Estimator, NoisyCounts, Triple
from indistinct.questions.database.relational.plan import RelationalPlan
from indistinct.questions.database.relational.tree import (
    Among,
    Bound,
    Call,
    Case,
    Constant,
    Expression,
    IsNull,
    Negation,
    Operation,
    measures_in,
)

NOTHING: Triple = (None, -math.inf, math.inf)
COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
# Functions that rise with their first number, so that they keep the order of an interval's ends.
RISING: Mapping[str, Callable[[float, list[float]], float]] = {
    "ROUND": lambda x, others: rounded(x, int(others[0]) if others else 0),
    "FLOOR": lambda x, _: math.floor(x) if math.isfinite(x) else x,
    "CEIL": lambda x, _: math.ceil(x) if math.isfinite(x) else x,
    "CEILING": lambda x, _: math.ceil(x) if math.isfinite(x) else x,
    "SQRT": lambda x, _: math.sqrt(max(0.0, x)),
    "CLAMP": lambda x, ends: min(max(x, ends[0]), ends[1]),
}


@final
@dataclass(frozen=True, slots=True)
class ReplyRows:
    """The rows of a reply, and per row the interval of each measure."""

    answer: Any
    interval: Any


@final
@dataclass(frozen=True, slots=True)
class Calculator:
    """Computes expressions over the measures of one group; a missing number stays missing."""

    measures: Mapping[Bound, Triple]
    keys: Mapping[Bound, Any]

    def value(self, node: Expression) -> Any:
        """Return a key's label, or a number."""
        if node in self.keys:
            return self.keys[node]
        return self.number(node)[0]

    def number(self, node: Expression) -> Triple:  # noqa: PLR0911 - a kind each
        """Return value, low and high."""
        if node in self.measures:
            return self.measures[node]
        if node in self.keys:
            label = self.keys[node]
            is_number = isinstance(label, int | float) and not isinstance(label, bool)
            return (label, float(label), float(label)) if is_number else NOTHING
        match node:
            case Constant(Fraction() as value):
                return float(value), float(value), float(value)
            case Negation("-", inner):
                value, low, high = self.number(inner)
                return None if value is None else -value, -high, -low
            case Operation(sign, left, right) if sign in {"+", "-", "*", "/"}:
                return arithmetic(sign, self.number(left), self.number(right))
            case Call():
                return self.call(node)
            case Case(whens, otherwise):
                for condition, then in whens:
                    if self.holds(condition):
                        return self.number(then)
                return NOTHING if otherwise is None else self.number(otherwise)
            case _:
                return NOTHING

    def call(self, node: Call) -> Triple:
        """Return a function of numbers; ROUND is half up, away from zero."""
        parts = [self.number(one) for one in node.arguments]
        if node.name in {"COALESCE", "LEAST", "GREATEST"}:
            return chosen(node.name, [one for one in parts if one[0] is not None])
        value, low, high = parts[0] if parts else NOTHING
        if value is None:
            return NOTHING
        if node.name == "NULLIF":
            return NOTHING if value == parts[1][0] else parts[0]
        if node.name == "ABS":
            least = 0.0 if low <= 0 <= high else min(abs(low), abs(high))
            return abs(value), least, max(abs(low), abs(high))
        others = [one[0] or 0.0 for one in parts[1:]]
        if node.name not in RISING:
            return NOTHING
        rising = RISING[node.name]
        return rising(value, others), rising(low, others), rising(high, others)

    def holds(self, node: Expression) -> bool:  # noqa: PLR0911 - a kind each
        """Return whether a condition holds; with a missing number it does not."""
        match node:
            case Operation("AND", left, right):
                return self.holds(left) and self.holds(right)
            case Operation("OR", left, right):
                return self.holds(left) or self.holds(right)
            case Negation("NOT", inner):
                return not self.holds(inner)
            case IsNull(inner):
                return self.value(inner) is None
            case Among(inner, values):
                return self.value(inner) in [self.constant(one) for one in values]
            case Operation(sign, left, right):
                a, b = self.constant(left), self.constant(right)
                if a is None or b is None or isinstance(a, str) != isinstance(b, str):
                    return False
                return bool(COMPARISONS[sign](a, b)) if sign in COMPARISONS else False
            case _:
                return self.value(node) is True

    def constant(self, node: Expression) -> Any:
        """Return a text as it is, or a value."""
        return node.value if isinstance(node, Constant) and isinstance(node.value, str) else (
            self.value(node)
        )  # fmt: skip


def chosen(name: str, known: list[Triple]) -> Triple:
    """Return the first, least or greatest of the numbers that are known."""
    if not known:
        return NOTHING
    if name == "COALESCE":
        return known[0]
    pick = min if name == "LEAST" else max
    values = pick(one[0] for one in known if one[0] is not None)
    return values, pick(one[1] for one in known), pick(one[2] for one in known)


def rounded(number: float, digits: int) -> float:
    """Round half up, away from zero, as SQL does."""
    if not math.isfinite(number):
        return number
    unit = 10.0**digits
    found = math.copysign(math.floor(abs(number) * unit + 0.5), number) / unit
    return int(found) if digits <= 0 else found


def arithmetic(  # noqa: PLR0911 - an operator each
    sign: str, a: Triple, b: Triple
) -> Triple:
    """Compute with intervals; a division by what may be zero has no bounds."""
    x, y = a[0], b[0]
    if x is None or y is None:
        return NOTHING
    (_, low, high), (_, least, most) = a, b
    if sign == "+":
        return x + y, low + least, high + most
    if sign == "-":
        return x - y, low - most, high - least
    if sign == "*":
        corners = [i * j for i in (low, high) for j in (least, most) if math.isfinite(i * j)]
        return x * y, min(corners, default=-math.inf), max(corners, default=math.inf)
    if y == 0:
        return NOTHING
    if least <= 0 <= most:
        return x / y, -math.inf, math.inf
    corners = [i / j for i in (low, high) for j in (least, most)]
    return x / y, min(corners), max(corners)


def rows_of(plan: RelationalPlan, counted: NoisyCounts, *, exact: bool = False) -> ReplyRows:
    """Make the rows of a reply."""
    statement = plan.statement
    estimator = Estimator(plan, counted, exact)
    found: list[tuple[dict[str, Any], dict[str, list[float]], Calculator]] = []
    for at, cell in enumerate(counted.cells):
        labels = [key.shown(code) for key, code in zip(statement.keys, cell, strict=True)]
        keys = dict(zip(statement.nodes, labels, strict=True))
        answer, interval = row(plan, estimator, at, keys)
        calculator = calculator_of(plan, estimator, at, keys)
        if statement.having is None or calculator.holds(statement.having):
            found.append((answer, interval, calculator))
    for node, down in reversed(statement.order):
        found.sort(key=lambda one, by=node: sortable(one[2].value(by)), reverse=down)
    found = found[: statement.select.limit]
    if statement.keys or statement.is_unknown or len(statement.items) > 1:
        return ReplyRows([one[0] for one in found], [one[1] for one in found])
    if not found:
        return ReplyRows([], [])
    ((answer, interval, _),) = found
    return ReplyRows(next(iter(answer.values())), next(iter(interval.values())))


def calculator_of(
    plan: RelationalPlan, estimator: Estimator, at: int, keys: Mapping[Bound, Any], n_parts: int = 1
) -> Calculator:
    """Return the calculator of one group."""
    measures = plan.statement.measures
    return Calculator(
        {node: estimator.measure(one, at, n_parts) for node, one in measures.items()}, keys
    )


def row(
    plan: RelationalPlan, estimator: Estimator, at: int, keys: Mapping[Bound, Any]
) -> tuple[dict[str, Any], dict[str, list[float]]]:
    """Make one row: keys and measures by their names, in the order of the question."""
    answer: dict[str, Any] = {}
    interval: dict[str, list[float]] = {}
    for name, node in plan.statement.items:
        measures = [plan.statement.measures[call] for call in measures_in(node)]
        n_parts = max(1, len({part for one in measures for part in one.parts}))
        calculator = calculator_of(plan, estimator, at, keys, n_parts)
        if not measures:
            answer[name] = calculator.value(node)
            continue
        value, low, high = calculator.number(node)
        answer[name] = value
        interval[name] = [finite(low), finite(high)]
    return answer, interval


def finite(number: float) -> float:
    """Return a number that JSON can hold."""
    return max(-1e300, min(1e300, number))


def sortable(value: Any) -> tuple[bool, Any]:
    """Sort missing and other values first; numbers among numbers, texts among texts."""
    if isinstance(value, int | float):
        return True, (0, float(value), "")
    return isinstance(value, str), (1, 0.0, value if isinstance(value, str) else "")
