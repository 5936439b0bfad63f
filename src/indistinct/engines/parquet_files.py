"""Parquet files as a release has them: their bytes follow from the cells and Polars' version.

Pages and statistics are Polars' own. The name of the program that wrote a file, in which Polars
puts its version and build, is replaced by a constant.
"""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl

ROW_GROUP = 122_880  # rows
TAIL = 8  # bytes behind the footer: its length and the mark of the format
# Field 6 of FileMetaData (Apache Parquet format, parquet.thrift) in Thrift's compact protocol: its
# header, the length of the text, the text.
CREATED_BY = re.compile(rb"\x18([\x00-\x7f])(?=Polars)")
WRITER = b"indistinct"


def write_parquet(frame: pl.DataFrame, path: str | Path) -> None:
    """Write a frame."""
    frame.write_parquet(path, row_group_size=ROW_GROUP)
    _name_writer(Path(path))


def sink_parquet(lazy: pl.LazyFrame, path: str | Path) -> None:
    """Write a lazy frame, part by part; the bytes are those of :func:`write_parquet`."""
    lazy.sink_parquet(path, row_group_size=ROW_GROUP, engine="streaming")
    _name_writer(Path(path))


def _name_writer(path: Path) -> None:
    """Put a constant in place of what the footer says of the program that wrote the file."""
    with path.open("r+b") as file:
        file.seek(-TAIL, 2)
        tail = file.read(TAIL)
        length = int.from_bytes(tail[:4], "little")
        start = file.seek(-TAIL - length, 2)
        footer = file.read(length)
        found = list(CREATED_BY.finditer(footer))
        if not found:
            return
        begin, end = found[-1].start(), found[-1].end() + found[-1][1][0]
        said = b"\x18" + bytes([len(WRITER)]) + WRITER
        footer = footer[:begin] + said + footer[end:]
        file.seek(start)
        file.truncate()
        file.write(footer + len(footer).to_bytes(4, "little") + tail[4:])
