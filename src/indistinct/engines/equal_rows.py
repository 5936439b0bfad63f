"""Rows that are equal in some columns, brought together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from indistinct.core.arrays import Codes, Floats, Ints
from indistinct.core.brief import briefly
from indistinct.engines.canonical_order import canonical_order

N_ROWS = "rows"


@dataclass(frozen=True, slots=True)
class EqualRows:
    """The kinds of rows of a table, and what stands beside the rows of each.

    Parameters
    ----------
    cells : one row per kind
    starts : (n_kinds + 1,), where the rows of each kind start
    beside : per array that was given, (n_rows,), the rows of one kind after those of another
    """

    cells: pl.DataFrame
    starts: Ints
    beside: tuple[Ints | Codes, ...]

    __repr__ = briefly


def equal_rows(frame: pl.DataFrame, beside: Sequence[Ints | Codes]) -> EqualRows:
    """Bring the rows of a table together that are equal; a missing cell equals a missing one.

    Parameters
    ----------
    frame : (n_rows, n_columns), at least one column
    beside : arrays of (n_rows,), which are brought into the same order

    Notes
    -----
    One group-by, and one further pass over the records for each array.
    """
    # Columns may have any name, such as those that are made here.
    keys = [f"column {index}" for index in range(frame.width)]
    arrays = {f"array {index}": array for index, array in enumerate(beside)}
    named = frame.rename(dict(zip(frame.columns, keys, strict=True)))
    found = (
        named.with_columns(pl.Series(name, array) for name, array in arrays.items())
        .group_by(keys)
        .agg(pl.len().alias(N_ROWS), *map(pl.col, arrays))
    )
    starts = np.concatenate([[0], np.cumsum(found[N_ROWS].to_numpy().astype(np.int64))])
    return EqualRows(
        found.select(keys).rename(dict(zip(keys, frame.columns, strict=True))),
        starts.astype(np.int64),
        tuple(found[name].explode().to_numpy() for name in arrays),
    )


def sorted_with(cells: pl.DataFrame, figures: Mapping[str, Ints | Floats]) -> pl.DataFrame:
    """Put arrays beside the columns of a table, and sort by the first of them and the columns.

    Parameters
    ----------
    cells : (n_rows, n_columns)
    figures : by names that no column has, (n_rows,)
    """
    table = cells.with_columns(pl.Series(name, array) for name, array in figures.items())
    return table.sort([next(iter(figures)), *cells.columns])


def counted_rows(frame: pl.DataFrame, count: str) -> pl.DataFrame:
    """Give each kind of row once, in canonical order, with its number of rows.

    Parameters
    ----------
    frame : (n_rows, n_columns), at least one column
    count : name of the column of numbers, which comes last; no column has it
    """
    counted = frame.group_by(pl.all()).len(count).with_columns(pl.col(count).cast(pl.Int64))
    return counted[canonical_order(counted)]
