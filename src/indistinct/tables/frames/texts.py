"""The text of a cell, for every type a column can have: unequal cells have unequal texts.

Polars keeps 16 bytes for each text beside the text itself. Columns of repeated texts can be held as
places in a list of their texts: of a million records with eight columns of words, a frame of places
takes a tenth of the memory of a frame of texts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import time
from typing import TypeVar

import numpy as np
import polars as pl

from indistinct.base.arrays import Bools, Codes, Ints
from indistinct.tables.core.keys import number_key
from indistinct.tables.frames.small_columns import SMALL, are_ascii

BLANKS = "\t\n\v\f\r\x1c\x1d\x1e\x1f "  # of ASCII, as Python strips them
SMALL_NUMBER, LARGE_NUMBER = 1e-3, 1e15  # between which no text of a number has an exponent
FRACTION_OF_ZEROS = r"\.0*$|(\.[0-9]*[1-9])0+$"
SeriesOrExpression = TypeVar("SeriesOrExpression", pl.Series, pl.Expr)


def cell_texts(column: pl.Series) -> pl.Series:
    """Write every cell by its key, as a text that loses nothing; a missing cell stays missing.

    Parameters
    ----------
    column : of any type that is not nested; text is given back as it is
    """
    return as_texts_of(column, column.dtype)


def as_texts_of(cells: SeriesOrExpression, dtype: pl.DataType) -> SeriesOrExpression:
    """Write cells of some type as :func:`cell_texts` does, those of a query, too.

    Notes
    -----
    A number has no zeros at its end, a moment a fraction of a second only where it has one. Polars
    writes a time of day without its fractions, and a duration not at all, when it casts them.
    """
    if isinstance(dtype, pl.Time | pl.Duration):
        return cells.dt.to_string("iso")
    if isinstance(dtype, pl.Datetime):
        return _moment_texts(cells, dtype)
    if dtype.is_decimal():
        return cells.cast(pl.String).str.replace(FRACTION_OF_ZEROS, "$1")
    if not dtype.is_float():
        return cells.cast(pl.String)
    if isinstance(cells, pl.Series):
        return _number_texts(cells)
    return cells.map_batches(_number_texts, return_dtype=pl.String())


def _number_texts(numbers: pl.Series) -> pl.Series:
    """Write floating point numbers by their keys."""
    texts = numbers.cast(pl.String).str.strip_suffix(".0")  # no other zero ends the text of a float
    sizes = numbers.abs()
    # Only the texts of others may have an exponent, or a sign before a zero.
    others = texts.filter((sizes < SMALL_NUMBER) | (sizes >= LARGE_NUMBER)).unique()
    keys = {text: own for text in others if (own := number_key(text) or text) != text}
    return texts.replace(keys) if keys else texts


def midnights_as_days(column: pl.Series) -> pl.Series:
    """Return moments without a zone that are all midnights as days; anything else as it is."""
    if not isinstance(column.dtype, pl.Datetime) or column.dtype.time_zone is not None:
        return column
    is_midnight = column.alias("").dt.time() == time()
    return column.cast(pl.Date) if is_midnight.all() else column


def in_normal_form(texts: pl.Series) -> pl.Series:
    """Return texts in Unicode's normal form C."""
    return texts if are_ascii(texts) else texts.str.normalize("NFC")


def is_rewritten(dtype: pl.DataType) -> bool:
    """Return whether the text of a cell's key is another one than Polars writes into text files."""
    return dtype.is_temporal() or dtype.is_float() or dtype.is_decimal()


def _moment_texts(cells: SeriesOrExpression, dtype: pl.Datetime) -> SeriesOrExpression:
    """Write moments as ISO does, with an offset where they have a zone."""
    fractions = cells.dt.to_string("%.9f").str.strip_chars_end("0").str.strip_chars_end(".")
    texts = cells.dt.to_string("%Y-%m-%dT%H:%M:%S") + fractions
    return texts if dtype.time_zone is None else texts + cells.dt.to_string("%:z")


def texts_by_key(column: pl.Series) -> pl.Series:
    """Write every cell by its key, and a missing one as the empty text."""
    return filled_texts(column.fill_nan(None) if column.dtype.is_float() else column)


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


def are_all_different(column: pl.Series) -> bool:
    """Return whether no two cells of a column are alike."""
    return column.n_unique() == len(column)


def n_among(texts: Collection[str], column: pl.Series) -> int:
    """Count how many of some texts, no two of them alike, a column of different texts has."""
    if len(column) <= SMALL:
        return len({*texts} & {*column.to_list()})
    return int(column.is_in(pl.Series(list(texts), dtype=pl.String).implode()).sum())


def rows_that_fold_to(column: pl.Series, words: Collection[str]) -> Ints:
    """Return the rows whose text may be one of some words, whatever its case.

    Parameters
    ----------
    words : as ``casefold`` of Python writes them

    Returns
    -------
    all rows with a letter beyond ASCII among them, which Polars does not fold as Python does
    """
    known = pl.Series(list(words), dtype=pl.String).implode()
    is_word = column.str.strip_chars(BLANKS).str.to_lowercase().is_in(known)
    is_wider = column.str.len_bytes() != column.str.len_chars()
    return np.flatnonzero((is_word | is_wider).fill_null(value=False).to_numpy())


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
