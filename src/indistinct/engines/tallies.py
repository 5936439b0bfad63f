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
    """Count the values among the rows of each kind, kinds and values as they first occur.

    Parameters
    ----------
    columns : at least one, that make a kind
    values : to be counted within each kind
    weights : records of each row; one each where left out
    """
    keys = [column.alias(f"column {index}") for index, column in enumerate(columns)]
    names = [key.name for key in keys]
    rows = [] if weights is None else [weights.alias("rows")]
    frame = pl.DataFrame([*keys, values.alias("value"), *rows])
    grouped = frame.group_by([*names, "value"], maintain_order=True)
    counted = grouped.len("rows") if weights is None else grouped.agg(pl.col("rows").sum())
    within = counted.group_by(names, maintain_order=True).agg("value", "rows")
    for *kind, found, counts in within.iter_rows():
        yield tuple(kind), dict(zip(found, counts, strict=True))
