"""Rules that one number or date is at most another, by the text of a declaration and of cells."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from indistinct.questions.checks.constraint_texts import exact, number_of


def rules_in(declared: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the rules of a declaration, each as the lesser and the greater column."""
    texts = declared.get("synthesis", {}).get("rules", [])
    return [(less.strip(), more.strip()) for less, more in (text.split("<=") for text in texts)]


def order_faults(
    declared: Mapping[str, Any], header: Sequence[str], rows: Sequence[Sequence[str]]
) -> Iterator[str]:
    """Find rules that a record breaks, from the cells alone; what is not known breaks none."""
    other = declared.get("synthesis", {}).get("other", "other")
    for less, more in rules_in(declared):
        at, after = header.index(less), header.index(more)
        pairs = {(row[at], row[after]) for row in rows}
        broken = [pair for pair in pairs if not {"", other} & {*pair} and _is_later(*pair)]
        if broken:
            yield f"{less} and {more}: a record breaks the rule {less} <= {more}"


def _is_later(one: str, other: str) -> bool:
    """Return whether a number or a date is beyond another one; dates are written year first."""
    numbers = number_of(one), number_of(other)
    if numbers[0] is None or numbers[1] is None:
        return one > other
    return numbers[0] > numbers[1]


def may_be_in_order(less: Mapping[str, Any], more: Mapping[str, Any]) -> bool:
    """Return whether some value of a code is at most some value of another one."""
    least, greatest = _ends(less), _ends(more)
    if least is None or greatest is None:
        return True
    return bool(least[0] <= greatest[1])


def _ends(code: Mapping[str, Any]) -> tuple[Any, Any] | None:
    """Return the least and the greatest value of a code as models describe it."""
    if "value" in code:
        value = code["value"] if isinstance(code["value"], str) else exact(code["value"])
        return value, value
    if "point" in code:
        return exact(code["point"]), exact(code["point"])
    return (exact(code["from"]), exact(code["to"])) if "from" in code else None


def ruled_numbers(name: str, declared: Mapping[str, Any]) -> list[str]:
    """Return the numbers with bounds that a chain of rules leads to from one, itself among them."""
    found, waiting = {name}, [name]
    while waiting:
        one = waiting.pop()
        near = {end for rule in rules_in(declared) if one in rule for end in rule} - found
        numbers = {end for end in near if not declared["columns"][end].get("values")}
        found |= numbers
        waiting += numbers
    return sorted(found)


def edges_of(column: Mapping[str, Any]) -> tuple[int, int, list[int]]:
    """Return the lowest and the highest step of a number with bounds, and its points, in steps."""
    step = Fraction(column.get("step", 1))
    low = math.ceil(Fraction(column["bounds"][0]) / step)
    high = math.floor(Fraction(column["bounds"][1]) / step)
    return low, high, sorted(int(Fraction(point) / step) for point in column.get("points", []))
