"""A release as a Table Schema of Frictionless Data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from indistinct.report.metadata.columns import DescribedColumn, Kind


def table_schema(columns: Sequence[DescribedColumn]) -> dict[str, Any]:
    """Describe the released file; an empty cell is a missing value."""
    fields = [_field(column) for column in columns]
    return {
        "$schema": "https://datapackage.org/profiles/2.0/tableschema.json",
        "fields": fields,
        "missingValues": [""],
    }


def _field(column: DescribedColumn) -> dict[str, Any]:
    """Describe one column."""
    field: dict[str, Any] = {"name": column.name, "type": column.kind.value}
    if column.kind is Kind.TRUTH:
        field |= {"trueValues": ["true"], "falseValues": ["false"]}
    return {**field, "description": column.about}
