"""Files for the owner alone cannot be read by others; published ones can."""

import os
import stat
import subprocess
import sys

import polars as pl
import pytest

import indistinct as ind

INVARIANT = {
    "columns": {
        "person": {"role": "identifier"},
        "age": {"role": "quasi-identifier"},
        "ill": {"role": "sensitive"},
    },
    "history": {"person": "person"},
    "method": {"algorithm": "invariant"},
    "models": [{"name": "m-invariance", "column": "ill", "m": 3}],
}
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


def test_the_hierarchies_beside_a_draft(tmp_path):
    """They list values of the table."""
    table, draft = tmp_path / "table.csv", tmp_path / "draft.toml"
    days = [f"{row % 12 + 1:02d}.0{row % 9 + 1}.19{50 + row % 28}" for row in range(400)]
    pl.DataFrame({"birth_date": days, "ill": ["a", "b"] * 200}).write_csv(table)
    subprocess.run(
        [sys.executable, "-m", "indistinct", "inspect", table, "--draft", draft],
        check=True,
        capture_output=True,
    )
    beside = sorted(tmp_path.glob("draft.*.csv"))
    assert [path.name for path in beside] == ["draft.birth_date.csv"]
    assert mode(beside[0]) == 0o600


def test_a_history_and_what_stands_beside_it_are_the_owners(tmp_path):
    """SQLite makes its journal with the mode of the file; nothing is left of it."""
    frame = pl.DataFrame(
        {
            "person": [f"person {row}" for row in range(30)],
            "age": range(30),
            "ill": list("abc") * 10,
        }
    )
    policy = ind.Policy.from_words(INVARIANT)
    ind.anonymize(frame, policy, history=tmp_path / "history.db").write(tmp_path / "out.csv")
    beside = list(tmp_path.glob("history.db*"))
    assert [path.name for path in beside] == ["history.db"]
    assert mode(tmp_path / "history.db") == 0o600
    assert b"person 1" not in (tmp_path / "history.db").read_bytes()


def test_group_numbers_say_nothing_of_the_order(tmp_path):
    """They are those of the rows in which the groups occur first, whatever the input's order is."""
    frame = pl.DataFrame(
        {
            "person": range(120),
            "age": [20 + row // 2 for row in range(120)],
            "ill": list("abcdef") * 20,
        }
    )
    policy = ind.Policy.from_words(INVARIANT)
    for run in range(3):
        shuffled = frame.sample(fraction=1, shuffle=True, seed=run)
        release = ind.anonymize(shuffled, policy, history=tmp_path / f"{run}.db", seed=8)
        numbers = release.frame["group"].unique(maintain_order=True).to_list()
        assert numbers == list(range(len(numbers)))
        assert len(numbers) > 30
