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


def greatest_whole(column: pl.Series) -> int | None:
    """Give the greatest cell of a column of whole numbers; None of any other, or without cells."""
    return cast("int | None", column.max()) if column.dtype.is_integer() else None


def floats_of(column: pl.Series) -> Floats:
    """Give cells as numbers: (n_rows,), NaN where there is none."""
    # Polars takes some names for patterns.
    numbers = column.alias("").cast(pl.Float64, strict=False)
    return numbers.fill_null(np.nan).to_numpy().astype(np.float64)


def whole_numbers_of(column: pl.Series) -> Ints:
    """Give cells as whole numbers, which all of them have to be: (n_rows,)."""
    return column.cast(pl.Int64).to_numpy()


def days_of(texts: Sequence[str]) -> Floats:
    """Give the days from 1 January 1970 to each text: (n_texts,), NaN where it is no ISO date."""
    days = pl.Series(texts, dtype=pl.String).str.to_date("%Y-%m-%d", strict=False)
    return floats_of(days.to_physical())
