"""A column of the input as the numbers of its distinct values: to compare those takes far less.

Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from indistinct.core.arrays import Codes, Ints
from indistinct.engines.small_columns import distinct, present_cells

FARTHEST = 1 << 62  # whole numbers that are no farther from 0 have room for a sum of two
WIDEST = 1 << 22  # whole numbers between the least and the greatest, for which a table is kept


class Numbered(NamedTuple):
    """The distinct values of a column, and which of them stands in each row.

    Parameters
    ----------
    values : (n_values,), in any order; a missing value is the last one
    codes : (n_rows,), place of each row's value
    """

    values: pl.Series
    codes: Codes


def numbered(column: pl.Series) -> Numbered:
    """Return numbers to the distinct values; O(n_rows) for texts, and for numbers close together.

    Notes
    -----
    Two cells have one number only if they are the same value: zeros of both signs are one.
    """
    if column.null_count() == len(column):
        return Numbered(column.head(1), np.zeros(len(column), np.int32))
    if isinstance(column.dtype, pl.Enum) and not column.null_count():
        return _numbered_categories(column, column.dtype.categories)
    if isinstance(column.dtype, pl.Categorical | pl.Enum | pl.Boolean):
        column = column.cast(pl.String)
    if column.dtype == pl.String:
        values = column.unique(maintain_order=True).drop_nulls()
        places = column.cast(pl.Enum(values)).to_physical()
    else:
        values, places = _ranked(column)
    if column.null_count():
        places = places.cast(pl.Int64).fill_null(len(values))
        values = values.append(pl.Series([None], dtype=values.dtype))
    return Numbered(values, places.to_numpy().astype(np.int32))


def _numbered_categories(column: pl.Series, categories: pl.Series) -> Numbered:
    """Return numbers to the categories that occur, none of which is missing, in their order."""
    places = column.to_physical().to_numpy()
    occurring = different(places, len(categories))
    table = np.zeros(len(categories), np.int32)
    table[occurring] = np.arange(len(occurring), dtype=np.int32)
    return Numbered(categories.gather(occurring).alias(column.name), table[places])


def _ranked(column: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Return the distinct values that are not missing in order, and the place of each row's."""
    values = present_cells(distinct(column)).sort()
    numbers = values.to_physical()
    if numbers.dtype.is_integer() and not column.null_count():
        least, most = int(numbers[0]), int(numbers[-1])
        if most - least < WIDEST and abs(least) < FARTHEST:
            table = np.zeros(most - least + 1, np.int32)
            table[numbers.cast(pl.Int64).to_numpy() - least] = np.arange(len(values))
            return values, pl.Series(table[column.to_physical().cast(pl.Int64).to_numpy() - least])
    return values, column.rank("dense").cast(pl.Int64) - 1


def different(numbers: Codes | Ints, end: int) -> Ints:
    """Return the different ones of some numbers from 0 up to ``end``, ascending."""
    if end < WIDEST:
        return np.flatnonzero(np.bincount(numbers, minlength=end))
    return np.unique(numbers).astype(np.int64)
