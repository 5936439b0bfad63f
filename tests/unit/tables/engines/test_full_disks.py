"""A disk that is really full: a small file system of its own."""

import os
import subprocess

import numpy as np
import polars as pl
import pytest

from indistinct.errors import OutputError
from indistinct.tables.engines.choosing import Resources
from indistinct.tables.engines.sinks import sink_for
from indistinct.tables.publish.parts import anonymize_in_parts
from large_tables import hostile_table, policy_of


@pytest.fixture
def small_disk(tmp_path):
    """Mount a file system of 256 kB, where this user may."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k,mode=700", "tmpfs", str(folder)]
    try:
        done = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        done = False
    if os.geteuid() != 0 or not done:
        pytest.skip("needs the right to mount a file system")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture
def large_file(tmp_path):
    """Write a table whose release takes about half a megabyte."""
    rows = hostile_table(200, 2)
    frame = pl.concat([rows] * 300).with_columns(
        pl.Series("size", np.random.default_rng(1).normal(170, 10, 300 * rows.height))
    )
    frame.write_parquet(tmp_path / "in.parquet")
    return str(tmp_path / "in.parquet")


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("name", ["out.parquet", "out", "out.csv"])
def test_a_full_output_disk_is_said_in_words_and_left_empty(engine, name, small_disk, large_file):
    """The release does not fit: nothing of it appears, and nothing is left behind."""
    resources = Resources(engine, 10**9)
    with pytest.raises(OutputError, match="the disk is full"):
        anonymize_in_parts(
            large_file, policy_of(), sink_for(str(small_disk / name)), resources=resources
        )
    assert not list(small_disk.iterdir())


def test_a_full_temporary_disk_is_said_in_words_and_left_empty(small_disk, large_file, tmp_path):
    """DuckDB hands its counts over in files there."""
    resources = Resources("duckdb", 10**9, str(small_disk))
    (small_disk / "ballast").write_bytes(bytes(250 * 1024))
    with pytest.raises(OutputError, match="full"):
        anonymize_in_parts(
            large_file, policy_of(), sink_for(str(tmp_path / "out.csv")), resources=resources
        )
    assert [path.name for path in small_disk.iterdir()] == ["ballast"]
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_full_disk_of_the_crosswalk_leaves_no_release(engine, small_disk, large_file, tmp_path):
    """Neither has a name without the other, and no place of a record is left behind."""
    resources = Resources(engine, 10**9)
    out = tmp_path / "out"
    with pytest.raises(OutputError, match="the disk is full"):
        anonymize_in_parts(
            large_file,
            policy_of(),
            sink_for(str(out)),
            resources=resources,
            crosswalk=str(small_disk / "crosswalk.csv"),
        )
    assert list(small_disk.iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["disk", "in.parquet"]
