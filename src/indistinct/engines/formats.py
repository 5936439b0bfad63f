"""The formats of files that tables come from and go to: an entry each, and nothing elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import polars as pl

from indistinct.engines.cell_texts import cell_texts
from indistinct.engines.text import SEPARATORS

WIDE = (pl.Int128, pl.UInt128)
MOST_DIGITS = 38  # of a decimal


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files.

    Parameters
    ----------
    name : what commands and messages call it
    endings : of paths, in small letters
    write : writes a frame to a path; the separator is that of a text format, else empty
    read : reads a file that knows its types; None for text, whose cells are typed afterwards
    separators : of a text format, those that its header may have; it is written with the first
        unless another is asked for
    """

    name: str
    endings: tuple[str, ...]
    write: Callable[[pl.DataFrame, str, str], None]
    read: Callable[[IO[bytes]], pl.DataFrame] | None = None
    separators: str = ""


def _write_text(frame: pl.DataFrame, path: str, separator: str) -> None:
    """Write separated text."""
    as_text(frame).write_csv(path, separator=separator)


def as_text(frame: pl.DataFrame) -> pl.DataFrame:
    """Give moments and durations as the text that everything else here compares them by."""
    timed = [column for column in frame.iter_columns() if column.dtype.is_temporal()]
    return frame.with_columns(cell_texts(column) for column in timed)


def for_any_reader(frame: pl.DataFrame) -> pl.DataFrame:
    """Give whole numbers of 16 bytes, which only Polars reads, as decimals that others read too.

    No digit is lost: a column with a number of more than 38 digits, which no decimal holds, becomes
    text. Parquet, Arrow, pandas and pyarrow have no such whole numbers.
    """
    wide = [column for column in frame.iter_columns() if isinstance(column.dtype, WIDE)]
    return frame.with_columns(_as_decimal(column) for column in wide)


def _as_decimal(column: pl.Series) -> pl.Series:
    """Give whole numbers as a decimal without a fraction, or as text where they are too long."""
    texts = column.cast(pl.String)
    fits = texts.str.strip_prefix("-").str.len_chars().max()
    is_decimal = not isinstance(fits, int) or fits <= MOST_DIGITS
    return column.cast(pl.Decimal(MOST_DIGITS, 0)) if is_decimal else texts


FORMATS = (
    Format("csv", (".csv", ".txt"), _write_text, separators=SEPARATORS),
    Format("tsv", (".tsv", ".tab"), _write_text, separators="\t"),
    Format(
        "parquet",
        (".parquet", ".pq"),
        lambda frame, path, _: for_any_reader(frame).write_parquet(path),
        pl.read_parquet,
    ),
    Format(
        "arrow",
        (".arrow", ".ipc", ".feather"),
        lambda frame, path, _: for_any_reader(frame).write_ipc(path),
        pl.read_ipc,
    ),
)
FORMATS_BY_NAME = {form.name: form for form in FORMATS}
FORMATS_BY_ENDING = {ending: form for form in FORMATS for ending in form.endings}


def format_of(path: str) -> str:
    """Give the format that a path's ending names; comma-separated text when it names none."""
    return FORMATS_BY_ENDING.get(Path(path).suffix.lower(), FORMATS[0]).name


def write(frame: pl.DataFrame, path: str, file_format: str, separator: str | None = None) -> None:
    """Write a frame in a format; see :data:`FORMATS`."""
    form = FORMATS_BY_NAME[file_format]
    form.write(frame, path, separator or form.separators[:1])
