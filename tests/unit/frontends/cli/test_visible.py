"""Marks that steer a terminal or turn a line are shown at every door, and never sent."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from indistinct.errors import DataError, Fault, visible
from indistinct.frontends.cli.main import status
from indistinct.frontends.report.components import Page, Paragraph
from indistinct.frontends.report.pages import fragment_of, html_of

NAME = "to\x1b[31mwn\x07\u202e"
SHOWN = "to\\x1b[31mwn\\x07\\u202e"
STEERS = ("\x1b", "\x07", "\u202e", "\x9b", "\udcff")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Return a table whose column, and whose cells, have such marks."""
    path = tmp_path / "marks.csv"
    rows = "".join(f"{20 + n % 40},{'mf'[n % 2]},a\x1b[2Jb{n % 3}\n" for n in range(60))
    path.write_text(f"age,sex,{NAME}\n{rows}", encoding="utf-8")
    return path


@pytest.mark.parametrize("options", [[], ["--json"], ["--preview"]])
def test_no_mark_of_a_table_reaches_the_terminal(
    table: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Inspection, its document and its preview show the marks of names and cells."""
    assert status(["inspect", str(table), *options], show_values=False) == 0
    said = "".join(capsys.readouterr())
    assert not any(mark in said for mark in STEERS)
    assert "wn" in said
    if options == ["--json"]:
        names = [column["name"] for column in json.loads(said)["columns"]]
        assert names == ["age", "sex", NAME]


def test_errors_show_the_marks_of_names_and_paths(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name that ends its line cannot begin a line of its own either."""
    path = f"{tmp_path}/no\x1b]0;title\x07\nerror: all is well\udcff.csv"
    assert status(["inspect", path], show_values=False) == 2
    said = "".join(capsys.readouterr())
    assert not any(mark in said for mark in STEERS)
    assert "\nerror: all is well" not in said
    assert str(DataError([Fault(f"columns.{NAME}", "is odd")])) == f"columns.{SHOWN}: is odd"


def test_pages_show_the_marks() -> None:
    """Reports, and pieces of pages in a notebook."""
    blocks = [Paragraph(NAME)]
    pages = [fragment_of(*blocks), html_of(Page(NAME, NAME, "", ()))]
    assert all(SHOWN in page for page in pages)
    assert not any(mark in page for page in pages for mark in STEERS)


@pytest.mark.parametrize("text", ["Köln, Łódź", "日本語", "a\tb\nc", "שלום", "न्‍या"])
def test_other_texts_stay(text: str) -> None:
    """Letters of every script, tabs and ends of lines, and marks that join letters."""
    assert visible(text) == text
