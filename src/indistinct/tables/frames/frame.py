"""Tables in memory: their rows and columns, taken, replaced and made.

The other rooms name columns, ask how many records there are, take a column by its name and rows by
their numbers, and hand all of it on. Whatever else is done with cells is a function of this room.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import polars as pl

from indistinct.base.arrays import Bools, Codes, Ints
from indistinct.base.hierarchy import ROOT
from indistinct.tables.frames.row_ranks import canonical_order
from indistinct.tables.frames.texts import cell_texts, midnights_as_days

Frame: TypeAlias = pl.DataFrame
Column: TypeAlias = pl.Series
LazyFrame: TypeAlias = pl.LazyFrame
DataType: TypeAlias = pl.DataType


def frame_of(columns: Mapping[str, pl.Series]) -> pl.DataFrame:
    """Return columns of equal length side by side, by the names that are given."""
    return pl.DataFrame([column.alias(name) for name, column in columns.items()])


def with_cells(
    frame: pl.DataFrame, rows: Ints | Codes, columns: Mapping[str, pl.Series]
) -> pl.DataFrame:
    """Replace the cells that some rows have in some columns.

    Parameters
    ----------
    rows : (n_rows,)
    columns : per column, (n_rows,), its new cells
    """
    return frame.with_columns(
        frame[name].scatter(rows, cells).alias(name) for name, cells in columns.items()
    )


def with_whole_columns(frame: pl.DataFrame, columns: Iterable[pl.Series]) -> pl.DataFrame:
    """Add columns, or replace those of the same names.

    Parameters
    ----------
    columns : (n_rows,) each; the columns of another frame, where one is given
    """
    listed = list(columns)
    return frame.with_columns(listed) if listed else frame


def with_missing(column: pl.Series, gone: Bools) -> pl.Series:
    """Return a column in which some cells are missing besides.

    Parameters
    ----------
    gone : (n_rows,), which cells
    """
    return column.set(pl.Series(gone), None) if gone.any() else column


def spread_over(column: pl.Series, rows: Ints, n_rows: int) -> pl.Series:
    """Spread the cells of some rows over all rows of a table; the others have none.

    Parameters
    ----------
    column : (n_some,)
    rows : (n_some,), the row of each cell

    Returns
    -------
    (n_rows,), of the same name and type
    """
    places = np.full(n_rows, -1, np.int64)
    places[rows] = np.arange(len(rows))
    return column.gather(pl.Series(places).replace(-1, None))


def table_of_cells(columns: Mapping[str, Sequence[str | int | float | None]]) -> pl.DataFrame:
    """Make a table of cells; each column holds texts, or numbers, or None for missing values."""
    return pl.DataFrame([_column(name, cells) for name, cells in columns.items()])


def _column(name: str, cells: Sequence[str | int | float | None]) -> pl.Series:
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds <= {int}:
        return pl.Series(name, cells, dtype=pl.Int64)
    return pl.Series(name, cells, dtype=pl.String if str in kinds else pl.Float64)


def are_starred(frame: pl.DataFrame, hollow: Container[str] = ()) -> Bools:
    """Return which rows are nothing but stars: (n_rows,).

    Parameters
    ----------
    hollow : columns in which a missing cell is read as a star, as bounds are
    """
    starred = np.ones(frame.height, np.bool_)
    for column in frame.iter_columns():
        if not starred.any():
            break
        # Polars takes some names for patterns.
        unnamed, cells = column.alias(""), np.zeros(frame.height, np.bool_)
        if isinstance(column.dtype, pl.String | pl.Categorical | pl.Enum):
            cells |= (unnamed.cast(pl.String) == ROOT).fill_null(value=False).to_numpy()
        if column.name in hollow:
            cells |= unnamed.is_null().to_numpy()
        starred &= cells
    return starred


def with_starred(frame: pl.DataFrame, n_rows: int) -> pl.DataFrame:
    """Return all cells as texts, and beneath them rows of stars."""
    stars = pl.DataFrame({name: [ROOT] * n_rows for name in frame.columns})
    columns = [cell_texts(midnights_as_days(column)) for column in frame.iter_columns()]
    return pl.concat([pl.DataFrame(columns), stars])


def rows_of_two(
    frame: pl.DataFrame, rows: Ints, names: Sequence[str], donors: Ints
) -> pl.DataFrame:
    """Return rows whose columns come from two records each.

    Parameters
    ----------
    rows : (n_rows,), record that gives the columns in ``names``
    donors : (n_rows,), record that gives the others
    """
    return frame[donors].with_columns([frame[name].gather(pl.Series(rows)) for name in names])


def with_texts(frame: pl.DataFrame, name: str, which: Bools, texts: Sequence[str]) -> pl.DataFrame:
    """Replace some cells of a column by values that are given as text; the type stays.

    Parameters
    ----------
    which : (n_rows,)
    texts : one per chosen row; the empty text is a missing value
    """
    if not which.any():
        return frame
    column = frame[name]
    given = pl.Series(texts, dtype=pl.String).replace("", None).cast(column.dtype)
    return frame.with_columns(column.scatter(pl.Series(which).arg_true(), given))


def numbered(frame: pl.DataFrame, name: str, numbers: Ints) -> pl.DataFrame:
    """Add a column of numbers in front."""
    column = pl.Series(name, numbers, dtype=pl.Int64)
    return pl.DataFrame([column, *frame.iter_columns()])


def table_of(columns: Mapping[str, Ints | Codes]) -> pl.DataFrame:
    """Make a table of whole numbers."""
    return pl.DataFrame({name: pl.Series(one, dtype=pl.Int64) for name, one in columns.items()})


def texts_of(frame: pl.DataFrame, name: str) -> list[str | None]:
    """Return a column as texts, None where a value is missing."""
    return frame[name].cast(pl.String).to_list()


def once_each(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """Sort rows, and add a column that counts each once."""
    counted = frame.with_columns(pl.Series(name, [1] * frame.height, dtype=pl.Int64))
    return counted[canonical_order(counted)]


def complete(frame: pl.DataFrame, names: Sequence[str]) -> Bools:
    """Return which rows have a value in each of some columns: (n_rows,)."""
    found = np.ones(frame.height, np.bool_)
    for name in names:
        found &= frame[name].is_not_null().to_numpy()
    return found


def beneath(values: pl.Series, column: pl.Series) -> pl.DataFrame:
    """Return a column beneath all values that it may have, to encode both alike."""
    return pl.DataFrame([pl.concat([values, column.alias(values.name)])])


def empty_like(kinds: Mapping[str, pl.DataType]) -> pl.DataFrame:
    """Return a frame without records."""
    return pl.DataFrame(schema=dict(kinds))


def chosen(
    frame: pl.DataFrame, rows: Ints | Bools, names: Sequence[str] | None = None
) -> pl.DataFrame:
    """Return some rows, and some columns by their names alone."""
    some = frame if names is None else pl.DataFrame([frame[name] for name in names])
    places = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
    return some[places] if some.width else some


def as_series(numbers: Ints) -> pl.Series:
    """Return an array as a column."""
    return pl.Series(numbers)


def drop_masked(frame: Frame, suppressed: str) -> Frame:
    """Leave out records that are masked whole, where the policy has them masked."""
    if suppressed != "mask":
        return frame
    starred = are_starred(frame)
    return frame[np.flatnonzero(~starred)] if starred.any() else frame
