"""What an application leaves that was killed while it wrote, and what the next run does."""

import json
import subprocess
import sys

import pytest

import indistinct as ind
from indistinct.frontends.app.work import publish
from indistinct.frontends.report.metadata.write import write_metadata
from indistinct.tables.publish.fictitious_patients import sample

WORDS = {
    "columns": {
        "sex": {"role": "quasi-identifier"},
        "height_cm": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20]}},
        "diagnosis": {"role": "sensitive"},
    },
    "models": [{"name": "k-anonymity", "k": 3}],
    "method": {"max_suppression": 0.1},
}


def quiet(*_):
    """Tell nobody."""


@pytest.fixture
def found(tmp_path):
    """Make a release as the search of the application leaves it; give what publishing takes."""
    table = sample("patients", rows=200, seed=5).select(list(WORDS["columns"]))
    table.write_csv(tmp_path / "data.csv")
    run = tmp_path / "run"
    run.mkdir()
    policy = ind.Policy.from_words(WORDS)
    release = ind.anonymize(str(tmp_path / "data.csv"), policy, seed=1)
    release.write(run / "out.csv", crosswalk=run / "crosswalk.csv", owner=run / "owner.json")
    manifest = json.loads((run / "out.csv.manifest.json").read_text())
    write_metadata(release, run / "out.csv.metadata.jsonld", str(run / "out.csv"), manifest)
    (tmp_path / "releases").mkdir()
    return [
        WORDS, str(tmp_path), str(tmp_path / "data.csv"), str(run / "out.csv"),
        str(tmp_path / "releases" / "1"),
    ]  # fmt: skip


def test_the_folder_of_a_killed_run_is_removed_by_the_next(found, tmp_path):
    """It has the crosswalk in it; that of a run that goes on is left alone."""
    dead = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"],
                          capture_output=True, check=True)  # fmt: skip
    left = tmp_path / f"releases/.1.{int(dead.stdout)}-abc.partial"
    alive = tmp_path / "releases/.1.1-abc.partial"
    for folder in (left, alive):
        (folder / publish.KEEP).mkdir(parents=True)
        (folder / publish.KEEP / "crosswalk.csv").write_text("output_row,input_row\n")
    said = publish.published(quiet, *found)
    assert said["number"] == 1
    assert sorted(one.name for one in (tmp_path / "releases").iterdir()) == [alive.name, "1"]


def test_an_error_leaves_nothing_and_a_hidden_folder_is_its_owner_s(found, tmp_path, monkeypatch):
    modes = []

    def broken(*_, **__):
        modes.extend(one.stat().st_mode & 0o777 for one in (tmp_path / "releases").iterdir())
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(publish, "write_public", broken)
    with pytest.raises(OSError, match="No space"):
        publish.published(quiet, *found)
    assert modes == [0o700]
    assert list((tmp_path / "releases").iterdir()) == []
