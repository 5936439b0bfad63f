"""The types of a text file's columns: whole numbers, numbers, dates, else text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import time
from enum import StrEnum

import polars as pl

WHOLE_NUMBER = r"^-?(0|[1-9][0-9]{0,17})$"
WIDE_NUMBER = r"^-?(0|[1-9][0-9]{0,37})$"  # a float would change its last digits
NUMBER = r"^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$"
DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
PARSERS: Mapping[str, Callable[[pl.Series], pl.Series]] = {
    WHOLE_NUMBER: lambda column: column.cast(pl.Int64, strict=False),
    WIDE_NUMBER: lambda column: column.cast(pl.Int128, strict=False),
    NUMBER: lambda column: column.cast(pl.Float64, strict=False),
    DATE: lambda column: column.str.to_date("%Y-%m-%d", strict=False),
}


def with_types(frame: pl.DataFrame, missing: tuple[str, ...]) -> pl.DataFrame:
    """Find the type of each column: whole numbers, numbers, dates, else text.

    A text with leading zeros stays text: it is a code, and its zeros are part of it.
    """
    tokens = [token for token in missing if token]
    if tokens:
        frame = frame.with_columns(
            pl.when(pl.all().is_in(tokens)).then(None).otherwise(pl.all()).name.keep()
        )
    return frame.with_columns(_typed_column(frame[name]) for name in frame.columns)


def with_types_of_texts(frame: pl.DataFrame, missing: tuple[str, ...]) -> pl.DataFrame:
    """Find the types of the columns of texts, and leave all other columns as they are.

    Parameters
    ----------
    missing : as in :func:`with_types`
    """
    texts = [column for column in frame.iter_columns() if column.dtype == pl.String]
    return frame.with_columns(with_types(pl.DataFrame(texts), missing)) if texts else frame


def _typed_column(column: pl.Series) -> pl.Series:
    """Find the type of one column."""
    known = column.drop_nulls()
    if known.is_empty():
        return column
    for pattern, parse in PARSERS.items():
        if not known[:100].str.contains(pattern).all() or not known.str.contains(pattern).all():
            continue
        typed = parse(column)
        if typed.null_count() == column.null_count():
            return typed
    return column


def with_numbers(
    frame: pl.DataFrame, names: Sequence[str], like: pl.DataFrame | None
) -> pl.DataFrame:
    """Give columns of texts as numbers, if every text is one.

    Parameters
    ----------
    names : of the columns that may have been numbers
    like : a table that has the types; None where they are to be found
    """
    kinds = {} if like is None else dict(like.schema)
    return frame.with_columns(
        _numbers_if_all(frame[name], kinds.get(name))
        for name in names
        if frame[name].dtype == pl.String
    )


def _numbers_if_all(column: pl.Series, kind: pl.DataType | None) -> pl.Series:
    """Give a column of texts as the type it had, or as numbers, if every text is one."""
    for wanted in (pl.Int64(), pl.Float64()) if kind is None else (kind,):
        if wanted.is_numeric():
            numbers = column.cast(wanted, strict=False)
            if numbers.null_count() == column.null_count():
                return numbers
    return column


def with_days(frame: pl.DataFrame) -> pl.DataFrame:
    """Give moments that are all midnights as days: pandas has no other days."""
    return frame.with_columns(
        column.cast(pl.Date)
        for column in frame.iter_columns()
        if isinstance(column.dtype, pl.Datetime)
        and bool((column.alias("").dt.time() == time()).all())
    )


class Kind(StrEnum):
    """What the values of a column are, whatever library holds them."""

    WHOLE = "whole"
    NUMBER = "number"
    DATE = "date"
    MOMENT = "moment"
    TRUTH = "truth"
    TEXT = "text"


def kind_of(dtype: pl.DataType) -> Kind:
    """Tell what the values of a type are."""
    if dtype.is_integer():
        return Kind.WHOLE
    if dtype.is_numeric():
        return Kind.NUMBER
    if dtype == pl.Date:
        return Kind.DATE
    if dtype.is_temporal():
        return Kind.MOMENT
    return Kind.TRUTH if dtype == pl.Boolean else Kind.TEXT


def type_name(dtype: pl.DataType) -> str:
    """Name a type in plain words."""
    if dtype.is_integer():
        return "integer"
    if dtype.is_float() or dtype.is_decimal():
        return "number"
    if dtype.is_temporal():
        return "date"
    return "boolean" if dtype == pl.Boolean else "text"
