"""Cells of a workbook that hold an error, such as ``#N/A``, which are read as missing."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from posixpath import join, normpath
from xml.parsers import expat

from indistinct.engines.archives import BOOK, BROKEN, number_of

LINKS = "xl/_rels/workbook.xml.rels"
MARK = b't="e"', b"t='e'"


def errors_of_columns(content: bytes, sheet: str, rows: range) -> Counter[int]:
    """Count the cells with an error, by the place of their column.

    Parameters
    ----------
    content : the bytes of a workbook that was checked
    sheet : its name
    rows : those that are looked at, from 0

    Returns
    -------
    by the place of a column, from 0, how many of its cells have an error
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            part = archive.read(_part_of(archive, sheet))
            if not any(mark in part for mark in MARK):
                return Counter()
            cells = _ErrorCells()
            _parsed(part, cells.began)
    except (KeyError, RuntimeError, ValueError, *BROKEN):
        return Counter()
    return Counter(column - 1 for row, column in cells.errors if row - 1 in rows)


def _part_of(archive: zipfile.ZipFile, sheet: str) -> str:
    """Return the part of an archive that a sheet is in."""
    ids: dict[str, str] = {}
    targets: dict[str, str] = {}

    def named(name: str, attributes: dict[str, str]) -> None:
        if name.rpartition(":")[2] == "sheet":
            own = {key.rpartition(":")[2]: value for key, value in attributes.items()}
            ids[own.get("name", "")] = own.get("id", "")

    def linked(name: str, attributes: dict[str, str]) -> None:
        if name.rpartition(":")[2] == "Relationship":
            targets[attributes["Id"]] = attributes["Target"]

    _parsed(archive.read(BOOK), named)
    _parsed(archive.read(LINKS), linked)
    return normpath(join("/xl", targets[ids[sheet]])).removeprefix("/")


def _parsed(part: bytes, began: Callable[[str, dict[str, str]], object]) -> None:
    """Call a function for each element that begins."""
    parser = expat.ParserCreate()
    parser.StartElementHandler = began
    parser.Parse(part, True)  # noqa: FBT003 - expat takes no keyword


@dataclass(slots=True)
class _ErrorCells:
    """Notes the row and the column of each cell with an error, both from 1."""

    errors: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    row: int = 0
    column: int = 0

    def began(self, name: str, attributes: dict[str, str]) -> None:
        """Note where a cell is; one without a place is the next."""
        name, place = name.rpartition(":")[2], attributes.get("r", "")
        if name == "row":
            self.row, self.column = int(place or self.row + 1), 0
        elif name == "c":
            letters = place.rstrip("0123456789")
            self.column = number_of(letters) if letters else self.column + 1
            self.row = int(place[len(letters) :] or self.row)
            if attributes.get("t") == "e":
                self.errors.append((self.row, self.column))
