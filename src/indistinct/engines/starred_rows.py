"""Rows of nothing but stars, as which suppressed records may be released."""

from __future__ import annotations

from collections.abc import Container

import numpy as np
import polars as pl

from indistinct.core.arrays import Bools
from indistinct.core.hierarchy import ROOT
from indistinct.engines.cell_texts import all_cell_texts


def are_starred(frame: pl.DataFrame, hollow: Container[str] = ()) -> Bools:
    """Tell which rows are nothing but stars: (n_rows,).

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
    """Give all cells as texts, and beneath them rows of stars."""
    stars = pl.DataFrame({name: [ROOT] * n_rows for name in frame.columns})
    return pl.concat([all_cell_texts(frame), stars])
