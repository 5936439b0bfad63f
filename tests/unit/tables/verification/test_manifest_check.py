"""What a dishonest or broken manifest claims is recounted from the release."""

import copy
import json

import polars as pl
import pytest

import indistinct as ind

TREE = {"tree": {"north": ["a", "b"], "south": ["c", "d"]}}
WORDS = {
    "columns": {
        "town": {"role": "quasi-identifier", "hierarchy": TREE},
        "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 20]}},
        "ill": {"role": "sensitive"},
    },
    "models": [
        {"name": "k-anonymity", "k": 3},
        {"name": "distinct-l-diversity", "column": "ill", "l": 2},
        {"name": "t-closeness", "column": "ill", "t": 0.6},
    ],
    "method": {"max_suppression": 0.1},
}
LISTED = {**WORDS, "columns": {**WORDS["columns"], "age": {"role": "insensitive"}}}
ROWS = pl.DataFrame(
    {
        "town": list("aabbabccddcdc"),
        "age": [21, 22, 23, 21, 22, 23, 61, 62, 63, 61, 62, 63, 95],
        "ill": list("xyzxyzxyzxyzx"),
    }
)


@pytest.fixture(scope="module", params=["drop", "mask"])
def made(request, tmp_path_factory):
    """Return a policy, the path of its release, and the manifest."""
    policy = ind.Policy.from_words({**WORDS, "release": {"suppressed": request.param}})
    path = tmp_path_factory.mktemp("made") / "release.csv"
    manifest = ind.anonymize(ROWS, policy, seed=1).write(path)
    return policy, path, json.loads(json.dumps(manifest))


def places(made, manifest) -> list[str]:
    """Return the places of all faults."""
    policy, path, _ = made
    return [fault.place for fault in ind.verify(path, policy, manifest=manifest).faults]


def changed(manifest, place: str, value):
    """Return a manifest with another value at a dotted place."""
    copied = copy.deepcopy(manifest)
    *parents, last = [int(word) if word.isdigit() else word for word in place.split(".")]
    found = copied
    for word in parents:
        found = found[word]
    if value is LACKING:
        del found[last]
    else:
        found[last] = value
    return copied


LACKING = object()


def test_an_honest_manifest_holds(made):
    """With and without the input at hand."""
    policy, path, manifest = made
    assert manifest["records"]["suppressed"] == 1
    assert ind.verify(path, policy).holds
    assert ind.verify(path, policy, original=ROWS).holds


CLAIMS = [
    ("models.0.achieved", {"k": 99}, "manifest.models.k-anonymity.achieved"),
    ("models.0.required", {"k": 2}, "manifest.models.k-anonymity.required"),
    ("models.0.holds", False, "manifest.models.k-anonymity.holds"),
    ("models.1.achieved", None, "manifest.models.distinct-l-diversity.achieved"),
    ("models.2.achieved", {"t": 0.01}, "manifest.models.t-closeness.achieved"),
    ("models.1.name", "k-map", "manifest.models.k-map"),
    ("risk.prosecutor", 0.001, "manifest.risk.prosecutor"),
    ("risk.journalist", 0.001, "manifest.risk.journalist"),
    ("risk.marketer", 0.001, "manifest.risk.marketer"),
    ("classes.smallest", 50, "manifest.classes.smallest"),
    ("classes.mean", 50.0, "manifest.classes.mean"),
    ("classes.largest", 50, "manifest.classes.largest"),
    ("classes.count", 1000, "manifest.classes.count"),
    ("records.released", 11, "manifest.records.released"),
    ("records.suppressed", 0, "manifest.input.rows"),
    ("input.rows", 1000, "manifest.input.rows"),
    ("output.rows", 1000, "manifest.output.rows"),
    ("loss.discernibility", 1.0, "manifest.loss.discernibility"),
    ("loss.average-class-size", 1.0, "manifest.loss.average-class-size"),
    ("verified", False, "manifest.verified"),
]


@pytest.mark.parametrize(("place", "value", "fault"), CLAIMS)
def test_a_false_claim_is_a_fault(made, place, value, fault):
    """Each figure that the file determines is recounted, alone and beside the input."""
    policy, path, manifest = made
    wrong = changed(manifest, place, value)
    assert fault in places(made, wrong)
    beside = ind.verify(path, policy, manifest=wrong, original=ROWS)
    assert fault in [found.place for found in beside.faults]


@pytest.mark.parametrize("metric", ["loss", "ncp"])
@pytest.mark.parametrize("aggregate", ["arithmetic-mean", "geometric-mean", "sum", "maximum"])
def test_a_false_loss_of_listed_cells_is_a_fault(tmp_path, metric, aggregate):
    """Losses of cells that the policy lists are recounted, with weights and aggregate."""
    method = {"max_suppression": 0.1, "objective": metric, "aggregate": aggregate}
    policy = ind.Policy.from_words({**LISTED, "method": method})
    release = ind.anonymize(ROWS, policy, seed=1)
    manifest = release.write(tmp_path / "release.csv")
    assert ind.verify(tmp_path / "release.csv", policy).holds
    wrong = changed(manifest, f"loss.{metric}", manifest["loss"][metric] / 2 + 0.001)
    found = ind.verify(tmp_path / "release.csv", policy, manifest=wrong).faults
    assert [fault.place for fault in found] == [f"manifest.loss.{metric}"]


def test_missing_and_further_models_are_faults(made):
    """Every model of the policy once, and no other."""
    _, _, manifest = made
    fewer = changed(manifest, "models", manifest["models"][1:])
    assert places(made, fewer) == ["manifest.models.k-anonymity"]
    twice = changed(manifest, "models", [*manifest["models"], manifest["models"][0]])
    assert places(made, twice) == ["manifest.models.k-anonymity"]


PLACES = [
    "input", "input.rows", "input.fingerprint", "output", "output.sha256", "output.rows",
    "method", "models", "models.0.achieved", "models.1.holds", "records",
    "records.suppressed", "records.released", "classes", "classes.mean", "loss", "risk",
    "risk.marketer", "verified", "indistinct",
]  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("value", [LACKING, [[]], "text", float("nan"), 10**400, {"a": [None]}])
def test_a_broken_manifest_is_a_fault_in_words(made, place, value):
    """A part that is missing or has a wrong type is named; nothing is a traceback."""
    _, _, manifest = made
    found = places(made, changed(manifest, place, value))
    if not isinstance(value, str):
        skipped = value is not LACKING and place in {"models", "input", "output"}
        assert skipped or any(place.split(".")[0] in fault for fault in found)


@pytest.mark.parametrize("document", [[], "manifest", 3, None, {}, [{}]])
def test_a_manifest_that_is_no_object_is_a_fault(made, tmp_path, document):
    """Whatever JSON holds."""
    policy, path, _ = made
    (tmp_path / "m.json").write_text(json.dumps(document))
    verdict = ind.verify(path, policy, manifest=tmp_path / "m.json")
    assert not verdict.holds
    assert all(fault.place.startswith("manifest") for fault in verdict.faults)


def test_a_broken_protection_is_a_fault(tmp_path):
    """What the check of a protected column reads must be there."""
    words = {**WORDS["columns"], "ill": {"role": "sensitive"}}
    words["ill"] |= {"protect": {"name": "randomized-response", "epsilon": 1.0}}
    policy = ind.Policy.from_words(
        {"columns": words, "models": WORDS["models"][:1], "method": WORDS["method"]}
    )
    manifest = ind.anonymize(ROWS, policy, seed=1).write(tmp_path / "release.csv")
    for value in (LACKING, "three", None):
        wrong = changed(manifest, "protection.ill.categories", value)
        found = ind.verify(tmp_path / "release.csv", policy, manifest=wrong).faults
        assert [fault.place for fault in found] == ["manifest.protection.ill.categories"]


def test_the_owner_s_file_tells_whether_an_input_is_the_one(tmp_path):
    """Its salt gives the fingerprint; another table has another one."""
    policy, path, owner = (
        ind.Policy.from_words(WORDS), tmp_path / "release.csv", tmp_path / "owner.json"
    )  # fmt: skip
    ROWS.write_csv(tmp_path / "in.csv")
    ind.anonymize(tmp_path / "in.csv", policy, seed=1).write(path, owner=owner)
    assert ind.verify(path, policy, original=tmp_path / "in.csv", owner=owner).holds
    ROWS.with_columns(ill=pl.col("ill").replace("z", "y")).write_csv(tmp_path / "other.csv")
    found = ind.verify(path, policy, original=tmp_path / "other.csv", owner=owner).faults
    assert "owner.input.fingerprint" in [fault.place for fault in found]
    salted = json.loads(owner.read_text())
    del salted["input"]["salt"]
    found = ind.verify(path, policy, original=tmp_path / "in.csv", owner=salted).faults
    assert [fault.place for fault in found] == ["owner.input"]
