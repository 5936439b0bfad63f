"""The days of columns of dates, moments or texts that begin with a day: later ones, and lengths."""

from __future__ import annotations

import numpy as np
import polars as pl

from indistinct.base.arrays import Floats, Ints

DAY = "%Y-%m-%d"
LENGTH_OF_DAY = len("2024-01-01")
MILLISECONDS = 86_400_000


def day_numbers(column: pl.Series) -> Floats:
    """Return the day of each cell, counted from 1970: (n_rows,), NaN where there is none."""
    numbers = _days(column).to_physical().cast(pl.Float64)
    return numbers.fill_null(np.nan).to_numpy().astype(np.float64)


def n_without_day(column: pl.Series) -> int:
    """Count the cells that are there, and begin with no day."""
    return len(column.drop_nulls()) - len(_days(column).drop_nulls())


def shifted(column: pl.Series, days: Ints) -> pl.Series:
    """Return the column with each day later by so many days, whatever follows it in the cell.

    Parameters
    ----------
    days : (n_rows,), may be negative
    """
    steps = pl.Series(days * MILLISECONDS).cast(pl.Duration("ms"))
    if column.dtype.is_temporal():
        return (column + steps).cast(column.dtype).alias(column.name)
    moved = (_days(column) + steps).cast(pl.Date).dt.strftime(DAY)
    return (moved + column.str.slice(LENGTH_OF_DAY)).alias(column.name)


def days_between(start: pl.Series, end: pl.Series) -> pl.Series:
    """Return the whole days from one day to another, under the name of the other: (n_rows,)."""
    return (_days(end) - _days(start)).dt.total_days().alias(end.name)


def _days(column: pl.Series) -> pl.Series:
    """Return the days of a column, missing where a cell has none."""
    if column.dtype.is_temporal():
        return column.cast(pl.Date, strict=False)
    if column.dtype == pl.String:
        return column.str.slice(0, LENGTH_OF_DAY).str.to_date(DAY, strict=False)
    return pl.repeat(None, len(column), dtype=pl.Date, eager=True)
