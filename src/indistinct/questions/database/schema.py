"""What analysts are told of a dataset: its tables, columns and limits, and what odd values are."""

from __future__ import annotations

from datetime import date
from typing import Any

from indistinct.questions.database.dataset import Dataset
from indistinct.questions.database.relational.words import GRAMMAR
from indistinct.questions.database.tables import DeclaredTable, Known, TypedColumn


def describe(dataset: Dataset) -> dict[str, Any]:
    """Return what may be asked, and what odd values count as."""
    return {
        "tables": {name: described(table) for name, table in dataset.tables.items()},
        "unit": dataset.budget.meaning().unit,
        "min_people": dataset.min_people,
        "grammar": GRAMMAR,
        "rows_that_count": "Of each person at most rows_per_person rows count, chosen by lot.",
        "odd_values": "A missing value or NaN satisfies no condition but IS NULL. Sums, means and "
        "quantiles are those of the known values, unless missing_counts_as is a number. A number "
        "beyond the bounds, infinite ones included, is added up as the bound. Groups of declared "
        "values are answered even without rows, with one of other and one of missing values.",
    }


def described(table: DeclaredTable) -> dict[str, Any]:
    """Return what is declared of one table."""
    return {
        "person": table.person or None,
        "rows_per_person": table.rows_per_person,
        "key": list(table.key),
        "references": dict(table.references),
        "columns": {name: of_column(column) for name, column in table.columns.items()},
    }


def of_column(column: TypedColumn) -> dict[str, Any]:
    """Return what is declared of one column."""
    has_bounds = column.low is not None and column.high is not None
    return {
        "type": column.kind,
        "bounds": [plain(column.low), plain(column.high)] if has_bounds else None,
        "step": plain(column.step),
        "values": [plain(one) for one in column.values],
        "missing_counts_as": plain(column.missing),
    }


def plain(value: Known | date | None) -> Any:
    """Return a value as JSON has it."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, date):
        return value.isoformat()
    return value.numerator if value.denominator == 1 else float(value)
