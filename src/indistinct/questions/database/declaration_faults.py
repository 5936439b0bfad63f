"""What is wrong in a declaration: every fault, with its place in the file."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from pydantic import ValidationError

from indistinct.base.billionths import billionths
from indistinct.base.files.postgres_address import faults, is_postgres
from indistinct.errors import Fault, ParameterError
from indistinct.questions.database.declaration import ColumnDeclared, Declaration
from indistinct.questions.database.declared_tables import reading_faults, table_faults, type_faults
from indistinct.questions.database.synthesis_faults import synthesis_faults
from indistinct.questions.mechanisms.accountant import Accounting

# Floats hold every whole number up to here, and bounds are also read from floats.
LARGEST_UNIT = 2**53
# The square of a range then fits into 62 bits.
WIDEST_RANGE = 2**31


def structural_faults(error: ValidationError) -> list[Fault]:
    """Return what is wrong with single words, without the values that were given."""
    return [
        Fault(
            ".".join(str(part) for part in found["loc"]),
            found["msg"][:1].lower() + found["msg"][1:],
        )
        for found in error.errors(include_input=False, include_url=False, include_context=False)
    ]


def address_faults(locations: Mapping[str, str]) -> Iterator[Fault]:
    """Find what a declaration may not hold of the addresses of PostgreSQL databases."""
    for place, location in locations.items():
        if is_postgres(location):
            for problem, remedy in faults(location):
                yield Fault(f"dataset.{place}", problem, remedy)


def declaration_faults(
    declared: Declaration,
) -> Iterator[Fault]:
    """Find what is wrong between the words of a declaration."""
    yield from _budget_faults(declared)
    yield from address_faults({"data": declared.dataset.data, "ledger": declared.dataset.ledger})
    yield from table_faults(declared)
    for name, table in declared.tables.items():
        for column_name, column in table.columns.items():
            if column.type in {None, "bins"}:
                yield Fault(f"tables.{name}.columns.{column_name}.type", "field required")
            for problem, remedy in _column_faults(column, declared):
                yield Fault(f"tables.{name}.columns.{column_name}", problem, remedy)
    for name, column in declared.columns.items():
        if column.type is None and column.looked_up is None:
            yield Fault(f"columns.{name}.type", "field required")
        for problem, remedy in _column_faults(column, declared):
            yield Fault(f"columns.{name}", problem, remedy)
    yield from _name_faults(declared)
    yield from synthesis_faults(declared)


def _name_faults(declared: Declaration) -> Iterator[Fault]:
    folded: dict[str, str] = {}
    for name in declared.columns:
        if name.casefold() in folded:
            yield Fault(
                f"columns.{name}", "differs from another column in case only", "Rename one of them."
            )
        folded[name.casefold()] = name


def _budget_faults(declared: Declaration) -> Iterator[Fault]:
    budget = declared.budget
    amounts = {
        "budget.epsilon": budget.epsilon,
        "budget.per_analyst": budget.per_analyst,
        "budget.per_version": budget.per_version,
        **{f"analysts.{name}.epsilon": who.epsilon for name, who in declared.analysts.items()},
    }
    for place, amount in amounts.items():
        if amount is not None:
            yield from _amount_faults(amount, place)
    part = budget.threshold_delta
    is_zcdp = budget.accounting is Accounting.ZCDP
    if part is not None and (budget.delta is None or part > budget.delta - is_zcdp * 1e-18):
        yield Fault(
            "budget.threshold_delta", "is no part of delta", "Set it to half of delta, or less."
        )
    if budget.accounting is Accounting.ZCDP and budget.delta is None:
        yield Fault("budget.delta", "is missing", "zCDP needs a delta, such as 1e-6.")


def _amount_faults(amount: Decimal, place: str) -> Iterator[Fault]:
    try:
        billionths(amount, place)
    except ParameterError as error:
        yield from error.faults


def _column_faults(column: ColumnDeclared, declared: Declaration) -> Iterator[tuple[str, str]]:
    match column.type:
        case "number":
            yield from _number_faults(column)
        case "text":
            if column.bounds or column.edges:
                yield (
                    "is a text, so it has no bounds or edges",
                    'Set type = "number", or leave them out.',
                )
            if not all(isinstance(value, str) for value in column.values):
                yield "is a text, so its values are texts", 'Write values = ["a", "b"].'
        case "bins":
            yield from _bins_faults(column, declared)
        case None:
            if column.bounds or column.values or column.edges:
                yield "has no type", 'Set type = "number" or "text", or leave the values out.'
        case _:
            yield from type_faults(column)
    yield from reading_faults(column)
    yield from _double_faults(column)
    if len(set(column.values)) != len(column.values):
        yield "lists a value twice", "List each value once."


def as_double(number: Decimal) -> float | None:
    """Return the double that a number is counted as; None where it is too large for one."""
    try:
        found = float(number)
    except (OverflowError, ValueError):
        return None
    return found if math.isfinite(found) else None


def _double_faults(column: ColumnDeclared) -> Iterator[tuple[str, str]]:
    """Find numbers that are one number to a database: a row would then have two values."""
    for word, numbers in (("values", column.values), ("edges", column.edges)):
        seen: dict[float | None, Decimal] = {}
        for number in numbers:
            if not isinstance(number, Decimal) or not number.is_finite():
                continue  # is a fault of its own
            found = as_double(number)
            if found is None:
                yield (
                    f"has {word} that are too large for a number",
                    "Write them without an exponent.",
                )
            elif found in seen and seen[found] != number:
                yield (
                    f"has two {word} that are the same number: {seen[found]} and {number}",
                    "Leave one of them out: numbers are told apart by about 15 digits.",
                )
            seen[found] = number


def _number_faults(column: ColumnDeclared) -> Iterator[tuple[str, str]]:
    if not all(isinstance(value, Decimal) and value.is_finite() for value in column.values):
        yield "is a number, so its values are numbers", "Write values = [1, 2]."
    if column.bounds is None:
        return
    if not all(number.is_finite() for number in (*column.bounds, column.step)):
        yield "has bounds or a step that are not finite numbers", "Write bounds = [0, 100]."
        return
    if not all(as_double(number) is not None for number in column.bounds) or not (
        sys.float_info.min <= (as_double(column.step) or 0.0)
    ):
        yield "has bounds or a step that no number of a database can be", "Use another unit."
        return
    low, high = (Fraction(number) / Fraction(column.step) for number in column.bounds)
    if math.floor(high) <= math.ceil(low):
        yield "has an upper bound that is not above the lower one", "Write bounds = [low, high]."
    elif max(abs(low), abs(high)) > LARGEST_UNIT or high - low > WIDEST_RANGE:
        yield "has bounds too wide for its step", "Use a larger step: at most 2**31 steps."
    missing = column.missing
    if missing is not None and not column.bounds[0] <= missing <= column.bounds[1]:
        yield (
            "counts missing values outside its bounds",
            "Set missing to a number within the bounds.",
        )


def _bins_faults(column: ColumnDeclared, declared: Declaration) -> Iterator[tuple[str, str]]:
    of = declared.columns.get(column.of or "")
    if of is None or of.type != "number":
        yield "is not made of a declared number", 'Set of = "..." to the name of a number.'
    rising = all(low < high for low, high in pairwise(column.edges))
    if not column.edges or not all(edge.is_finite() for edge in column.edges) or not rising:
        yield "has no rising edges", "Write edges = [20, 50]."
