"""Find columns that number the rows of the input: a reader's definition.

Verification uses this and nothing of what made the release. The measure is Spearman's: the
correlation of the ranks, ties in the middle of theirs. A column is at fault from 0.9 on, of either
sign, where at least nine of ten cells differ, or where ten values or more have few records each; of
ten rows in an order by chance fewer than one in a thousand reaches it, of twenty fewer than one in
a hundred thousand. Numbers and dates are compared as such; texts by their code points, as numbers,
and by the first number in each. No other way to read a text is looked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from indistinct.base.arrays import Codes, Ints
from indistinct.tables.frames.small_columns import distinct, places_among, present_cells
from indistinct.tables.models.bounded import BoundedModel

FEWEST_ROWS = 10
STRONGEST = 0.9
LEAST_DISTINCT = 0.9
FEWEST_VALUES = 10
FEWEST_RECORDS = 5
TEXTS = pl.String | pl.Categorical | pl.Enum
FARTHEST = 1 << 62  # whole numbers that are no farther from 0 have room for a sum of two
WIDEST = 1 << 22  # whole numbers between the least and the greatest, for which a table is kept


def least_alike(models: Sequence[BoundedModel]) -> int:
    """Return how many records of a value, in the mean, keep a sorted column from telling places."""
    return max([FEWEST_RECORDS, *(model.least_size for model in models)])


def tells_order(column: pl.Series, alike: int = 0) -> bool:
    """Return whether the cells of a column nearly tell the places of their rows.

    Parameters
    ----------
    column : cells in the order of some table
    alike : records of a value, in the mean, from which on the column tells no places
    """
    if len(column) < FEWEST_ROWS:
        return False
    # No key tells more records apart than the cells themselves do.
    if _is_coarse(column.drop_nulls(), alike):
        return False
    return any(_follow(keys, alike) for keys in _keys(column))


def _follow(keys: pl.Series, alike: int) -> bool:
    """Return whether keys nearly rise or fall with the places of their rows."""
    both = pl.DataFrame({"key": keys, "place": np.arange(len(keys))}).drop_nulls()
    if _is_coarse(both["key"], alike):
        return False
    return abs(_correlation(both["key"], both["place"])) >= STRONGEST


def _correlation(keys: pl.Series, places: pl.Series) -> float:
    """Return Spearman's correlation of keys and places; 0 where all keys are one."""
    if keys.n_unique() < 2:  # noqa: PLR2004 - one value has no order
        return 0.0
    ranks = np.stack([column.rank("average").to_numpy() for column in (keys, places)])
    return float(np.corrcoef(ranks)[0, 1])


def _is_coarse(keys: pl.Series, alike: int) -> bool:
    """Return whether too many records share a value for the values to number them."""
    n, n_values = len(keys), keys.n_unique()
    return n < FEWEST_ROWS or (
        n_values < LEAST_DISTINCT * n and (n_values < FEWEST_VALUES or n >= alike * n_values)
    )


def _keys(column: pl.Series) -> Iterator[pl.Series]:
    """Yield the orders in which a reader may sort a column."""
    if column.dtype.is_integer() or column.dtype.is_float() or column.dtype.is_decimal():
        yield column
    elif column.dtype.is_temporal():
        yield column.to_physical()
    elif isinstance(column.dtype, TEXTS):
        texts = column.cast(pl.String)
        yield texts
        as_numbers = texts.cast(pl.Float64, strict=False)
        if as_numbers.null_count() == texts.null_count():
            yield as_numbers
        running = texts.str.extract(r"(\d+)").cast(pl.Int64, strict=False)
        if running.null_count() == texts.null_count():
            yield running


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
        values = present_cells(distinct(column))
        places = places_among(column, values)
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
