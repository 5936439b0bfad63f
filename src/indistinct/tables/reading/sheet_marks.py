"""What a sheet of a workbook shows besides the values of its cells.

Errors, merged ranges, hidden rows and columns, and formulas that no spreadsheet ever calculated.
The reader of the cells leaves all of it out. A person who looks at the sheet sees it.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from posixpath import join, normpath
from xml.parsers import expat

from indistinct.base.brief import short_repr
from indistinct.tables.reading.archives import BOOK, BROKEN, CellPlaces, number_of

LINKS = "xl/_rels/workbook.xml.rels"
# A sheet without any of these has nothing to note, and is not parsed.
NOTABLE = re.compile(
    rb"t=[\"']e[\"']|<(?:\w+:)?(?:f|mergeCell)[\s/>]|\shidden=[\"'](?:1|true)[\"']"
)
CALCULATES_LATER = re.compile(rb"fullCalcOnLoad=[\"'](?:1|true)[\"']")
SHOWN = frozenset({"", "0", "false"})  # values of the attribute ``hidden``
OF_TEXTS = "str"  # the type of a formula whose result is a text, which may be empty


@dataclass(frozen=True, slots=True)
class MergedRange:
    """Cells that are merged into one, which shows the value of the first: places from 0."""

    rows: range
    columns: range


@dataclass(frozen=True, slots=True)
class SheetMarks:
    """What a sheet shows besides values; all places count from 0.

    Parameters
    ----------
    errors : row and column of each cell with an error
    unknown : row and column of each formula without a result
    merged : the ranges of merged cells
    hidden_rows, hidden_columns : places of those that the sheet does not show
    """

    errors: tuple[tuple[int, int], ...] = ()
    unknown: tuple[tuple[int, int], ...] = ()
    merged: tuple[MergedRange, ...] = ()
    hidden_rows: frozenset[int] = frozenset()
    hidden_columns: frozenset[int] = frozenset()

    __repr__ = short_repr

    def errors_of_columns(self, rows: range) -> Counter[int]:
        """Count the cells with an error among some rows, by the place of their column."""
        return Counter(column for row, column in self.errors if row in rows)

    def unknown_of_columns(self, rows: range) -> Counter[int]:
        """Count the formulas without a result among some rows, by the place of their column."""
        return Counter(column for row, column in self.unknown if row in rows)


NO_MARKS = SheetMarks()


def marks_of_sheet(content: bytes, sheet: str) -> SheetMarks:
    """Return what a sheet shows besides the values of its cells.

    Parameters
    ----------
    content : the bytes of a workbook that was checked
    sheet : its name
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            part = archive.read(_part_of(archive, sheet))
            if not NOTABLE.search(part):
                return NO_MARKS
            noted = _NotedCells(CALCULATES_LATER.search(archive.read(BOOK)) is not None)
            _parsed(part, noted.began, noted.ended, noted.said)
    except (KeyError, RuntimeError, ValueError, *BROKEN):
        return NO_MARKS
    return noted.marks()


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


def _parsed(
    part: bytes,
    began: Callable[[str, dict[str, str]], object],
    ended: Callable[[str], object] | None = None,
    said: Callable[[str], object] | None = None,
) -> None:
    """Call functions for each element that begins or ends, and for the texts between."""
    parser = expat.ParserCreate()
    parser.StartElementHandler = began
    parser.EndElementHandler = ended
    parser.CharacterDataHandler = said
    parser.Parse(part, True)  # noqa: FBT003 - expat takes no keyword


@dataclass(slots=True)
class _NotedCells:
    """Notes what is no value while a sheet is parsed; places count from 1 here.

    Parameters
    ----------
    is_calculated_later : whether the workbook asks for all results anew when it is opened, so that
        a zero need not be one
    """

    is_calculated_later: bool
    errors: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    unknown: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    zeros: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    calculated: set[int] = field(default_factory=set[int])
    merged: list[MergedRange] = field(default_factory=list[MergedRange])
    hidden_rows: set[int] = field(default_factory=set[int])
    hidden_columns: set[int] = field(default_factory=set[int])
    places: CellPlaces = field(default_factory=CellPlaces)
    type: str = ""
    is_formula: bool = False
    is_value: bool = False
    value: str = ""

    def began(self, name: str, attributes: dict[str, str]) -> None:
        """Note an element that begins."""
        name = name.rpartition(":")[2]
        self.places.moved(name, attributes.get("r", ""))
        if name == "c":
            self.type, self.is_formula, self.value = attributes.get("t", ""), False, ""
            if self.type == "e":
                self.errors.append((self.places.row, self.places.column))
        elif name == "f":
            self.is_formula = True
        elif name == "v":
            self.is_value = True
        elif name == "row" and attributes.get("hidden", "") not in SHOWN:
            self.hidden_rows.add(self.places.row)
        elif name == "col" and attributes.get("hidden", "") not in SHOWN:
            self.hidden_columns |= {*range(int(attributes["min"]), int(attributes["max"]) + 1)}
        elif name == "mergeCell":
            self.merged.append(_range_of(attributes["ref"]))

    def said(self, text: str) -> None:
        """Note the text of a value."""
        if self.is_value:
            self.value += text

    def ended(self, name: str) -> None:
        """Note a formula without a result when its cell ends."""
        name = name.rpartition(":")[2]
        if name == "v":
            self.is_value = False
        if name != "c" or not self.is_formula:
            return
        place = self.places.row, self.places.column
        if not self.value and self.type != OF_TEXTS:
            self.unknown.append(place)
        elif self.value == "0":
            self.zeros.append(place)
        else:
            self.calculated.add(place[1])

    def marks(self) -> SheetMarks:
        """Return what was noted, with places from 0.

        A program that writes formulas without calculating them may write zeros in place of the
        results. A column of formulas in such a workbook that has nothing but zeros has no results.
        """
        unknown = list(self.unknown)
        if self.is_calculated_later:
            unknown += [place for place in self.zeros if place[1] not in self.calculated]
        return SheetMarks(
            tuple((row - 1, column - 1) for row, column in self.errors),
            tuple((row - 1, column - 1) for row, column in unknown),
            tuple(self.merged),
            frozenset(row - 1 for row in self.hidden_rows),
            frozenset(column - 1 for column in self.hidden_columns),
        )


def _range_of(reference: str) -> MergedRange:
    """Read a range such as ``A2:B21``."""
    first, _, last = reference.replace("$", "").partition(":")
    (left, top), (right, bottom) = _cell_of(first), _cell_of(last or first)
    return MergedRange(range(top - 1, bottom), range(left - 1, right))


def _cell_of(reference: str) -> tuple[int, int]:
    """Return the column and the row of a cell, from 1."""
    letters = reference.rstrip("0123456789")
    return number_of(letters), int(reference[len(letters) :])
