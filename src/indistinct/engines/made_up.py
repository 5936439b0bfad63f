"""Tables of made-up cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl


def table_of_cells(columns: Mapping[str, Sequence[str | int | float | None]]) -> pl.DataFrame:
    """Make a table of cells; each column holds texts, or numbers, or None for missing values."""
    return pl.DataFrame([_column(name, cells) for name, cells in columns.items()])


def _column(name: str, cells: Sequence[str | int | float | None]) -> pl.Series:
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds <= {int}:
        return pl.Series(name, cells, dtype=pl.Int64)
    return pl.Series(name, cells, dtype=pl.String if str in kinds else pl.Float64)
