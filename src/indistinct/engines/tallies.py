"""Count equal rows, whatever the columns are called.

Polars reads ``*`` and names between ``^`` and ``$`` as patterns, and gives its own names to counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl


def columns_of(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Take columns by their names alone."""
    return pl.DataFrame([frame.get_column(name) for name in names])


def without(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Leave columns out by their names alone; a name that is not there is no error."""
    return columns_of(frame, [name for name in frame.columns if name not in names])


def numbered(columns: Sequence[pl.Series]) -> tuple[pl.Series, pl.Series]:
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
    keys = [column.alias(f"column {index}") for index, column in enumerate(columns)]
    frame = pl.DataFrame(keys).with_row_index("row")
    grouped = frame.group_by([key.name for key in keys], maintain_order=True)
    rows = grouped.agg("row").select("row").with_row_index("kind")
    first = rows.select(pl.col("row").list.first()).to_series()
    return rows.explode("row").sort("row").get_column("kind"), first


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


def tally_within(
    columns: Sequence[pl.Series], values: pl.Series, weights: pl.Series | None = None
) -> Iterator[tuple[tuple[Any, ...], dict[Any, int]]]:
    """Count the values that stand beside each kind of row, in the order in which they first occur.

    Parameters
    ----------
    columns : at least one, of equal length
    values : of the same length
    weights : records of each row; one each where left out
    """
    keys = [column.alias(f"column {index}") for index, column in enumerate(columns)]
    rows = [] if weights is None else [weights.alias("rows")]
    names = [key.name for key in keys]
    grouped = pl.DataFrame([*keys, values.alias("value"), *rows]).group_by(
        [*names, "value"], maintain_order=True
    )
    counted = grouped.len("rows") if weights is None else grouped.agg(pl.col("rows").sum())
    by_kind = counted.group_by(names, maintain_order=True).agg("value", "rows")
    for *kind, held, counts in by_kind.iter_rows():
        yield tuple(kind), dict(zip(held, counts, strict=True))
