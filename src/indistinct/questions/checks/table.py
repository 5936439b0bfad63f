"""The cells of a made-up table as texts, from a file of any format."""

from __future__ import annotations

import csv
import hashlib
import io
from dataclasses import dataclass
from pathlib import Path
from typing import final

from indistinct.tables.reading import files
from indistinct.tables.verification import WrittenTable, is_rewritten_alike

SEPARATORS = {"csv": ",", "tsv": "\t"}


@final
@dataclass(frozen=True, slots=True)
class MadeUpTable:
    """A made-up table.

    Parameters
    ----------
    rows : texts of cells; a missing value is the empty text
    sha256 : of the file's bytes
    is_plain : whether the file holds these cells and nothing else
    """

    header: list[str]
    rows: list[list[str]]
    sha256: str
    is_plain: bool


def read_table(path: Path, file_format: str) -> MadeUpTable:
    """Read a file; cells of a text file stay as they are written.

    Raises
    ------
    DataError, OSError, ValueError
        when it cannot be read
    """
    content = path.read_bytes()
    sha256 = hashlib.sha256(content).hexdigest()
    mark = SEPARATORS.get(file_format)
    if mark is not None:
        table = list(csv.reader(io.StringIO(content.decode(), newline=""), delimiter=mark))
        again = "".join(mark.join(_again(cell, mark) for cell in row) + "\n" for row in table)
        return MadeUpTable(table[0], table[1:], sha256, content == again.encode())
    read = files.read(path, file_format=file_format, typed=False)
    frame = read.frame
    rows = [["" if cell is None else str(cell) for cell in row] for row in frame.iter_rows()]
    written = WrittenTable(path, file_format, read.separator, frame, read.labels)
    return MadeUpTable(list(frame.columns), rows, sha256, is_rewritten_alike(written))


def _again(cell: str, mark: str) -> str:
    """Write a cell again, in quotes only where it has a mark of the format."""
    return '"' + cell.replace('"', '""') + '"' if set(cell) & {mark, '"', "\r", "\n"} else cell
