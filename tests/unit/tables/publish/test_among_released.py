"""What models reach among the released records: makers and verification say it apart."""

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import VerificationError
from indistinct.tables.models import TCloseness

TREE = {"tree": {"mild": ["3", "5", "10"], "severe": ["21", "40", "99"]}}
MODELS = [
    {"name": "t-closeness", "t": 0.9, "distance": "equal"},
    {"name": "t-closeness", "t": 0.9, "distance": "ordered"},
    {"name": "t-closeness", "t": 0.9, "distance": "ordered", "ground": "value"},
    {"name": "t-closeness", "t": 0.9, "distance": "hierarchical"},
    {"name": "t-closeness", "t": 0.9, "distance": "kernel", "ground": "tree"},
    {"name": "t-closeness", "t": 0.9, "others": "quasi-identifiers"},
    {"name": "beta-likeness", "beta": 9.0, "variant": "basic"},
    {"name": "delta-disclosure", "delta": 9.0, "absent": "ignore"},
]


def table() -> pl.DataFrame:
    """Give two towns, and two people elsewhere, one with a score that nobody else has."""
    rng = np.random.default_rng(4)
    scores = [*rng.choice([3, 5, 21, 40], 40).tolist(), 99, 10]
    towns = [*["north"] * 20, *["south"] * 20, "east", "west"]
    return pl.DataFrame({"town": towns, "score": scores, "sex": ["f", "m"] * 21})


def policy(model) -> ind.Policy:
    """Ask for classes of four, so that the two people elsewhere are suppressed."""
    asked = {"name": model["name"], "column": "score"} | model
    needs_tree = "hierarchical" in model.values() or "tree" in model.values()
    return ind.Policy.from_words(
        {
            "columns": {
                "town": {"role": "quasi-identifier", "max_level": 0},
                "score": {"role": "sensitive"} | ({"hierarchy": TREE} if needs_tree else {}),
                "sex": {"role": "sensitive"},
            },
            "models": [{"name": "k-anonymity", "k": 4}, asked],
            "method": {"max_suppression": 0.1},
        }
    )


@pytest.mark.parametrize("model", MODELS, ids=str)
def test_the_release_is_measured_as_though_nobody_else_had_been_there(model):
    """What is published is what the same records reach as a table of their own."""
    release = ind.anonymize(table(), policy(model), seed=1)
    assert release.manifest["records"]["suppressed"] == 2
    alone = ind.anonymize(table()[:40], policy(model), seed=1)
    found, whole = release.manifest["models"][1], alone.manifest["models"][1]
    assert found["achieved"] == pytest.approx(whole["achieved"])
    assert found["measured_against"] == "the released records"
    assert release.owner["models"][1]["achieved"] != pytest.approx(whole["achieved"])


def test_an_error_of_verification_shows(monkeypatch):
    """Nothing of verification takes part in what is claimed: a wrong measure of it contradicts."""
    plainly = TCloseness.measure_plainly
    monkeypatch.setattr(TCloseness, "measure_plainly", lambda own, one: plainly(own, one) * 0.9)
    with pytest.raises(VerificationError) as caught:
        ind.anonymize(table(), policy(MODELS[0]), seed=1)
    assert {fault.place for fault in caught.value.faults} == {
        "manifest.models.t-closeness.achieved"
    }
