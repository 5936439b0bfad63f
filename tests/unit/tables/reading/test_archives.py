"""A workbook is measured before a parser allocates memory for it."""

import io
import os
import time
import warnings
import zipfile

import pytest
import xlsxwriter

from indistinct.errors import DataError, IndistinctError
from indistinct.tables.reading import archives, files
from indistinct.tables.reading.archives import check_workbook, names_of_sheets

END = b"</sheetData>"
SHEET, TEXTS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
FAR = {
    "the last cell": b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
    "a style first": b'<row r="1048576"><c s="0" r="XFD1048576"><v>1</v></c></row>',
    "other quotes": b"<row r='1048576'><c r='XFD1048576'><v>1</v></c></row>",
    "a formula": b'<row r="1048576"><c r="XFD1048576"><f>1+1</f></c></row>',
    "a text": b'<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>a</t></is></c></row>',
    "no place but a row": b'<row r="1048570">' + b"<c><v>1</v></c>" * 900 + b"</row>",
    "a strange attribute": b'<row r="1048576"><c x="/" y="&gt;" r="XFD1048576"><v>1</v></c></row>',
}


def workbook(**changes):
    """Return the bytes of a workbook with two records, and changed parts."""
    held = io.BytesIO()
    with xlsxwriter.Workbook(held) as book:
        sheet = book.add_worksheet("first")
        for row, cells in enumerate([("age", "note"), (30, "a"), (40, "b")]):
            sheet.write_row(row, 0, cells)
        book.add_worksheet("second & third")
    out = io.BytesIO()
    with zipfile.ZipFile(held) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.infolist():
            new.writestr(part.filename, changes.get(part.filename, lambda it: it)(old.read(part)))
    return out.getvalue()


def far(row):
    """Return a workbook with one more row."""
    return workbook(**{SHEET: lambda sheet: sheet.replace(END, row + END)})


@pytest.mark.parametrize("name", FAR)
def test_a_sheet_that_is_nearly_empty_is_refused(name, tmp_path):
    (tmp_path / "far.xlsx").write_bytes(far(FAR[name]))
    with pytest.raises(DataError, match="of its cells hold values"):
        files.read_file(str(tmp_path / "far.xlsx"))


def test_a_style_far_away_is_no_value(tmp_path):
    styled = b'<row r="1048576" s="1"><c r="XFD1048576" s="0"/><c r="XFE1048576"></c></row>'
    for row in (b'<row r="1048576"><c r="XFD1048576" s="0"/></row>', styled):
        check_workbook(far(row))
    (tmp_path / "t.xlsx").write_bytes(far(b'<row r="1048576"><c r="XFD1048576" s="0"/></row>'))
    assert files.read_file(str(tmp_path / "t.xlsx")).frame.to_dict(as_series=False) == {
        "age": [30, 40],
        "note": ["a", "b"],
    }


def test_texts_that_unpack_without_measure_are_refused(monkeypatch):
    monkeypatch.setattr(archives, "SMALL_PARTS", 1 << 20)
    long = b"<si><t>" + b"a" * 32_000 + b"</t></si>"
    large = workbook(**{TEXTS: lambda texts: texts.replace(b"</sst>", long * 100 + b"</sst>")})
    with pytest.raises(DataError, match="unpacks to far more"):
        check_workbook(large)
    lying = large.replace((len(long) * 100 + 500).to_bytes(4, "little"), b"\1\0\0\0")
    with pytest.raises(DataError):
        check_workbook(lying)


def test_an_archive_that_lies_about_its_sizes_is_measured(monkeypatch):
    monkeypatch.setattr(archives, "SMALL_PARTS", 1 << 20)
    held = io.BytesIO(workbook(**{TEXTS: lambda texts: texts + b" " * 3_000_000}))
    with zipfile.ZipFile(held) as archive:
        size = archive.getinfo(TEXTS).file_size.to_bytes(4, "little")
    with pytest.raises((DataError, OSError)):
        check_workbook(held.getvalue().replace(size, (10).to_bytes(4, "little")))


def test_a_long_text_in_every_cell_is_counted_in_every_cell(monkeypatch):
    monkeypatch.setattr(archives, "LARGEST_TEXTS", 10 << 20)
    cells = b"".join(
        b'<row r="%d"><c r="A%d" t="s"><v>0</v></c></row>' % (n, n) for n in range(9, 999)
    )
    changes = {
        SHEET: lambda sheet: sheet.replace(END, cells + END),
        TEXTS: lambda texts: texts.replace(b"<t>age</t>", b"<t>" + b"a" * 32_000 + b"</t>"),
    }
    with pytest.raises(DataError, match="texts of the workbook"):
        check_workbook(workbook(**changes))


def test_declarations_of_entities_and_repeated_parts_are_refused():
    bomb = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbb">]>'
    with pytest.raises(DataError):
        check_workbook(workbook(**{SHEET: lambda sheet: bomb + sheet}))
    twice = io.BytesIO(workbook())
    with warnings.catch_warnings(), zipfile.ZipFile(twice, "a") as archive:
        warnings.simplefilter("ignore")
        archive.writestr(SHEET.upper(), b"<worksheet/>")
    with pytest.raises(DataError, match="same name"):
        check_workbook(twice.getvalue())


@pytest.mark.parametrize("content", [b"", b"PK\3\4", b"PK\3\4" + bytes(500), workbook()[:-200]])
def test_what_is_no_archive_is_refused_in_words(content, tmp_path):
    (tmp_path / "t.xlsx").write_bytes(content)
    with pytest.raises(IndistinctError):
        files.read_file(str(tmp_path / "t.xlsx"))
    assert names_of_sheets(str(tmp_path / "t.xlsx")) == []


def test_sheets_are_named_without_unpacking_their_texts(tmp_path):
    book = workbook(**{TEXTS: lambda texts: texts + b"a" * 30_000_000})
    (tmp_path / "t.xlsx").write_bytes(book)
    began = time.process_time()
    assert names_of_sheets(str(tmp_path / "t.xlsx")) == ["first", "second & third"]
    assert time.process_time() - began < 0.1
    os.mkfifo(tmp_path / "pipe.xlsx")
    assert names_of_sheets(str(tmp_path / "pipe.xlsx")) == []
