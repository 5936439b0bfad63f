"""The same table with other cells in some rows."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from indistinct.core.arrays import Codes, Ints


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
