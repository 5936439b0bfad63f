"""From a table and a policy to a release: what is refused, and how it is written."""

import os
import subprocess

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import (
    HierarchyError,
    NoSolutionError,
    OutputError,
    PolicyError,
    SchemaError,
)

QUASI = {"role": "quasi-identifier"}
SENSITIVE = {"role": "sensitive"}
PEOPLE = pl.DataFrame({"age": [21, 22, 35, 36], "town": list("uuhh"), "ill": list("abab")})


def policy(columns: dict, models=(), k: int = 2, **tables) -> ind.Policy:
    """Promise k-anonymity and more."""
    least = {"name": "k-anonymity", "k": k}
    return ind.Policy.from_words({"columns": columns, "models": [least, *models], **tables})


def people(**changes) -> dict:
    """Return the columns of PEOPLE, some of them changed."""
    return {"age": QUASI, "town": QUASI, "ill": {"role": "insensitive"}, **changes}


def test_columns_must_be_the_policy_s():
    """Missing and unnamed columns are listed together."""
    with pytest.raises(SchemaError) as caught:
        ind.anonymize(PEOPLE, policy({"age": QUASI, "city": QUASI, "ill": SENSITIVE}))
    assert [fault.place for fault in caught.value.faults] == ["columns.city", "columns.town"]


def test_k_larger_than_the_table():
    """Refused before any search."""
    with pytest.raises(PolicyError, match="larger than the table, which has 4 records"):
        ind.anonymize(PEOPLE, policy(people(), k=5))


def test_a_sensitive_column_without_values():
    """All cells missing: there is nothing to protect."""
    empty = PEOPLE.with_columns(ill=pl.lit(None, pl.String))
    with pytest.raises(PolicyError, match=r"columns\.ill: is sensitive but has no values"):
        ind.anonymize(empty, policy(people(ill=SENSITIVE)))


def test_a_column_that_numbers_the_records():
    """It would give the order away."""
    rows = pl.DataFrame({"age": [20] * 12, "visit": list(range(12))})
    with pytest.raises(PolicyError, match=r"columns\.visit: numbers the records"):
        ind.anonymize(rows, policy({"age": QUASI, "visit": {"role": "insensitive"}}))


def test_all_hierarchies_that_fail_are_named_at_once(tmp_path):
    """A value lacking, ragged rows, two parents, a level too high, words among numbers."""
    (tmp_path / "ragged.csv").write_text("21;20s;*\n22;20s\n")
    (tmp_path / "torn.csv").write_text("a;x;*\nb;x;+\n")
    columns = {
        "age": {**QUASI, "hierarchy": {"csv": str(tmp_path / "ragged.csv")}},
        "town": {**QUASI, "hierarchy": {"tree": {"south": ["u"]}}},
        "ill": {**QUASI, "hierarchy": {"csv": str(tmp_path / "torn.csv")}},
    }
    with pytest.raises(HierarchyError) as caught:
        ind.anonymize(PEOPLE, policy(columns))
    said = str(caught.value)
    assert "columns.age.hierarchy: 1 rows do not have 3 levels (rows 2)" in said
    assert "columns.town.hierarchy: the hierarchy does not contain 1" in said
    assert "columns.ill.hierarchy.level 1: 1 labels have two parents" in said
    columns = people(
        age={**QUASI, "max_level": 9, "hierarchy": {"intervals": [5]}},
        town={**QUASI, "hierarchy": {"intervals": [5]}},
        ill={**QUASI, "hierarchy": {"csv": str(tmp_path / "absent.csv")}},
    )
    with pytest.raises(HierarchyError) as caught:
        ind.anonymize(PEOPLE, policy(columns))
    assert [fault.place for fault in caught.value.faults] == [
        "columns.age.max_level",
        "columns.town.hierarchy.intervals",
        "columns.ill.hierarchy.csv",
    ]


def test_no_solution_says_what_would_be_one():
    """What the whole table reaches, or how much would have to be suppressed."""
    two = {"name": "distinct-l-diversity", "column": "ill", "l": 3}
    with pytest.raises(NoSolutionError, match="achieves as a single class, which is l = 2"):
        ind.anonymize(PEOPLE, policy(people(ill=SENSITIVE), [two]))
    flat = people(age={**QUASI, "max_level": 0})
    with pytest.raises(NoSolutionError, match="4 of 4 records suppressed"):
        ind.anonymize(PEOPLE, policy(flat))


INTERVALS = {**QUASI, "hierarchy": {"intervals": [10]}, "min_level": 1, "max_level": 1}


@pytest.mark.parametrize(
    ("form", "columns", "cells"),
    [
        ("label", ["age"], [("[20, 30)",), ("[30, 40)",)]),
        ("bounds", ["age_min", "age_max"], [(20.0, 30.0), (30.0, 40.0)]),
        ("midpoint", ["age"], [(25.0,), (35.0,)]),
    ],
)
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_intervals_are_written_as_asked(tmp_path, form, columns, cells, ending):
    """As a label, as two columns, as the middle; each verifies from its file."""
    asked = policy(people(age=INTERVALS), release={"intervals": form})
    release = ind.anonymize(PEOPLE, asked, seed=1)
    assert release.frame.columns == [*columns, "town", "ill"]
    assert sorted(set(release.frame.select(columns).rows())) == cells
    release.write(tmp_path / f"out.{ending}")
    assert ind.verify(tmp_path / f"out.{ending}", asked, original=PEOPLE).holds


@pytest.mark.parametrize("form", ["bounds", "midpoint"])
def test_a_hidden_number_has_no_bounds(tmp_path, form):
    """The root is empty, and verifies."""
    hidden = {**QUASI, "hierarchy": {"intervals": [10]}, "min_level": 2}
    asked = policy(people(age=hidden), release={"intervals": form})
    release = ind.anonymize(PEOPLE, asked, seed=1)
    assert set(release.frame.select(pl.col("^age.*$")).row(0)) == {None}
    release.write(tmp_path / "out.csv")
    assert ind.verify(tmp_path / "out.csv", asked, original=PEOPLE).holds


def test_a_column_with_the_name_of_a_bound_is_refused():
    """age_min cannot be both a column and a bound."""
    rows = PEOPLE.with_columns(age_min=1)
    asked = policy(people(age=INTERVALS, age_min=QUASI), release={"intervals": "bounds"})
    with pytest.raises(SchemaError, match=r"columns\.age_min"):
        ind.anonymize(rows, asked)


GAPS = pl.DataFrame({"q": ["xyz", "xyz", None, None], "n": [1.0, 2.0, float("nan"), None]})


@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize(
    "rule",
    [{"tree": {"g": ["xyz"], "none": ["?"]}}, {"mask": 1}, {"mask": 2}],
    ids=["tree", "mask", "long mask"],
)
def test_a_missing_value_is_a_value_at_every_level(tmp_path, rule, level):
    """Whatever its label there, the written release verifies."""
    column = {**QUASI, "hierarchy": rule, "min_level": level, "max_level": level}
    asked = policy({"q": column, "n": {"role": "insensitive"}}, data={"missing": ["", "?"]})
    release = ind.anonymize(GAPS, asked, seed=1)
    assert release.manifest["records"]["released"] == 4
    release.write(tmp_path / "out.csv")
    assert ind.verify(tmp_path / "out.csv", asked).holds


def test_records_with_missing_values_may_be_left_out_or_refused():
    """By the policy's word."""
    columns = {"q": QUASI, "n": {"role": "insensitive"}}
    asked = policy(columns, data={"missing_as": "suppress"})
    manifest = ind.anonymize(GAPS, asked, seed=1).manifest
    assert manifest["records"] == {"released": 2, "suppressed": 2}
    with pytest.raises(PolicyError, match=r"columns\.q: 2 values are missing"):
        ind.anonymize(GAPS, policy(columns, data={"missing_as": "refuse"}))


def test_a_release_of_nobody_is_written_and_verified(tmp_path):
    """Everything may be suppressed: models hold, risk is 0, the loss is the greatest."""
    rows = pl.DataFrame({"q": list("abcdefghijkl")})
    asked = policy({"q": {**QUASI, "max_level": 0}}, method={"max_suppression": 1.0})
    manifest = ind.anonymize(rows, asked).write(tmp_path / "out.csv")
    assert manifest["records"] == {"released": 0, "suppressed": 12}
    assert manifest["risk"]["prosecutor"] == 0.0
    assert ind.verify(tmp_path / "out.csv", asked).holds


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small disk")
def test_a_disk_that_fills_up_leaves_the_old_file(tmp_path):
    """A release larger than the disk is refused in words; what stood there stands."""
    mounted = ["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(tmp_path)]
    if subprocess.run(mounted, check=False, capture_output=True).returncode:
        pytest.skip("mounting is not permitted here")
    try:
        (tmp_path / "out.csv").write_text("old")
        rows = pl.DataFrame(
            {"q": ["x"] * 20_000, "s": [f"{row * 7919 % 20_011:030}" for row in range(20_000)]}
        )
        asked = policy({"q": QUASI, "s": {"role": "insensitive"}})
        with pytest.raises(OutputError, match="the disk is full"):
            ind.anonymize(rows, asked).write(tmp_path / "out.csv")
        assert (tmp_path / "out.csv").read_text() == "old"
        assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_a_hierarchy_whose_labels_are_false_is_refused():
    """Before the search; the number right after a range may be in it, as in well-known lists."""
    groups = {f"{low} to {low + 9}": [str(low + n) for n in range(1, 11)] for low in (20, 30, 40)}
    table = pl.DataFrame({"age": [21 + n % 30 for n in range(400)]})

    def policy(tree):
        column = {"role": "quasi-identifier", "hierarchy": {"tree": tree}, "min_level": 1}
        return {"columns": {"age": column}, "models": [{"name": "k-anonymity", "k": 5}]}

    release = ind.anonymize(table, policy(groups))
    assert set(release.data["age"]) == set(groups)
    groups["20 to 29"], groups["30 to 39"] = groups["30 to 39"], groups["20 to 29"]
    with pytest.raises(HierarchyError) as refused:
        ind.anonymize(table, policy(groups))
    (fault,) = refused.value.faults
    assert fault.place == "columns.age.hierarchy"
    assert "level 1 has 2 labels" in fault.problem
