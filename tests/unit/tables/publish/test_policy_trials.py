"""Columns that most records hide: what is tried to keep them, words of importance, and must."""

import numpy as np
import polars as pl
import pytest
import typer.testing

import indistinct as ind
from indistinct.errors import NoSolutionError, PolicyError
from indistinct.frontends.cli.main import app
from indistinct.tables.publish import policy_trials
from indistinct.tables.publish.anonymization import draft_tables

QI = "quasi-identifier"
RACES = [["a", "a / b", "*"], ["b", "a / b", "*"], ["c", "c / d", "*"], ["d", "c / d", "*"]]


def stops(n=300, seed=1):
    """Draw stops by the police, of whom others may know seven columns."""
    draws = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "race": draws.choice(list("abcd"), n),
            "month": draws.integers(1, 13, n),
            "hour": draws.integers(0, 24, n),
            "place": draws.choice([f"p{i}" for i in range(20)], n),
            "hair": draws.choice([f"h{i}" for i in range(6)], n),
            "reason": draws.choice([f"r{i}" for i in range(20)], n),
            "age": draws.integers(14, 80, n),
            "arrested": draws.choice(["y", "n"], n),
        }
    )


def policy(columns=None, k=10, **method):
    rules = {
        "race": {"role": QI, "hierarchy": {"rows": RACES}},
        "month": {"role": QI, "hierarchy": {"intervals": [3, 6]}},
        "hour": {"role": QI, "hierarchy": {"intervals": [6, 12]}},
        "place": {"role": QI, "hierarchy": {"mask": 2}},
        "hair": {"role": QI, "hierarchy": {"mask": 2}},
        "reason": {"role": QI, "hierarchy": {"mask": 3}},
        "age": {"role": QI, "hierarchy": {"intervals": [10, 20, 40]}},
        "arrested": {"role": "insensitive"},
    }
    for name, words in (columns or {}).items():
        rules[name] = {**rules[name], **words}
    return ind.Policy.from_words(
        {
            "columns": rules,
            "models": [{"name": "k-anonymity", "k": k}],
            "method": {"max_suppression": 0.05, **method},
        }
    )


@pytest.fixture(scope="module")
def release():
    return ind.anonymize(stops(), policy(), seed=0)


def test_every_figure_is_that_of_the_policy_that_it_names(release):
    hidden = release.hidden_columns()
    assert 1 <= len(hidden) <= 3
    shown = release.frame
    for one in hidden:
        name = one["column"]
        assert one["share"] == pytest.approx((shown[name] == "*").mean())
        rules = policy({name: {"max_level": one["level"]}}, effort="fast")
        made = draft_tables(stops(), rules, seed=policy_trials.SEED, tries=False)
        first = one["trials"][0]
        assert first["loss"] == made.exact.loss["loss"]
        assert first["left_out"] == made.exact.records.suppressed_share
        assert not (made.frame[name] == "*").any()
        assert first["hidden_after"] == {
            column: share
            for column in ("race", "month", "hour", "place", "hair", "reason", "age")
            if (share := (made.frame[column] == "*").mean()) > 0.5
        }
        with_less = next(t for t in one["trials"] if t["change"] == "with k = 5")
        rules = policy({name: {"max_level": one["level"]}}, 5, effort="fast")
        made = draft_tables(stops(), rules, seed=policy_trials.SEED, tries=False)
        assert with_less["loss"] == made.exact.loss["loss"]


def test_a_trial_without_time_is_said_to_be_none(release, monkeypatch):
    monkeypatch.setattr(policy_trials, "SECONDS", 0.0)
    trials = [trial for one in release.hidden_columns() for trial in one["trials"]]
    assert trials
    assert all(trial["possible"] is None and trial["loss"] is None for trial in trials)
    assert len(trials) <= policy_trials.MOST_TRIALS


def test_trials_are_the_owners_alone(release):
    assert "hidden" not in release.manifest
    assert "hidden" not in release.owner


def test_large_tables_are_tried_on_some_of_their_records(monkeypatch):
    monkeypatch.setattr(policy_trials, "MOST_RECORDS", 50)
    sample = policy_trials.some_records(stops(), policy_spec())
    assert sample.height == 50
    assert sample.equals(policy_trials.some_records(stops(), policy_spec()))
    table = stops().with_columns(person=pl.Series(np.arange(300) // 3))
    rules = policy().with_words({"data": {"person": "person"}})
    words = rules.words()
    words["columns"]["person"] = {"role": "identifier"}
    spec = policy_spec(ind.Policy.from_words(words))
    people = policy_trials.some_records(table, spec)["person"].value_counts()
    assert people["count"].to_list() == [3] * 16


def policy_spec(rules=None):
    from indistinct.tables.policy import resolve

    return resolve(rules or policy())


def test_words_of_importance_are_numbers():
    by_word = ind.anonymize(stops(), policy({"race": {"importance": "high"}}), seed=0)
    by_number = ind.anonymize(stops(), policy({"race": {"importance": 4}}), seed=0)
    assert by_word.frame.equals(by_number.frame)
    assert policy({"race": {"importance": "low"}}).columns["race"].importance_number == 0.25
    assert (
        policy({"race": {"importance": "must"}}).words()["columns"]["race"]["importance"] == "must"
    )
    with pytest.raises(PolicyError, match="importance"):
        policy({"race": {"importance": "hihg"}})


def test_a_column_that_must_be_shown_is_hidden_in_no_record():
    table, rules = stops(), policy({"race": {"importance": "must"}})
    made = ind.anonymize(table, rules, seed=0)
    assert not (made.frame["race"] == "*").any()
    hidden = made.frame.with_columns(race=pl.lit("*"))
    faults = ind.verify(hidden, rules).faults
    assert "columns.race" in [fault.place for fault in faults]


def test_a_must_that_is_impossible_says_what_would_do():
    """Four races of 300 people, and nobody may be left out: with other columns as they are."""
    exact = {name: {"max_level": 0} for name in ("month", "hour", "hair")}
    rules = policy({**exact, "race": {"importance": "must"}}, max_suppression=0.0)
    with pytest.raises(NoSolutionError) as caught:
        ind.anonymize(stops(), rules, seed=0)
    assert "would do" in caught.value.faults[0].remedy or "Tried" in caught.value.faults[0].remedy


def test_the_command_prints_what_was_tried(tmp_path):
    stops().write_csv(tmp_path / "stops.csv")
    policy().save(tmp_path / "p.toml")
    asked = ["inspect", str(tmp_path / "stops.csv"), "--policy", str(tmp_path / "p.toml")]
    said = typer.testing.CliRunner().invoke(app, [*asked, "--trials"])
    assert said.exit_code == 0, said.output
    assert "Kept at level" in said.output
    assert "with k = 5: loss" in said.output
