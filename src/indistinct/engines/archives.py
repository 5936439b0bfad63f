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
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

import numpy as np

from indistinct.core.inputs import open_regular
from indistinct.errors import DataError

SMALL_PARTS, LARGEST_PARTS = 64 << 20, 4 << 30  # bytes
MOST_TIMES = 100  # the size of the archive, for what is larger than SMALL_PARTS
LARGEST_TEXTS = 2 << 30  # bytes of all cells
SMALL_SHEET = 4_000_000  # cells
MOST_EMPTY = 50  # cells to one with a value, of what is larger than SMALL_SHEET
CHUNK = 1 << 20
BOOK, TEXTS = "xl/workbook.xml", "xl/sharedStrings.xml"
SHEET = re.compile(r"xl/worksheets/[^/]+\.xml", re.IGNORECASE)
LARGEST_BOOK = 4 << 20
# Cells as Excel and most other programs write them; a sheet with others is parsed.
CELL = re.compile(rb'<c r="([A-Z]{1,3})(\d{1,7})"(?: [a-z]+="\w*")*(/>|></c>|>)')
ANY_CELL = re.compile(rb"<(?:[^\s<>/]+:)?c[\s/>]")
OF_TEXTS = re.compile(rb' t="s"[^<>]*><v>(\d{1,9})</v>')
REMEDY = "Save the table as CSV, or make a new workbook of its cells alone."


def names_of_sheets(path: str) -> list[str]:
    """Name the sheets of a workbook, of which nothing else is unpacked; none where that fails."""
    names: list[str] = []

    def began(name: str, attributes: dict[str, str]) -> None:
        if name.rpartition(":")[2] == "sheet" and "name" in attributes:
            names.append(attributes["name"])

    try:
        with (
            open_regular(path) as file,
            zipfile.ZipFile(file) as archive,
            archive.open(BOOK) as part,
        ):
            content = part.read(LARGEST_BOOK + 1)
        if len(content) <= LARGEST_BOOK:
            _parse([content], began, None)
    except (OSError, KeyError, RuntimeError, ValueError, *BROKEN):
        return []
    return names


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
        raise DataError("the workbook has two parts of the same name", REMEDY)
    left = min(LARGEST_PARTS, max(SMALL_PARTS, MOST_TIMES * size))
    for part in parts:
        for chunk in _chunks(archive, part):
            left -= len(chunk)
            if left < 0 or b"<!DOCTYPE" in chunk:
                problem = "the workbook unpacks to far more than its cells can hold"
                raise DataError(problem, REMEDY)


def _chunks(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> Iterator[bytes]:
    """Unpack a part to its end, which need not be where the archive says."""
    part.file_size = LARGEST_PARTS + 1
    with archive.open(part) as stream:
        while chunk := stream.read(CHUNK):
            yield chunk


def _lengths_of_texts(archive: zipfile.ZipFile) -> np.ndarray:
    """Give the bytes of each text that cells refer to."""
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


@dataclass(slots=True)
class _Extent:
    """How far a sheet reaches, and how many cells of it have a value."""

    rows: int = 0
    columns: int = 0
    filled: int = 0
    texts: int = 0

    def add(self, row: int, column: int, cells: int = 1) -> None:
        """Count cells up to a row and a column."""
        self.rows, self.columns = max(self.rows, row), max(self.columns, column)
        self.filled += cells


def _check_sheet(archive: zipfile.ZipFile, part: zipfile.ZipInfo, lengths: np.ndarray) -> None:
    """Refuse a sheet that is nearly empty, or repeats long texts."""
    extent = _Extent()
    if not _read_plainly(_whole_tags(_chunks(archive, part)), extent, lengths):
        extent = _Extent()
        sheet = _Sheet(extent)
        _parse(_chunks(archive, part), sheet.began, sheet.ended)
        extent.texts = extent.filled * int(lengths.max())
    size = extent.rows * extent.columns
    if size > SMALL_SHEET and size > MOST_EMPTY * extent.filled:
        problem = (
            f"a sheet of the workbook reaches to row {extent.rows:,} and column "
            f"{extent.columns:,}, and {extent.filled:,} of its cells hold values"
        )
        raise DataError(problem, "Delete the rows and columns behind the table, or save it as CSV.")
    if extent.texts > LARGEST_TEXTS:
        raise DataError("the texts of the workbook take more than 2 GiB", REMEDY)


def _whole_tags(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Cut what is read where a row ends, so that no cell is divided."""
    rest = b""
    for chunk in chunks:
        head, mark, tail = (rest + chunk).rpartition(b"</row>")
        yield head + mark
        rest = tail
    yield rest


def _read_plainly(chunks: Iterator[bytes], extent: _Extent, lengths: np.ndarray) -> bool:
    """Measure a sheet whose cells are written as Excel does; tell whether all of them are."""
    for chunk in chunks:
        found = CELL.findall(chunk)
        if len(found) != len(ANY_CELL.findall(chunk)):
            return False
        filled = [(letters, row) for letters, row, end in found if end == b">"]
        columns = {letters for letters, _ in filled}
        rows = max((int(row) for _, row in filled), default=0)
        extent.add(rows, max(map(_number_of, columns), default=0), len(filled))
        codes = np.array(OF_TEXTS.findall(chunk), np.int64)
        extent.texts += int(lengths[codes[codes < len(lengths)]].sum())
    return True


def _number_of(letters: bytes) -> int:
    """Give the number of a column from its letters, from 1."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - ord("A") + 1
    return number


@dataclass(slots=True)
class _Sheet:
    """Measures a sheet element by element; a cell without a place is the next one."""

    extent: _Extent
    row: int = 0
    column: int = 0
    inside: list[str] = field(default_factory=list[str])

    def began(self, name: str, attributes: dict[str, str]) -> None:
        """Note where a cell is, and that one has a value."""
        name, place = name.rpartition(":")[2], attributes.get("r", "")
        if name == "row":
            self.row, self.column = int(place) if place.isdigit() else self.row + 1, 0
        elif name == "c":
            letters = place.rstrip("0123456789")
            self.column = _number_of(letters.encode()) if letters else self.column + 1
            self.row = int(place[len(letters) :] or self.row)
        elif self.inside[-1:] == ["c"]:
            self.extent.add(self.row, self.column)
        self.inside.append(name)

    def ended(self, name: str) -> None:
        """Leave an element."""
        del name
        self.inside.pop()


def _parse(
    chunks: Iterable[bytes],
    began: Callable[[str, dict[str, str]], None],
    ended: Callable[[str], None] | None,
) -> None:
    """Parse XML that has no declarations of its own."""
    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = began, ended
    for chunk in chunks:
        parser.Parse(chunk)
    parser.Parse(b"", True)  # noqa: FBT003 - the end, in the words of the library
