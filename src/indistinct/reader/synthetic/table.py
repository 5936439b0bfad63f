"""The cells of a made-up table as texts, from a file of any format."""

from __future__ import annotations

import csv
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import final

from indistinct.engines import files


@final
@dataclass(frozen=True, slots=True)
class MadeUpTable:
    """A made-up table.

    Parameters
    ----------
    rows : texts of cells; a missing value is the empty text
    sha256 : of the file's bytes
    """

    header: list[str]
    rows: list[list[str]]
    sha256: str


def read_table(path: Path, file_format: str) -> MadeUpTable:
    """Read a file; cells of a text file stay as they are written.

    Raises
    ------
    DataError, OSError, ValueError
        when it cannot be read
    """
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    if file_format == "csv":
        with path.open(encoding="utf-8", newline="") as file:
            header, *rows = list(csv.reader(file))
        return MadeUpTable(header, rows, sha256)
    frame = files.read(path, file_format=file_format, typed=False, missing=()).frame
    rows = [["" if cell is None else str(cell) for cell in row] for row in frame.iter_rows()]
    return MadeUpTable(list(frame.columns), rows, sha256)
