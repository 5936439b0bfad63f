"""Cells of a workbook with an error are missing values, and are counted in words."""

import io
import random
import zipfile

import fastexcel
import pytest
import xlsxwriter

import indistinct as ind
from indistinct.tables.reading.sheet_marks import marks_of_sheet

ERRORS = {"#N/A": "=NA()", "#DIV/0!": "=1/0", "#REF!": "=#REF!", "#VALUE!": '="a"+1'}
N_RECORDS = 40


def write(path, rows, *, top=0, left=0, before=()):
    """Write rows, in which a name of an error stands for a cell with it; sheets stand in front."""
    with xlsxwriter.Workbook(str(path)) as book:
        for name in before:
            book.add_worksheet(name).write_formula(0, 0, "=NA()", None, "#N/A")
        sheet = book.add_worksheet("visits")
        for at, row in enumerate(rows):
            for place, cell in enumerate(row):
                if cell in ERRORS:
                    sheet.write_formula(top + at, left + place, ERRORS[cell], None, cell)
                else:
                    sheet.write(top + at, left + place, cell)


def with_errors(seed):
    """Make a table with errors in two columns, and return how many each column has."""
    chance = random.Random(seed)
    rows = [["age", "rate", "town", "sex"]]
    counts = {"rate": 0, "town": 0}
    for _ in range(N_RECORDS):
        row = [chance.randint(20, 60), chance.random(), chance.choice(["Ulm", "Hof"]), "f"]
        for place, name in ((1, "rate"), (2, "town")):
            if chance.random() < 0.2:
                row[place] = chance.choice(list(ERRORS))
                counts[name] += 1
        rows.append(row)
    return rows, counts


@pytest.mark.parametrize(("top", "left"), [(0, 0), (4, 2), (1, 0)])
@pytest.mark.parametrize("seed", [1, 2])
def test_errors_are_counted_in_the_column_that_has_them(tmp_path, top, left, seed):
    """Wherever the table begins; those of other sheets are not."""
    rows, counts = with_errors(seed)
    write(tmp_path / "t.xlsx", rows, top=top, left=left, before=["other"])
    path = f"{tmp_path / 't.xlsx'}#visits"
    said = [line for line in ind.inspect(path).reading if "an error of the workbook" in line]
    assert len(said) == 2
    for line, (name, count) in zip(said, counts.items(), strict=True):
        assert line.startswith(f"{name}: {count} cells hold")
    assert said == [line for line in ind.preview(path).found if "an error" in line]
    frame = ind.inspect(path).columns
    assert {one.name: one.missing for one in frame if one.missing} == counts


def test_errors_above_the_header_and_in_rows_that_are_left_out_are_not_counted(tmp_path):
    rows, _ = with_errors(3)
    rows = [["#N/A"], *rows[:1], *([30, 0.5, "Ulm", "f"] for _ in range(9)), ["Total", "#N/A"]]
    write(tmp_path / "t.xlsx", rows)
    assert not [line for line in ind.inspect(tmp_path / "t.xlsx").reading if "error" in line]


def test_the_draft_says_it_beside_the_column(tmp_path):
    rows, counts = with_errors(4)
    write(tmp_path / "t.xlsx", rows)
    draft = ind.inspect(tmp_path / "t.xlsx").draft(yes_to_suggestions=True)
    column = draft.partition("[columns.rate]")[2].partition("[columns.")[0]
    assert f"# {counts['rate']} cells hold an error of the workbook, such as #N/A." in column


def test_cells_without_a_place_follow_each_other(tmp_path):
    """As some programs write them: the place is optional in the format."""
    write(tmp_path / "t.xlsx", [["a", "b"], [1, "#N/A"], ["#DIV/0!", "#N/A"]])
    content = io.BytesIO()
    with zipfile.ZipFile(tmp_path / "t.xlsx") as given, zipfile.ZipFile(content, "w") as made:
        for part in given.namelist():
            text = given.read(part)
            if part.startswith("xl/worksheets/"):
                for place in ("A1", "B1", "A2", "B2", "A3", "B3"):
                    text = text.replace(f' r="{place}"'.encode(), b"")
            made.writestr(part, text)
    assert marks_of_sheet(content.getvalue(), "visits").errors_of_columns(range(1, 3)) == {
        0: 1,
        1: 2,
    }
    assert fastexcel.read_excel(content.getvalue()).sheet_names == ["visits"]


def test_a_table_that_begins_behind_other_rows_and_columns_is_read(tmp_path):
    write(tmp_path / "t.xlsx", [["age", "sex"], *([n, "f"] for n in range(20, 29))], top=5, left=3)
    found = ind.preview(tmp_path / "t.xlsx")
    assert found.names == ("age", "sex")
    assert found.rows[0] == ("20", "f")
    assert ind.preview(tmp_path / "t.xlsx", header=6).rows == found.rows
