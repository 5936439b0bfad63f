"""How a file is read can be said before there is a policy, and in one."""

import datetime as dt
import json
import tomllib

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError, IndistinctError, ParameterError, PolicyError
from made_files import made_file

DAYS = [dt.date(1950 + row % 40, row % 12 + 1, row % 12 + 1) for row in range(120)]
BY_DAY = "birth;weight;ill\n" + "".join(
    f"{day:%d/%m/%Y};{row % 50 + 40},{row % 10};{'ab'[row % 2]}\n" for row, day in enumerate(DAYS)
)


def table(tmp_path, text: str = BY_DAY, encoding: str = "utf-8"):
    """Write a table."""
    path = tmp_path / "data.csv"
    path.write_bytes(text.encode(encoding))
    return path


def test_a_format_decides_what_the_cells_cannot_tell(tmp_path):
    path = table(tmp_path)
    assert ind.inspect(path).columns[0].type == "text"
    found = ind.inspect(path, formats={"birth": "mm/dd/yyyy"})
    assert found.columns[0].type == "date"
    assert 'format = "mm/dd/yyyy"' in found.draft()


def test_a_format_that_does_not_fit_is_refused_without_a_cell(tmp_path):
    with pytest.raises(DataError, match=r"columns.birth.format: 120 of 120 values") as caught:
        ind.inspect(table(tmp_path), formats={"birth": "dd.mm.yyyy"})
    assert "/19" not in str(caught.value)


def test_a_type_keeps_numbers_as_texts(tmp_path):
    found = ind.preview(table(tmp_path), types={"weight": "code"})
    assert found.types == ("text", "text", "text")


@pytest.mark.parametrize(
    ("keywords", "place"),
    [
        ({"encoding": "klingon"}, "encoding"),
        ({"decimal": ";"}, "decimal"),
        ({"header": 0}, "header"),
        ({"separator": "--"}, "separator"),
        ({"types": {"birth": "day"}}, "types.birth"),
        ({"formats": {"birth": "ddmm"}}, "birth.format"),
        ({"kind": "x"}, "kind"),
        ({"header": 900}, "data.header"),
    ],
)
def test_wrong_words_are_refused_by_their_names(tmp_path, keywords, place):
    with pytest.raises(IndistinctError, match=place):
        ind.inspect(table(tmp_path), **keywords)


def test_a_policy_of_data_alone_says_how_a_file_is_read(tmp_path):
    path = table(tmp_path, "a,b\nä,1\nö,2\n" * 3, "cp437")
    policy = tmp_path / "reading.toml"
    policy.write_text('[data]\nencoding = "cp437"\n')
    assert ind.preview(path, policy).rows[0] == ("ä", "1")
    assert 'encoding = "cp437"' in ind.inspect(path, policy).draft()
    with pytest.raises(PolicyError, match=r"data\.encodin"):
        ind.inspect(path, {"data": {"encodin": "cp437"}})


def test_the_draft_reads_the_file_as_the_inspection_did(tmp_path):
    """From a file with everything at once to a release that is verified against it."""
    towns = ["Köln", "Ulm"]
    rows = [
        f"{day.replace(day=at % 28 + 1):%d.%m.%y};{40 + at % 50},{at % 10};{towns[at % 2]}"
        for at, day in enumerate(DAYS)
    ]
    text = "Patients of a ward\n\nonset;weight;town\n" + "\n".join(rows) + "\nTotal;;\n"
    path = table(tmp_path, text, "cp1252")
    words = tomllib.loads(ind.inspect(path).draft(yes_to_suggestions=True))
    assert words["data"] == {
        "separator": ";",
        "header": 3,
        "skip_last": 1,
        "encoding": "cp1252",
        "decimal": ",",
    }
    assert words["columns"]["onset"]["format"] == "dd.mm.yy"
    release = ind.anonymize(path, words)
    release.write(tmp_path / "release.csv")
    assert ind.verify(tmp_path / "release.csv", words, original=path).holds
    shown = set(release.data["onset"].to_list())
    days = {f"{day:%Y-%m}" for day in DAYS}
    assert {cell for cell in shown if len(cell) == 7} <= days | {"*"}


def test_a_column_whose_values_a_policy_lists_stays_as_it_is_written(tmp_path):
    words = {
        "columns": {
            "birth": {"role": "quasi-identifier", "hierarchy": {"mask": 4}},
            "weight": {"role": "insensitive"},
            "ill": {"role": "insensitive"},
        },
        "models": [{"name": "k-anonymity", "k": 2}],
    }
    text = BY_DAY.replace("01/01/", "31/01/")
    release = ind.anonymize(table(tmp_path, text), words)
    assert release.data["birth"].str.contains("/").all()
    assert release.data["weight"].dtype == pl.Float64


def test_engines_say_what_to_convert(tmp_path):
    path = table(tmp_path)
    with pytest.raises(ParameterError, match="header"):
        ind.inspect(path, engine="polars", header=2)
    drafted = ind.inspect(path, engine="polars").draft()
    assert "cannot tell the day from the month" in drafted


def test_the_preview_is_json(tmp_path, capsys):
    from indistinct.frontends.cli.main import app

    app(["inspect", str(table(tmp_path)), "--preview", "--json"], standalone_mode=False)
    found = json.loads(capsys.readouterr().out)
    assert found["records"] == 120
    assert found["reading"] == {"decimal": ","}
    assert [column["type"] for column in found["columns"]] == ["text", "number", "text"]


def test_words_among_numbers_are_missing_under_the_draft_alone(tmp_path):
    made = made_file("a_word_among_numbers", 3)
    path = tmp_path / "data.csv"
    path.write_bytes(made.content)
    assert ind.preview(path, types={"weight": "number"}).types[-1] == "integer"
    words = {"columns": {"weight": {"role": "quasi-identifier"}}, "models": []}
    words["columns"] |= {name: {"role": "insensitive"} for name in ("age", "sex", "town", "seen")}
    words["models"] = [{"name": "k-anonymity", "k": 2}]
    assert ind.preview(path, words).types[-1] == "text"


def test_a_first_record_without_a_number_is_not_a_header(tmp_path):
    """A word in the place of one number is a missing value, however rare the other cells are."""
    rows = "".join(f"person {row},{20 + row},{'ab'[row % 2]}\n" for row in range(40))
    path = table(tmp_path, f"name,age,ill\nsomebody,unknown,a\n{rows}")
    assert "skip_rows" not in ind.inspect(path).draft()
    assert ind.inspect(path).rows == 41


def test_a_type_that_is_given_stands_in_the_draft_once(tmp_path):
    path = tmp_path / "sets.csv"
    cells = ["flu;cough", "flu", "cough;fever", "fever", "flu;fever;cough"]
    path.write_text("id,found\n" + "".join(f"{n},{cells[n % 5]}\n" for n in range(200)))
    for kind in ("set", "text"):
        draft = ind.inspect(path, types={"found": kind}, separator=",").draft()
        assert tomllib.loads(draft)["columns"]["found"]["type"] == kind
