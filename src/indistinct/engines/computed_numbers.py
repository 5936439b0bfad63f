"""Columns as numbers that can be computed with, and back to columns of the same type."""

from __future__ import annotations

import numpy as np
import polars as pl

from indistinct.core.arrays import Floats

EXACT = 2.0**53  # up to here every whole number is a float
MOST_DIGITS = 38  # of a decimal


def is_number(column: pl.Series) -> bool:
    """Tell whether the values of a column can be computed with: numbers and dates."""
    return column.dtype.is_numeric() or column.dtype == pl.Date


def n_not_finite(column: pl.Series) -> int:
    """Count the cells of a column of numbers or dates that are not finite; none of another."""
    if not is_number(column):
        return 0
    return int((~np.isfinite(to_numbers(column.drop_nulls()))).sum())


def to_numbers(column: pl.Series) -> Floats:
    """Give numbers as they are, dates in days: (n,), NaN where missing."""
    physical = column.to_physical() if column.dtype == pl.Date else column
    return physical.cast(pl.Float64).to_numpy().astype(np.float64)


def like(values: Floats, column: pl.Series) -> pl.Series:
    """Give numbers the name and type of a column, in its range; whole ones are rounded."""
    if column.dtype.is_float():
        return pl.Series(column.name, values).cast(column.dtype)
    if isinstance(column.dtype, pl.Decimal):
        digits = (column.dtype.precision or MOST_DIGITS) - column.dtype.scale
        most = np.nextafter(10.0**digits, 0) - 1
        return pl.Series(column.name, np.clip(values, -most, most)).cast(column.dtype)
    whole = np.rint(values)
    if column.dtype == pl.Date:
        return pl.Series(column.name, whole).cast(pl.Int32).cast(pl.Date)
    low, high = (float(_limit(column.dtype, end)) for end in ("min", "max"))
    if high > EXACT:
        high = float(np.nextafter(high, low))
    return pl.Series(column.name, np.clip(whole, low, high)).cast(column.dtype)


def _limit(dtype: pl.DataType, end: str) -> int:
    """Give the least or greatest number of a type."""
    return pl.select(getattr(dtype, end)()).item()


def with_present(column: pl.Series, present: pl.Series) -> pl.Series:
    """Put values in the places of a column that are not missing."""
    is_there = column.is_not_null()
    places = (is_there.cast(pl.Int64).cum_sum() - 1).set(~is_there, None)
    # Decimals can be gathered, and cannot be scattered in older versions of Polars.
    return present.gather(places).alias(column.name)


def released_numbers(released: pl.Series, like_column: pl.Series | None = None) -> Floats:
    """Read released cells as numbers: (n,), NaN where they are a label or missing.

    Parameters
    ----------
    released : all cells as text
    like_column : the original, whose type says how dates are read, and how exactly numbers are
    """
    if like_column is not None and like_column.dtype == pl.Date:
        return to_numbers(released.str.to_date("%Y-%m-%d", strict=False))
    is_single = like_column is not None and like_column.dtype == pl.Float32
    return to_numbers(released.cast(pl.Float32 if is_single else pl.Float64, strict=False))


def as_points(frame: pl.DataFrame) -> Floats:
    """Give columns of numbers as one array: (n, d)."""
    return np.column_stack([to_numbers(column) for column in frame])
