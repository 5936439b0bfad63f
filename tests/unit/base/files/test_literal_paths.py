"""Paths are literal: a mark in a name, a folder's name or a link never leads to other records."""

from __future__ import annotations

import os
import re
from contextlib import ExitStack
from pathlib import Path

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError
from indistinct.tables.reading.places import PATTERN, files_at
from shared import longer

ENGINES = ("memory", "polars", "duckdb")
# A name with marks, and another file that the name matches as a pattern.
NAMES = {
    "people[1]": "people1",
    "all*": "all-2025",
    "who?": "whom",
    "[a-z]": "q",
    "d[!x]": "dy",
    "it's[1]": "it's1",
}
POLICY = {
    "columns": {
        "sex": {"role": "quasi-identifier", "max_level": 0},
        "age": {"role": "insensitive"},
    },
    "models": [{"name": "k-anonymity", "k": 2}],
}


def write(path, sex, rows):
    """Write a table of people of one sex."""
    path.parent.mkdir(exist_ok=True)
    frame = pl.DataFrame({"sex": [sex] * rows, "age": [n % 7 for n in range(rows)]})
    frame.write_parquet(path) if path.suffix == ".parquet" else frame.write_csv(path)
    return path


def release_into(out, data, engine):
    """Write a release of a table; give its policy."""
    policy = ind.Policy.from_words(POLICY)
    with ExitStack() as stack:
        release = ind.anonymize(str(data), policy, engine=engine)
        if engine != "memory":
            stack.enter_context(release)
        release.write(out)
    return policy


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("name", longer(NAMES, list(NAMES)[:2]))
def test_a_name_with_marks_is_that_file(tmp_path, monkeypatch, engine, suffix, name):
    """The women of the named file, and none of the men beside it; verified against the file."""
    monkeypatch.chdir(tmp_path)
    other = NAMES[name]
    data = write(Path(f"{name}{suffix}"), "F", 20)
    write(Path(f"{other}{suffix}"), "M", 60)
    policy = release_into("out[1].csv", data, engine)
    assert Path("out[1].csv").read_text().count("F") == 20
    assert "M" not in Path("out[1].csv").read_text()
    assert ind.verify("out[1].csv", policy, original=str(data)).holds


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_the_name_of_a_folder_is_no_column(tmp_path, engine, suffix):
    """A folder sex=M, and a file of women in it."""
    data = write(tmp_path / "sex=M" / f"d{suffix}", "F", 20)
    release_into(tmp_path / "out.csv", data, engine)
    assert (tmp_path / "out.csv").read_text().count("F") == 20


@pytest.mark.parametrize("mark", ["part*.csv", "part?.csv", "part[12].csv", "**/part1.csv"])
def test_a_pattern_is_one_only_where_it_is_announced(tmp_path, mark):
    """Without the word, no file is there; with it, the files that match are."""
    for number in (1, 2):
        write(tmp_path / f"part{number}.csv", "F", 3)
    with pytest.raises(DataError, match=PATTERN):
        files_at(str(tmp_path / mark))
    assert files_at(f"{PATTERN}{tmp_path / mark}").paths[0] == str(tmp_path / "part1.csv")


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_link_that_leads_out_of_a_folder_is_refused(tmp_path, engine):
    """A file, a folder and a chain of links; a link within the folder is read."""
    inside = write(tmp_path / "in" / "a.csv", "F", 20)
    elsewhere = write(tmp_path / "out" / "b.csv", "M", 20)
    (tmp_path / "hop.csv").symlink_to(elsewhere)
    policy = ind.Policy.from_words(POLICY)
    for target in (elsewhere, elsewhere.parent, tmp_path / "hop.csv"):
        link = tmp_path / "in" / ("folder" if target.is_dir() else "link.csv")
        link.symlink_to(target)
        for data in (inside.parent, f"{PATTERN}{inside.parent}/**/*.csv"):
            with pytest.raises(DataError, match="leads out"):
                ind.anonymize(str(data), policy, engine=engine)
        link.unlink()
    (tmp_path / "in" / "again.csv").symlink_to(inside)
    release_into(tmp_path / "out.csv", inside.parent, engine)
    assert (tmp_path / "out.csv").read_text().count("F") == 40


@pytest.mark.skipif(os.name == "nt", reason="a backslash separates folders there")
def test_what_no_engine_can_be_told_is_refused(tmp_path):
    """DuckDB cannot be told of a backslash beside a mark; nothing else is read instead."""
    data = write(tmp_path / "a\\b[1].csv", "F", 20)
    write(tmp_path / "a\\b1.csv", "M", 20)
    with pytest.raises(DataError, match="Rename the file"):
        ind.anonymize(str(data), ind.Policy.from_words(POLICY), engine="duckdb")


def test_every_scan_of_polars_is_a_literal_one():
    """Only one module calls the readers that take a path for a pattern."""
    source = Path(ind.__file__).parent
    allowed = {"literal_paths.py", "object_storage.py", "formats.py"}
    calls = re.compile(r"\bpl\.(scan_\w+|read_parquet\b)")
    found = {path.name for path in source.rglob("*.py") if calls.search(path.read_text("utf-8"))}
    assert found <= allowed
