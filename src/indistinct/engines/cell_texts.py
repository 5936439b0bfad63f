"""The text of a cell, for every type a column can have: unequal cells have unequal texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl


def cell_texts(column: pl.Series) -> pl.Series:
    """Write every cell as text that loses nothing; a missing cell stays missing.

    Parameters
    ----------
    column : of any type that is not nested; text is given back as it is

    Notes
    -----
    Polars writes a time of day without its fractions of a second, and a duration not at all, when
    it casts them to text. Both are written in the form of ISO 8601 instead.
    """
    if isinstance(column.dtype, pl.Time | pl.Duration):
        return column.dt.to_string("iso")
    return column.cast(pl.String)


def text_column(name: str, texts: Sequence[str | None]) -> pl.Series:
    """Make a column of texts."""
    return pl.Series(name, texts, pl.String)


def with_text_columns(frame: pl.DataFrame, columns: Mapping[str, Sequence[str]]) -> pl.DataFrame:
    """Add columns of texts, or replace those of these names."""
    return frame.with_columns(text_column(name, texts) for name, texts in columns.items())


def all_cell_texts(frame: pl.DataFrame) -> pl.DataFrame:
    """Write every cell of a frame as text that loses nothing."""
    return frame.with_columns(cell_texts(column) for column in frame.iter_columns())
