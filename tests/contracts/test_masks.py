"""What every mask of columns must satisfy, from the input to the written file."""

import json

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.core.schema import Role
from indistinct.tables.masks import MASKS
from masks import people, policy_of, problems

CASES = {
    "microaggregation": {"age": {"k": 3}, "city": {"k": 3}},
    "noise-additive": {"income": {"share": 0.2, "correlated": True}},
    "swap": {"seen": {"percent": 10}},
    "pram": {"city": {"truth": 0.4}},
    "round": {"income": {"base": 250}},
    "top-bottom": {"age": {"low": 30, "high": 60}},
}
CHANCE = ("noise-additive", "swap", "pram", "microaggregation")
parametrized = pytest.mark.parametrize("name", CASES)


def policy(name, **words):
    columns = {column: {"name": name, **given} for column, given in CASES[name].items()}
    return policy_of(columns, **words)


@parametrized
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_the_written_file_verifies_with_and_without_the_original(name, suffix, tmp_path):
    path = tmp_path / f"release.{suffix}"
    release = ind.anonymize(people(), policy(name))
    release.write(path)
    for original in (None, people()):
        verdict = ind.verify(path, policy(name), original=original)
        assert verdict.holds, problems(verdict)
    assert release.frame.height == people().height
    assert release.frame.columns == people().columns


@parametrized
def test_masked_columns_change_and_no_others(name):
    release = ind.anonymize(people(), policy(name), seed=2)
    own = people()[release.crosswalk.tolist()]
    changed = {
        column
        for column in own.columns
        if not release.frame[column].cast(pl.String).equals(own[column].cast(pl.String))
    }
    assert changed
    assert changed <= set(CASES[name])


@parametrized
def test_a_seed_repeats_the_cells_and_chance_does_not(name):
    """Without a seed, 200 cells come out alike with no measurable probability."""
    names = list(CASES[name])
    by_row = []
    for seed in (4, 4, None):
        release = ind.anonymize(people(), policy(name), seed=seed)
        frame = release.frame.select(names).with_columns(row=release.crosswalk).sort("row")
        by_row.append(frame.drop("row"))
    assert by_row[0].equals(by_row[1])
    assert by_row[0].equals(by_row[2]) is (name not in CHANCE)


@parametrized
def test_the_manifest_says_how_and_shows_no_category(name):
    manifest = ind.anonymize(people(), policy(name)).manifest
    entry = manifest["protection"][next(iter(CASES[name]))]
    kind = MASKS[name]
    assert entry["name"] == name
    assert entry["in_classes"] is kind.in_classes
    assert entry["required"].items() >= next(iter(CASES[name].values())).items()
    assert '"a"' not in json.dumps(manifest["protection"])


@parametrized
def test_the_policy_survives_being_written(name):
    words = policy(name).words()
    assert ind.Policy(**words).protections == policy(name).protections


@parametrized
def test_an_identifier_cannot_be_masked_so(name):
    assert Role.IDENTIFIER not in MASKS[name].roles
    column = next(iter(CASES[name]))
    with pytest.raises(ind.PolicyError, match="does not fit the role"):
        policy(name, roles={column: "identifier"})


@parametrized
def test_a_pandas_frame_comes_back_as_one(name):
    pytest.importorskip("pandas")
    release = ind.anonymize(people().drop("seen").to_pandas(), without_dates(name))
    assert type(release.data).__module__.startswith("pandas")


def without_dates(name):
    columns = {"income": {"name": "swap", "percent": 10}} if name == "swap" else None
    chosen = columns or {c: {"name": name, **given} for c, given in CASES[name].items()}
    words = policy_of(chosen).words()
    del words["columns"]["seen"]
    return ind.Policy(**words)
