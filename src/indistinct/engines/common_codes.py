"""Columns of several tables beneath each other, so that equal cells get one code."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from indistinct.core.arrays import Codes
from indistinct.engines.cell_texts import cell_texts
from indistinct.engines.polars import encode
from indistinct.engines.protocol import EncodedColumn


def texts_beneath(columns: Sequence[pl.Series]) -> pl.Series:
    """Give the texts of columns beneath each other, under no name."""
    return pl.concat([cell_texts(column).alias("") for column in columns])


def beneath(upper: pl.Series, lower: pl.Series) -> pl.Series:
    """Put a column beneath another, whose cells take its type."""
    return upper.cast(lower.dtype).append(lower)


def encode_together(
    columns: Sequence[pl.Series], missing: Sequence[str], missing_text: str
) -> tuple[EncodedColumn, list[Codes]]:
    """Encode columns by the same codes: as numbers where all have numbers, else as texts.

    Parameters
    ----------
    columns : at least one
    missing : texts that stand for a missing value, besides the empty text
    missing_text : how a missing value is written

    Returns
    -------
    the cells of all columns, and the codes of each: (n_rows,)
    """
    if all(column.dtype.is_numeric() for column in columns):
        is_float = any(column.dtype.is_float() for column in columns)
        kind = pl.Float64() if is_float else pl.Int64()
        whole = pl.concat([column.cast(kind).alias("") for column in columns])
    else:
        whole = texts_beneath(columns)
        whole = whole.set(whole.is_in(["", *missing]).fill_null(value=False), None)
    encoded = encode(whole, missing_text)
    ends = np.cumsum([len(column) for column in columns])
    return encoded, np.split(encoded.codes, ends[:-1])
