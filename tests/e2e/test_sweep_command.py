"""The command that compares promises, as users run it."""

import json
from pathlib import Path

import polars as pl
import pytest

from indistinct.frontends.cli.main import status
from indistinct.tables.publish.fictitious_patients import sample

POLICY = """
[columns.name]
role = "identifier"
[columns.sex]
role = "quasi-identifier"
[columns.postcode]
role = "quasi-identifier"
hierarchy = { mask = 5 }
[columns.diagnosis]
role = "sensitive"
[[models]]
name = "k-anonymity"
k = 5
"""
ASK = ("sweep", "data.csv", "--policy", "policy.toml", "--vary")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with made-up patients."""
    patients = sample("patients", rows=200, seed=3).select("name", "sex", "postcode", "diagnosis")
    patients.write_csv(tmp_path / "data.csv")
    (tmp_path / "policy.toml").write_text(POLICY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]):
    """Run the command; give exit code, standard output and standard error."""

    def command(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = status(list(arguments), show_values=False)
        said = capsys.readouterr()
        return code, said.out, said.err

    return command


def test_it_prints_a_table_with_the_recommended_row_marked(folder, run):
    """One row per combination, and why."""
    code, out, said = run(*ASK, "k=2,5,201", "--vary", "max_suppression=0,0.1")
    assert code == 0, said
    assert out.count("no solution") == 2
    assert len([line for line in out.splitlines() if "│ recommended │" in line]) == 1
    assert "Recommended: k = " in out
    assert "larger than the table" in out


def test_files_and_document_say_the_same(folder, run):
    """Each form that is asked for, and nothing but the document on standard output."""
    outs = [part for ending in ("csv", "json", "svg", "html") for part in ("--out", f"s.{ending}")]
    code, out, said = run(*ASK, "k=2,5,9", *outs, "--json")
    assert code == 0, said
    document = json.loads(out, parse_constant=pytest.fail)
    assert json.loads(Path("s.json").read_text())["frontier"] == document["frontier"]
    table = pl.read_csv("s.csv")
    assert table["k"].to_list() == [2, 5, 9]
    assert table["loss"].to_list() == [row["cost"] for row in document["rows"]]
    assert table["recommended"].arg_true().to_list() == [document["recommended"]["row"]]
    assert Path("s.svg").read_text().startswith("<svg")
    assert "<svg" in Path("s.html").read_text()


def test_words_numbers_and_truths_are_read(folder, run):
    """As in the policy."""
    words = ("algorithm=mondrian,local", "--vary", "relaxed=true,false", "--vary", "effort=fast")
    code, out, said = run(*ASK, *words, "--json")
    assert code == 0, said
    rows = [row["parameters"] for row in json.loads(out)["rows"]]
    assert [row["relaxed"] for row in rows] == [True, False] * 2
    assert rows[0] == {"algorithm": "mondrian", "relaxed": True, "effort": "fast"}


@pytest.mark.parametrize(
    "arguments",
    [
        (*ASK, "k"), (*ASK, "=2"), (*ASK, "k="), (*ASK, "luck=2"), (*ASK, "k=two"),
        (*ASK, "k=2", "--vary", "k=3"), (*ASK, "k=2", "--out", "s.png"),
        (*ASK, "k=2", "--out", "data.csv"), (*ASK, "k=2", "--out", "none/s.csv"),
        (*ASK, "k=2", "--risk", "beauty"), (*ASK, "k=2", "--risk", "journalist"), ASK[:-1],
    ],
)  # fmt: skip
def test_wrong_use_ends_with_2_in_words_and_writes_nothing(folder, run, arguments):
    """Files stay as they were."""
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    code, _, said = run(*arguments)
    assert code == 2
    assert said.strip()
    assert "error of indistinct itself" not in said
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_no_solution_at_all_ends_with_3(folder, run):
    """Nothing is written."""
    more = '[[models]]\nname = "distinct-l-diversity"\ncolumn = "diagnosis"\nl = 2\n'
    (folder / "policy.toml").write_text(POLICY + more)
    code, out, said = run(*ASK, "l=100,200", "--out", "s.csv")
    assert (code, out) == (3, "")
    assert "requires more of diagnosis than the whole table achieves" in said
    assert not (folder / "s.csv").exists()


def test_an_interruption_leaves_the_old_file(folder, run, monkeypatch):
    """Nothing is written."""
    import indistinct.tables.publish.sweep_of_values as sweeping

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(sweeping, "search", interrupt)
    Path("s.csv").write_text("old")
    code, _, said = run(*ASK, "k=2,3", "--out", "s.csv", "--replace")
    assert code == 130
    assert "interrupted" in said
    assert Path("s.csv").read_text() == "old"
