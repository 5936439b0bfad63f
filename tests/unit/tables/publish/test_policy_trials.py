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


NAMES = ("race", "month", "hour", "place", "hair", "reason", "age")


def named_policy(column, change):
    """Return the policy that a trial names, written anew from the words that are printed."""
    kept = {column["column"]: {"max_level": column["level"]}}
    if change == "all else equal":
        return policy(kept, effort="fast")
    if change.startswith("with k = "):
        return policy(kept, int(change.removeprefix("with k = ")), effort="fast")
    if change.startswith("with at most "):
        most = float(change.removeprefix("with at most ").removesuffix("% left out")) / 100
        return policy(kept, effort="fast", max_suppression=most)
    words = policy(kept, effort="fast").words()
    words["columns"][change.removeprefix("without ").split(" ")[0]] = {"role": "identifier"}
    return ind.Policy.from_words(words)


def check_trials(columns, wanted=""):
    """Hold each figure against the run of the policy that its trial names."""
    for one in columns:
        for trial in (trial for trial in one["trials"] if wanted in trial["change"]):
            rules = named_policy(one, trial["change"])
            try:
                made = draft_tables(stops(), rules, seed=policy_trials.SEED, tries=False)
            except NoSolutionError:
                assert trial["possible"] is False
                continue
            shown = [name for name in NAMES if name in made.frame.columns]
            shares = {name: (made.frame[name] == "*").mean() for name in shown}
            assert not shares[one["column"]]
            assert trial["possible"]
            assert trial["loss"] == made.exact.loss["loss"]
            assert trial["left_out"] == made.exact.records.suppressed_share
            assert trial["hidden_after"] == {n: share for n, share in shares.items() if share > 0.5}


def test_every_figure_is_that_of_the_policy_that_it_names(release):
    hidden = release.hidden_columns()
    assert 1 <= len(hidden) <= 3
    for one in hidden:
        assert one["share"] == pytest.approx((release.frame[one["column"]] == "*").mean())
    assert len(hidden[0]["trials"]) == 5
    check_trials(hidden[:1])
    check_trials(hidden[1:], "all else equal")


@pytest.mark.parametrize(
    ("making", "wrong", "change"),
    [
        ("with_smaller_k", lambda words: (5, words), "with k"),
        ("without_column", lambda words, _: words, "without"),
    ],
)
def test_a_trial_of_another_policy_than_it_names_is_found(
    release, monkeypatch, making, wrong, change
):
    monkeypatch.setattr(policy_trials, making, wrong)
    monkeypatch.setattr(policy_trials, "MOST_COLUMNS", 1)
    with pytest.raises(AssertionError):
        check_trials(release.hidden_columns(), change)


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
