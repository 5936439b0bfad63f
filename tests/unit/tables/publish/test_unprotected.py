"""Columns of a wrong role single records out, and anonymize says so."""

import datetime as dt
import json
import random

import polars as pl

import indistinct as ind

CHANCE = random.Random(4)
N = 300
DAYS = [dt.date(2020, 1, 1) + dt.timedelta(CHANCE.randrange(2000)) for _ in range(N)]
TABLE = pl.DataFrame(
    {
        "age": [CHANCE.randrange(20, 80) for _ in range(N)],
        "day": DAYS,
        "ward": [CHANCE.choice("ab") for _ in range(N)],
        "ill": [CHANCE.choice("xyz") for _ in range(N)],
    }
)


def policy(**roles) -> ind.Policy:
    """Promise 5-anonymity of the age."""
    columns = {"age": "quasi-identifier", "day": "insensitive", "ward": "insensitive"}
    columns |= {"ill": "sensitive", **roles}
    return ind.Policy.from_words(
        {
            "columns": {name: {"role": role} for name, role in columns.items()},
            "models": [{"name": "k-anonymity", "k": 5}],
        }
    )


def test_dates_left_insensitive_are_named():
    """An attacker who knows age and date finds nearly all; the share is counted by hand."""
    release = ind.anonymize(TABLE, policy(), seed=1)
    assert release.manifest["risk"]["prosecutor"] <= 0.2
    (warning, *_) = release.warnings
    assert warning["code"] == "insensitive-column-singles-out"
    assert warning["columns"] == ["day"]
    sizes = release.frame.group_by("age", "day").len()["len"]
    assert warning["share"] == round((sizes == 1).sum() / N, 6) > 0.95
    assert (warning["count"], warning["of"]) == ((sizes == 1).sum(), N)
    assert "day" in warning["message"]
    assert not any(str(day) in json.dumps(release.warnings) for day in DAYS)


def test_columns_that_repeat_give_no_warning():
    """Two wards in large classes single nobody out."""
    release = ind.anonymize(TABLE.drop("day", "ill"), ind.Policy.from_words(
        {
            "columns": {"age": {"role": "quasi-identifier"}, "ward": {"role": "insensitive"}},
            "models": [{"name": "k-anonymity", "k": 60}],
        }
    ), seed=1)  # fmt: skip
    assert release.warnings == ()


def test_columns_that_single_out_only_together_are_named_together():
    """Each of two columns repeats a lot; both together do not."""
    rows = pl.DataFrame(
        {
            "age": [30] * 50 + [31] * 50,
            "one": [i % 50 // 10 for i in range(100)],
            "two": [i % 10 for i in range(100)],
        }
    )
    words = {name: {"role": "insensitive"} for name in ("one", "two")}
    words |= {"age": {"role": "quasi-identifier"}}
    asked = ind.Policy.from_words({"columns": words, "models": [{"name": "k-anonymity", "k": 5}]})
    (warning,) = ind.anonymize(rows, asked, seed=1).warnings
    assert (warning["code"], warning["share"]) == ("columns-together-single-out", 1.0)
    assert warning["columns"] == ["one", "two"]


def test_protected_columns_and_suppressed_records_take_no_part():
    """Much noise hides equal numbers; a record that is not released is not counted."""
    rows = TABLE.with_columns(income=pl.Series([float(i % 3) for i in range(N)]))
    words = {
        "age": {"role": "quasi-identifier"},
        "income": {"role": "sensitive", "protect": {"name": "noise-additive", "share": 3.0}},
    }
    asked = ind.Policy.from_words({"columns": words, "models": [{"name": "k-anonymity", "k": 5}]})
    assert ind.anonymize(rows.select("age", "income"), asked, seed=1).warnings == ()
