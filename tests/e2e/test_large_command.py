"""The command on tables that are not read whole: crosswalks and folders."""

import json

import polars as pl
import pytest

import indistinct as ind
from indistinct.frontends.cli.main import status as status_of

POLICY = """
[columns.name]
role = "identifier"
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20] }
[columns.sex]
role = "quasi-identifier"
[columns.illness]
role = "sensitive"
[[models]]
name = "k-anonymity"
k = 3
[method]
max_suppression = 0.2
"""
MAKE = ("anonymize", "in.parquet", "--policy", "policy.toml", "--engine", "polars")
CHECK = ("--policy", "policy.toml", "--original", "in.parquet", "--engine", "polars")


def status(line):
    """Run the command; give its exit code."""
    return status_of([*line], show_values=False)


@pytest.fixture(name="folder")
def a_folder(tmp_path, monkeypatch):
    """Work in a folder with a table and its policy."""
    rows = range(120)
    pl.DataFrame(
        {
            "name": [f"N{row * 7919 % 120}" for row in rows],
            "age": [20 + row * 37 % 41 for row in rows],
            "sex": [("female", "male")[row * 13 % 2] for row in rows],
            "illness": [("flu", "gout", "mumps")[row * 11 % 3] for row in rows],
        }
    ).write_parquet(tmp_path / "in.parquet")
    (tmp_path / "policy.toml").write_text(POLICY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_crosswalk_is_written_and_verified(folder, capsys):
    """Only its owner reads it, and a wrong one ends with the code of a release that fails."""
    out = ("--out", "release", "--crosswalk", "cross.csv")
    assert status((*MAKE, *out)) == 0
    assert "cross.csv" in capsys.readouterr().out
    assert (folder / "cross.csv").stat().st_mode & 0o777 == 0o600
    check = ("verify", "release", *CHECK, "--crosswalk", "cross.csv")
    assert status(check) == 0
    linked = pl.read_csv(folder / "cross.csv")
    assert linked.columns == ["output_file", "output_row", "input_file", "input_row"]
    turned = linked.with_columns(input_row=linked["input_row"].reverse())
    turned.write_csv(folder / "cross.csv")
    assert status(check) == 1


NAMED = ("--crosswalk", "names.csv", "--crosswalk-key", "name", "--record-column", "record")


def test_a_small_file_gets_names_by_an_engine(folder, capsys):
    """Whatever engine would else read it; the three options belong together."""
    anyhow = MAKE[:4]
    assert status([*anyhow, "--out", "release.parquet", *NAMED]) == 0
    manifest = json.loads((folder / "release.parquet.manifest.json").read_text())
    assert manifest["output"]["record_column"] == "record"
    listed = pl.read_csv(folder / "names.csv")
    assert listed.columns == ["record", "name"]
    check = ("verify", "release.parquet", *CHECK[:4])
    assert status(check) == 0
    assert status([*check, "--crosswalk", "names.csv"]) == 0
    turned = listed.with_columns(pl.col("name").reverse())
    turned.write_csv(folder / "names.csv")
    assert status([*check, "--crosswalk", "names.csv"]) == 1
    (folder / "names.csv").unlink()
    capsys.readouterr()
    assert status([*anyhow, "--out", "r.csv", *NAMED[:4]]) == 2
    assert "--record-column: is missing" in capsys.readouterr().err
    assert status([*anyhow, "--engine", "memory", "--out", "r.csv", *NAMED]) == 2
    said = capsys.readouterr().err
    assert "Take --engine polars or duckdb." in said
    assert not (folder / "r.csv").exists()


def test_one_file_is_verified_with_its_crosswalk_by_whatever_engine(folder):
    """The small file of an engine is read whole by default, its crosswalk names files."""
    assert status([*MAKE, "--out", "release.parquet", "--crosswalk", "cross.parquet"]) == 0
    check = ("verify", "release.parquet", *CHECK[:4], "--crosswalk", "cross.parquet")
    assert status(check) == 0
    assert (folder / "release.parquet.manifest.json").is_file()


def test_a_release_is_divided_into_folders(folder, capsys):
    """Also without a word on the engine; the memory cannot."""
    make = (*MAKE[:4], "--out", "release", "--partition-by", "sex")
    assert status(make) == 0
    document = json.loads((folder / "release" / "_manifest.json").read_text())
    assert {part["path"].partition("/")[0] for part in document["output"]["parts"]} <= {
        "sex=female",
        "sex=male",
        "sex=%2A",
    }
    assert status(["verify", "release", "--policy", "policy.toml"]) == 0
    assert ind.verify("release", folder / "policy.toml").holds is True
    assert status([*make, "--replace", "--engine", "memory"]) == 2
    assert "--engine polars or duckdb" in capsys.readouterr().err
    assert status([*MAKE, "--out", "other", "--partition-by", "name"]) == 2
    assert "not a column of the release" in capsys.readouterr().err
    assert not (folder / "other").exists()


def test_a_small_table_goes_to_a_storage_that_only_engines_write_to(folder, capsys):
    """The command does not take such an address for a file of this machine."""
    out = ("--out", "hdfs://store/release")
    assert status((*MAKE, *out)) == 2
    assert "written by Spark alone" in capsys.readouterr().err
    assert status((*MAKE[:4], *out, "--engine", "duckdb")) == 2
    assert "written by Spark alone" in capsys.readouterr().err
    assert {path.name for path in folder.iterdir()} == {"in.parquet", "policy.toml"}
