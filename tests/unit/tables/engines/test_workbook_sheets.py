"""Workbooks with several sheets: the path names the one that is read."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError, OutputError
from indistinct.frontends.cli.main import status
from indistinct.tables.reading import files

pytest.importorskip("fastexcel")
xlsxwriter = pytest.importorskip("xlsxwriter")

MAY = pl.DataFrame({"age": [31, 32], "ill": ["flu", "asthma"]})
JUNE = pl.DataFrame({"age": [40, 41, 42], "ill": ["none", "flu", None]})


def add(book, name, table):
    sheet = book.add_worksheet(name)
    for column, series in enumerate(table.iter_columns()):
        for row, cell in enumerate([series.name, *series.to_list()]):
            sheet.write(row, column, cell)
    return sheet


@pytest.fixture
def workbook(tmp_path):
    path = tmp_path / "visits.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        add(book, "May", MAY)
        add(book, "June #2", JUNE).hide()
        add(book, "July", MAY)
        book.add_worksheet("empty")
    return path


@pytest.mark.parametrize(("sheet", "table"), [("May", MAY), ("June #2", JUNE)])
def test_a_named_sheet_is_read_hidden_or_not(workbook, sheet, table):
    assert files.read_file(f"{workbook}#{sheet}").frame.equals(table)


def test_the_hash_is_that_of_the_file(workbook):
    assert files.read_file(f"{workbook}#May").sha256 == files.sha256_of(workbook)


def test_of_several_sheets_one_has_to_be_named(workbook):
    with pytest.raises(DataError, match="2 visible sheets") as raised:
        files.read_file(workbook)
    (fault,) = raised.value.faults
    assert fault.values == ("May", "July")
    assert "May" not in str(raised.value)


def test_a_sheet_that_is_not_there(workbook):
    with pytest.raises(DataError, match="no such sheet") as raised:
        files.read_file(f"{workbook}#August")
    assert raised.value.faults[0].values == ("May", "June #2", "July", "empty")


def test_a_sheet_without_cells(workbook):
    with pytest.raises(DataError, match="no cells"):
        files.read_file(f"{workbook}#empty")


def test_a_file_with_such_a_name_stays_whole(tmp_path):
    path = tmp_path / "a.xlsx#b"
    path.write_text("age,ill\n1,flu\n", "utf-8")
    assert files.read_file(path).frame.rows() == [(1, "flu")]


def test_other_files_have_no_sheets(tmp_path):
    (tmp_path / "a.csv").write_text("age\n1\n", "utf-8")
    with pytest.raises(DataError, match="cannot be read"):
        files.read_file(f"{tmp_path / 'a.csv'}#May")


def test_the_workbook_is_not_overwritten(workbook):
    with pytest.raises(OutputError, match="is the input"):
        files.check_output(str(workbook), f"{workbook}#May")


def test_commands_take_a_sheet(tmp_path, capsys):
    """From a sheet to a verified release, compared with that sheet."""
    path, out, policy = (tmp_path / name for name in ("two.xlsx", "out.csv", "policy.toml"))
    patients = ind.sample("patients", rows=200).select("sex", "insurance", "diagnosis")
    with xlsxwriter.Workbook(str(path)) as book:
        add(book, "notes", MAY)
        add(book, "patients", patients)
    ind.Policy.from_keywords(
        quasi_identifiers=["sex", "insurance"], sensitive=["diagnosis"], k=3, max_suppression=0.2
    ).save(policy)
    table, words = f"{path}#patients", ["--policy", str(policy)]
    assert status(["anonymize", table, *words, "--out", str(out)], show_values=False) == 0
    assert status(["verify", str(out), *words, "--original", table], show_values=False) == 0
    assert status(["verify", str(out), *words, "--original", f"{path}#notes"], show_values=False)
    capsys.readouterr()


@pytest.mark.parametrize("name", ["release.xlsx#data", "release.XLSX#May 2024", "a#b.xlsx#c.csv"])
@pytest.mark.parametrize("engine", ["auto", "duckdb"])
def test_no_release_is_written_to_a_sheet(tmp_path, engine, name):
    (tmp_path / "t.csv").write_text("age\n1\n1\n", encoding="utf-8")
    policy = tmp_path / "p.toml"
    policy.write_text(
        '[columns.age]\nrole = "quasi-identifier"\n[[models]]\nname = "k-anonymity"\nk = 2\n'
    )
    given = ["anonymize", str(tmp_path / "t.csv"), "--policy", str(policy), "--engine", engine]
    assert status([*given, "--out", str(tmp_path / name)], show_values=False) == 2
    assert sorted(one.name for one in tmp_path.iterdir()) == ["p.toml", "t.csv"]
