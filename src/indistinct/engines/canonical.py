"""One way of writing each value, as an expression that any part of a table can be put through.

The same rule as :func:`indistinct.engines.missing_values.with_one_missing`, for tables of which
nobody holds all rows: a test holds the two against each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime

import polars as pl

from indistinct.engines.column_types import DATE, NUMBER, WHOLE_NUMBER, WIDE_NUMBER, Kind, kind_of
from indistinct.errors import DataError, Fault

TEXTS = (pl.String, pl.Categorical, pl.Enum)


def canonical(name: str, dtype: pl.DataType, missing: Sequence[str]) -> pl.Expr:
    """Give a column with null for every missing value, and zero for minus zero.

    Parameters
    ----------
    missing : the policy's words; the empty text and NaN always are among them
    """
    column = pl.col(name)
    if isinstance(dtype, TEXTS):
        texts = column.cast(pl.String)
        return pl.when(texts.is_in(["", *missing])).then(None).otherwise(texts).alias(name)
    if dtype.is_float():
        # A sum with zero would do, but Polars leaves it out of a lazy query.
        zero = pl.lit(0.0, dtype)
        column = pl.when(column == zero).then(zero).otherwise(column.fill_nan(None))
    if dtype.is_numeric():
        numbers = missing_numbers(missing)
        gone = column.cast(pl.Float64).is_in(numbers) if numbers else None
    elif dtype.is_temporal() and any(missing):
        iso = isinstance(dtype, pl.Time | pl.Duration)
        gone = (column.dt.to_string("iso") if iso else column.cast(pl.String)).is_in(list(missing))
    else:
        gone = None
    if gone is None:
        return column.alias(name)
    return pl.when(gone).then(None).otherwise(column).alias(name)


def missing_numbers(missing: Sequence[str]) -> list[float]:
    """Give the numbers among the words for a missing value."""
    found: list[float] = []
    for word in missing:
        try:
            found.append(float(word))
        except ValueError:
            continue
    return found


def missing_dates(missing: Sequence[str]) -> list[date]:
    """Give the dates among the words for a missing value, those that are written as dates are."""
    return [day for word in missing if (day := _date(word)) is not None and str(day) == word]


def _date(word: str) -> date | None:
    """Read a date."""
    try:
        return datetime.strptime(word, "%Y-%m-%d").date()  # noqa: DTZ007 - a day has no zone
    except ValueError:
        return None


# What every value of a text column must be for the column to have a type, the narrowest first.
FORMS = {
    "whole": WHOLE_NUMBER,
    "wide": WIDE_NUMBER,
    "number": NUMBER,
    "date": DATE,
}
PARSED: Mapping[str, pl.DataType] = {
    "whole": pl.Int64(),
    "wide": pl.Int128(),
    "number": pl.Float64(),
    "date": pl.Date(),
}


def parse(name: str, form: str) -> pl.Expr:
    """Give a column of texts in the type of its form."""
    texts = pl.col(name)
    if form == "date":
        return texts.str.to_date("%Y-%m-%d", strict=False)
    return texts.cast(PARSED[form], strict=False)


def form_tests(name: str, prefix: str) -> list[pl.Expr]:
    """Give, per form, whether every text has it and can be read as its type.

    Parameters
    ----------
    prefix : of the names of the answers
    """
    texts = pl.col(name)
    return [
        (
            (texts.str.contains(pattern) | texts.is_null()).all()
            & (parse(name, form).null_count() == texts.null_count())
        ).alias(f"{prefix}{form}")
        for form, pattern in FORMS.items()
    ]


def kinds_of(schema: Mapping[str, pl.DataType]) -> dict[str, Kind]:
    """Tell what the values of each column are."""
    return {name: kind_of(dtype) for name, dtype in schema.items()}


def check_schema(schema: Mapping[str, pl.DataType]) -> None:
    """Refuse columns that hold no single values, and names that Polars reads as patterns."""
    faults = [
        Fault(f"columns.{name}", "holds lists or records in its cells", "Unfold it into columns.")
        for name, dtype in schema.items()
        if dtype.is_nested() or dtype.is_object() or dtype == pl.Binary
    ]
    faults += [
        Fault(f"columns.{name}", "has a name that is read as a pattern", "Rename it.")
        for name in schema
        if (name.startswith("^") and name.endswith("$")) or name == "*" or "\0" in name
    ]
    if faults:
        raise DataError(faults)
