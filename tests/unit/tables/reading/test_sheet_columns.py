"""Workbooks as a person sees them: merged and hidden cells, formulas, times and zero dates."""

from __future__ import annotations

import datetime as dt
import io
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import xlsxwriter

from indistinct.errors import DataError
from indistinct.tables.reading.declared_formats import FoundReading, Reading
from indistinct.tables.reading.files import read_file
from indistinct.tables.reading.sheet_marks import marks_of_sheet
from indistinct.tables.reading.table_file import TableFile


def written(path: Path, fill: Callable[[Any, Any], None]) -> TableFile:
    """Write a workbook, and read it."""
    with xlsxwriter.Workbook(str(path)) as book:
        fill(book, book.add_worksheet("data"))
    return read_file(path, reading=Reading(suggests=True))


def said_of(found: FoundReading) -> str:
    """Return all that is said of the reading."""
    return "\n".join(found.sentences())


def with_rows(sheet: Any, rows: list[list[object]], first: int = 0) -> None:
    """Write rows of plain cells."""
    for at, row in enumerate(rows):
        for place, cell in enumerate(row):
            if cell is not None:
                sheet.write(first + at, place, cell)


ROWS: list[list[object]] = [["ward", "age", "note"], *([None, 20 + n, f"n{n}"] for n in range(6))]


def test_merged_cells_have_the_value_that_they_show(tmp_path: Path) -> None:
    """Down a column, and to the right where the columns have one type; a heading is none."""

    def fill(_: Any, sheet: Any) -> None:
        with_rows(sheet, ROWS)
        sheet.merge_range("A2:A4", "north")
        sheet.merge_range("A5:A6", "south")
        sheet.merge_range("A7:C7", "end of the list")

    source = written(tmp_path / "a.xlsx", fill)
    wards = ["north"] * 3 + ["south"] * 2 + ["end of the list"]
    assert source.frame["ward"].to_list() == wards
    assert source.frame["age"].to_list()[:5] == [20, 21, 22, 23, 24]
    assert source.frame["note"].to_list()[:5] == ["n0", "n1", "n2", "n3", "n4"]
    assert "3 cells of ward" in said_of(source.found)


def test_a_value_that_is_merged_over_numbers_fills_no_number(tmp_path: Path) -> None:
    """The columns keep their types."""

    def fill(_: Any, sheet: Any) -> None:
        with_rows(sheet, [["a", "b", "c", "d"], ["x", "y", 1, 2], [None, None, None, 4]])
        sheet.merge_range("A3:C3", "refused")

    source = written(tmp_path / "a.xlsx", fill)
    assert source.frame.row(1) == ("refused", "refused", None, 4)


def test_hidden_rows_and_columns_are_said(tmp_path: Path) -> None:
    """They are read as all others."""

    def fill(_: Any, sheet: Any) -> None:
        with_rows(sheet, [["a", "b"], *([n, n] for n in range(9))])
        sheet.set_row(4, None, None, {"hidden": True})
        sheet.set_row(6, None, None, {"hidden": True})
        sheet.set_column("B:B", None, None, {"hidden": True})

    source = written(tmp_path / "a.xlsx", fill)
    assert source.frame.height == 9
    assert "hides 2 records (row 5, 7) and the column b" in said_of(source.found)


@pytest.mark.parametrize("value", ["", 0])
def test_formulas_without_results_are_refused_by_column_and_row(
    tmp_path: Path, value: object
) -> None:
    """Programs that write formulas leave the results out, or write zeros in place of them."""

    def fill(_: Any, sheet: Any) -> None:
        with_rows(sheet, [["born", "age"], *([1950 + n] for n in range(5))])
        for row in range(5):
            sheet.write_formula(row + 1, 1, f"=2024-A{row + 2}", None, value)

    with pytest.raises(
        DataError, match=r"columns\.age: holds 5 formulas without a result, from row"
    ):
        written(tmp_path / "a.xlsx", fill)
    left_out = Reading(left_out=frozenset({"age"}))
    assert read_file(tmp_path / "a.xlsx", reading=left_out).frame["born"].to_list()[0] == 1950


@pytest.mark.parametrize("results", [[74, 73, 0], ["old", "", "young"]])
def test_formulas_with_results_are_values(tmp_path: Path, results: list[object]) -> None:
    """A zero or an empty text among them is a result."""

    def fill(_: Any, sheet: Any) -> None:
        with_rows(sheet, [["born", "age"], *([1950 + n] for n in range(3))])
        for row, result in enumerate(results):
            sheet.write_formula(row + 1, 1, f"=F(A{row + 2})", None, result)

    path = tmp_path / "a.xlsx"
    if "" in results:  # as Excel writes an empty text, and XlsxWriter does not
        with pytest.raises(DataError, match="1 formula without a result, from row 3"):
            written(path, fill)
        _replace(path, b'<c r="B3"><f>', b'<c r="B3" t="str"><f>')
    else:
        written(path, fill)
    assert read_file(path, reading=Reading()).frame.height == 3


def _replace(path: Path, old: bytes, new: bytes) -> None:
    """Replace some bytes in the parts of a workbook."""
    with zipfile.ZipFile(path) as given:
        parts = {name: given.read(name) for name in given.namelist()}
    with zipfile.ZipFile(path, "w") as made:
        for name, content in parts.items():
            made.writestr(name, content.replace(old, new))


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ([dt.time(8, 25), dt.time(0, 0), dt.time(23, 59)], ["08:25", "00:00", "23:59"]),
        ([dt.time(8, 25, 7), dt.time(0, 0)], ["08:25:07", "00:00:00"]),
    ],
)
def test_a_time_of_day_has_no_date(
    tmp_path: Path, times: list[dt.time], expected: list[str]
) -> None:
    """With seconds only where some cell has them."""

    def fill(book: Any, sheet: Any) -> None:
        shown = book.add_format({"num_format": "hh:mm:ss"})
        sheet.write(0, 0, "clock_in")
        for row, one in enumerate(times):
            sheet.write_datetime(row + 1, 0, one, shown)

    source = written(tmp_path / "a.xlsx", fill)
    assert source.frame["clock_in"].to_list() == expected
    assert "times of day" in said_of(source.found)


@pytest.mark.parametrize("n_dates", [0, 3])
def test_a_zero_that_is_shown_as_a_date_is_missing(tmp_path: Path, n_dates: int) -> None:
    """Also where the column has nothing else."""

    def fill(book: Any, sheet: Any) -> None:
        shown = book.add_format({"num_format": "yyyy-mm-dd"})
        with_rows(sheet, [["age", "death"], *([n] for n in range(5))])
        for row in range(5):
            if row < n_dates:
                sheet.write_datetime(row + 1, 1, dt.date(2020, 3, row + 1), shown)
            else:
                sheet.write_number(row + 1, 1, 0, shown)

    source = written(tmp_path / "a.xlsx", fill)
    assert source.frame["death"].null_count() == 5 - n_dates
    assert f"{5 - n_dates} of 5 values have no day" in said_of(source.found)
    assert f"(row {n_dates + 2})" in said_of(source.found)


def test_a_cell_is_called_by_the_row_that_the_spreadsheet_shows(tmp_path: Path) -> None:
    """Below a title and an empty row, too."""

    def fill(_: Any, sheet: Any) -> None:
        sheet.write(0, 0, "A report")
        rows: list[list[object]] = [
            ["age", "sex", "ward"],
            *([30 + n, "m", "a"] for n in range(40)),
        ]
        with_rows(sheet, rows, first=3)
        sheet.write(23, 0, "abt 40")

    assert "(row 24)" in said_of(written(tmp_path / "a.xlsx", fill).found)


def test_totals_and_remarks_below_blank_rows_are_no_records(tmp_path: Path) -> None:
    def fill(_book: Any, sheet: Any) -> None:
        rows: list[list[object]] = [[f"m{n}", 20 + n, "football"] for n in range(12)]
        with_rows(sheet, [["member", "age", "team"], *rows])
        with_rows(sheet, [["Summe", 400, None], [None], ["written by the office"]], 14)

    source = written(tmp_path / "a.xlsx", fill)
    assert source.frame.height == 12
    assert source.found.words["skip_last"] == 4
    assert "The last 4 rows are totals or remarks, and no records." in said_of(source.found)


def test_marks_are_those_that_a_plain_list_has(tmp_path: Path) -> None:
    """Random ranges and hidden places, written and found again."""
    chance = random.Random(3)
    for _ in range(20):
        ranges, taken = [], set()
        for _ in range(chance.randint(0, 5)):
            top, left = chance.randrange(30), chance.randrange(6)
            bottom, right = top + chance.randrange(4), left + chance.randrange(2)
            cells = {(r, c) for r in range(top, bottom + 1) for c in range(left, right + 1)}
            if len(cells) > 1 and not cells & taken:
                taken |= cells
                ranges.append((top, left, bottom, right))
        hidden = set(chance.sample(range(30), 3))
        content = io.BytesIO()
        with xlsxwriter.Workbook(content) as book:
            sheet = book.add_worksheet("x")
            for one in ranges:
                sheet.merge_range(*one, "v")
            for row in hidden:
                sheet.set_row(row, None, None, {"hidden": True})
        marks = marks_of_sheet(content.getvalue(), "x")
        found = [
            (one.rows.start, one.columns.start, one.rows.stop - 1, one.columns.stop - 1)
            for one in marks.merged
        ]
        assert sorted(found) == sorted(ranges)
        assert marks.hidden_rows == hidden


def test_nothing_of_a_library_is_written_to_the_screen(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """An empty column is no reason to."""

    def fill(_: Any, sheet: Any) -> None:
        with_rows(sheet, [["a", "b"], [1, None], [2, None]])

    assert written(tmp_path / "a.xlsx", fill).frame["b"].dtype == pl.String
    assert not "".join(capfd.readouterr())


def test_numbers_beside_texts_are_numbers_with_all_digits(tmp_path: Path) -> None:
    """A few words among numbers make no texts of them; digits that are texts are codes."""
    numbers = [n + 0.123456789012 for n in range(40)]

    def fill(_: Any, sheet: Any) -> None:
        with_rows(sheet, [["fee", "code"], *([number, None] for number in numbers)])
        for at in range(40):
            sheet.write_string(at + 1, 1, str(100 + at))
        sheet.write_string(3, 0, "none given")

    table = written(tmp_path / "t.xlsx", fill)
    assert table.frame["fee"].to_list() == [None if at == 2 else n for at, n in enumerate(numbers)]
    assert table.frame.schema["code"] == pl.String
    assert "one is not (row 4)" in said_of(table.found)


@pytest.mark.parametrize(
    "codes",
    [
        ["0351123456", "0049351987", "0172000001"],
        ["9876543210123", "9876543210124", "9876543210125"],
        ["12345678901234567890", "12345678901234567891", "12345678901234567892"],
    ],
)
def test_codes_that_are_texts_of_a_workbook_stay_as_they_are(
    tmp_path: Path, codes: list[str]
) -> None:
    """A long number as a text may be a code, which no float holds."""

    def fill(_: Any, sheet: Any) -> None:
        sheet.write_string(0, 0, "phone")
        for at, code in enumerate(codes * 4, 1):
            sheet.write_string(at, 0, code)

    found = written(tmp_path / "a.xlsx", fill).frame["phone"].cast(pl.String).to_list()
    assert found == codes * 4


def test_times_and_zero_dates_beside_texts_are_told(tmp_path: Path) -> None:
    """What a text beside them hides is told all the same, and counted with the odd cells."""

    def fill(book: Any, sheet: Any) -> None:
        time, day = (
            book.add_format({"num_format": "hh:mm"}),
            book.add_format({"num_format": "d/m/y"}),
        )
        sheet.write_row(0, 0, ["clock", "day"])
        for at in range(60):
            sheet.write_number(at + 1, 0, (at + 1) / 96, time)
            sheet.write_datetime(at + 1, 1, dt.date(2020, 1, 1) + dt.timedelta(at), day)
        sheet.write_string(5, 0, "late")
        sheet.write_string(5, 1, "soon")
        sheet.write_number(9, 1, 0, day)

    table = written(tmp_path / "t.xlsx", fill)
    assert table.frame["clock"][:2].to_list() == ["00:15", "00:30"]
    assert table.frame.schema["day"] == pl.Date
    assert table.frame["day"].null_count() == 2
    (unread,) = [one for one in table.found.unread_cells() if one.startswith("day")]
    assert "row 10" in unread
    assert "row 6" in unread


def test_a_header_that_comes_again_in_a_sheet_is_left_out(tmp_path: Path) -> None:
    """Its texts make no texts of the numbers beside it, and later rows keep their numbers."""
    rows: list[list[object]] = [[20 + n, "m"] for n in range(30)]
    lines = [["age", "sex"], *rows[:10], ["Age", "SEX"], *rows[10:]]

    def fill(_: Any, sheet: Any) -> None:
        with_rows(sheet, [*lines, ["old", "m"]])

    table = written(tmp_path / "t.xlsx", fill)
    assert table.frame["age"].to_list() == [*range(20, 50), None]
    assert "row 12: left out" in said_of(table.found)
    assert "row 33" in said_of(table.found)
