"""Excel workbooks: read by fastexcel, written by XlsxWriter."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from indistinct.core.extras import load
from indistinct.engines.archives import check_workbook
from indistinct.engines.column_types import ColumnType, kind_of
from indistinct.engines.frames import DataType, Frame
from indistinct.engines.plain_cells import with_plain_cells, with_whole_numbers
from indistinct.engines.text import check_names
from indistinct.errors import DataError, Fault, OutputError

MOST_ROWS, MOST_COLUMNS, LONGEST_TEXT = 1_048_576, 16_384, 32_767
FIRST_YEAR = 1901  # Excel counts a 29 February 1900 that never was
LONG_AGO = dt.datetime(1980, 1, 1)  # noqa: DTZ001 - a date that says nothing
SHEET = "data"
NAMED_SHEET = re.compile(r"(?P<file>.+\.xlsx)#(?P<sheet>.+)", re.IGNORECASE | re.DOTALL)


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
    library = load("fastexcel")
    try:
        content = stream.read()
        check_workbook(content)
        book = library.read_excel(content)
        chosen = _only(book) if sheet is None else _named(book, sheet)
        names = _names(book, chosen)
        found = book.load_sheet(
            chosen, header_row=None, skip_rows=1, column_names=names, schema_sample_rows=None
        )
        return with_whole_numbers(found.to_polars())
    except library.FastExcelError:
        raise OSError from None


def _only(book: Any) -> str:
    """Return the only visible sheet with cells."""
    sheets = [name for name in book.sheet_names if _is_filled(book, name)]
    if len(sheets) == 1:
        return sheets[0]
    problem = f"the workbook has {len(sheets)} visible sheets with cells, not one"
    remedy = "Name the sheet after the file, such as visits.xlsx#Sheet1."
    raise DataError([Fault("", problem, remedy, tuple(sheets))])


def _named(book: Any, sheet: str) -> str:
    """Return a sheet by its name."""
    if sheet in book.sheet_names:
        if book.load_sheet(sheet, header_row=None).total_height > 0:
            return sheet
        raise DataError("the sheet of the workbook has no cells", "Name another sheet.")
    remedy = "Check the name behind the # of the path; --show-values prints the names there are."
    raise DataError([Fault("", "the workbook has no such sheet", remedy, tuple(book.sheet_names))])


def _is_filled(book: Any, name: str) -> bool:
    """Return whether a sheet is visible and has cells."""
    sheet = book.load_sheet(name, header_row=None)
    return sheet.visible == "visible" and sheet.total_height > 0


def _names(book: Any, sheet: str) -> list[str]:
    """Read the names of the columns as they are written, repeated ones included."""
    first = book.load_sheet(sheet, header_row=None, n_rows=1, dtypes="string").to_polars()
    names = [None if cell is None else str(cell) for cell in first.row(0)]
    if None in names:
        places = ", ".join(str(place + 1) for place, name in enumerate(names) if name is None)
        raise DataError(
            f"the first row of the workbook names no column at {places}",
            "Write the names of all columns into the first row.",
        )
    said = [name for name in names if name is not None]
    check_names(said)
    return said


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
