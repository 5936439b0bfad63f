"""Count equal rows, whatever the columns are called.

Polars reads ``*`` and names between ``^`` and ``$`` as patterns, and gives its own names to counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import polars as pl

from indistinct.core.arrays import Ints

MOST_KINDS = 1 << 62


def columns_of(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Take columns by their names alone."""
    return pl.DataFrame([frame.get_column(name) for name in names])


def without(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Leave columns out by their names alone; a name that is not there is no error."""
    return columns_of(frame, [name for name in frame.columns if name not in names])


def kinds_of(columns: Sequence[pl.Series]) -> tuple[pl.Series, pl.Series]:
    """Give each row the number of its kind, by the order in which the kinds first occur.

    To count numbers takes a fraction of what it takes to count rows of texts.

    Parameters
    ----------
    columns : at least one, of equal length

    Returns
    -------
    kinds : (n_rows,), number of the kind of each row
    first : (n_kinds,), the first row of each kind
    """
    numbers = _numbers_of(columns)
    if numbers is not None:
        return _first_come(numbers)
    keys = [column.alias(f"column {index}") for index, column in enumerate(columns)]
    frame = pl.DataFrame(keys).with_row_index("row")
    grouped = frame.group_by([key.name for key in keys], maintain_order=True)
    rows = grouped.agg("row").select("row").with_row_index("kind")
    first = rows.select(pl.col("row").list.first()).to_series()
    return rows.explode("row").sort("row").get_column("kind"), first


def _numbers_of(columns: Sequence[pl.Series]) -> Ints | None:
    """Give each combination of texts a number of its own; None where 62 bits are too few.

    Texts alone: of numbers, Polars knows best which are equal.
    """
    numbers = np.zeros(len(columns[0]), np.int64)
    n_kinds = 1
    for column in columns:
        if column.dtype != pl.String:
            return None
        values = column.unique().drop_nulls()
        n_kinds *= len(values) + 1
        if n_kinds > MOST_KINDS:
            return None
        codes = column.cast(pl.Enum(values)).to_physical()
        numbers *= len(values) + 1
        numbers += codes.cast(pl.Int64).fill_null(len(values)).to_numpy()
    return numbers


def _first_come(numbers: Ints) -> tuple[pl.Series, pl.Series]:
    """Give equal numbers one kind, by the order in which they first occur; see :func:`kinds_of`."""
    _, first, inverse = np.unique(numbers, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.uint32)
    rank[order] = np.arange(len(order), dtype=np.uint32)
    return pl.Series("kind", rank[inverse]), pl.Series("row", first[order].astype(np.uint32))


def tally(
    columns: Sequence[pl.Series], weights: pl.Series | None = None
) -> Iterator[tuple[tuple[Any, ...], int]]:
    """Count the rows of each kind, in the order in which the kinds first occur.

    Parameters
    ----------
    columns : at least one, of equal length
    weights : records of each row; one each where left out
    """
    keys = [column.alias(f"column {index}") for index, column in enumerate(columns)]
    rows = [] if weights is None else [weights.alias("rows")]
    grouped = pl.DataFrame([*keys, *rows]).group_by([key.name for key in keys], maintain_order=True)
    counted = grouped.len("rows") if weights is None else grouped.agg(pl.col("rows").sum())
    for *kind, count in counted.iter_rows():
        yield tuple(kind), count


def sizes_of(kinds: pl.Series, weights: pl.Series | None = None) -> list[int]:
    """Count the rows of each kind: (n_kinds,).

    Parameters
    ----------
    kinds : (n_rows,), number of the kind of each row, from 0 on in the order of first occurrence
    weights : records of each row; one each where left out
    """
    rows = [] if weights is None else [weights.alias("rows")]
    grouped = pl.DataFrame([kinds.alias("kind"), *rows]).group_by("kind", maintain_order=True)
    counted = grouped.len("rows") if weights is None else grouped.agg(pl.col("rows").sum())
    return counted["rows"].to_list()


def tallies_within(
    kinds: pl.Series, values: pl.Series, weights: pl.Series | None = None
) -> list[dict[Any, int]]:
    """Count the values in the rows of each kind, as they first occur: (n_kinds,).

    Parameters
    ----------
    kinds : (n_rows,), number of the kind of each row, from 0 on in the order of first occurrence
    values : (n_rows,)
    weights : records of each row; one each where left out
    """
    rows = [] if weights is None else [weights.alias("rows")]
    frame = pl.DataFrame([kinds.alias("kind"), values.alias("value"), *rows])
    grouped = frame.group_by(["kind", "value"], maintain_order=True)
    counted = grouped.len("rows") if weights is None else grouped.agg(pl.col("rows").sum())
    of_kind = counted.group_by("kind", maintain_order=True).agg("value", "rows")
    return [
        dict(zip(held, counts, strict=True))
        for held, counts in zip(of_kind["value"].to_list(), of_kind["rows"].to_list(), strict=True)
    ]
