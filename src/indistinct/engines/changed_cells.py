"""The same table with other cells: in some rows, or in whole columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import polars as pl

from indistinct.core.arrays import Bools, Codes, Ints


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
    return frame.with_columns(columns)


def with_missing(column: pl.Series, gone: Bools) -> pl.Series:
    """Give a column in which some cells are missing besides.

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
