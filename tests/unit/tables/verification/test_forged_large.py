"""Each check of a table that is not read whole finds the one thing that is forged."""

import json
from importlib import import_module

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import CapacityError, DataError, ParameterError
from indistinct.tables.engines.choosing import Resources
from indistinct.tables.reading.formats import write_file
from indistinct.tables.verification.bytes import BESIDE
from ordered import UNORDERED, ordered

POLICY = ind.Policy.from_words(
    {
        "columns": {
            "age": {
                "role": "quasi-identifier",
                "hierarchy": {"intervals": [10, 20]},
                "min_level": 1,
            },
            "ill": {"role": "sensitive"},
        },
        "models": [{"name": "k-anonymity", "k": 3}],
        "method": {"max_suppression": 0.1},
    }
)
ENGINE = {"engine": "polars", "memory": "1GB"}
ORIGINAL = pl.DataFrame({"age": [31, 32, 33, 45, 46, 47] * 5, "ill": ["a", "b"] * 15})


@pytest.fixture
def made(tmp_path):
    """Return the paths of an input and of its release, a Parquet file with a manifest beside it."""
    ORIGINAL.write_parquet(tmp_path / "in.parquet")
    release = ind.anonymize(str(tmp_path / "in.parquet"), POLICY, seed=1)
    release.write(tmp_path / "out.parquet")
    return tmp_path / "in.parquet", tmp_path / "out.parquet"


def said(path, policy=POLICY, **more):
    verdict = ind.verify(str(path), policy, **ENGINE, **more)
    assert verdict.holds == (not verdict.faults)
    return [f"{fault.place}: {fault.problem}" for fault in verdict.faults]


def forged(path, change):
    """Write other rows, without a manifest."""
    write_file(change(pl.read_parquet(path, memory_map=False)), str(path), "parquet")
    path.with_name(f"{path.name}.manifest.json").unlink()


def manifest_of(path):
    return json.loads(path.with_name(f"{path.name}.manifest.json").read_text())


def test_an_honest_release_holds_with_and_without_its_input(made):
    given, path = made
    assert said(path) == []
    assert said(path, original=str(given)) == []
    assert said(path, manifest=manifest_of(path)) == []


def test_other_bytes(made):
    _, path = made
    pl.read_parquet(path, memory_map=False).write_parquet(path, compression="uncompressed")
    assert said(path) == ["manifest.output.sha256: is not the hash of this file", f"file: {BESIDE}"]


def test_a_manifest_that_nobody_verified_or_that_is_broken(made):
    _, path = made
    manifest = manifest_of(path)
    unverified = said(path, manifest={**manifest, "verified": False})
    assert unverified == ["manifest.verified: says that this release was not verified"]
    broken = said(path, manifest={key: manifest[key] for key in manifest if key != "records"})
    assert broken != []
    assert all(one.startswith("manifest.records") for one in broken)
    elsewhere = path.with_name("elsewhere.json")
    elsewhere.write_text(json.dumps({**manifest, "verified": False}))
    assert said(path, manifest=str(elsewhere)) == unverified


def test_a_class_that_is_too_small(made):
    _, path = made
    ages = pl.read_parquet(path, memory_map=False)["age"].to_list()
    forged(path, lambda frame: frame.with_columns(age=pl.Series([*ages[:-1], "[50, 60)"])))
    assert said(path) == ["models.k-anonymity: does not hold in 1 of 3 classes"]
    given, _ = made
    assert "columns.age: 1 cells cover no value of the input" in said(path, original=str(given))


def test_rows_that_the_input_does_not_have_so_often(made):
    given, path = made
    forged(path, lambda frame: ordered(pl.concat([frame, frame[:2]]), "age"))
    assert said(path) == []
    assert any(one.startswith("records: ") for one in said(path, original=str(given)))


def test_columns_that_should_not_or_should_be_there(made):
    _, path = made
    forged(path, lambda frame: frame.with_columns(name=pl.lit("x")))
    assert said(path) == ["columns.name: is not in the policy"]
    pl.read_parquet(path, memory_map=False).drop("name", "ill").write_parquet(path)
    assert said(path) == ["columns.ill: is missing"]


def test_rows_in_another_order(made):
    _, path = made
    forged(path, pl.DataFrame.reverse)
    assert said(path) == [f"order: {UNORDERED}"]


@pytest.mark.parametrize(
    "change",
    [
        lambda part: part.with_columns(name=pl.lit("x")),
        lambda part: part.with_columns(pl.col("ill").cast(pl.Categorical)),
    ],
    ids=["a column more", "another type"],
)
def test_parts_that_differ_in_their_columns(made, tmp_path, change):
    """A folder is one table; what only one of its files has is shown by none of the others."""
    _, path = made
    whole = pl.read_parquet(path, memory_map=False)
    folder = tmp_path / "parts"
    folder.mkdir()
    write_file(whole.head(6), str(folder / "part-00000.parquet"), "parquet")
    change(whole.tail(-6)).write_parquet(folder / "part-00001.parquet")
    found = ind.verify(str(folder), POLICY)
    assert found.holds is False
    assert "the same columns and types" in found.faults[0].problem


def test_an_input_without_the_columns_of_the_policy(made):
    given, path = made
    ORIGINAL.drop("age").write_parquet(given)
    with pytest.raises(DataError, match="not in the table"):
        said(path, original=str(given))


def test_more_distinct_rows_than_fit(made, monkeypatch):
    _, path = made
    small = Resources("polars", 10**9, most_rows=1)
    monkeypatch.setattr(
        import_module("indistinct.tables.verification.verify_release"),
        "resources_of",
        lambda *_: small,
    )
    with pytest.raises(CapacityError, match="more than 1 distinct rows"):
        ind.verify(str(path), POLICY, **ENGINE)


def test_what_takes_single_records_is_refused(made):
    given, path = made
    with pytest.raises(ParameterError, match="read whole"):
        ind.verify(str(path), POLICY, original=str(given), owner="owner.json", **ENGINE)
    sets = ind.Policy.from_words(
        {
            "columns": {"age": {"role": "quasi-identifier", "type": "set"}},
            "models": [{"name": "km-anonymity", "column": "age", "k": 2, "m": 1}],
        }
    )
    with pytest.raises(DataError, match="verified in memory"):
        ind.verify(str(path), sets, **ENGINE)


def test_a_column_too_many_beside_masked_records(made):
    """Nothing else is looked at, and no row of stars is looked for among no rows."""
    _, path = made
    forged(path, lambda frame: frame.with_columns(name=pl.lit("x")))
    masked = POLICY.with_words({"release": {"suppressed": "mask"}})
    assert said(path, masked) == ["columns.name: is not in the policy"]
