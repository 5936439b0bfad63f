"""One way of writing a missing value, so that what is counted as one value is released as one."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from indistinct.base.arrays import Bools
from indistinct.base.cells.missing_words import MissingWords, words_of
from indistinct.tables.frames.small_columns import are_among, are_empty
from indistinct.tables.reading.column_types import TEXTS, gone_cells


def with_one_missing(frame: pl.DataFrame, missing: MissingWords | Sequence[str]) -> pl.DataFrame:
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
    given = frame.get_columns()
    replaced = [_with_one_missing(column, words_of(missing, column.name)) for column in given]
    is_same = all(one is other for one, other in zip(given, replaced, strict=True))
    return frame if is_same else frame.with_columns(replaced)


def _with_one_missing(column: pl.Series, missing: Sequence[str]) -> pl.Series:
    """Replace the missing cells of one column by null."""
    if column.dtype.is_float():
        column = column.fill_nan(None)
        column = _with_one_zero(column)
    gone = _written_as_missing(column, missing)
    # A null is written as no word; `any` passes over it.
    if gone is None or not gone.any():
        return column
    return column.set(gone.fill_null(value=False), None)


def _with_one_zero(column: pl.Series) -> pl.Series:
    """Replace minus zero by zero."""
    is_zero = column.is_in([0.0])
    if not is_zero.any():  # texts of all numbers are only made where there is a zero
        return column
    is_minus_zero = is_zero & column.cast(pl.String).str.starts_with("-")
    return column.set(is_minus_zero, 0.0) if is_minus_zero.any() else column


def are_missing(column: pl.Series, missing: Sequence[str]) -> Bools:
    """Return which cells are missing: (n_rows,).

    Parameters
    ----------
    missing : texts that stand for a missing value; a number is none of them, whatever its text is
    """
    written = None
    if column.dtype == pl.String and missing:
        written = are_among(column, missing)
    elif column.dtype.is_float():
        written = column.is_nan()
    if written is None or not written.any():  # a null is no word, and `any` passes over it
        return are_empty(column)
    return are_empty(column) | written.fill_null(value=False).to_numpy()


def n_missing(column: pl.Series) -> int:
    """Count the cells that hold nothing."""
    return column.null_count()


def known_cells(column: pl.Series, gone: Bools) -> pl.Series:
    """Leave the missing cells out.

    Parameters
    ----------
    gone : (n_rows,), which cells are missing
    """
    return column.filter(pl.Series(~gone))


def _written_as_missing(column: pl.Series, missing: Sequence[str]) -> pl.Series | None:
    """Return which cells are written as a missing value is; None if no cell of the type can be."""
    if not isinstance(column.dtype, TEXTS):
        return gone_cells(column, column.dtype, missing)
    words = ["", *missing]
    if isinstance(column.dtype, pl.Enum) and not column.dtype.categories.is_in(words).any():
        return None
    return are_among(column.cast(pl.String), words)
