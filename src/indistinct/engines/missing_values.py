"""One way of writing a missing value, so that what is counted as one value is released as one."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from indistinct.engines.cell_texts import cell_texts


def with_one_missing(frame: pl.DataFrame, missing: Sequence[str]) -> pl.DataFrame:
    """Replace every way of writing a missing value by null, and minus zero by zero.

    Parameters
    ----------
    frame : the input as it was read
    missing : the policy's words for a missing value; the empty text and NaN always are among them

    Returns
    -------
    the same records in the same order and with the same types; a column in which nothing is to be
    replaced is the same object
    """
    replaced = (_with_one_missing(column, missing) for column in frame.iter_columns())
    return frame.with_columns(replaced)


def _with_one_missing(column: pl.Series, missing: Sequence[str]) -> pl.Series:
    """Replace the missing cells of one column by null."""
    if column.dtype.is_float():
        column = column.fill_nan(None)
        is_minus_zero = column.is_in([0.0]) & column.cast(pl.String).str.starts_with("-")
        if is_minus_zero.any():
            column = column.set(is_minus_zero, 0.0)
    gone = missing_cells(column, missing)
    return column.set(gone, None) if gone.any() else column


def missing_cells(column: pl.Series, missing: Sequence[str]) -> pl.Series:
    """Tell which cells are written as a missing value is, null apart: no null in the answer.

    Parameters
    ----------
    missing : words; a cell of a numeric column is one of them if it has the word's number
    """
    nowhere = pl.repeat(value=False, n=len(column), eager=True)
    if column.dtype.is_numeric() or column.dtype.is_decimal():
        numbers = [float(word) for word in missing if _is_number(word)]
        found = column.cast(pl.Float64).is_in(numbers) if numbers else nowhere
    elif isinstance(column.dtype, pl.String | pl.Categorical | pl.Enum):
        found = column.cast(pl.String).is_in(["", *missing])
    elif column.dtype.is_temporal() and any(missing):
        found = cell_texts(column).is_in(list(missing))
    else:
        found = nowhere
    return found.fill_null(value=False).alias(column.name)


def _is_number(word: str) -> bool:
    """Tell whether a word is a number."""
    try:
        float(word)
    except ValueError:
        return False
    return True
