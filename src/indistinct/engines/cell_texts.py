"""The text of a cell, for every type a column can have: unequal cells have unequal texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from indistinct.core.arrays import Codes


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


def all_filled_texts(frame: pl.DataFrame) -> pl.DataFrame:
    """Write every cell of a frame as text, a missing one as the empty text."""
    return all_cell_texts(frame).fill_null("")


def text_rows(frame: pl.DataFrame, names: Sequence[str]) -> list[tuple[str, ...]]:
    """Give the cells of some columns row by row, a missing one as the empty text."""
    texts = [filled_texts(frame[name]).to_list() for name in names]
    return list(zip(*texts, strict=True)) if texts else [()] * frame.height


def distinct_texts(column: pl.Series) -> list[str]:
    """List the texts of a column, each once and in order, a missing one as the empty text."""
    return filled_texts(column).unique().sort().to_list()


def coded_texts(column: pl.Series) -> tuple[list[str], Codes]:
    """List the texts of a column as :func:`distinct_texts`, and the place of each cell's there.

    Returns
    -------
    the texts, and (n_rows,) places
    """
    cells = filled_texts(column)
    texts: list[str] = cells.unique().sort().to_list()
    return texts, cells.cast(pl.Enum(texts)).to_physical().to_numpy().astype(np.int32)


def filled_texts(column: pl.Series) -> pl.Series:
    """Write every cell as text, a missing one as the empty text, under no name.

    Polars takes some names for patterns.
    """
    return cell_texts(column).alias("").fill_null("")
