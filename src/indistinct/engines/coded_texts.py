"""Hold columns of repeated texts as places in a list of their texts, a few bytes for each cell.

Polars keeps 16 bytes for each text beside the text itself. Of a million records with eight columns
of words, a frame of places takes a tenth of the memory of a frame of texts.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

MANY_RECORDS = 200_000  # below, frames of texts are small enough
RECORDS_FOR_TEXT = 8  # at least so many records for each distinct text


def may_be_coded(frame: pl.DataFrame) -> bool:
    """Tell whether a frame is large, and no column of it has categories of its own."""
    own = (pl.Categorical, pl.Enum)
    return frame.height >= MANY_RECORDS and not any(isinstance(t, own) for t in frame.dtypes)


def coded(frame: pl.DataFrame) -> pl.DataFrame:
    """Give the same cells; columns of texts that repeat often become an Enum of these texts."""
    return frame.with_columns(_coded_column(column) for column in frame.iter_columns())


def as_texts(frame: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Give the same cells, those of some columns as texts."""
    return frame.with_columns(frame[name].cast(pl.String) for name in names)


def coded_names(frame: pl.DataFrame) -> tuple[str, ...]:
    """Name the columns that are held as an Enum."""
    return tuple(name for name, dtype in frame.schema.items() if isinstance(dtype, pl.Enum))


def _coded_column(column: pl.Series) -> pl.Series:
    """Hold a column as places, if it is one of texts that repeat often."""
    if column.dtype != pl.String:
        return column
    texts = column.unique().drop_nulls()
    if len(texts) * RECORDS_FOR_TEXT > len(column):
        return column
    return column.cast(pl.Enum(texts.sort()))
