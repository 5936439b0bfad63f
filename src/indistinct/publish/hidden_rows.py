"""Rows of nothing but stars: what a reader cannot tell from masked records."""

from __future__ import annotations

from collections.abc import Container

import numpy as np

from indistinct.core.arrays import Ints
from indistinct.core.hierarchy import ROOT
from indistinct.engines.frames import Frame, are_starred, with_starred
from indistinct.errors import NoSolutionError


def refuse_rows_of_stars(written: Frame, hollow: Container[str] = ()) -> None:
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
    count = int(are_starred(written, hollow).sum())
    if count:
        raise NoSolutionError(
            f"{count:,} released records are written as {ROOT} in every column, like suppressed "
            'records if release.suppressed is "mask", so they cannot be distinguished',
            'Set release.suppressed to "drop".',
        )


def with_rows_of_stars(written: Frame, rows: Ints, n_input: int) -> tuple[Frame, Ints]:
    """Add a row of stars for each suppressed record.

    Parameters
    ----------
    rows : input row of each released record
    n_input : records of the input

    Returns
    -------
    all rows, and the input row of each
    """
    n_masked = n_input - written.height
    if n_masked == 0:
        return written, rows
    together = with_starred(written, n_masked)
    gone = np.setdiff1d(np.arange(n_input), rows)
    return together, np.concatenate([rows, gone])
