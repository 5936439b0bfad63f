"""A table measured as it is."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError, ParameterError
from indistinct.metrics import METRICS
from indistinct.table.sample import sample

WORDS = {
    "columns": {
        "name": {"role": "identifier"},
        "sex": {"role": "quasi-identifier"},
        "postcode": {"role": "quasi-identifier", "hierarchy": {"mask": 5}},
        "height_cm": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20]}},
        "diagnosis": {"role": "sensitive"},
    },
    "models": [
        {"name": "k-anonymity", "k": 4},
        {"name": "t-closeness", "column": "diagnosis", "t": 0.6},
    ],
    "method": {"max_suppression": 0.2},
}
PATIENTS = sample("patients", 300, 7).select(list(WORDS["columns"]))


@pytest.mark.parametrize("form", ["drop", "mask"])
@pytest.mark.parametrize("objective", METRICS)
def test_a_release_is_measured_as_its_manifest_says(form, objective):
    """Models, classes, risk, records and loss, from the cells and the input alone."""
    words = {**WORDS, "release": {"suppressed": form}}
    words["method"] = {**WORDS["method"], "objective": objective}
    policy = ind.Policy.from_words(words)
    release = ind.anonymize(PATIENTS, policy, seed=1)
    found = ind.assess(release.frame, policy, original=PATIENTS).document()
    said = {part: release.manifest[part] for part in ("models", "records", "classes", "risk")}
    loss = found.pop("loss")
    found["risk"] = {name: found["risk"][name] for name in said["risk"]}
    for model, expected in zip(found.pop("models"), said.pop("models"), strict=True):
        assert model["achieved"] == pytest.approx(expected["achieved"])
        assert model["holds"] == expected["holds"]
    assert found == said
    for name, value in loss.items():
        assert value == pytest.approx(release.manifest["loss"][name], rel=1e-9), name


def test_the_original_is_not_anonymous():
    """Measured as it is, the input fails, and says how far it gets."""
    found = ind.assess(PATIENTS, ind.Policy.from_words(WORDS))
    assert found.models[0]["achieved"] == {"k": 1}
    assert not found.models[0]["holds"]
    assert found.loss is None
    assert found.risk["prosecutor"] == 1.0


@pytest.mark.parametrize(
    ("requirement", "meets"),
    [("k>=1", True), ("k > 1", False), ("k=1", True), ("k==1", True), ("prosecutor<1", False),
     ("t<=1", True)],
)  # fmt: skip
def test_requirements(requirement, meets):
    """A figure, a sign, a number."""
    assert ind.assess(PATIENTS, ind.Policy.from_words(WORDS)).meets(requirement) is meets


@pytest.mark.parametrize("requirement", ["", "k", "k>=", "luck>1", "k>=x", "k>=1.2.3"])
def test_requirements_that_cannot_be_read(requirement):
    """Refused in words."""
    with pytest.raises(ParameterError):
        ind.assess(PATIENTS, ind.Policy.from_words(WORDS)).meets(requirement)


def test_utility_is_measured_when_it_is_asked_for():
    """The error of queries and the accuracy of a model, beside the loss; masked or dropped."""
    found = {}
    for form in ("drop", "mask"):
        policy = ind.Policy.from_words({**WORDS, "release": {"suppressed": form}})
        release = ind.anonymize(PATIENTS, policy, seed=1)
        assert release.manifest["records"]["suppressed"] > 0
        asked = {"original": PATIENTS, "queries": 100, "learn": "diagnosis"}
        found[form] = ind.assess(release.frame, policy, **asked).document()["utility"]
    assert found["drop"]["query_error"] == pytest.approx(found["mask"]["query_error"])
    assert found["drop"]["query_error"]["queries"] == 100
    assert found["drop"]["learning"]["target"] == "diagnosis"
    assert 0 < found["drop"]["learning"]["accuracy"] < 1
    assert found["drop"]["learning"]["original"] == found["mask"]["learning"]["original"]
    for asked in ({"queries": 10}, {"learn": "diagnosis"}):
        with pytest.raises(ParameterError, match="original"):
            ind.assess(PATIENTS, policy, **asked)


def test_tables_that_do_not_fit():
    """A column that is not there, and cells that come from elsewhere."""
    policy = ind.Policy.from_words(WORDS)
    with pytest.raises(DataError, match=r"columns\.sex"):
        ind.assess(PATIENTS.drop("sex"), policy)
    foreign = PATIENTS.with_columns(sex=pl.lit("Zanzibarite"))
    with pytest.raises(DataError, match=r"columns\.sex") as caught:
        ind.assess(foreign, policy, original=PATIENTS)
    assert "Zanzibarite" not in str(caught.value)
