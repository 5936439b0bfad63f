"""Cells for formats that know numbers, texts and moments only, and back again.

SPSS, Stata and Excel keep every number as a float of 8 bytes. What such a float cannot hold is
written as text, so that no digit is lost.
"""

from __future__ import annotations

import polars as pl

from indistinct.engines.cell_texts import cell_texts

LARGEST_WHOLE = 2**53
MILLISECOND = 1_000  # in microseconds


def with_plain_cells(frame: pl.DataFrame, *, since: int = 1583) -> pl.DataFrame:
    """Return a frame of floats, whole numbers, texts, dates and moments; all else becomes text.

    Parameters
    ----------
    since : first year whose dates the format can hold; a column with an earlier one becomes text
    """
    return frame.with_columns(_plain(column, since) for column in frame.iter_columns())


def with_whole_numbers(frame: pl.DataFrame) -> pl.DataFrame:
    """Return columns of floats without a fraction as whole numbers, and moments in one unit."""
    return frame.with_columns(_whole(column) for column in frame.iter_columns())


def _plain(column: pl.Series, since: int) -> pl.Series:
    """Return one column in a type that the formats have."""
    dtype = column.dtype
    if column.null_count() == len(column) and (dtype.is_numeric() or dtype.is_temporal()):
        return column.cast(pl.Float64)  # the formats tell one kind of empty column from texts
    if dtype == pl.Float32:
        column = column.cast(pl.String).cast(pl.Float64)  # the decimal number that it shows
    if dtype.is_integer():
        wide = [abs(int(end)) for end in (column.min(), column.max()) if isinstance(end, int)]
        fits = max(wide, default=0) <= LARGEST_WHOLE
        return column.cast(pl.Int64) if fits else column.cast(pl.String)
    if dtype.is_float():
        # These formats tell neither NaN from missing nor -0 from 0 where they are read.
        return column.set(column == 0, 0.0).fill_nan(None)
    if isinstance(dtype, pl.Date | pl.Datetime) and _is_held(column, since):
        return _as_dates(column) if isinstance(dtype, pl.Datetime) else column
    return cell_texts(column)


def _is_held(column: pl.Series, since: int) -> bool:
    """Return whether a format holds every moment of a column without loss."""
    earliest = column.dt.year().min()
    if isinstance(earliest, int) and earliest < since:
        return False
    if not isinstance(column.dtype, pl.Datetime):
        return True
    rest = column.dt.nanosecond() % (MILLISECOND * 1_000)
    return column.dtype.time_zone is None and not bool((rest != 0).any())


def _whole(column: pl.Series) -> pl.Series:
    """Return one column of floats as whole numbers where none has a fraction."""
    if isinstance(column.dtype, pl.Datetime):
        return _as_dates(column.cast(pl.Datetime("us")).dt.round("1ms"))
    if column.dtype != pl.Float64:
        return column.cast(pl.Float64) if column.dtype == pl.Float32 else column
    known = column.fill_nan(None).drop_nulls()
    is_whole = (known == known.floor()) & (known.abs() <= LARGEST_WHOLE)
    if known.is_empty() or not is_whole.all():
        return column
    return column.fill_nan(None).cast(pl.Int64)


def _as_dates(column: pl.Series) -> pl.Series:
    """Return moments that are all midnight as dates."""
    known = column.drop_nulls()
    midnights = known.cast(pl.Date).cast(pl.Datetime("us"))
    is_date = not known.is_empty() and bool((midnights == known).all())
    return column.cast(pl.Date) if is_date else column
