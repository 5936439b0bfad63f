"""The columns of one table as a declaration has them: types by their SQL types or by the owner."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from indistinct.errors import ParameterError
from indistinct.questions.database.conventions import date_bounds

NUMERIC_TYPE = re.compile(
    r"(?i)(u?(tiny|small|big|huge)?int(eger)?|real|float|double|double precision|numeric|decimal)\b"
)
TYPES = {
    "number": "DOUBLE",
    "text": "VARCHAR",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
    "bool": "bool",
    "code": "code",
}
OWN = frozenset({"bool", "code"})  # that no type of a file stands for


def sql_type(kind: str) -> str:
    """Return the SQL type of a declared one; truth values and codes keep their own names."""
    if kind not in TYPES:
        raise ParameterError(
            f"type: must be {', '.join(list(TYPES)[:-1])} or {list(TYPES)[-1]}",
            "Write for example age=number.",
        )
    return TYPES[kind]


def declare_columns(
    types: Mapping[str, str],
    person: str,
    bounds: Mapping[str, tuple[Any, Any]],
    values: Mapping[str, Sequence[Any]],
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Declare every column but the person: numbers, dates, what is said, and all else as texts."""
    for name, kind in types.items():
        if name == person:
            continue
        is_moment = kind.startswith(("DATE", "TIMESTAMP")) and name not in values
        if is_moment and not _are_numbers(bounds.get(name)):
            kind_of_moment = "date" if kind.startswith("DATE") else "timestamp"
            ends = [str(end) for end in bounds[name]] if name in bounds else date_bounds(name)
            yield name, {"type": kind_of_moment, "bounds": ends}
            continue
        number = NUMERIC_TYPE.match(kind) is not None or name in bounds
        column: dict[str, Any] = {"type": "number" if number else kind if kind in OWN else "text"}
        if name in bounds:
            low, high = (decimal(end, f"bounds of {name}") for end in bounds[name])
            column |= {"bounds": [low, high], "step": default_step(kind, low, high)}
        if name in values:
            column["values"] = [
                decimal(value, f"values of {name}") if number else str(value)
                for value in values[name]
            ]
        yield name, column


def _are_numbers(bounds: tuple[Any, Any] | None) -> bool:
    """Return whether bounds are those of a number, and not of a date."""
    if bounds is None:
        return False
    try:
        return all(Decimal(str(end)).is_finite() for end in bounds)
    except ArithmeticError:
        return False


def decimal(number: object, place: str) -> Decimal:
    """Read a decimal number."""
    try:
        return Decimal(str(number))
    except ArithmeticError:
        raise ParameterError(f"{place}: must be numbers", "Write them like 0:120.") from None


def default_step(kind: str, low: Decimal, high: Decimal) -> Decimal:
    """Return 1 for whole numbers; else the power of ten that makes about 10,000 steps or more."""
    if "INT" in kind.upper() or not (low.is_finite() and high > low):
        return Decimal(1)
    return Decimal(10) ** ((high - low).adjusted() - 4)
