"""Cells of a workbook that hold an error, such as ``#N/A``, which are read as missing."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from posixpath import join, normpath
from xml.parsers import expat

from indistinct.engines.archives import BOOK, BROKEN, CellPlaces

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
    places: CellPlaces = field(default_factory=CellPlaces)

    def began(self, name: str, attributes: dict[str, str]) -> None:
        """Note where a cell is that has an error."""
        name = name.rpartition(":")[2]
        self.places.moved(name, attributes.get("r", ""))
        if name == "c" and attributes.get("t") == "e":
            self.errors.append((self.places.row, self.places.column))
