"""Find columns that would give the order of the input away, before anything is released.

The order of a release tells nothing. A column that grows, or falls, with the rows of the input
undoes that: case numbers, time stamps, texts with a running number. Dates and numbers are those
that reading found; no other way to read a text is looked for. Verification has its own
(:mod:`indistinct.tables.verification.order_traces`).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from indistinct.base.arrays import Floats, Ints
from indistinct.tables.frames.small_columns import present_cells

SHORTEST = 10  # records below which an order may well be chance
NEARLY_UNIQUE = 0.9  # share of different values among the cells that are not missing
FEWEST_ALIKE = 5  # records of each value, in the mean, that a sorted column of many values needs
FEWEST_VALUES = 10  # below which a sorted column tells little of the order
NEARLY_MONOTONE = 0.9  # Spearman's rank correlation with the number of the row, either sign
TEXTS = pl.String | pl.Categorical | pl.Enum


def follows_the_rows(column: pl.Series, fewest: int = SHORTEST, alike: int = 0) -> bool:
    """Return whether a column nearly numbers its rows, upwards or downwards.

    Parameters
    ----------
    column : of the input, in the input's order
    fewest : known values below which nothing is said
    alike : least mean number of records of a value with which a sorted column is let through

    Notes
    -----
    At least nine of ten known values differ, or there are ten values or more with fewer than
    ``alike`` records each, in the mean; and the rank correlation of the values with the rows is at
    least 0.9 or at most -0.9. Numbers and moments are compared as such; texts are compared as
    texts, as numbers, and by the first whole number in each. Where the order is chance, ten records
    reach this in fewer than one of a thousand columns, and twenty in fewer than one of a hundred
    thousand.
    """
    cells = present_cells(column)
    # What is read of a text differs in no more cells than the texts do.
    if len(cells) < fewest or not _are_many(cells, alike):
        return False
    return any(
        _are_many(keys, alike) and abs(_correlation(keys)) >= NEARLY_MONOTONE
        for keys in _orders(cells)
    )


def _are_many(keys: pl.Series, alike: int) -> bool:
    """Return whether values are so many that their order tells the rows nearly one by one."""
    n_values = keys.n_unique()
    return n_values >= NEARLY_UNIQUE * len(keys) or (
        n_values >= FEWEST_VALUES and len(keys) < alike * n_values
    )


def fewest_in_order(dtype: pl.DataType) -> int:
    """Return the known values below which nothing is said of a column of some type."""
    return 2 if dtype.is_integer() or dtype.is_temporal() else SHORTEST


def _orders(cells: pl.Series) -> Iterator[pl.Series]:
    """Yield some cells in the forms that a program sorts them by."""
    if not isinstance(cells.dtype, TEXTS):
        yield cells
        return
    texts = cells.cast(pl.String)
    yield texts
    as_numbers = texts.cast(pl.Float64, strict=False)
    if as_numbers.null_count() == 0:
        yield as_numbers
    numbers = texts.str.extract(r"([0-9]{1,18})").cast(pl.Int64, strict=False)
    if numbers.null_count() == 0:
        yield numbers


def _correlation(keys: pl.Series) -> float:
    """Return the rank correlation of keys with the order they stand in, in [-1, 1]."""
    ranks: Ints = keys.rank("dense").to_numpy().astype(np.int64)
    if not len(ranks) or (ranks == ranks[0]).all():
        return 0.0
    order = np.arange(len(ranks), dtype=np.float64)
    spread: Floats = ranks - ranks.mean()
    order -= order.mean()
    return float((spread * order).sum() / np.sqrt((spread**2).sum() * (order**2).sum()))
