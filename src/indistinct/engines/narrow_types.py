"""The types of released columns where the cells of the input decided them: the narrowest ones.

A text file and a workbook say no types, so that they are found by all cells. One record that is
left out would decide how the others are written: a fraction makes ``0.0`` of every ``0``, and a
word makes texts of all numbers. A release has the types that its own cells ask for.
"""

from __future__ import annotations

from collections.abc import Container

import polars as pl

from indistinct.engines.column_types import with_types

LARGEST_WHOLE = 2.0**53  # whole numbers up to which no two are one floating point number
MOST_DIGITS = 18  # of whole numbers that a column of 64 bits holds
WHOLE_FRACTION = r"^-?[0-9]+\.0$"
NUMBER = r"^-?[0-9]"


def narrowed(
    frame: pl.DataFrame,
    before: pl.DataFrame,
    labelled: Container[str],
    fixed: Container[str] = (),
) -> pl.DataFrame:
    """Return a release whose columns have the narrowest types that hold their cells.

    Parameters
    ----------
    before : the input, whose types all of its cells decided
    labelled : the columns that have labels
    fixed : columns whose type is always the same
    """

    def own(column: pl.Series) -> pl.Series:
        if column.name in fixed:
            return column
        is_labelled = column.name in labelled
        return _without_fractions(column, before) if is_labelled else narrowed_column(column)

    return pl.DataFrame([own(column) for column in frame.iter_columns()])


def narrowed_column(column: pl.Series) -> pl.Series:
    """Return a column of released values in the narrowest type that holds them."""
    known = column.drop_nulls()
    if column.dtype.is_nested():
        return column
    if not len(known):
        return column.cast(pl.String)
    if isinstance(column.dtype, pl.String | pl.Enum | pl.Categorical):
        texts = column.cast(pl.String)
        typed = with_types(texts.unique().to_frame(), ()).to_series().dtype
        return column if typed == pl.String else with_types(texts.to_frame(), ()).to_series()
    if isinstance(column.dtype, pl.Int128) and (known.abs() < 10**MOST_DIGITS).all():
        return column.cast(pl.Int64)
    if column.dtype.is_float() and _are_whole(known):
        return column.cast(pl.Int64)
    return column


def _are_whole(numbers: pl.Series) -> bool:
    """Tell whether floating point numbers are whole ones, each written as such."""
    return bool(((numbers == numbers.floor()) & (numbers.abs() <= LARGEST_WHOLE)).all())


def _without_fractions(column: pl.Series, before: pl.DataFrame) -> pl.Series:
    """Write the numbers among labels without ``.0`` where all of them have it."""
    if column.name not in before.columns or not before[column.name].dtype.is_float():
        return column
    if column.dtype != pl.String:
        return narrowed_column(column)
    numbers = column.drop_nulls().filter(column.drop_nulls().str.contains(NUMBER))
    if not len(numbers) or not numbers.str.contains(WHOLE_FRACTION).all():
        return column
    return column.str.replace(r"^(-?[0-9]+)\.0$", "$1")
