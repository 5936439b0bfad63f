"""How many values a column has, and how many of its cells repeat one."""

from __future__ import annotations

import polars as pl


def n_values_of(column: pl.Series) -> int:
    """Count the different values of a column, a missing one not among them."""
    # Polars takes some names for patterns.
    return column.alias("").drop_nulls().n_unique()


def n_repeated(column: pl.Series) -> int:
    """Count the cells whose value another cell has, too; a missing cell equals a missing one."""
    return int(column.alias("").is_duplicated().sum())
