"""Manifests as frozen values, and the documents that users hold."""

import dataclasses
import json

import pytest

import indistinct as ind
from indistinct.errors import DataError
from indistinct.tables.publish.anonymization import draft_release
from indistinct.tables.release.manifest import Manifest

PATIENTS = ind.sample("patients", rows=300)
COLUMNS = {
    "name": {"role": "identifier"},
    "birth_date": {"role": "quasi-identifier", "hierarchy": ind.dates("year", "decade")},
    "sex": {"role": "quasi-identifier"},
    "postcode": {"role": "insensitive"},
    "occupation": {"role": "insensitive"},
    "insurance": {"role": "insensitive", "protect": {"name": "randomized-response", "epsilon": 2}},
    "height_cm": {"role": "insensitive"},
    "weight_kg": {"role": "insensitive"},
    "admission_date": {"role": "insensitive"},
    "diagnosis": {"role": "sensitive"},
}
K = [{"name": "k-anonymity", "k": 5}]
L = [{"name": "distinct-l-diversity", "column": "diagnosis", "l": 2}]
ASKED = {
    "one level per column": {"models": K, "method": {"max_suppression": 0.2}},
    "levels by class": {"models": K, "method": {"algorithm": "local"}},
    "two linked tables": {"models": L, "release": {"form": "anatomy"}},
}


def policy(name):
    return ind.Policy.from_words({"columns": COLUMNS, **ASKED[name]})


@pytest.mark.parametrize("name", ASKED)
def test_a_manifest_reads_what_it_writes(name, tmp_path):
    """Public and exact, in memory and from the file: the same words in the same order."""
    release = ind.anonymize(PATIENTS, policy(name), seed=1)
    written = release.write(tmp_path / "release.csv", owner=tmp_path / "owner.json")
    documents = [release.manifest, release.owner, written]
    documents += [
        json.loads((tmp_path / file).read_text())
        for file in ("release.csv.manifest.json", "owner.json")
    ]
    for document in documents:
        again = Manifest.read(document).document()
        assert json.dumps(again) == json.dumps(document)
    assert documents[2] == documents[3]
    assert Manifest.read(documents[3]).is_public
    assert not Manifest.read(documents[4]).is_public


def test_users_hold_a_document_that_they_cannot_break():
    """A mapping of plain values; what somebody writes into it does not stay."""
    release = ind.anonymize(PATIENTS, policy("one level per column"), seed=1)
    assert release.manifest.get("records") == dict(release.manifest)["records"]
    assert json.loads(json.dumps(release.owner)) == release.owner
    release.manifest["models"][0]["holds"] = False
    assert release.manifest["models"][0]["holds"] is True
    with pytest.raises(dataclasses.FrozenInstanceError):
        release._held.published.verified = False


def test_nobody_has_verified_a_draft():
    """Whoever verifies says so: the maker does not."""
    draft = draft_release(PATIENTS, policy("one level per column"), seed=1)
    assert draft.manifest["verified"] is draft.owner["verified"] is False
    checked = draft._held.verified()
    assert checked.manifest["verified"] is checked.owner["verified"] is True


@pytest.mark.parametrize("document", [{}, {"method": 3}, {"indistinct": "0", "models": [1]}])
def test_what_is_no_manifest_is_refused(document):
    with pytest.raises(DataError, match="not the manifest of"):
        Manifest.read(document)
