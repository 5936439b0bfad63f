"""Files of SPSS, Stata and Excel: types, labels and missing codes, and what no file may hold."""

import datetime as dt
import io
import tomllib
import zipfile

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError, OutputError
from indistinct.tables.reading import files
from indistinct.tables.reading.formats import FORMATS
from indistinct.tables.reading.statistical import Labels

pyreadstat = pytest.importorskip("pyreadstat")
pytest.importorskip("fastexcel")
pandas = pytest.importorskip("pandas")
xlsxwriter = pytest.importorskip("xlsxwriter")

SEEN = dt.datetime(2020, 1, 1, 3, 4, 5, 678_000)  # noqa: DTZ001 - as files have it
TABLE = pl.DataFrame(
    {
        "age": ["[20, 30)", "*", None],
        "sex": [1, 2, 1],
        "weight": [1.5, None, 0.1],
        "born": [dt.date(1899, 1, 1), None, dt.date(2020, 2, 29)],
        "seen": [SEEN, None, SEEN.replace(year=1960)],
        "code": ["1", "[1, 2]", "=1+1"],
        "text": ["a" * 600 + "b", "żółć", "x" * 256],
        "a_name_of_more_than_eight": [2**40, -1, None],
    }
)
LABELS = Labels(
    {"sex": "Sex of the person", "gone": "Secret column"},
    {
        "sex": {1: "male", 2: "female", 3: "secret label"},
        "code": {1.0: "one", 9.0: "secret code"},
        "gone": {1: "secret value"},
    },
)
WITH_LABELS = ("sav", "dta")
parametrized = pytest.mark.parametrize("form", WITH_LABELS)


def written(form: str, path, table=TABLE) -> bytes:
    target = path / f"table.{form}"
    files.write_file(table, str(target), form, None, LABELS)
    return target.read_bytes()


@pytest.mark.parametrize("form", ["sav", "dta", "xlsx"])
def test_what_was_written_is_read(form, tmp_path):
    written(form, tmp_path)
    found = files.read_file(tmp_path / f"table.{form}").frame
    expected = TABLE
    if form == "xlsx":  # Excel has no days before 1900
        expected = TABLE.with_columns(pl.col("born").cast(pl.String))
    assert found.equals(expected)
    assert found.schema == expected.schema


@parametrized
def test_labels_survive_for_what_the_cells_show_and_for_nothing_else(form, tmp_path):
    content = written(form, tmp_path)
    labels = files.read_file(tmp_path / f"table.{form}").labels
    assert labels.columns == {"sex": "Sex of the person"}
    assert labels.values["sex"] == {1: "male", 2: "female"}
    # SPSS has labels of texts: a generalized column keeps that of a code.
    assert labels.values.get("code") == ({"1": "one"} if form == "sav" else None)
    assert b"secret" not in content.lower()


@pytest.mark.parametrize("form", ["sav", "dta", "xlsx"])
def test_no_file_says_when_it_was_written(form, tmp_path):
    """Two files of one table have the same bytes, whatever the clock says."""
    content = written(form, tmp_path)
    this_year = str(dt.datetime.now(dt.UTC).year).encode()
    if form == "xlsx":
        with zipfile.ZipFile(io.BytesIO(content)) as book:
            assert {one.date_time for one in book.infolist()} == {(1980, 1, 1, 0, 0, 0)}
            assert not any(this_year in book.read(name) for name in book.namelist())
    assert this_year not in content
    assert {"sav": b"01 Jan 70", "dta": b"01 Jan 1970", "xlsx": b"PK"}[form] in content


@parametrized
def test_missing_codes_are_missing(form, tmp_path):
    """User-defined missing values of SPSS, and .a to .z of Stata."""
    path = str(tmp_path / f"survey.{form}")
    frame = pl.DataFrame({"answer": [1.0, 2.0, 8.0, 99.0, None]})
    if form == "sav":
        pyreadstat.write_sav(frame, path, missing_ranges={"answer": [8, {"lo": 90, "hi": 99}]})
    else:
        coded = pandas.DataFrame({"answer": [1.0, 2.0, "a", "z", None]})
        pyreadstat.write_dta(coded, path, missing_user_values={"answer": ["a", "z"]})
    assert files.read_file(path).frame["answer"].to_list() == [1, 2, None, None, None]


@pytest.mark.parametrize("other", [form for form in FORMATS if form.is_written])
@pytest.mark.parametrize("form", FORMATS)
def test_content_that_is_not_what_the_ending_says_is_refused(form, other, tmp_path):
    """In words that name what the file is; of text they say that it is not the format."""
    if form.separators and other.separators:
        return
    path = tmp_path / f"table{form.endings[0]}"
    files.write_file(pl.DataFrame({"a": [1, 2]}), str(path), other.name)
    if form is other:
        assert files.read_file(path).frame.height == 2
        return
    with pytest.raises(DataError, match="is not what its ending says"):
        files.read_file(path)


def test_names_and_texts_that_a_program_does_not_know_are_refused_at_once():
    frame = pl.DataFrame({"2a": ["x "], "b c": ["y\0"]})
    with pytest.raises(OutputError) as caught:
        files.write_file(frame, "unused.sav", "sav")
    assert len(caught.value.faults) == 4
    with pytest.raises(OutputError, match="does not allow"):
        files.write_file(pl.DataFrame({"n" * 33: [1]}), "unused.dta", "dta")
    with pytest.raises(OutputError, match="2,045 bytes"):
        files.write_file(pl.DataFrame({"n": ["x" * 2046]}), "unused.dta", "dta")


def test_a_format_that_is_only_read_is_refused_as_output(tmp_path):
    with pytest.raises(OutputError, match="can be read, but not written"):
        files.check_table_output(str(tmp_path / "out.sas7bdat"), None)


@pytest.mark.parametrize("head", [["a", "a"], ["a", None]])
def test_a_sheet_with_bad_names_is_refused(head, tmp_path):
    path = tmp_path / "bad.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet()
        for row, cells in enumerate([head, [1, 2]]):
            for place, cell in enumerate(cells):
                if cell is not None:
                    sheet.write(row, place, cell)
    with pytest.raises(DataError, match=r"named twice|names no column at 2"):
        files.read_file(path)


def test_a_workbook_of_two_sheets_is_refused(tmp_path):
    path = tmp_path / "two.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        for name in ("one", "two"):
            book.add_worksheet(name).write(0, 0, "a")
    with pytest.raises(DataError, match="2 visible sheets"):
        files.read_file(path)


def test_a_transport_file_of_sas_is_read_and_recognized(tmp_path):
    """Public surveys come as .xpt: cells and labels are read; other endings are refused."""
    path = tmp_path / "survey.xpt"
    frame = pl.DataFrame({"SEQN": [1, 2, 3], "AGE": [30.0, None, 50.0]})
    pyreadstat.write_xport(frame, path, column_labels={"AGE": "Age in years"})
    found = files.read_file(path)
    assert found.frame["AGE"].to_list() == [30, None, 50]
    assert found.labels.columns == {"AGE": "Age in years"}
    path.rename(tmp_path / "survey.csv")
    with pytest.raises(DataError, match=r"it is a SAS transport file\n.*\.xpt"):
        files.read_file(tmp_path / "survey.csv")
    with pytest.raises(OutputError, match="can be read, but not written"):
        files.check_table_output(str(tmp_path / "out.xpt"), None)


def test_levels_of_measurement_reach_the_draft(tmp_path):
    """Codes with labels are no numbers, whatever they look like; a level alone is a default."""
    frame = pandas.DataFrame(
        {"region": [row % 16 + 1 for row in range(320)], "age": [40, 50] * 160}
    )
    pyreadstat.write_sav(
        frame,
        str(tmp_path / "people.sav"),
        variable_value_labels={"region": {1: "Bremen", 2: "Hesse"}},
        variable_measure={"region": "nominal", "age": "nominal"},
    )
    words = tomllib.loads(ind.inspect(tmp_path / "people.sav").draft(yes_to_suggestions=True))
    assert words["columns"]["region"]["type"] == "nominal"
    assert "intervals" not in words["columns"]["region"].get("hierarchy", {})
    assert "type" not in words["columns"]["age"]
