"""Files for the owner alone cannot be read by others; published ones can."""

import os
import stat
import subprocess
import sys

import polars as pl
import pytest

import indistinct as ind

TABLE = pl.DataFrame({"age": [30, 30, 31, 31] * 3, "illness": ["a", "b", "c", "d"] * 3})


@pytest.fixture(autouse=True)
def everyone_may_read():
    """Take the usual mask, whatever the machine's is."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_crosswalk_of_a_table(tmp_path):
    """The crosswalk links records to people, the release and its manifest are public."""
    release = ind.anonymize(TABLE, quasi_identifiers=["age"], sensitive=["illness"], k=2)
    release.write(tmp_path / "out.csv", crosswalk=tmp_path / "crosswalk.csv")
    assert mode(tmp_path / "crosswalk.csv") == 0o600
    assert mode(tmp_path / "out.csv") == mode(tmp_path / "out.csv.manifest.json") == 0o644


def test_the_crosswalk_of_a_graph(tmp_path):
    """The same of vertices."""
    edges = tmp_path / "edges.csv"
    edges.write_text("source,target\n0,1\n1,2\n2,3\n3,0\n")
    release = ind.graph.anonymize(edges, model="k-degree", k=2, seed=1)
    release.write(tmp_path / "out.csv", crosswalk=tmp_path / "crosswalk.csv")
    assert mode(tmp_path / "crosswalk.csv") == 0o600
    assert mode(tmp_path / "out.csv") == 0o644


def test_a_draft_of_a_policy(tmp_path):
    """A draft may hold values of the table."""
    TABLE.write_csv(tmp_path / "table.csv")
    draft = tmp_path / "draft.toml"
    subprocess.run(
        [sys.executable, "-m", "indistinct", "inspect", tmp_path / "table.csv", "--draft", draft],
        check=True,
        capture_output=True,
    )
    assert mode(draft) == 0o600
