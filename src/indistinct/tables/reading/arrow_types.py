"""Columns of Parquet and Arrow files whose types Polars cannot read.

Polars ends in the middle of its work at some of them, and says so to the terminal in its own words.
Their names are therefore read from the schema before.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
import re
import struct
from collections.abc import Iterable, Iterator
from typing import IO, TypeVar

import polars as pl

from indistinct.base.inputs import open_regular
from indistinct.errors import DataError, Fault
from indistinct.tables.reading.flatbuffers import FlatBuffersTable

Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)
NAMES = {
    11: "intervals of time",
    14: "values of several types (a union)",
    22: "values encoded in runs (run-end encoded)",
    25: "lists of the form list view",
    26: "lists of the form large list view",
}
DECIMAL, MOST_DIGITS = 7, 38
INTERVAL, PERIOD = "pandas.interval", "pandas.period"
MOST_NESTED = 64
LARGEST_FOOTER = 256 << 20
IN_PARQUET = re.compile(rb"ARROW:schema[^A-Za-z0-9+/]{1,12}([A-Za-z0-9+/]+={0,2})")
CONTINUES = b"\xff\xff\xff\xff"


def check_types(file: IO[bytes], file_format: str) -> None:
    """Refuse a file with columns that cannot be read, all of them named.

    Parameters
    ----------
    file : can be read at any place, and is left where it was read last
    file_format : the name of a format; only Parquet and Arrow have such columns

    Raises
    ------
    DataError
        when a column has such a type
    """
    try:
        schema = {"parquet": _of_parquet, "arrow": _of_arrow}[file_format](file)
        found = [] if schema is None else list(_unreadable(schema))
    except (KeyError, struct.error, binascii.Error, OSError, RecursionError):
        return  # what is damaged is told by whoever reads the file
    if found:
        remedy = "Write it in another type, such as text, or leave it out of the file."
        raise DataError(
            [
                Fault(f"columns.{name}", f"has {kind}, which are not read", remedy)
                for name, kind in found
            ]
        )


def check_types_of(paths: Iterable[str], file_format: str) -> None:
    """Refuse what :func:`check_types` refuses, of files of this computer.

    Raises
    ------
    DataError
        when a column has a type that is not read, or no regular file is at a path
    """
    for path in paths:
        try:
            with open_regular(path) as file:
                check_types(file, file_format)
        except OSError as error:
            problem = f"cannot be read: {error.strerror}"
            raise DataError([Fault(path, problem, "Check the path.")]) from None


def without_extensions(frame: Frame) -> Frame:
    """Return a frame without types that other programs have defined, such as JSON.

    Intervals and months of pandas become the texts that pandas shows.
    """
    schema = frame.collect_schema().items()
    defined = [(name, dtype) for name, dtype in schema if isinstance(dtype, pl.BaseExtension)]
    if not defined:
        return frame
    return frame.with_columns(_stored(name, dtype) for name, dtype in defined)


def _stored(name: str, dtype: pl.BaseExtension) -> pl.Expr:
    """Return a column of a defined type as what it is of."""
    column = pl.col(name).ext.storage()
    about = _about(dtype)
    if dtype.ext_name() == INTERVAL:
        closed = about.get("closed", "right")
        low = "[" if closed in {"left", "both"} else "("
        high = "]" if closed in {"right", "both"} else ")"
        ends = (column.struct.field(end).cast(pl.String) for end in ("left", "right"))
        return pl.format(f"{low}{{}}, {{}}{high}", *ends).alias(name)
    if dtype.ext_name() == PERIOD and about.get("freq") == "M":
        year, month = 1970 + column // 12, column % 12 + 1
        return pl.format("{}-{}", year.cast(pl.String), month.cast(pl.String).str.zfill(2)).alias(
            name
        )
    return column


def _about(dtype: pl.BaseExtension) -> dict[str, str]:
    """Return what is said of a defined type."""
    try:
        return dict(json.loads(dtype.ext_metadata() or "{}"))
    except ValueError:
        return {}


def _tail(file: IO[bytes], mark: int) -> bytes:
    """Read the footer of a file, whose length stands before its last mark."""
    end = file.seek(-mark - 4, os.SEEK_END)
    length = struct.unpack("<i", file.read(4))[0]
    if not 0 < length <= min(end, LARGEST_FOOTER):
        return b""
    file.seek(end - length)
    return file.read(length)


def _of_arrow(file: IO[bytes]) -> FlatBuffersTable | None:
    """Find the schema of an Arrow file."""
    footer = _tail(file, 6)
    return _root(footer).table(1) if footer else None


def _of_parquet(file: IO[bytes]) -> FlatBuffersTable | None:
    """Find the schema that Arrow keeps in a Parquet file."""
    found = IN_PARQUET.search(_tail(file, 4))
    if found is None:
        return None
    message = base64.b64decode(found[1])
    return _root(message[8 if message.startswith(CONTINUES) else 4 :]).table(2)


def _root(content: bytes) -> FlatBuffersTable:
    """Return the first table of some bytes."""
    return FlatBuffersTable(content, struct.unpack_from("<I", content, 0)[0])


def _unreadable(schema: FlatBuffersTable) -> Iterator[tuple[str, str]]:
    """Yield the name of each column that cannot be read, and what it has."""
    for field in schema.tables(1):
        kind = _kind(field, MOST_NESTED)
        if kind is not None:
            yield field.text(0), kind


def _kind(field: FlatBuffersTable, depth: int) -> str | None:
    """Return what of a field cannot be read; None where all of it can."""
    number, about = field.value(2, "<B"), field.table(3)
    if number == DECIMAL and about is not None and about.value(0, "<i") > MOST_DIGITS:
        return f"decimals of more than {MOST_DIGITS} digits"
    if number in NAMES or not depth:
        return NAMES.get(number, "values that are nested too deep")
    return next((kind for one in field.tables(5) if (kind := _kind(one, depth - 1))), None)
