"""What a workbook takes when it is unpacked, measured before a parser allocates memory for it.

A workbook is a ZIP archive of XML. A few kilobytes can hold gigabytes of one letter, name a cell in
the last corner of a sheet, for which parsers allocate all cells before it, or repeat one long text
in every cell.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from xml.parsers import expat

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.base.inputs import open_regular
from indistinct.errors import DataError

SMALL_PARTS, LARGEST_PARTS = 64 << 20, 4 << 30  # bytes
MOST_TIMES = 100  # the size of the archive, for what is larger than SMALL_PARTS
LARGEST_TEXTS = 2 << 30  # bytes of all cells
SHORT_TEXT = 512  # bytes
SMALL_SHEET = 4_000_000  # cells
MOST_EMPTY = 50  # cells to one with a value, of what is larger than SMALL_SHEET
CHUNK = 1 << 20
BOOK, TEXTS = "xl/workbook.xml", "xl/sharedStrings.xml"
SHEET = re.compile(r"xl/worksheets/[^/]+\.xml", re.IGNORECASE)
LARGEST_BOOK = 4 << 20
NAME_OF_SHEET = re.compile(rb'<(?:\w+:)?sheet\s[^<>]*?name="([^"<>]*)"')
# Cells as Excel and most other programs write them; a sheet with others is parsed.
CELL = re.compile(rb'<c r="([A-Z]{1,3})(\d{1,7})"(?: [a-z]+="\w*")*(/>|></c>|>)')
ANY_CELL = re.compile(rb"<(?:[^\s<>/]+:)?c[\s/>]")
OF_TEXTS = re.compile(rb' t="s"[^<>]*><v>(\d{1,9})</v>')
VALUES = frozenset({"v", "f", "is"})
REMEDY = "Save the table as CSV, or make a new workbook of its cells alone."


def names_of_sheets(path: str) -> list[str]:
    """Name the sheets of a workbook, of which nothing else is unpacked; none where that fails."""
    try:
        with open_regular(path) as file, zipfile.ZipFile(file) as archive:
            content = archive.open(BOOK).read(LARGEST_BOOK)
        return [unescape(name.decode()) for name in NAME_OF_SHEET.findall(content)]
    except (OSError, KeyError, RuntimeError, ValueError, *BROKEN):
        return []


def check_workbook(content: bytes) -> None:
    """Refuse a workbook that takes far more memory than its cells are worth.

    Raises
    ------
    DataError
        when its parts are too large, two of them have one name, or a sheet is nearly empty
    OSError
        when it is not an archive
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            _check_parts(archive, len(content))
            lengths = _lengths_of_texts(archive)
            for part in archive.infolist():
                if SHEET.fullmatch(part.filename):
                    _check_sheet(archive, part, lengths)
    except (RuntimeError, ValueError, *BROKEN):
        raise OSError from None


BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, expat.ExpatError)


def _check_parts(archive: zipfile.ZipFile, size: int) -> None:
    """Refuse parts that are larger than the archive is worth, whatever it says of their size."""
    parts = archive.infolist()
    if len({part.filename.lower() for part in parts}) < len(parts):
        raise DataError("the workbook has two parts of the same name", REMEDY, code="two-parts")
    left = min(LARGEST_PARTS, max(SMALL_PARTS, MOST_TIMES * size))
    for part in parts:
        for chunk in _chunks(archive, part):
            left -= len(chunk)
            if left < 0 or b"<!DOCTYPE" in chunk:
                problem = "the workbook unpacks to far more than its cells can hold"
                raise DataError(problem, REMEDY, code="unpacks-too-far")


def _chunks(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> Iterator[bytes]:
    """Unpack a part to its end, which need not be where the archive says."""
    part.file_size = LARGEST_PARTS + 1
    with archive.open(part) as stream:
        while chunk := stream.read(CHUNK):
            yield chunk


def _lengths_of_texts(archive: zipfile.ZipFile) -> Ints:
    """Return the bytes of each text that cells refer to."""
    part = next((one for one in archive.infolist() if one.filename == TEXTS), None)
    lengths: list[int] = []
    rest = 0
    for chunk in () if part is None else _chunks(archive, part):
        *whole, tail = chunk.split(b"</si>")
        for piece in whole:
            lengths.append(rest + len(piece))
            rest = 0
        rest += len(tail)
    return np.array([*lengths, rest], np.int64)


def _check_sheet(archive: zipfile.ZipFile, part: zipfile.ZipInfo, lengths: Ints) -> None:
    """Refuse a sheet that is nearly empty, or repeats long texts."""
    sheet = _Sheet()
    if not all(sheet.read(rows, lengths) for rows in _whole_rows(_chunks(archive, part))):
        sheet = _Sheet()
        parser = expat.ParserCreate()
        parser.StartElementHandler = sheet.began
        for chunk in _chunks(archive, part):
            parser.Parse(chunk)
        sheet.texts = sheet.filled * int(lengths.max())
    size = sheet.rows * sheet.columns
    if size > SMALL_SHEET and size > MOST_EMPTY * sheet.filled:
        problem = (
            f"a sheet of the workbook reaches to row {sheet.rows:,} and column "
            f"{sheet.columns:,}, and {sheet.filled:,} of its cells hold values"
        )
        raise DataError(
            problem,
            "Delete the rows and columns behind the table, or save it as CSV.",
            code="nearly-empty-sheet",
            row=sheet.rows,
            column=sheet.columns,
            filled=sheet.filled,
        )
    if sheet.texts > LARGEST_TEXTS:
        raise DataError("the texts of the workbook take more than 2 GiB", REMEDY, code="long-texts")


def _whole_rows(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Cut what is read where a row ends, so that no cell is divided."""
    rest = b""
    for chunk in chunks:
        head, mark, rest = (rest + chunk).rpartition(b"</row>")
        yield head + mark
    yield rest


@dataclass(slots=True)
class CellPlaces:
    """Where the elements of a sheet are, one after another: row and column, from 1."""

    row: int = 0
    column: int = 0

    def moved(self, name: str, place: str) -> None:
        """Go on to a row or a cell; one without a place is the next.

        Parameters
        ----------
        name : of the element that begins
        place : its attribute ``r``, empty where it has none
        """
        if name == "row":
            self.row, self.column = int(place or self.row + 1), 0
        elif name == "c":
            letters = place.rstrip("0123456789")
            self.column = number_of(letters) if letters else self.column + 1
            self.row = int(place[len(letters) :] or self.row)


@dataclass(slots=True)
class _Sheet:
    """Measures how far the values of a sheet reach, and how long its texts are together."""

    rows: int = 0
    columns: int = 0
    filled: int = 0
    texts: int = 0
    places: CellPlaces = field(default_factory=CellPlaces)

    def read(self, content: bytes, lengths: Ints) -> bool:
        """Measure some rows; tell whether all of their cells are written as by Excel."""
        found = CELL.findall(content)
        filled = [(letters, row) for letters, row, end in found if end == b">"]
        rows = max((int(row) for _, row in filled), default=0)
        columns = max(map(number_of, {letters.decode() for letters, _ in filled}), default=0)
        self.rows, self.columns = max(self.rows, rows), max(self.columns, columns)
        self.filled += len(filled)
        # Short texts cannot take much, however often they are repeated.
        found_texts = OF_TEXTS.findall(content) if lengths.max() > SHORT_TEXT else []
        codes = np.array(found_texts, np.int64)
        self.texts += int(lengths[codes[codes < len(lengths)]].sum())
        return len(found) == len(ANY_CELL.findall(content))

    def began(self, name: str, attributes: dict[str, str]) -> None:
        """Note where a cell is, and whether it has a value."""
        name = name.rpartition(":")[2]
        self.places.moved(name, attributes.get("r", ""))
        if name in VALUES:
            self.rows = max(self.rows, self.places.row)
            self.columns = max(self.columns, self.places.column)
            self.filled += 1


def number_of(letters: str) -> int:
    """Return the number of a column from its letters, from 1."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number
