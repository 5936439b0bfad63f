"""What a table shows before it is published."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.publish.fictitious_patients import sample


def test_figures_of_a_column():
    """a, a, b, missing: 2 values, 1 missing, 3 of 4 differ, 5 of 6 pairs told apart."""
    report = ind.inspect(pl.DataFrame({"town": ["a", "a", "b", None]})).columns[0]
    assert (report.type, report.distinct, report.missing) == ("text", 2, 1)
    assert report.distinction == pytest.approx(0.75)
    assert report.separation == pytest.approx(5 / 6)


def test_roles_are_suggested_with_a_reason():
    """Names point at persons, birth dates are known, diagnoses harm, constants do neither."""
    roles = {c.name: c.role for c in ind.inspect(sample("patients", rows=500, seed=1)).columns}
    assert roles["name"] == "identifier"
    assert roles["birth_date"] == roles["sex"] == roles["postcode"] == "quasi-identifier"
    assert roles["diagnosis"] == "sensitive"
    reports = ind.inspect(pl.DataFrame({"row": [1, 2, 3], "x": [1, 1, 1]})).columns
    assert [report.role for report in reports] == ["identifier", "insensitive"]
    assert all(report.reason for report in reports)


def test_types_have_plain_names():
    """integer, number, date, text, boolean."""
    frame = pl.DataFrame({"a": [1], "b": [0.5], "c": ["x"], "d": [True]}).with_columns(
        e=pl.date(2020, 1, 1)
    )
    types = [report.type for report in ind.inspect(frame).columns]
    assert types == ["integer", "number", "text", "boolean", "date"]


def test_the_policy_s_roles_and_missing_values_rule():
    """With a policy its words stand instead of suggestions."""
    words = {
        "columns": {"town": {"role": "quasi-identifier"}},
        "models": [{"name": "k-anonymity", "k": 2}],
        "data": {"missing": ["?"]},
    }
    frame = pl.DataFrame({"town": ["a", "?", "b"]})
    report = ind.inspect(frame, ind.Policy.from_words(words)).columns[0]
    assert (report.role, report.reason) == ("quasi-identifier", "the policy says so")
    assert (report.distinct, report.missing) == (2, 1)


def test_a_draft_is_a_policy_that_runs(tmp_path):
    """Also for names that TOML must quote."""
    frame = sample("patients", rows=200, seed=4).rename({"sex": 'se"x with space'})
    path = tmp_path / "draft.toml"
    path.write_text(ind.inspect(frame).draft())
    release = ind.anonymize(frame, ind.Policy.load(path), seed=1)
    assert release.manifest["models"][0]["achieved"]["k"] >= 5


def test_roles_of_a_policy_are_not_corrected():
    """A column that follows from another, and more quasi-identifiers than a draft has."""
    town = [f"town {n % 50}" for n in range(400)]
    columns = {"town": town, "county": [f"county {int(one.split()[1]) % 7}" for one in town]}
    columns |= {f"known {n}": [f"{(row * (n + 3)) % 11}" for row in range(400)] for n in range(9)}
    frame = pl.DataFrame(columns)
    policy = ind.Policy(
        columns={name: {"role": "quasi-identifier"} for name in columns},
        models=[{"name": "k-anonymity", "k": 2}],
    )
    said = {column.name: column.role for column in ind.inspect(frame, policy).columns}
    assert said == dict.fromkeys(columns, "quasi-identifier")


@pytest.mark.parametrize("engine", ["memory", "polars"])
def test_progress_rises_to_the_columns_together(engine):
    """Each column is named before it is counted; the share never falls."""
    frame = pl.DataFrame({"age": [30, 31, 32], "sex": ["f", "m", "f"]})
    steps: list[tuple[float, str]] = []
    ind.inspect(
        frame if engine == "memory" else frame.lazy(),
        engine=engine,
        progress=lambda share, message: steps.append((share, message)),
    )
    shares = [share for share, _ in steps]
    assert shares == sorted(shares)
    assert all(0 <= share <= 1 for share in shares)
    assert [message for _, message in steps] == [
        "counting the values of age",
        "counting the values of sex",
        "looking at columns together",
    ]
