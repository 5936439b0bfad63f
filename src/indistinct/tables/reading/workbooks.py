"""Excel workbooks: read by fastexcel, written by XlsxWriter."""

from __future__ import annotations

import datetime as dt
import logging
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from indistinct.base.brief import short_repr
from indistinct.base.coded_text import CodedText, sentence
from indistinct.base.extras import load
from indistinct.errors import DataError, Fault, OutputError
from indistinct.tables.frames.frame import Column, DataType, Frame
from indistinct.tables.reading.archives import check_workbook
from indistinct.tables.reading.column_types import (
    ColumnType,
    hours_of,
    kind_of,
    with_types_of_texts,
)
from indistinct.tables.reading.declared_formats import FoundReading, Reading
from indistinct.tables.reading.header_rows import (
    LAST_ROWS,
    first_row,
    is_header_again,
    numbered_names,
    said_numbered,
    said_totals,
    total_rows,
)
from indistinct.tables.reading.sheet_columns import (
    SheetPlaces,
    hidden_sentence,
    refuse_unknown_results,
    with_exact_numbers,
    with_merged_cells,
    with_times,
)
from indistinct.tables.reading.sheet_marks import marks_of_sheet
from indistinct.tables.reading.statistical import with_plain_cells, with_whole_numbers

MOST_ROWS, MOST_COLUMNS, LONGEST_TEXT = 1_048_576, 16_384, 32_767
FIRST_YEAR = 1901  # Excel counts a 29 February 1900 that never was
LONG_AGO = dt.datetime(1980, 1, 1)  # noqa: DTZ001 - a date that says nothing
SHEET = "data"
NAMED = 3  # rows that a sentence names
LOOK = 400  # rows by which the header and totals are found
NAMED_SHEET = re.compile(r"(?P<file>.+\.xlsx)#(?P<sheet>.+)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class SheetTable:
    """The table of a sheet.

    Parameters
    ----------
    frame : its records
    found : how they were found among the rows
    rows : the row of the sheet that each record is, from 1
    mixed : columns of numbers among which texts stand
    """

    frame: Frame
    found: FoundReading
    rows: Sequence[int]
    mixed: frozenset[str] = frozenset()

    __repr__ = short_repr


def sheet_of(path: str) -> tuple[str, str | None]:
    """Split ``visits.xlsx#May`` into the file and the sheet; None where no sheet is named.

    A file whose own name has this form stays whole.
    """
    found = NAMED_SHEET.fullmatch(path)
    return (path, None) if found is None or Path(path).exists() else (found["file"], found["sheet"])


def read_workbook(stream: IO[bytes], sheet: str | None = None) -> Frame:
    """Read a sheet of a workbook; its first row names the columns.

    Parameters
    ----------
    stream : the bytes of the file
    sheet : its name, hidden or not; the only visible one with cells when left out

    Raises
    ------
    DataError
        when there is no such sheet, when several could be meant, a column has no name, or the
        workbook takes far more memory than its cells are worth
    OSError
        when it is no workbook
    """
    table = read_sheet(stream, sheet, Reading(header=1, skip_rows=0, skip_last=0))
    if "names" in table.found.reasons:
        raise DataError("a column of the workbook is named twice", "Rename one of them.")
    return table.frame


def read_sheet(stream: IO[bytes], sheet: str | None, reading: Reading) -> SheetTable:
    """Read a sheet of a workbook; the row with the names, and totals, are said or found.

    Raises
    ------
    DataError, OSError
        as :func:`read_workbook` does
    """
    library = load("fastexcel")
    logging.getLogger("fastexcel").addHandler(logging.NullHandler())  # else it writes to the screen
    try:
        content = stream.read()
        check_workbook(content)
        book = library.read_excel(content)
        chosen = _only(book) if sheet is None else _named(book, sheet)
        return _table_of(book, chosen, reading, content)
    except library.FastExcelError:
        raise OSError from None


def _table_of(book: Any, sheet: str, reading: Reading, content: bytes) -> SheetTable:
    """Return the records of a sheet, and how they were found among its rows."""
    # Rows and columns without a cell in front of the table are skipped unless rows are named.
    whole = book.load_sheet(sheet, header_row=None, skip_rows=0, dtypes="string")
    cells, columns = whole.to_polars(), [one.absolute_index for one in whole.available_columns()]
    words: dict[str, str | int] = {}
    reasons: dict[str, str] = {}
    first = _header_row(cells, reading)
    if first and reading.header is None:
        words["header"] = first + 1
        english = "The {count} rows above it have fewer cells than the records."
        reasons["header"] = sentence("sheet-rows-above", english, count=first)
    below = cells.slice(first + 1)
    names = [None if cell is None else str(cell) for cell in cells.row(first)]
    kept = [
        at
        for at, name in enumerate(names)
        if name or below.to_series(at).null_count() < below.height
    ]
    _check_header(names, kept, first)
    given, names = names, numbered_names([name or "" for name in names])
    if said := said_numbered([name or "" for name in given], names):
        reasons["names"] = said
    skipped, last = reading.skip_rows or 0, reading.skip_last
    if last is None:
        last = _last_rows(below) if reading.suggests else 0
        if last:
            words["skip_last"], reasons["skip_last"] = last, said_totals(last)
    records = range(first + 1 + skipped, max(cells.height - last, first + 1 + skipped))
    try:
        found = book.load_sheet(
            sheet,
            header_row=None,
            skip_rows=records.start,
            n_rows=len(records),
            use_columns=[columns[at] for at in kept],
            schema_sample_rows=None,
        ).to_polars()
    except load("fastexcel").UnsupportedColumnTypeCombinationError:
        named = {columns[at]: str(names[at]) for at in kept}
        raise _mixed(book, sheet, records.start, named) from None
    found.columns = [str(names[at]) for at in kept]
    marks, places = (
        marks_of_sheet(content, sheet),
        SheetPlaces(records, [columns[at] for at in kept]),
    )
    refuse_unknown_results(found, places, marks, reading.left_out)
    wrong = marks.errors_of_columns(records)
    errors = {str(names[at]): count for at in kept if (count := wrong[columns[at]])}
    found, reasons["merged"] = with_merged_cells(found, places, marks.merged)
    reasons["hidden"] = hidden_sentence(found, places, marks)
    found, times = with_times(found, places)

    def read_again(name: str, kind: str) -> Column:
        """Read a column again as another type."""
        at = places.columns[found.get_column_index(name)]
        one = book.load_sheet(
            sheet,
            header_row=None,
            skip_rows=records.start,
            n_rows=len(records),
            use_columns=[at],
            dtypes=kind,
        )
        return one.to_polars().to_series()

    found, mixed = with_exact_numbers(found, read_again)
    rows: Sequence[int] = range(records.start + 1, records.stop + 1)
    if again := _headers_again(below.slice(skipped, len(records)), names, kept):
        found = _without_rows(found, again)
        reasons["header again"] = _said_again([rows[at] for at in sorted(again)[:NAMED]])
        rows = [row for at, row in enumerate(rows) if at not in again]
    said = {word: reason for word, reason in reasons.items() if reason}
    return SheetTable(
        with_whole_numbers(_in_hours(found)),
        FoundReading(words, said, times, errors),
        rows,
        mixed,
    )


def _headers_again(cells: Frame, names: Sequence[str], kept: Sequence[int]) -> frozenset[int]:
    """Return which of some rows are the header again.

    Parameters
    ----------
    cells : the records as texts
    """
    header = [names[at] for at in kept]
    place, longest = max(zip(kept, header, strict=True), key=lambda one: len(one[1]))
    same = cells.to_series(place).str.to_lowercase().str.strip_chars() == longest.strip().lower()
    places = [at for at, is_same in enumerate(same.to_list()) if is_same]
    rows = [[row[one] for one in kept] for row in _rows(cells[places])]
    return frozenset(
        at for at, row in zip(places, rows, strict=True) if is_header_again(row, header)
    )


def _said_again(rows: Sequence[int]) -> CodedText:
    """Return that some rows are left out."""
    english = "The header stands again in row {rows}: left out."
    return sentence("header-in-rows", english, rows=", ".join(map(str, rows)))


def _without_rows(frame: Frame, rows: Collection[int]) -> Frame:
    """Return a table without some rows; columns that only these made texts of have types again."""
    kept = [at for at in range(frame.height) if at not in rows]
    return with_types_of_texts(frame[kept], ())


def _header_row(cells: Frame, reading: Reading) -> int:
    """Return the place of the row with the names."""
    if reading.header is None:
        return first_row(_rows(cells.head(LOOK)), cells.width)
    if reading.header > cells.height:
        problem = f"is {reading.header}, but the sheet has {cells.height} rows"
        remedy, parts = "Name the row with the names.", {"header": reading.header}
        raise DataError(
            [Fault("data.header", problem, remedy, code="no-such-header-row", parts=parts)]
        )
    # A table may begin below the first row of its sheet.
    rows = cells.slice(reading.header - 1).iter_rows()
    return reading.header - 1 + next((at for at, row in enumerate(rows) if any(row)), 0)


def _last_rows(below: Frame) -> int:
    """Return how many of the last rows of a sheet are totals, remarks or blank."""
    rows = _rows(below.tail(LOOK))
    filled = [number for number, row in enumerate(rows) if any(cell.strip() for cell in row)]
    records = [rows[number] for number in filled]
    count = total_rows(records[-LAST_ROWS:], records)
    last = filled[-count - 1] if count < len(filled) else -1
    return len(rows) - 1 - last if count else 0


def _rows(cells: Frame) -> list[list[str]]:
    """Return some rows as texts."""
    return [["" if cell is None else str(cell) for cell in row] for row in cells.rows()]


def _in_hours(frame: Frame) -> Frame:
    """Return durations, which a cell shows as hours, as numbers of hours."""
    return frame.with_columns(hours_of(column) for column in frame.iter_columns())


def _mixed(book: Any, sheet: str, skipped: int, names: Mapping[int, str]) -> DataError:
    """Name the columns whose cells are of types that no column holds together.

    Parameters
    ----------
    names : by the places of the columns in the sheet
    """
    library = load("fastexcel")
    faults: list[Fault] = []
    for at, name in names.items():
        try:
            book.load_sheet(
                sheet, header_row=None, skip_rows=skipped, use_columns=[at], schema_sample_rows=None
            )
        except library.FastExcelError:
            problem = "holds cells of several kinds, such as dates and durations"
            remedy = "Write all cells of the column as one kind, or as texts."
            fault = Fault(f"columns.{name}", problem, remedy, code="mixed-cells", columns=(name,))
            faults.append(fault)
    return DataError(faults)


def _only(book: Any) -> str:
    """Return the only visible sheet with cells."""
    sheets = [name for name in book.sheet_names if _is_filled(book, name)]
    if len(sheets) == 1:
        return sheets[0]
    problem = f"the workbook has {len(sheets)} visible sheets with cells, not one"
    remedy = "Choose one of them: its name stands behind the file, as in visits.xlsx#Sheet1."
    parts = {"count": len(sheets)}
    raise DataError([Fault("", problem, remedy, tuple(sheets), code="several-sheets", parts=parts)])


def _named(book: Any, sheet: str) -> str:
    """Return a sheet by its name."""
    if sheet in book.sheet_names:
        if book.load_sheet(sheet, header_row=None, n_rows=1, dtypes="string").total_height > 0:
            return sheet
        raise DataError(
            "the sheet of the workbook has no cells", "Name another sheet.", code="empty-sheet"
        )
    remedy = "Check the name behind the # of the path; --show-values prints the names there are."
    problem, names = "the workbook has no such sheet", tuple(book.sheet_names)
    raise DataError([Fault("", problem, remedy, names, code="no-such-sheet")])


def _is_filled(book: Any, name: str) -> bool:
    """Return whether a sheet is visible and has cells."""
    sheet = book.load_sheet(name, header_row=None, n_rows=1, dtypes="string")
    return sheet.visible == "visible" and sheet.total_height > 0


def _check_header(names: Sequence[str | None], kept: Sequence[int], first: int) -> None:
    """Refuse a header that leaves a column with cells without a name."""
    unnamed = [str(at + 1) for at in kept if not names[at]]
    if unnamed:
        row = "the first row" if first == 0 else f"row {first + 1}"
        raise DataError(
            f"{row} of the workbook names no column at {', '.join(unnamed)}",
            f"Write the names of all columns into {'the first row' if first == 0 else 'it'}, or "
            "name the row that has them: --header of inspect, or data.header in the policy.",
            code="unnamed-columns-of-sheet",
            row=first + 1,
            places=", ".join(unnamed),
        )


def write_workbook(frame: Frame, path: str, separator: str = "") -> None:
    """Write a workbook of one sheet without author, date or formula.

    Raises
    ------
    OutputError
        when Excel cannot hold the table
    """
    del separator
    frame = with_plain_cells(frame, since=FIRST_YEAR)
    _refuse_large(frame)
    options = {
        "in_memory": True,  # no cells in temporary files
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
        "nan_inf_to_errors": False,
    }
    with load("xlsxwriter").Workbook(path, options) as book:
        book.set_properties({"created": LONG_AGO, "author": "", "comments": ""})
        sheet = book.add_worksheet(SHEET)
        for place, column in enumerate(frame.iter_columns()):
            sheet.write_string(0, place, column.name)
            write = _writer(book, sheet, column.dtype)
            for row, cell in enumerate(column.to_list(), start=1):
                if cell is not None:
                    write(row, place, cell)


class AllDigits(float):
    """A number that is written with all digits of the double: XlsxWriter cuts it to sixteen."""

    def __format__(self, form: str) -> str:
        """Return the shortest digits that are read back as the same double."""
        del form
        return repr(float(self)).removesuffix(".0")


def _writer(book: Any, sheet: Any, dtype: DataType) -> Callable[[int, int, Any], object]:
    """Choose how the cells of a column are written."""
    if dtype.is_float():
        return lambda row, place, cell: sheet.write_number(row, place, AllDigits(cell))
    if not dtype.is_temporal():
        return sheet.write_number if dtype.is_numeric() else sheet.write_string
    form = "yyyy-mm-dd" if kind_of(dtype) is ColumnType.DATE else "yyyy-mm-dd hh:mm:ss"
    shown = book.add_format({"num_format": form})
    return lambda row, place, cell: sheet.write_datetime(row, place, cell, shown)


def _refuse_large(frame: Frame) -> None:
    """Refuse what a sheet cannot hold, all of it at once."""
    faults: list[Fault] = []
    if frame.height >= MOST_ROWS or frame.width > MOST_COLUMNS:
        problem = f"an Excel sheet holds {MOST_ROWS - 1:,} records of {MOST_COLUMNS:,} columns"
        faults.append(Fault("", problem, "Write CSV or Parquet."))
    for column in frame.iter_columns():
        longest = column.str.len_chars().max() if kind_of(column.dtype) is ColumnType.TEXT else 0
        if isinstance(longest, int) and longest > LONGEST_TEXT:
            problem = f"has texts of more than {LONGEST_TEXT:,} characters, which Excel cannot hold"
            faults.append(Fault(f"columns.{column.name}", problem, "Write CSV or Parquet."))
    if faults:
        raise OutputError(faults)
