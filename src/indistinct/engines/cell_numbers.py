"""Cells as numbers, in arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import polars as pl

from indistinct.core.arrays import Floats, Ints


def is_numeric(column: pl.Series) -> bool:
    """Tell whether a column holds numbers by its type."""
    return column.dtype.is_numeric()


def has_floats(column: pl.Series) -> bool:
    """Tell whether a column holds floats by its type; decimals are none."""
    return column.dtype.is_float()


def has_whole_numbers(column: pl.Series) -> bool:
    """Tell whether a column holds whole numbers by its type."""
    return column.dtype.is_integer()


def has_decimals(column: pl.Series) -> bool:
    """Tell whether a column holds decimals by its type, not floats or whole numbers."""
    return column.dtype.is_decimal()


def farthest_whole(column: pl.Series) -> int:
    """Give how far the cells of a column of whole numbers are from 0 at most; 0 without cells."""
    ends = (column.min(), column.max())
    return max((abs(end) for end in ends if isinstance(end, int)), default=0)


def are_alike_as_floats(column: pl.Series) -> bool:
    """Tell whether different whole numbers of a column are one float."""
    known = column.drop_nulls().unique()
    return known.cast(pl.Float64).n_unique() < len(known)


def greatest_whole(column: pl.Series) -> int | None:
    """Give the greatest cell of a column of whole numbers; None of any other, or without cells."""
    return cast("int | None", column.max()) if column.dtype.is_integer() else None


def floats_of(column: pl.Series) -> Floats:
    """Give cells as numbers: (n_rows,), NaN where there is none."""
    # Polars takes some names for patterns.
    numbers = column.alias("").cast(pl.Float64, strict=False)
    return numbers.fill_null(np.nan).to_numpy().astype(np.float64)


def column_of_numbers(name: str, numbers: Floats, *, whole: bool) -> pl.Series:
    """Make a column of numbers, missing where there is none.

    Parameters
    ----------
    numbers : (n_rows,), NaN for none
    whole : make it a column of whole numbers, which all of them have to be
    """
    column = pl.Series(name, numbers).fill_nan(None)
    return column.cast(pl.Int64) if whole else column


def numbers_in_texts(texts: pl.Series) -> pl.Series:
    """Read a column of texts as numbers, missing where one is no number."""
    return texts.cast(pl.Float64, strict=False)


def whole_numbers_of(column: pl.Series) -> Ints:
    """Give cells as whole numbers, which all of them have to be: (n_rows,)."""
    return column.cast(pl.Int64).to_numpy()


def days_of(texts: Sequence[str]) -> Floats:
    """Give the days from 1 January 1970 to each text: (n_texts,), NaN where it is no ISO date."""
    days = pl.Series(texts, dtype=pl.String).str.to_date("%Y-%m-%d", strict=False)
    return floats_of(days.to_physical())
