"""Two linked tables: what is in them, what the policy may ask, what verification finds."""

import json

import polars as pl
import pytest
from hypothesis import given

import indistinct as ind
from indistinct.errors import DataError, NoSolutionError, OutputError, PolicyError
from shared import examples
from strategies import frames

COLUMNS = {
    "name": {"role": "identifier"},
    "age": {"role": "quasi-identifier"},
    "city": {"role": "quasi-identifier"},
    "sex": {"role": "insensitive"},
    "illness": {"role": "sensitive"},
}
PEOPLE = pl.DataFrame(
    {
        "name": [f"person {row}" for row in range(24)],
        "age": [20 + 7 * row % 31 for row in range(24)],
        "city": [("Ulm", "Hof", "Jena")[row % 3] for row in range(24)],
        "sex": [("f", "m")[row % 5 % 2] for row in range(24)],
        "illness": [("flu", "gout", "ulcer", None)[row % 4] for row in range(24)],
    }
)


def policy(least=3, model="distinct-l-diversity", columns=COLUMNS, **release):
    """Ask for two linked tables."""
    return ind.Policy(
        columns=columns,
        models=[{"name": model, "column": "illness", "l": least}],
        release={"form": "anatomy", **release},
    )


@pytest.fixture
def written(tmp_path):
    """Write a release of the people; give its path."""
    path = tmp_path / "release.csv"
    ind.anonymize(PEOPLE, policy(), seed=1).write(path)
    return path


def test_one_table_has_the_records_and_the_other_the_values(written):
    """Together they have all records, all values, and no way from one to the other but groups."""
    records = pl.read_csv(written)
    sensitive = pl.read_csv(written.with_name("release.sensitive.csv"))
    assert records.columns == ["age", "city", "sex", "group"]
    assert sensitive.columns == ["group", "illness", "count"]
    assert sorted(records["age"]) == sorted(PEOPLE["age"])
    total = sensitive.group_by("illness").agg(pl.col("count").sum()).sort("illness")
    assert total["count"].to_list() == [6, 6, 6, 6]
    sizes = dict(records["group"].value_counts().iter_rows())
    assert dict(sensitive.group_by("group").agg(pl.col("count").sum()).iter_rows()) == sizes


def test_the_manifest_names_both_files_and_what_is_not_hidden(written):
    """Hashes of both, the groups as classes, the risk of rows that are as they were."""
    manifest = json.loads(written.with_name("release.csv.manifest.json").read_text())
    assert manifest["sensitive"]["file"] == "release.sensitive.csv"
    assert len(manifest["sensitive"]["sha256"]) == 64
    assert manifest["models"][0]["achieved"] == {"l": 3}
    # Six of 24 records have no value, which is none of the three of a group.
    assert manifest["classes"] == {"count": 6, "smallest": 4, "mean": 4.0, "largest": 4}
    assert manifest["risk"]["prosecutor"] == 1.0
    assert "as they are" in manifest["promise"]
    assert not any(str(value) in json.dumps(manifest) for value in ("gout", "ulcer", "Jena"))


@examples(15)
@given(frames())
def test_written_tables_verify(tmp_path_factory, frame):
    """Afresh from both files, with and without the input."""
    asked = policy(2, "probabilistic-l-diversity")
    path = tmp_path_factory.mktemp("release") / "release.parquet"
    try:
        release = ind.anonymize(frame, asked, seed=1)
    except NoSolutionError:
        return
    manifest = release.write(path)
    for original in (None, frame):
        verdict = ind.verify(path, asked, original=original)
        assert verdict.holds, verdict.faults
    assert verdict.classes == manifest["classes"]["count"] == frame.height // 2
    assert verdict.models[0]["achieved"]["l"] >= 2


def test_both_files_must_be_those_of_the_manifest(written):
    """A changed value that still adds up is found by its hash."""
    second = written.with_name("release.sensitive.csv")
    second.write_text(second.read_text().replace("gout", "rash"))
    verdict = ind.verify(written, policy())
    assert [fault.place for fault in verdict.faults] == ["manifest.sensitive.sha256"]


def test_a_missing_second_file_is_an_error(written):
    """One table alone is no release."""
    written.with_name("release.sensitive.csv").unlink()
    with pytest.raises(DataError):
        ind.verify(written, policy())
    with pytest.raises(DataError, match="sensitive"):
        ind.verify(pl.read_csv(written), policy())


def tables():
    """Return both tables of a release in memory."""
    release = ind.anonymize(PEOPLE, policy(), seed=1)
    return release.frame, release.sensitive


def places(records, sensitive):
    """Verify two tables in memory; give the places of all faults."""
    verdict = ind.verify(records, policy(), sensitive=sensitive)
    return {fault.place for fault in verdict.faults}


def test_tables_in_memory_hold():
    """What follows breaks what holds here."""
    assert places(*tables()) == set()


def test_a_group_of_two_values_is_found():
    """The listed values count, not the rows."""
    records, sensitive = tables()
    row = pl.int_range(pl.len())
    joined = sensitive.with_columns(
        count=pl.when(row == 1).then(pl.col("count") + sensitive["count"][0]).otherwise("count")
    )
    assert places(records, joined[1:]) == {"models.distinct-l-diversity"}


def test_counts_that_do_not_add_up_are_found():
    """More records than values, or fewer."""
    records, sensitive = tables()
    assert "count" in places(records[1:], sensitive)
    doubled = sensitive.with_columns(pl.col("count") * 2)
    assert "count" in places(records, doubled)


def test_groups_of_one_table_only_are_found():
    """Every group is in both."""
    records, sensitive = tables()
    last = sensitive["group"].max()
    assert "group" in places(records, sensitive.filter(pl.col("group") != last))
    assert "group" in places(records.filter(pl.col("group") != last), sensitive)


def test_counts_that_are_none_or_doubled_are_found():
    """Zero, words, and one value listed twice."""
    records, sensitive = tables()
    assert "sensitive" in places(records, sensitive.with_columns(pl.lit("many").alias("count")))
    assert "sensitive" in places(records, pl.concat([sensitive, sensitive[:1]]))


def test_columns_that_should_not_be_there_are_found():
    """The sensitive value beside the record, or the record beside the value."""
    records, sensitive = tables()
    assert "columns.illness" in places(records.with_columns(illness=pl.lit("flu")), sensitive)
    assert "columns.name" in places(records.with_columns(name=pl.lit("x")), sensitive)
    assert "sensitive.columns.age" in places(records, sensitive.with_columns(age=pl.lit(1)))
    assert "columns.age" in places(records.drop("age"), sensitive)


def test_what_two_tables_cannot_promise_is_refused():
    """All of it at once."""
    columns = {
        **COLUMNS,
        "age": {"role": "quasi-identifier", "min_level": 1},
        "group": {"role": "insensitive"},
        "count": {"role": "sensitive"},
    }
    with pytest.raises(PolicyError) as refused:
        ind.Policy(
            columns=columns,
            models=[
                {"name": "k-anonymity", "k": 5},
                {"name": "distinct-l-diversity", "column": "illness", "l": 1},
            ],
            release={"form": "anatomy", "suppressed": "mask"},
        )
    assert {fault.place for fault in refused.value.faults} == {
        "models.0.k-anonymity",
        "models.1.distinct-l-diversity.l",
        "columns",
        "columns.group",
        "columns.count",
        "columns.age.min_level",
        "release.suppressed",
    }


def test_standard_output_cannot_take_two_tables():
    """It says so and writes nothing."""
    with pytest.raises(OutputError, match="two linked tables"):
        ind.anonymize(PEOPLE, policy(), seed=1).write("-")


def test_nothing_is_written_when_one_file_cannot_be(tmp_path):
    """Both tables and the manifest, or none."""
    (tmp_path / "release.sensitive.csv").mkdir()
    with pytest.raises(OutputError):
        ind.anonymize(PEOPLE, policy(), seed=1).write(tmp_path / "release.csv")
    assert [file.name for file in tmp_path.iterdir()] == ["release.sensitive.csv"]


def test_an_assessment_of_one_of_two_tables_is_refused():
    """Half a release says nothing."""
    with pytest.raises(PolicyError, match="one table"):
        ind.assess(tables()[0], policy())


def test_a_page_for_people_says_what_is_not_hidden(tmp_path):
    """The report can be made, and does not end at the models."""
    ind.anonymize(PEOPLE, policy(), seed=1).report(tmp_path / "release.html")
    assert "published as they are" in (tmp_path / "release.html").read_text()


def test_records_without_a_value_may_be_left_out():
    """Missing values follow the policy as everywhere."""
    asked = policy(3).with_words({"data": {"missing_as": "suppress"}})
    release = ind.anonymize(PEOPLE, asked, seed=1)
    assert release.manifest["records"] == {"released": 18, "suppressed": 6}
    assert release.sensitive["illness"].null_count() == 0
