"""Rows of nothing but stars: what a reader cannot tell from masked records."""

from __future__ import annotations

from collections.abc import Container

import numpy as np
import polars as pl

from indistinct.core.arrays import Ints
from indistinct.core.randomness import RandomSource
from indistinct.engines.cell_texts import all_cell_texts
from indistinct.engines.rebuild import rebuilt
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
        if isinstance(column.dtype, pl.String | pl.Categorical | pl.Enum):
            cells |= (column.cast(pl.String) == STAR).fill_null(value=False).to_numpy()
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


def with_rows_of_stars(
    written: pl.DataFrame, rows: Ints, n_input: int, source: RandomSource
) -> tuple[pl.DataFrame, Ints]:
    """Add a row of stars for each suppressed record, and mix them in.

    Parameters
    ----------
    rows : input row of each released record
    n_input : records of the input
    source : of the order

    Returns
    -------
    all rows, and the input row of each
    """
    n_masked = n_input - written.height
    if n_masked == 0:
        return written, rows
    stars = pl.DataFrame({name: [STAR] * n_masked for name in written.columns})
    together = pl.concat([all_cell_texts(written), stars])
    gone = np.setdiff1d(np.arange(n_input), rows)
    # Apart: a seed would draw the first order once more, and twice the same may undo itself.
    order = source.apart("masked rows").permutation(n_input)
    return rebuilt(together[order]), np.concatenate([rows, gone])[order]
