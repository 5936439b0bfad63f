"""Codes with labels, as Stata and SPSS have them, are no quantities."""

import tomllib

import numpy as np
import pandas as pd
import pyreadstat
import pytest

import indistinct as ind
from drafted_columns import evidence
from indistinct.tables.drafting.roles import suggest

N = 400
NAMES = ["North", "South", "East", "West", "Hills", "Coast", "Lakes", "Capital", "Islands"]
PROVINCES = dict(enumerate(NAMES, start=1))
COUNTIES = {code: f"County {code}" for code in range(11, 29)}
WORK = {1: "employed", 2: "unemployed", 3: "student", 4: "retired", 5: "ill", 6: "home", 7: "other"}


@pytest.fixture(scope="module", params=["dta", "sav"])
def survey(request, tmp_path_factory):
    """A survey with labelled codes, an age of which one value has a label, and a policy for it."""
    chance = np.random.default_rng(8)
    frame = pd.DataFrame(
        {"age": chance.integers(18, 81, N), "q1": chance.integers(1, 10, N),
         "q2": chance.integers(1, 8, N), "q3": chance.integers(11, 29, N),
         "ill": chance.integers(0, 3, N)}
    )  # fmt: skip
    path = tmp_path_factory.mktemp("labels") / f"survey.{request.param}"
    labels = {"age": {80: "80 or older"}, "q1": PROVINCES, "q2": WORK, "q3": COUNTIES}
    write = {"dta": pyreadstat.write_dta, "sav": pyreadstat.write_sav}[request.param]
    write(frame, str(path), variable_value_labels=labels)
    return path


def test_labelled_codes_are_released_or_hidden_one_by_one(survey, tmp_path):
    """Nothing says how they are generalized, and a range of codes joins what is not alike."""
    policy = ind.Policy.from_words(
        {
            "columns": {name: {"role": "quasi-identifier"} for name in ("age", "q1", "q2", "q3")}
            | {"ill": {"role": "sensitive"}},
            "models": [{"name": "k-anonymity", "k": 3}],
        }
    )
    release = ind.anonymize(survey, policy, seed=1)
    for name, labels in {"q1": PROVINCES, "q2": WORK, "q3": COUNTIES}.items():
        assert set(release.data[name].cast(str)) <= {*map(str, labels), "*"}
    assert any(cell.startswith("[") for cell in release.data["age"].cast(str))
    release.write(tmp_path / "release.csv")
    for asked in (policy, None):
        assert ind.verify(tmp_path / "release.csv", asked, original=survey).holds


def test_the_draft_reads_the_labels(survey):
    inspection = ind.inspect(survey)
    roles = {column.name: column.role for column in inspection.columns}
    assert roles["q2"] == "quasi-identifier"
    draft = inspection.draft(yes_to_suggestions=True)
    assert "1: employed; 2: unemployed" in draft
    columns = tomllib.loads(draft)["columns"]
    assert columns["q1"]["type"] == columns["q2"]["type"] == "nominal"
    assert "type" not in columns["age"]
    assert "intervals" in columns["age"]["hierarchy"]
    assert "intervals" not in columns["q2"]["hierarchy"]


@pytest.mark.parametrize(
    ("values", "role"),
    [
        (["ledig", "verheiratet", "geschieden", "verwitwet"], "quasi-identifier"),
        (["Soltero", "Casado", "Viudo"], "quasi-identifier"),
        (["Bachelor's degree", "High school", "No schooling"], "quasi-identifier"),
        (["bezrobotny", "emeryt", "uczeń", "pracujący"], "quasi-identifier"),
        (["Herr", "Frau"], "quasi-identifier"),
        (["Catholic", "Muslim", "No religion"], "sensitive"),
        (["diabetes", "asthma", "hypertension", "other"], "sensitive"),
        (["red", "green", "blue"], "undecided"),
    ],
)
def test_words_say_what_a_column_is(values, role):
    assert suggest(evidence("v17", values * 20)).role.value == role
