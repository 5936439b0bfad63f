"""Who says that a release was verified: whoever verified it, and never before."""

import json

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import VerificationError
from indistinct.tables.publish.anonymization import draft_release
from indistinct.tables.publish.release import Release
from indistinct.tables.verification import verify_release as verify

FRAME = pl.DataFrame({"age": [21, 22, 23, 24, 61, 62, 63, 64], "ill": list("xyxyxyxy")})
FORMS = {
    "table": {"models": [{"name": "k-anonymity", "k": 2}], "release": {}},
    "anatomy": {
        "models": [{"name": "distinct-l-diversity", "l": 2, "column": "ill"}],
        "release": {"form": "anatomy"},
    },
}


def draft(form: str):
    """Make a release that nobody has verified yet."""
    columns = {"age": {"role": "quasi-identifier"}, "ill": {"role": "sensitive"}}
    return draft_release(FRAME, ind.Policy.from_words({"columns": columns, **FORMS[form]}), seed=3)


@pytest.mark.parametrize("form", FORMS)
def test_a_draft_says_that_nobody_verified_it(form):
    """The public manifest and the owner's; both say otherwise once the release was verified."""
    release = draft(form)
    assert release.manifest["verified"] is release.owner["verified"] is False
    done = Release(release._held.verified())
    assert done.manifest["verified"] is done.owner["verified"] is True
    assert done.crosswalk.tolist() == release.crosswalk.tolist()


@pytest.mark.parametrize("form", FORMS)
def test_the_written_manifest_says_so(form, tmp_path):
    """Writing verifies the written file, and the documents say it."""
    draft(form).write(tmp_path / "out.csv", owner=tmp_path / "owner.json")
    for name in ("out.csv.manifest.json", "owner.json"):
        assert json.loads((tmp_path / name).read_text())["verified"] is True


def test_what_does_not_verify_never_says_so(monkeypatch, tmp_path):
    """Neither in memory nor in a file."""
    fault = ind.errors.Fault("records", "are wrong", "Do not publish this file.")
    release = draft("table")
    monkeypatch.setattr(
        "indistinct.tables.verification.verdict.crosswalk_faults", lambda _: [fault]
    )
    with pytest.raises(VerificationError):
        release._held.verified()
    with pytest.raises(VerificationError):
        release.write(tmp_path / "out.csv")
    assert release.manifest["verified"] is False
    assert not list(tmp_path.iterdir())


def test_a_published_draft_is_refused():
    """A reader who is handed the manifest of a draft is told."""
    release = draft("table")
    said = verify.verify(release.frame, release.policy, manifest=release.manifest)
    assert "manifest.verified" in {fault.place for fault in said.faults}


def test_a_release_without_records_is_judged_beside_its_manifest(tmp_path):
    """A file that lost all its rows does not hold what its manifest says of them."""
    table = pl.DataFrame({"age": [20 + row % 7 for row in range(60)], "ill": ["a", "b"] * 30})
    roles = {"age": {"role": "quasi-identifier"}, "ill": {"role": "sensitive"}}
    words = {"columns": roles, "models": [{"name": "k-anonymity", "k": 5}]}
    policy = ind.Policy.from_words(words)
    ind.anonymize(table, policy).write(tmp_path / "r.csv")
    (tmp_path / "r.csv").write_text("age,ill\n")
    for original in (None, table):
        found = ind.verify(str(tmp_path / "r.csv"), policy, original=original)
        assert found.holds is False
        assert "manifest.records.released" in [fault.place for fault in found.faults]
