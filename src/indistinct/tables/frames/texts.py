"""The text of a cell, for every type a column can have: unequal cells have unequal texts.

Polars keeps 16 bytes for each text beside the text itself. Columns of repeated texts can be held as
places in a list of their texts: of a million records with eight columns of words, a frame of places
takes a tenth of the memory of a frame of texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
import polars as pl

from indistinct.base.arrays import Bools, Codes
from indistinct.tables.core.keys import number_key

SeriesOrExpression = TypeVar("SeriesOrExpression", pl.Series, pl.Expr)


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
    return as_texts_of(column, column.dtype)


def as_texts_of(cells: SeriesOrExpression, dtype: pl.DataType) -> SeriesOrExpression:
    """Write cells of some type as :func:`cell_texts` does, those of a query, too."""
    if isinstance(dtype, pl.Time | pl.Duration):
        return cells.dt.to_string("iso")
    return cells.cast(pl.String)


def number_texts(numbers: pl.Series) -> pl.Series:
    """Write each number by its key: 6 for 6.0, all digits for an exponent.

    Parameters
    ----------
    numbers : of a type of numbers, or texts of decimals
    """
    texts = numbers.cast(pl.String)
    if numbers.dtype.is_integer():
        return texts
    texts = texts.str.replace(r"\.0*$|(\.[0-9]*[1-9])0+$", "$1")
    keys = {text: number_key(text) or text for text in texts.filter(texts.str.contains("e|^-0$"))}
    return texts.replace(keys) if keys else texts


def texts_by_key(column: pl.Series) -> pl.Series:
    """Write every cell as text, a number by its key, and a missing one as the empty text."""
    if not column.dtype.is_numeric():
        return filled_texts(column)
    numbers = column.fill_nan(None) if column.dtype.is_float() else column
    return number_texts(numbers.alias("")).fill_null("")


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


def is_written_plainly(column: pl.Series) -> bool:
    """Return whether equal cells of a column have one text by its type, and different ones two."""
    return column.dtype.is_integer() or isinstance(column.dtype, pl.String | pl.Date)


def has_text(texts: pl.Series, text: str) -> bool:
    """Return whether some cell of a column of texts reads so."""
    return bool((texts == text).any())


def known_texts(texts: pl.Series) -> list[str]:
    """List the different texts of a column, in any order, a missing one not among them."""
    return texts.unique().drop_nulls().to_list()


def texts_with(column: pl.Series, gone: Bools, unwritten: str) -> pl.Series:
    """Write cells as texts, and one text in place of all that are missing.

    Parameters
    ----------
    gone : (n_rows,), which cells are missing; all that hold nothing are
    """
    texts = cell_texts(column)
    return texts.set(pl.Series(gone), None).fill_null(unwritten) if gone.any() else texts


def text_rows(frame: pl.DataFrame, names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the cells of some columns row by row, a missing one as the empty text."""
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


def texts_of_categories() -> pl.Expr:
    """Return the columns of categories as texts, so that a file lists none in an order."""
    return pl.col(pl.Categorical, pl.Enum).cast(pl.String)
