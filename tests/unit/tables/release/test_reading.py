"""A release is UTF-8 and has its own separator, whatever was said of its input."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.policy.specification import resolve
from indistinct.tables.release.released_file import read_release

CITIES = ["Köln", "Münster", "Düren", "Ulm"] * 6
TABLE = pl.DataFrame(
    {"city": CITIES, "age": list(range(20, 44)), "illness": ["flu", "ulcer", "flu"] * 8}
)
COLUMNS = {
    "city": {"role": "quasi-identifier"},
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [8, 16]}},
    "illness": {"role": "sensitive"},
}


def policy(**tables):
    return ind.Policy.from_words(
        {"columns": COLUMNS, "models": [{"name": "k-anonymity", "k": 2}], **tables}
    )


LATIN = {"separator": ";", "encoding": "latin-1"}


@pytest.fixture
def latin(tmp_path):
    """An input in Latin text, split by semicolons."""
    path = tmp_path / "input.csv"
    path.write_bytes(TABLE.write_csv(separator=";").encode("latin-1"))
    return path


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_a_release_of_latin_text_is_assessed_and_attacked(tmp_path, latin, ending):
    """Its cells are those of the frame that was written, and what is found is the same."""
    asked = policy(data=LATIN)
    release = ind.anonymize(latin, asked, seed=1)
    path = tmp_path / f"release.{ending}"
    release.write(path)
    assert set(read_release(path, resolve(asked))["city"]) <= {*CITIES, "*"}
    assert ind.verify(path, asked, original=latin).holds
    words = {"original": latin}
    measured = [ind.assess(table, asked, **words).document() for table in (path, release.data)]
    stated = [one.pop("statements") for one in measured]  # a frame has no manifest
    assert measured[0] == measured[1]
    for part in ("size", "reached", "kept", "risk"):
        assert stated[0][part] == stated[1][part]
    found = [
        ind.attack(table, asked, register=latin, seed=1).document()
        for table in (path, release.data)
    ]
    assert found[0] == found[1]
    assert found[0]["attempts"] == TABLE.height


def test_the_input_itself_is_read_as_the_policy_says(latin):
    """What is no UTF-8 is in the encoding that the policy names."""
    assert read_release(latin, resolve(policy(data=LATIN)))["city"].to_list() == CITIES


def test_a_separator_of_the_input_does_not_split_the_release(tmp_path):
    """A release of a frame has commas; semicolons in the names of columns mislead nobody."""
    path = tmp_path / "release.csv"
    TABLE.write_csv(path)
    assert read_release(path, resolve(policy(data={"separator": ";"}))).columns == TABLE.columns
    path.write_text("city,age_min,age_max,illness\nUlm,20,28,flu\n", encoding="utf-8")
    assert read_release(path, resolve(policy(data={"separator": ";"})))["age_max"].to_list() == [28]


@pytest.mark.parametrize("data", [LATIN, {"separator": ";"}, {}], ids=["latin", "utf-8", "found"])
def test_a_population_is_split_as_the_input_is(tmp_path, data):
    """A name contains commas, by which the finder of separators would split them."""
    names = {"city": "city, town, or village, as of 2020", "age": "age"}
    table = TABLE.rename(names)
    path = tmp_path / "people.csv"
    text = pl.concat([table, table]).write_csv(separator=";", quote_style="never")
    path.write_bytes(text.encode(data.get("encoding", "utf-8")))
    words = {names.get(name, name): column for name, column in COLUMNS.items()}
    asked = policy(columns=words, data=data, population={"data": str(path)})
    assert ind.assess(table, asked).document()["risk"]["journalist"] == pytest.approx(0.5)


@pytest.mark.parametrize("algorithm", ["optimal", "mondrian"])
def test_bounds_are_the_ranges_that_they_stand_for(algorithm):
    """Half-open, but closed where they were made from the data: each answers as its label does."""
    columns = {"age": {"role": "quasi-identifier"}, "illness": {"role": "sensitive"}}
    found = []
    for form in ("label", "bounds"):
        asked = policy(
            columns=columns, release={"intervals": form}, method={"algorithm": algorithm}
        )
        frame = ind.anonymize(TABLE.drop("city"), asked, seed=1).frame
        found.append(ind.assess(frame, asked, original=TABLE.drop("city"), queries=50).utility)
    assert found[0]["query_error"] == pytest.approx(found[1]["query_error"])
    assert found[0]["gcp"] == found[1]["gcp"]


def test_a_missing_word_of_the_policy_is_a_cell_of_its_own():
    """Written as an empty cell, and measured as the word that the hierarchy knows."""
    table = TABLE.with_columns(town=pl.Series(["u", "v", "?"] * 8)).drop("city")
    columns = {**COLUMNS, "town": {"role": "quasi-identifier"}}
    del columns["city"]
    asked = policy(columns=columns, data={"missing": ["?"]})
    release = ind.anonymize(table, asked, seed=1)
    assert ind.assess(release.data, asked, original=table).document()["loss"]["loss"] == (
        pytest.approx(release.owner["loss"]["loss"])
    )


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_an_engine_verifies_tabs_beside_an_input_with_semicolons(tmp_path, engine):
    """The ending of a release names its separator; the order of its rows is looked at, too."""
    TABLE.write_csv(tmp_path / "input.csv", separator=";")
    asked, out = policy(data={"separator": ";"}), tmp_path / "release.tsv"
    with ind.anonymize(tmp_path / "input.csv", asked, engine=engine) as release:
        release.write(out)
    found = ind.verify(out, asked, original=tmp_path / "input.csv", engine=engine)
    assert found.holds
    assert found.records == TABLE.height
    first, *rows = out.read_text("utf-8").splitlines()
    out.write_text("\n".join([first, *reversed(rows), ""]), "utf-8")
    assert "order" in str(ind.verify(out, asked, engine=engine).faults)
