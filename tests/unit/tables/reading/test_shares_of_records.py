"""Types, formats and rows of text files are found by shares of records, and odd cells are told."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError
from indistinct.tables.publish.given_reading import given_reading


def written(folder, lines, name="table.csv"):
    path = folder / name
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


def found(path, policy=None, **keywords):
    return given_reading(policy, keywords).read(path)


def policy_of(column, **words):
    return {
        "columns": {
            column: {"role": "quasi-identifier", **words},
            "ill": {"role": "insensitive"},
        },
        "models": [{"name": "k-anonymity", "k": 2}],
    }


def of_cells(cells):
    return ["cell,ill", *(f"{cell},flu" for cell in cells)]


def test_a_header_that_comes_again_is_no_record(tmp_path):
    rows = [f"{age},m,flu" for age in range(20, 60)]
    names = "age,sex,ill"
    path = written(tmp_path, [names, *rows[:20], f"\ufeff{names}", *rows[20:], names])
    source = found(path)
    assert source.frame.height == 40
    assert source.frame.schema["age"] == pl.Int64
    assert "2 lines (22, 43) are the header again" in " ".join(source.found.sentences())


@pytest.mark.parametrize("again", ["AGE,SEX,ILL", "Age,Sex,Ill"])
def test_a_header_comes_again_in_other_letters(tmp_path, again):
    rows = [f"{age},m,flu" for age in range(20, 60)]
    source = found(written(tmp_path, ["age,sex,ill", *rows, again, *rows]))
    assert source.frame.height == 80
    assert source.frame.schema["age"] == pl.Int64


def test_names_given_twice_get_a_number(tmp_path):
    rows = [f"{age},m,{age + 1}" for age in range(20, 60)]
    source = found(written(tmp_path, ["age,sex,age", *rows]))
    assert source.frame.columns == ["age", "sex", "age.1"]
    assert source.frame["age.1"].to_list() == list(range(21, 61))
    assert "age.1 (column 3)" in " ".join(source.found.sentences())


def test_comments_above_two_columns_are_no_header(tmp_path):
    rows = [f"{age},flu" for age in range(20, 60)]
    source = found(written(tmp_path, ["# by an office", "# today", "age,ill", *rows]))
    assert source.frame.columns == ["age", "ill"]


@pytest.mark.parametrize("mark", [":", "^"])
def test_another_mark_between_cells_is_named(tmp_path, mark):
    lines = [mark.join(["age", "sex", "ill"]), *(f"{age}{mark}m{mark}flu" for age in range(20, 60))]
    with pytest.raises(DataError, match=r"in each line"):
        found(written(tmp_path, lines))
    assert found(written(tmp_path, lines), separator=mark).frame.width == 3


@pytest.mark.parametrize("odd", ["12/31/1999", "1.1.80", "31.02.2019", "3.5.1999 25:00"])
def test_a_date_in_another_writing_is_an_odd_cell(tmp_path, odd):
    days = [f"{day:02}.{month:02}.1987" for day in range(1, 29) for month in (3, 4)]
    source = found(written(tmp_path, of_cells([*days, odd])))
    assert source.frame.schema["cell"] == pl.Date
    assert source.frame["cell"].null_count() == 1
    assert "line 58" in " ".join(source.found.sentences())


@pytest.mark.parametrize("month", ["JAN", "gennaio", "maart", "мая", "ekim"])
def test_months_have_names_in_many_languages(tmp_path, month):
    mark = "" if month == "JAN" else " "
    days = [f"{day:02}{mark}{month}{mark}19{day:02}" for day in range(10, 30)]
    assert found(written(tmp_path, of_cells(days))).frame.schema["cell"] == pl.Date


def test_a_lone_word_among_numbers_is_asked_for(tmp_path):
    cells = ["ohne" if n % 6 == 0 else str(20 + n % 40) for n in range(200)]
    (doubt,) = [one for one in ind.inspect(written(tmp_path, of_cells(cells))).doubts
                if one.kind == "missing"]  # fmt: skip
    assert doubt.about == ("cell",)
    settled = policy_of("cell", missing=["", "ohne"])
    assert found(written(tmp_path, of_cells(cells)), settled).frame.schema["cell"] == pl.Int64


def test_a_name_among_the_values_is_no_header(tmp_path):
    path = written(tmp_path, ["age,title", *(f"{age},title" for age in range(20, 30))])
    assert found(path).frame.height == 10


@pytest.mark.parametrize(
    "last",
    [["Total,,,99", "Number: 40,,,"], ["", "Sum,,,1"], [",,,4711"], ["Printed by the office"]],
)
def test_all_rows_at_the_end_that_are_no_records_are_left_out(tmp_path, last):
    rows = [f"Member {n},{20 + n},m,{n % 7}" for n in range(40)]
    source = found(written(tmp_path, ["name,age,sex,fee", *rows, *last]))
    assert source.frame.height == 40
    assert source.found.words["skip_last"] == sum(bool(line) for line in last)


def test_a_last_record_with_few_cells_stays_where_others_have_as_few(tmp_path):
    rows = [f"{n},," if n % 5 == 0 else f"{n},a,b" for n in range(41)]
    assert found(written(tmp_path, ["number,one,other", *rows])).frame.height == 41


def test_odd_cells_of_a_format_are_missing_and_told_with_their_line(tmp_path):
    days = [f"{1 + n % 28:02d}/{1 + n % 12:02d}/2023" for n in range(100)]
    days[40], days[60] = "  ", "soon"
    path = written(tmp_path, of_cells(days))
    source = found(path)
    assert source.frame.schema["cell"] == pl.Date
    assert source.frame["cell"].null_count() == 2
    assert "one is not (line 62): read as missing" in source.found.columns["cell"].said
    draft = ind.inspect(path).draft(yes_to_suggestions=True)
    assert 'format = "dd/mm/yyyy"' in draft
    said = found(path, policy_of("cell", format="dd/mm/yyyy"))
    assert said.frame["cell"].to_list() == source.frame["cell"].to_list()


def test_many_odd_cells_are_asked_for_and_refused(tmp_path):
    days = [f"{1 + n % 28:02d}/{1 + n % 12:02d}/2023" for n in range(95)] + ["soon"] * 5
    path = written(tmp_path, of_cells(days))
    source = found(path)
    assert source.frame.schema["cell"] == pl.String
    (doubt,) = source.found.doubts
    assert (doubt.kind, doubt.about, doubt.records) == ("type", ("cell",), 100)
    assert "5 are not (lines 97, 98, 99, 100, 101)" in doubt.text
    with pytest.raises(
        DataError, match=r"5 of 100 values do not fit dd/mm/yyyy; the first \(line 97\)"
    ):
        found(path, policy_of("cell", format="dd/mm/yyyy"))
    words = policy_of("cell", format="dd/mm/yyyy", unreadable="missing")
    assert found(path, words).frame["cell"].null_count() == 5


def test_one_odd_cell_is_refused_where_a_policy_says_so(tmp_path):
    path = written(tmp_path, of_cells([*range(200), "many"]))
    assert found(path, policy_of("cell", type="number")).frame["cell"].null_count() == 1
    with pytest.raises(
        DataError, match=r"1 of 201 values do not fit numbers; the first \(line 202\)"
    ):
        found(path, policy_of("cell", type="number", unreadable="refuse"))


def test_iso_dates_with_one_odd_cell_are_dates(tmp_path):
    days = [f"2023-{1 + n % 12:02d}-{1 + n % 28:02d}" for n in range(80)] + ["later"]
    source = found(written(tmp_path, of_cells(days)))
    assert source.frame.schema["cell"] == pl.Date
    assert source.found.columns["cell"].type == "date"


def test_codes_with_an_e_stay_as_they_are_written(tmp_path):
    source = found(written(tmp_path, of_cells(["1E2", "2E3", "12", "10"] * 9)))
    assert set(source.frame["cell"]) == {"1E2", "2E3", "12", "10"}
    assert source.found.columns["cell"].type == "code"
    numbers = found(written(tmp_path, of_cells(["1.5E2", "2E+03", "12"] * 9)))
    assert numbers.frame["cell"].to_list()[:3] == [150.0, 2000.0, 12.0]
    said = found(written(tmp_path, of_cells(["1E2", "12"] * 9)), policy_of("cell", type="number"))
    assert said.frame["cell"].to_list()[:2] == [100, 12]


def test_the_order_of_day_and_month_is_proved_by_shares(tmp_path):
    days = [f"{1 + n % 28:02d}/{1 + n % 12:02d}/2023" for n in range(150)]
    source = found(written(tmp_path, of_cells([*days, "01/13/2023"])))
    assert source.found.columns["cell"].format == "dd/mm/yyyy"
    assert source.frame["cell"].null_count() == 1
    early = found(
        written(tmp_path, of_cells([f"{1 + n % 12}/{1 + n % 11}/2023" for n in range(99)]))
    )
    (doubt,) = early.found.doubts
    assert doubt.kind == "date-order"
    assert [answer for answer, _ in doubt.answers] == ["dd/mm/yyyy", "mm/dd/yyyy"]
    assert doubt.examples[:2] == (("2023-01-01", "2023-01-01"), ("2023-02-02", "2023-02-02"))


def test_births_are_not_after_the_deaths_beside_them(tmp_path):
    rows = [
        f"{1 + n % 28:02d}.{1 + n % 12:02d}.{16 + n % 45:02d},20{n % 20:02d}-05-01,flu"
        for n in range(360)
    ]
    path = written(tmp_path, ["birth_date,death_date,ill", *rows])
    source = found(path)
    assert source.found.columns["birth_date"].last_year == 1960
    years = source.frame["birth_date"].dt.year()
    assert (years.min(), years.max()) == (1916, 1960)
    words = policy_of("birth_date", format="dd.mm.yy", last_year=1960)
    assert found(path, words).frame["birth_date"].equals(source.frame["birth_date"])
    alone = written(tmp_path, ["birth_date,ill", *(row.split(",")[0] + ",flu" for row in rows)])
    (doubt,) = found(alone).found.doubts
    assert doubt.kind == "century"
    assert found(alone).frame.schema["birth_date"] == pl.String


def test_days_of_a_spreadsheet_are_asked_for_and_read(tmp_path):
    path = written(tmp_path, ["birth_date,ill", *(f"{15000 + 37 * n},flu" for n in range(300))])
    asked = [one for one in ind.inspect(path).doubts if one.kind == "type"]
    assert [one.about for one in asked] == [("birth_date",)]
    word = "days since 1899-12-30"
    read = found(path, policy_of("birth_date", format=word)).frame["birth_date"]
    assert str(read[0]) == "1941-01-24"
    assert 'format = "days since 1899-12-30"' in asked[0].how


@pytest.mark.parametrize("spoilt", ["K\ufffdln", "K\u00c3\u00b6ln"])
def test_characters_that_were_spoilt_before_are_told_and_read_as_they_stand(tmp_path, spoilt):
    cells = ["K\u00f6ln"] * 40
    cells[7] = spoilt
    source = found(written(tmp_path, of_cells(cells)))
    assert source.frame["cell"][7] == spoilt
    assert "1 character was lost, or encoded twice, before the file was written (line 9)" in (
        " ".join(source.found.sentences())
    )
