"""The one order of a release: by its cells, so that it tells nothing that they do not tell.

Columns of quasi-identifiers come first, then the others, both in the order of the table. A column
is ordered by value where it holds numbers, moments or truth values, and so is one of texts that are
all numbers; every other one is ordered by the code points of its texts. Cells of equal value, such
as ``1`` and ``1.0``, are ordered by their texts. Missing cells come last.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import cast

import numpy as np
import polars as pl

from indistinct.base.arrays import Ints
from indistinct.base.cells.plain_numbers import PLAIN_NUMBER, is_plain_number
from indistinct.tables.frames.small_columns import SMALL, distinct, places_among, present_cells

TEXTS = pl.String | pl.Categorical | pl.Enum
LARGEST_EXACT = 2**53  # whole numbers up to which no two are one floating point number
MOST_KINDS = 1 << 62
MOST_SHORT = 2**16 - 1  # numbers up to which NumPy sorts by digits
RECORDS_PER_TEXT = 4  # from which on texts are sorted by their numbers
CODES = pl.UInt32()  # the type of these numbers
WIDE = pl.Int64 | pl.UInt64 | pl.Int128 | pl.UInt128 | pl.Decimal


def columns_in_order(columns: Sequence[str], first: Container[str]) -> list[str]:
    """Return the columns in the order in which a release is sorted by them.

    Parameters
    ----------
    columns : of the release
    first : those of the quasi-identifiers
    """
    return sorted(columns, key=lambda name: name not in first)


def canonical_order(frame: pl.DataFrame, first: Container[str] = ()) -> Ints:
    """Return the numbers of the rows in canonical order: (n_rows,).

    Parameters
    ----------
    frame : a release, a missing cell written in one way only
    first : the columns of the quasi-identifiers
    """
    keys = _keys_of(frame, first)
    if not keys:
        return np.arange(frame.height, dtype=np.int64)
    return _sorted(keys)


def canonical_ranks(frame: pl.DataFrame, first: Container[str] = ()) -> Ints:
    """Return the place of each row among the distinct rows in canonical order: (n_rows,)."""
    keys = _keys_of(frame, first)
    if not keys or not frame.height:
        return np.zeros(frame.height, np.int64)
    if (numbers := _packed(keys)) is not None:
        return np.unique(numbers, return_inverse=True)[1].astype(np.int64)
    order = _sorted(keys)
    ranks = np.empty(frame.height, np.int64)
    ranks[order] = pl.DataFrame(keys)[order].select(pl.struct(pl.all()).rle_id()).to_series()
    return ranks


def order_within(ranks: Ints, frame: pl.DataFrame) -> Ints:
    """Return the numbers of the rows by their ranks, those of a rank in canonical order: (n_rows,).

    Parameters
    ----------
    ranks : (n_rows,), from 0
    frame : what the rows show besides
    """
    return _sorted([pl.Series(ranks, dtype=CODES), *_keys_of(frame, ())])


def sort_keys(name: str, dtype: pl.DataType, *, is_number: bool = False) -> list[pl.Expr]:
    """Return what a column is sorted by, ascending and with missing cells last.

    Parameters
    ----------
    is_number : whether a column of texts holds nothing but numbers
    """
    column = pl.col(name)
    if isinstance(dtype, TEXTS):
        texts = column.cast(pl.String)
        return [texts.cast(pl.Float64), texts] if is_number else [texts]
    if dtype.is_float():
        return [column.fill_nan(None)]
    if isinstance(dtype, WIDE):
        number = column.cast(pl.Float64)
        return [number, pl.when(number.abs() > LARGEST_EXACT).then(column.cast(pl.String))]
    if isinstance(dtype, pl.Duration):
        return [column.dt.to_string("iso")]
    return [column]


def are_numbers(names: Iterable[str]) -> list[pl.Expr]:
    """Return, per column of texts, whether all its cells are numbers."""
    return [pl.col(name).cast(pl.String).str.contains(PLAIN_NUMBER).all() for name in names]


def are_all_numbers(texts: pl.Series) -> bool:
    """Return whether every text is a number, which the first one mostly decides."""
    if len(texts) <= SMALL:
        return all(map(is_plain_number, texts.to_list()))
    is_first = all(map(is_plain_number, texts.head(1)))
    return is_first and bool(texts.str.contains(PLAIN_NUMBER).all())


def text_columns(schema: Mapping[str, pl.DataType], names: Iterable[str]) -> list[str]:
    """Return the columns whose cells are texts."""
    return [name for name in names if isinstance(schema[name], TEXTS)]


def _sorted(keys: Sequence[pl.Series]) -> Ints:
    """Return the numbers of the rows by ascending keys, missing ones last."""
    if (numbers := _packed(keys)) is not None:
        few = len(numbers) and numbers.max() <= MOST_SHORT
        return np.argsort(numbers.astype(np.uint16) if few else numbers, kind="stable")
    table = pl.DataFrame(keys)
    order = table.select(pl.arg_sort_by(table.columns, nulls_last=True)).to_series()
    return order.to_numpy().astype(np.int64)


def _packed(keys: Sequence[pl.Series]) -> Ints | None:
    """Return a number for each row that orders the rows as all keys do.

    Returns
    -------
    (n_rows,), a missing cell after all others; None where a key is of another type than numbers
    of texts, or 62 bits are too few
    """
    numbers = np.zeros(len(keys[0]), np.int64)
    n_kinds = 1
    for key in keys:
        if key.dtype != CODES:
            return None
        n_values = cast("int", key.max() or 0) + 1
        n_kinds *= n_values + 1
        if n_kinds > MOST_KINDS:
            return None
        numbers *= n_values + 1
        places = key.cast(pl.Int64)
        numbers += (places.fill_null(n_values) if key.null_count() else places).to_numpy()
    return numbers


def _keys_of(frame: pl.DataFrame, first: Container[str]) -> list[pl.Series]:
    """Return the sort keys of a frame, the most important first."""
    # Polars takes some names for patterns.
    columns = [
        frame[name].alias(f"column {place}")
        for place, name in enumerate(columns_in_order(frame.columns, first))
        if not frame[name].dtype.is_nested()
    ]
    keys = [key for column in columns for key in _keys_of_column(column)]
    return [key.alias(str(place)) for place, key in enumerate(keys)]


def _keys_of_column(column: pl.Series) -> list[pl.Series]:
    """Return what a column is sorted by; texts that repeat often as the numbers of these texts."""
    is_number = False
    if isinstance(column.dtype, TEXTS):
        column = column.cast(pl.String)
        values = present_cells(distinct(column))
        is_number = are_all_numbers(values)
        if not is_number and len(values) * RECORDS_PER_TEXT <= len(column):
            return [places_among(column, values.sort())]
        if not is_number:
            return [column]
    keys = sort_keys(column.name, column.dtype, is_number=is_number)
    return [column.to_frame().select(key).to_series() for key in keys]
