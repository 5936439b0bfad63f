"""Make a frame anew from its own cells, so that its memory holds nothing else.

A column that was taken out of another one may still refer to the memory of that one: the texts of
all its rows, the values beneath missing cells, all categories. Files in the format of Arrow, and
anybody who is handed the frame, then receive them with it.
"""

from __future__ import annotations

import polars as pl

PLAIN_NUMBERS = (
    pl.Float32, pl.Float64, pl.Int8, pl.Int16, pl.Int32, pl.Int64,
    pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64,
)  # fmt: skip


def rebuilt(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the same cells in columns whose memory and types hold these cells alone.

    Parameters
    ----------
    frame : any columns; those of lists stay as they are

    Returns
    -------
    equal cells; an Enum keeps only the categories that occur, in their old order

    Notes
    -----
    O(n_rows) for each column; texts are copied once. A Categorical refers to the one list of
    categories that Polars keeps for the whole process; whatever Polars writes or hands to other
    libraries holds only the categories that occur.
    """
    return pl.DataFrame([_rebuilt_column(column) for column in frame.iter_columns()])


def _rebuilt_column(column: pl.Series) -> pl.Series:  # noqa: PLR0911 - a line for each kind
    """Copy the cells of one column."""
    column = column.rechunk()
    if column.dtype.is_nested():
        return column
    if column.null_count() == len(column):
        column = pl.repeat(None, len(column), dtype=column.dtype, eager=True).alias(column.name)
    if isinstance(column.dtype, pl.Enum):
        shown = _shown(column, column.dtype)
        is_whole = len(shown) == len(column.dtype.categories)
        return column if is_whole else column.cast(pl.Enum(shown))
    if column.dtype == pl.Boolean and not column.null_count():
        return pl.Series(column.name, column.to_list(), dtype=column.dtype)
    if column.dtype == pl.String:
        return _copied_texts(column)
    if column.null_count() and not isinstance(column.dtype, pl.Categorical | pl.Null):
        return _emptied_beneath(column)
    if isinstance(column.dtype, PLAIN_NUMBERS):
        # Without the bits for missing cells that a column without any may still have.
        return pl.Series(column.name, column.to_numpy(), dtype=column.dtype)
    if column.dtype.is_temporal() and not column.null_count():
        physical = column.to_physical()
        return pl.Series(column.name, physical.to_numpy(), dtype=physical.dtype).cast(column.dtype)
    return column


def _copied_texts(column: pl.Series) -> pl.Series:
    """Write each text into new memory, in the order of the rows; beneath missing ones nothing."""
    if not column.null_count():
        return column + ""  # an addition copies; slices, casts and gathers share
    copied = column.fill_null("") + ""
    return copied.zip_with(column.is_not_null(), pl.Series([None], dtype=pl.String))


def _shown(column: pl.Series, dtype: pl.Enum) -> pl.Series:
    """Return the categories that occur, in the order of the type."""
    occurring = set(column.drop_nulls().unique().cast(pl.String).to_list())
    shown = [category for category in dtype.categories.to_list() if category in occurring]
    return pl.Series(shown, dtype=pl.String)


def _emptied_beneath(column: pl.Series) -> pl.Series:
    """Return the column with a shown value beneath every missing cell."""
    known = column.is_not_null()
    filler = column.drop_nulls().head(1)
    nothing = pl.Series([None], dtype=column.dtype)
    if not len(filler):
        return column
    return column.zip_with(known, filler).zip_with(known, nothing)
