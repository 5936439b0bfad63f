"""Noisy numbers -> rows of a reply: arithmetic, HAVING, ORDER BY and LIMIT, which cost nothing."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any, final

from indistinct.questions.database.relational import tree
from indistinct.questions.database.relational.answering import Estimator, NoisyCounts, Triple
from indistinct.questions.database.relational.functions import (
    NUMERIC,
    OVER_MISSING,
    Numeric,
    numeric_of,
)
from indistinct.questions.database.relational.plan import RelationalPlan
from indistinct.questions.database.relational.tree import (
    Bound,
    Call,
    Constant,
    Expression,
    Operation,
)
from indistinct.questions.database.relational.typed import moment_of

NOTHING: Triple = (None, -math.inf, math.inf)
COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "<>": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge,
}  # fmt: skip


@final
@dataclass(frozen=True, slots=True)
class ReplyRows:
    """The rows of a reply, and per row the interval of each measure."""

    answer: Any
    interval: Any


@final
@dataclass(frozen=True, slots=True)
class Calculator:
    """Computes expressions over the measures and keys of one group, as an engine would of rows.

    What is missing stays missing, and a condition of it neither holds nor fails.
    """

    measures: Mapping[Bound, Triple]
    keys: Mapping[Bound, Any]

    def holds(self, node: Expression) -> bool:
        """Return whether a condition holds."""
        return self.value(node) is True

    def value(self, node: Expression) -> Any:  # noqa: C901, PLR0911 - a kind each
        """Return a key's label, a number, or whether a condition holds."""
        if node in self.keys:
            return self.keys[node]
        match self.chosen(node):
            case Constant(value, kind):
                is_moment = kind in {"DATE", "TIMESTAMP"}
                return moment_of(str(value)) if is_moment else plain_number(value)
            case Operation("AND", left, right):
                return least_true(self.value(left), self.value(right))
            case Operation("OR", left, right):
                return opposite(least_true(opposite(self.value(left)), opposite(self.value(right))))
            case tree.Negation("NOT", inner):
                return opposite(self.value(inner))
            case tree.IsNull(inner):
                return self.value(inner) is None
            case tree.Among(inner, values):
                found = [compared("=", self.value(inner), self.value(one)) for one in values]
                return True if True in found else None if None in found else False
            case Operation("LIKE", left, right):
                return is_like(self.value(left), self.value(right))
            case Operation(sign, left, right) if sign in COMPARISONS:
                return compared(sign, self.value(left), self.value(right))
            case other if other is not node:
                return self.value(other)
            case _:
                return self.number(node)[0]

    def chosen(self, node: Expression) -> Expression:
        """Return the part whose value CASE, COALESCE or NULLIF has; else the expression itself."""
        match node:
            case tree.Case(whens, otherwise):
                found = (then for condition, then in whens if self.holds(condition))
                return next(found, otherwise or Constant(None))
            case Call("COALESCE", parts):
                known = (one for one in parts if self.value(one) is not None)
                return next(known, Constant(None))
            case Call("NULLIF", (one, other)):
                is_same = compared("=", self.value(one), self.value(other))
                return Constant(None) if is_same else one
            case _:
                return node

    def number(self, node: Expression) -> Triple:
        """Return value, low and high of a number."""
        if node in self.measures:
            return self.measures[node]
        match self.chosen(node):
            case tree.Negation("-", inner):
                return computed(NUMERIC["minus"], [self.number(inner)])
            case Operation(sign, left, right) if sign in NUMERIC:
                return computed(NUMERIC[sign], [self.number(left), self.number(right)])
            case Call(name, parts) as call if name in NUMERIC or name == "ROUND":
                numbers = [self.number(one) for one in parts]
                if name in OVER_MISSING:
                    numbers = [one for one in numbers if one[0] is not None]
                return computed(numeric_of(call), numbers[:1] if name == "ROUND" else numbers)
            case other if other is not node:
                return self.number(other)
            case _:
                value = self.keys[node] if node in self.keys else self.value(node)
                is_number = isinstance(value, int | float) and not isinstance(value, bool)
                return (value, float(value), float(value)) if is_number else NOTHING


def plain_number(value: Any) -> Any:
    """Return a number of a question as a double; all else as it is."""
    return float(value) if isinstance(value, Fraction) else value


def computed(function: Numeric, parts: list[Triple]) -> Triple:
    """Compute a function of numbers, and of their ends; of a missing number it is missing."""
    values = [value for value, _, _ in parts if value is not None]
    if not values or len(values) < len(parts):
        return NOTHING
    found = function.ends([(value, value) for value in values])
    if found is None:
        return NOTHING
    ends = function.ends([(low, high) for _, low, high in parts])
    low, high = (-math.inf, math.inf) if ends is None else ends
    return found[0], float(low), float(high)


def opposite(value: Any) -> Any:
    """Return the opposite of what holds or fails."""
    return None if value is None else not value


def least_true(one: Any, other: Any) -> Any:
    """Return whether both hold; one that fails decides, whatever the other is."""
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


def compared(sign: str, one: Any, other: Any) -> Any:
    """Compare two values of one type; of a missing or an undeclared one nothing is known."""
    if one is None or other is None:
        return None
    if isinstance(one, dict) or isinstance(other, dict):
        # Other values are none that can be named.
        return {"=": False, "<>": True}.get(sign) if one != other else None
    if isinstance(one, datetime) != isinstance(other, datetime):
        one, other = as_moment(one), as_moment(other)
    if isinstance(one, str) != isinstance(other, str):
        one, other = as_text(one), as_text(other)
    return bool(COMPARISONS[sign](one, other))


def as_moment(value: Any) -> Any:
    """Return a date as a reply writes it as a moment."""
    return datetime.fromisoformat(value) if isinstance(value, str) else value


def as_text(value: Any) -> str:
    """Return a code or truth as a text."""
    if isinstance(value, bool):
        return str(value).lower()
    is_whole = isinstance(value, float) and value.is_integer()
    return str(int(value) if is_whole else value)


def is_like(text: Any, pattern: Any) -> Any:
    """Return whether a text is like a pattern; what is undeclared has no text."""
    if not isinstance(text, str):
        return None
    signs = {"%": ".*", "_": "."}
    written = "".join(signs.get(sign) or re.escape(sign) for sign in pattern)
    return re.fullmatch(written, text, re.DOTALL) is not None


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
        measures = [plan.statement.measures[call] for call in tree.measures_in(node)]
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
