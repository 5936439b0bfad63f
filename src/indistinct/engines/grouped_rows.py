"""Rows of a release in which some have no person: put together from the rows of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from indistinct.core.arrays import Bools, Codes, Ints
from indistinct.engines.canonical_order import canonical_order


def rows_of_two(
    frame: pl.DataFrame, rows: Ints, names: Sequence[str], donors: Ints
) -> pl.DataFrame:
    """Give rows whose columns come from two records each.

    Parameters
    ----------
    rows : (n_rows,), record that gives the columns in ``names``
    donors : (n_rows,), record that gives the others
    """
    return frame[donors].with_columns([frame[name].gather(pl.Series(rows)) for name in names])


def with_texts(frame: pl.DataFrame, name: str, which: Bools, texts: Sequence[str]) -> pl.DataFrame:
    """Replace some cells of a column by values that are given as text; the type stays.

    Parameters
    ----------
    which : (n_rows,)
    texts : one per chosen row; the empty text is a missing value
    """
    if not which.any():
        return frame
    column = frame[name]
    given = pl.Series(texts, dtype=pl.String).replace("", None).cast(column.dtype)
    return frame.with_columns(column.scatter(pl.Series(which).arg_true(), given))


def numbered(frame: pl.DataFrame, name: str, numbers: Ints) -> pl.DataFrame:
    """Add a column of numbers in front."""
    column = pl.Series(name, numbers, dtype=pl.Int64)
    return pl.DataFrame([column, *frame.iter_columns()])


def table_of(columns: Mapping[str, Ints | Codes]) -> pl.DataFrame:
    """Make a table of whole numbers."""
    return pl.DataFrame({name: pl.Series(one, dtype=pl.Int64) for name, one in columns.items()})


def texts_of(frame: pl.DataFrame, name: str) -> list[str | None]:
    """Give a column as texts, None where a value is missing."""
    return frame[name].cast(pl.String).to_list()


def once_each(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """Sort rows, and add a column that counts each once."""
    counted = frame.with_columns(pl.Series(name, [1] * frame.height, dtype=pl.Int64))
    return counted[canonical_order(counted)]
