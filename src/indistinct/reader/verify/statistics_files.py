"""A statistics file as its bytes say it: the cells, and everything that stands beside them.

Verification uses this and no library that writes such files. A layout that is not read here, such
as a compressed one, is left to others, and said to be undecided.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from indistinct.core.arrays import Floats
from indistinct.core.brief import briefly

LARGEST_WHOLE = 2.0**53
SECONDS = 86_400


@dataclass(frozen=True, slots=True)
class StatisticsFile:
    """The parts of a file of SPSS or Stata.

    Parameters
    ----------
    frame : the cells
    values : per column, the values that have a label, as text
    beside : what a file may hold besides cells, names and labels of what it shows; each a sentence
    """

    frame: pl.DataFrame
    values: Mapping[str, frozenset[str]]
    beside: tuple[str, ...]

    __repr__ = briefly


class UnreadError(Exception):
    """The bytes have a layout that is not read here."""


def numbers(name: str, values: Floats) -> pl.Series:
    """Give numbers as a column: whole where all are whole, NaN as missing."""
    column = pl.Series(name, values).fill_nan(None)
    known = values[~np.isnan(values)]
    is_whole = bool(((known == np.floor(known)) & (np.abs(known) <= LARGEST_WHOLE)).all())
    return column.cast(pl.Int64) if len(known) and is_whole else column


def moments(name: str, seconds: Floats) -> pl.Series:
    """Give seconds since 1970 as dates where all are midnight, else as moments."""
    known = seconds[~np.isnan(seconds)]
    rounded = pl.Series(name, np.round(seconds * 1e3) * 1e3).fill_nan(None).cast(pl.Int64)
    column = rounded.cast(pl.Datetime("us"))
    return column.cast(pl.Date) if bool((known % SECONDS == 0).all()) else column


def number_text(value: float) -> str:
    """Write a labelled number as a cell of a column of numbers is written."""
    return str(int(value)) if value == int(value) and abs(value) <= LARGEST_WHOLE else repr(value)
