"""Tables of databases on the command line: read, released, verified, and refused in words."""

import contextlib
import os
import sqlite3
import subprocess
import sys

import pytest

from indistinct.frontends.cli.main import status

duckdb = pytest.importorskip("duckdb")
POLICY = """
[columns.age]
role = "quasi-identifier"
[columns.sex]
role = "quasi-identifier"
[columns.illness]
role = "insensitive"
[[models]]
name = "k-anonymity"
k = 5
"""
ROWS = [(20 + row % 4, "fm"[row % 2], "abc"[row % 3]) for row in range(240)]


@pytest.fixture
def clinic(tmp_path, monkeypatch):
    """A folder with one table in two databases, and a policy."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "policy.toml").write_text(POLICY)
    with contextlib.closing(sqlite3.connect("clinic.sqlite")) as lite, lite:
        lite.execute("CREATE TABLE visits (age INTEGER, sex TEXT, illness TEXT)")
        lite.executemany("INSERT INTO visits VALUES (?, ?, ?)", ROWS)
    with contextlib.closing(duckdb.connect("clinic.duckdb")) as duck:
        duck.execute("CREATE TABLE visits (age INTEGER, sex TEXT, illness TEXT)")
        duck.executemany("INSERT INTO visits VALUES (?, ?, ?)", ROWS)
    return tmp_path


def run(*words):
    return status(list(words), show_values=False)


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_a_table_of_a_database_is_drafted_released_and_verified(clinic, kind, capsys):
    """From the address to a file, and back to the address as the original."""
    address = f"{kind}:///clinic.{kind}?table=visits"
    assert run("inspect", address, "--draft", "draft.toml") == 0
    assert run("anonymize", address, "--policy", "policy.toml", "--out", "release.csv") == 0
    assert run("verify", "release.csv", "--policy", "policy.toml", "--original", address) == 0
    assert "It holds: 240 records" in capsys.readouterr().out


def test_a_release_into_a_database_is_verified_without_naming_an_engine(clinic, capsys):
    """It keeps its manifest inside, so that no file beside it is looked for."""
    data, out = (f"duckdb:///clinic.duckdb?table={name}" for name in ("visits", "released"))
    assert run("anonymize", data, "--policy", "policy.toml", "--out", out) == 0
    assert "manifest  the table released_manifest beside it" in capsys.readouterr().out
    assert run("verify", out, "--policy", "policy.toml", "--original", data) == 0
    assert capsys.readouterr().out.startswith("It holds: 240 records")


def test_a_table_of_sqlite_is_verified_although_it_is_no_file(clinic, capsys):
    """The original is no release: its rows are counted, and the answer is a verdict."""
    code = run("verify", "sqlite:///clinic.sqlite?table=visits", "--policy", "policy.toml")
    said = capsys.readouterr()
    assert code in {0, 1}
    assert said.err == ""


@pytest.mark.parametrize(
    "out", ["sqlite:///clinic.sqlite?table=out", "postgresql://ann:hunter2@127.0.0.1:1/c?table=out"]
)
def test_a_release_is_not_written_to_another_database(clinic, out, capsys):
    """The refusal says what is possible, and shows no part of the address."""
    words = ["--policy", "policy.toml", "--out", out]
    assert run("anonymize", "sqlite:///clinic.sqlite?table=visits", *words) == 2
    said = capsys.readouterr().err
    assert "is written to a file, not to an address" in said
    assert "hunter2" not in said
    assert sorted(path.name for path in clinic.iterdir()) == [
        "clinic.duckdb",
        "clinic.sqlite",
        "policy.toml",
    ]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("mysql://ann:hunter2@127.0.0.1/c?table=visits", "begins with duckdb://, sqlite://"),
        ("clinic.sqlite", "sqlite:///PATH?table=NAME"),
        ("clinic.duckdb", "duckdb:///PATH?table=NAME"),
        ("sqlite:///clinic.sqlite", "the address does not name a table"),
        ("duckdb:///clinic.duckdb?table=gone", "cannot be read"),
    ],
)
def test_an_address_that_leads_nowhere_is_refused_in_words(clinic, address, said, capsys):
    assert run("inspect", address) == 2
    found = capsys.readouterr().err
    assert said in found
    assert "hunter2" not in found


def test_duckdb_does_not_complain_after_a_fault(clinic):
    """The process ends with the two lines of the fault and nothing of the library's own."""
    words = ["-m", "indistinct", "inspect", "duckdb:///clinic.duckdb?table=gone"]
    ended = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, env=os.environ, check=False
    )
    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 2
