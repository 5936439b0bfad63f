"""A run cut off between two names leaves a pair that no reader takes, or a whole release."""

import json
import os
import shutil
import tomllib
from pathlib import Path

import pytest

import indistinct as ind
from indistinct.base.files.pair import refuse_mixed_pair
from indistinct.errors import DataError
from indistinct.frontends.cli.main import status
from indistinct.graph.assessment import assess
from indistinct.synthetic_tables import verify_synthetic
from indistinct.tables.publish.fictitious_patients import sample

POLICY = """
[columns.sex]
role = "quasi-identifier"
[columns.height_cm]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20] }
[columns.diagnosis]
role = "sensitive"
[[models]]
name = "k-anonymity"
k = 3
[method]
max_suppression = 0.1
"""
WORDS = tomllib.loads(POLICY)
NAMES = ("manifest.json", "cross.csv", "owner.json", "release.csv")
ANONYMIZE = (
    "anonymize", "data.csv", "--policy", "policy.toml", "--out", "release.csv",
    "--crosswalk", "cross.csv", "--owner", "owner.json", "--replace",
)  # fmt: skip
WORDS_OF_REFUSAL = "is not the release that release.csv.manifest.json describes"


def run(*words):
    return status([str(word) for word in words], show_values=False)


class CutOffError(BaseException):
    """Ends a run between two names, as a kill does: nothing of the program catches it."""


def cut_off(step, work):
    """Run until a file is to be given its name for the ``step``-th time; tell whether it came."""
    left = [step]
    with pytest.MonkeyPatch.context() as patch:
        for name in ("link", "replace", "rename"):
            kept = getattr(os, name)

            def dying(*given, kept=kept, **words):
                # A hidden name is no name yet: only the second half of replacing a file counts.
                if not str(given[1]).endswith(".partial"):
                    if left[0] == 0:
                        raise CutOffError
                    left[0] -= 1
                return kept(*given, **words)

            patch.setattr(os, name, dying)
        try:
            work()
        except CutOffError:
            return True
    return False


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Work in a folder with an old release of other records."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "policy.toml").write_text(POLICY)
    for seed in (5, 6):
        sample("patients", rows=200, seed=seed).select(list(WORDS["columns"])).write_csv("data.csv")
        if seed == 5:
            assert run(*ANONYMIZE) == 0
    return tmp_path


def readers(policy):
    """Return what every reader does with the release at hand."""
    return {
        "verify": lambda: ind.verify("release.csv", policy).faults,
        "assess": lambda: ind.assess("release.csv", policy),
        "attack": lambda: ind.attack(
            "release.csv", policy, attack="homogeneity", original="data.csv"
        ),
    }


def faults_of(read):
    """Return the faults that a reader finds or refuses with, as text."""
    try:
        found = read()
    except DataError as error:
        return str(error)
    return "\n".join(map(str, found)) if isinstance(found, tuple | list) else ""


@pytest.mark.parametrize("step", range(5))
def test_readers_refuse_what_a_run_left_that_was_cut_off(folder, step, capsys):
    """Before each name: the old release, a pair that is refused in words, the new release."""
    policy = ind.Policy.from_words(WORDS)
    old = Path("release.csv").read_bytes()
    old_owner = Path("owner.json").read_bytes()
    assert cut_off(step, lambda: run(*ANONYMIZE)) is (step < 4)
    said = {name: faults_of(read) for name, read in readers(policy).items()}
    if step in {0, 4}:
        assert not any(said.values())
        assert (Path("release.csv").read_bytes() == old) is (step == 0)
        assert (Path("owner.json").read_bytes() == old_owner) is (step == 0)
    else:
        assert Path("release.csv").read_bytes() == old
        assert "manifest.output.sha256: is not the hash of this file" in said["verify"]
        assert all("cut off" in words for words in said.values())
        assert WORDS_OF_REFUSAL in said["assess"]
        assert WORDS_OF_REFUSAL in said["attack"]
    capsys.readouterr()
    for command in ([], ["--public"]):
        words = ["report", "release.csv", "--policy", "policy.toml", "--out", "page.html", *command]
        given = [] if command else ["--original", "data.csv"]
        if step in {1, 2, 3}:
            assert run(*words, *given) == 2
            assert WORDS_OF_REFUSAL in " ".join(capsys.readouterr().err.split())
            assert not Path("page.html").exists()
    assert run(*ANONYMIZE) == 0
    assert ind.verify("release.csv", policy, original="data.csv").holds


def test_nothing_else_of_an_interrupted_run_is_left(folder):
    cut_off(2, lambda: run(*ANONYMIZE))
    names = {path.name for path in folder.iterdir()}
    assert {name for name in names if not name.startswith(".")} == {
        "policy.toml", "data.csv", "release.csv", "release.csv.manifest.json", "cross.csv",
        "owner.json",
    }  # fmt: skip


def test_a_frame_and_a_file_without_a_manifest_have_no_pair(tmp_path):
    refuse_mixed_pair([1, 2], "0")
    refuse_mixed_pair(tmp_path / "alone.csv", "0")


@pytest.mark.parametrize("text", ["", "[]", "null", "{}", '{"output": 3}', '{"output": {}}'])
def test_a_manifest_that_names_no_hash_says_nothing(tmp_path, text):
    (tmp_path / "a.csv.manifest.json").write_text(text)
    refuse_mixed_pair(tmp_path / "a.csv", "0")


@pytest.mark.parametrize("document", [{"output": {"sha256": "1"}}, {"output_sha256": "1"}])
def test_a_manifest_of_another_release_is_refused_by_name_alone(tmp_path, document):
    (tmp_path / "a.csv.manifest.json").write_text(json.dumps(document))
    refuse_mixed_pair(str(tmp_path / "a.csv"), "1")
    with pytest.raises(DataError, match=r"^a\.csv: is not the release that a\.csv\.manifest"):
        refuse_mixed_pair(tmp_path / "a.csv", "2")


def test_a_made_up_table_beside_another_manifest_is_refused(tmp_path):
    (tmp_path / "made.csv").write_text("a\n1\n")
    (tmp_path / "made.csv.manifest.json").write_text('{"output_sha256": "1"}')
    for name in ("d.toml", "m.json"):
        (tmp_path / name).write_text("{}" if name == "m.json" else "[dataset]\n")
    with pytest.raises(DataError, match="describes"):
        verify_synthetic(tmp_path / "made.csv", tmp_path / "d.toml", tmp_path / "m.json")


def edges(path, shift):
    """Write a ring of 30 with chords."""
    rows = [f"{v},{(v + step) % 30}" for v in range(30) for step in (1, 3 + shift)]
    Path(path).write_text("source,target\n" + "\n".join(rows) + "\n")


@pytest.mark.parametrize("step", range(4))
def test_files_of_two_releases_of_a_graph_are_refused(tmp_path, monkeypatch, step):
    monkeypatch.chdir(tmp_path)
    words = ("graph", "anonymize", "g.csv", "--model", "k-degree", "--k", "3", "--out", "r.csv")
    words = (*words, "--crosswalk", "c.csv")
    edges("g.csv", 0)
    assert run(*words) == 0
    shutil.copy("r.csv", "old.csv")
    edges("g.csv", 2)
    died = cut_off(step, lambda: run(*words))
    is_mixed = died and step > 0
    try:
        assess("r.csv")
        refused = False
    except DataError:
        refused = True
    assert refused is is_mixed
    assert (run("graph", "verify", "r.csv") == 0) is not is_mixed
