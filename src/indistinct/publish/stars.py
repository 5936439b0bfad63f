"""Rows of nothing but stars: what a reader cannot tell from masked records."""

from __future__ import annotations

from collections.abc import Container

import numpy as np
import polars as pl

from indistinct.errors import NoSolutionError

STAR = "*"


def refuse_rows_of_stars(written: pl.DataFrame, hollow: Container[str] = ()) -> None:
    """Refuse to mask suppressed records where a released one is nothing but stars as well.

    Parameters
    ----------
    written : the released records
    hollow : columns in which an empty cell is read as a star, as bounds are

    Raises
    ------
    NoSolutionError
        when a reader could not tell a released record from those that are suppressed
    """
    starred = np.ones(written.height, np.bool_)
    for column in written:
        cells = np.zeros(written.height, np.bool_)
        if column.dtype == pl.String:
            cells |= (column == STAR).fill_null(value=False).to_numpy()
        if column.name in hollow:
            cells |= column.is_null().to_numpy()
        starred &= cells
    count = int(starred.sum())
    if count:
        raise NoSolutionError(
            f"{count:,} released records are written as {STAR} in every column, like suppressed "
            'records if release.suppressed is "mask", so they cannot be distinguished',
            'Set release.suppressed to "drop".',
        )
