"""A command writes over a file only where it was asked to."""

from pathlib import Path

import pytest

import indistinct as ind
from indistinct.frontends.cli.main import status

POLICY = """\
columns = { age = { role = "quasi-identifier" }, sex = { role = "quasi-identifier" } }
models = [{ name = "k-anonymity", k = 2 }]
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("data.csv").write_text("age,sex\n" + "30,f\n31,m\n" * 4)
    Path("policy.toml").write_text(POLICY)
    return tmp_path


RELEASE = ["anonymize", "data.csv", "--policy", "policy.toml", "--out", "out.csv"]
WRITERS = {
    "anonymize": (RELEASE, ["out.csv", "out.csv.manifest.json"]),
    "anonymize by an engine": ([*RELEASE, "--engine", "polars"], ["out.csv"]),
    "anonymize, owner": (
        [*RELEASE, "--owner", "o.json", "--crosswalk", "x.csv", "--report", "r.html"],
        ["o.json", "x.csv", "r.html"],
    ),
    "inspect": (["inspect", "data.csv", "--draft", "draft.toml"], ["draft.toml"]),
    "sample": (["sample", "patients", "--rows", "9", "--out", "p.csv"], ["p.csv"]),
    "sweep": (
        ["sweep", "data.csv", "--policy", "policy.toml", "--vary", "k=2", "--out", "s.csv"],
        ["s.csv"],
    ),
}


@pytest.mark.parametrize("name", WRITERS)
def test_no_file_is_replaced_unless_asked(name, folder, capsys):
    """Every file that stands there is named; with --replace they are written."""
    arguments, files = WRITERS[name]
    for file in files:
        Path(file).write_text("mine")
    before = sorted(folder.iterdir())
    assert status(arguments, show_values=False) == 2
    said = capsys.readouterr().err
    assert all(f"error: {file}: exists" in said for file in files)
    assert said.count("Add --replace to replace it, or choose another path.") == 1
    assert sorted(folder.iterdir()) == before
    assert all(Path(file).read_text() == "mine" for file in files)
    assert status([*arguments, "--replace"], show_values=False) == 0
    assert all(Path(file).read_text() != "mine" for file in files)


def test_the_input_is_refused_in_its_own_words(folder, capsys):
    """It is not advised to replace it."""
    arguments = [*RELEASE[:-1], "data.csv"]
    assert status(arguments, show_values=False) == 2
    said = capsys.readouterr().err
    assert "the output path is the input" in said
    assert "--replace" not in said


def test_python_replaces_a_file(folder):
    """As other libraries do."""
    release = ind.anonymize("data.csv", "policy.toml")
    release.write("out.csv")
    release.write("out.csv")
    assert ind.verify("out.csv").holds
