"""The owner's file: exact, readable by nobody else, and there with the release or not at all."""

import json
import os
import stat
from pathlib import Path

import pytest

from indistinct.frontends.cli import main

ROWS = ["age,town,ill,day"]
ROWS += [
    f"{20 + row % 17},{'UH'[row % 2]},{'xyz'[row % 3]},2020-01-{row + 1:02}" for row in range(31)
]
ASK = ("anonymize", "data.csv", "--quasi-identifiers", "age,town", "--sensitive", "ill",
       "--insensitive", "day", "--k", "3", "--max-suppression", "0.2")  # fmt: skip


def status(arguments: list[str]) -> int:
    """Run the command in this process; give its exit code."""
    return main.status(arguments, show_values=False)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a table, its days in no order."""
    (tmp_path / "data.csv").write_text("\n".join([ROWS[0], *sorted(ROWS[1:])]) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_owner_s_file_is_exact_and_closed_to_others(folder, capsys):
    """Mode 0600 even where an older file was open to all; salt and unrounded figures."""
    (folder / "owner.json").write_text("{}")
    (folder / "owner.json").chmod(0o644)
    before = os.umask(0)
    try:
        assert (
            status([*ASK, "--out", "out.csv", "--owner", "owner.json", "--replace", "--json"]) == 0
        )
    finally:
        os.umask(before)
    public, owner = json.loads(capsys.readouterr().out), json.loads(Path("owner.json").read_text())
    assert stat.S_IMODE((folder / "owner.json").stat().st_mode) == 0o600
    written = json.loads(Path("out.csv.manifest.json").read_text())
    told = {"statements": public["statements"], "warnings": []}
    assert {**public, **told} == {**written, **told}
    assert public["warnings"] == owner["warnings"]
    assert owner["output"] == public["output"]
    assert owner["input"]["salt"] not in json.dumps(public)
    assert owner["loss"].keys() > public["loss"].keys()


def test_nobody_else_reads_it_while_it_is_written(folder, monkeypatch):
    """Without nameless files the hidden one is closed from its first byte on."""
    from indistinct.base.files import writing

    modes: list[int] = []
    write_text = Path.write_text

    def watched(self: Path, text: str, **words: str) -> int:
        if '"salt"' in text:
            modes.append(stat.S_IMODE(self.stat().st_mode))
        return write_text(self, text, **words)

    monkeypatch.setattr(Path, "write_text", watched)
    assert status([*ASK, "--out", "one.csv", "--owner", "one.json"]) == 0
    monkeypatch.setattr(writing, "open_nameless", lambda *_, **__: None)
    assert status([*ASK, "--out", "two.csv", "--owner", "two.json"]) == 0
    assert modes == [0o600, 0o600]


def test_all_or_nothing(folder, capsys):
    """Where the owner's file cannot be written, nothing is; nor onto another file of the run."""
    for owner in ("missing/owner.json", "data.csv", "out.csv", "out.csv.manifest.json"):
        assert status([*ASK, "--out", "out.csv", "--owner", owner]) == 2
        assert {path.name for path in folder.iterdir()} == {"data.csv"}
    assert "Traceback" not in capsys.readouterr().err


def test_warnings_reach_the_terminal_without_a_value(folder, capsys):
    """On standard error: the column and the share."""
    assert status([*ASK, "--out", "out.csv"]) == 0
    shown = capsys.readouterr()
    assert "warning: " in shown.err
    assert "someone who knows day (insensitive)" in shown.err
    assert "2020-01" not in shown.err + shown.out
