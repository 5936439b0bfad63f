"""Kills at the steps of writing, and the tables to which the script of faults adds its trials."""

import os
import random
import signal
import sqlite3
import sys
from collections import Counter
from contextlib import closing

import pytest

from shared import ROOT

PAGE = """Seeds: <!-- seeds -->1, 2.
<!-- faults: begin -->

| fault | trials | lost | remarks | tests |
|---|---|---|---|---|
| SIGKILL at a random moment | 1,165 | 0 | 10 hidden | `test_a` |
| a full disk | 15 | 1 | | `test_b`, `test_c` |
<!-- faults: end -->
Text.
<!-- kills: begin -->

| command | at a random moment | at a step of writing | while it ran | refused | hidden | lost |
|---|---:|---:|---:|---:|---:|---:|
| sample | 3 | 2 | 4 | 0 | 0 | 0 |

<!-- kills: end -->
The end.
"""
TOTAL = {
    ("SIGKILL", "sample"): Counter({"tries": 5, "cut off": 4, "whole": 5}),
    ("SIGKILL at a step of writing", "sample"): Counter({"tries": 2, "cut off": 2, "whole": 2}),
    ("SIGKILL", "report"): Counter({"tries": 1, "cut off": 1, "broken: r.html": 1}),
    ("a full disk", "report"): Counter({"tries": 3, "whole": 2, "gone: out.csv": 1}),
}


@pytest.fixture(autouse=True)
def scripts(monkeypatch):
    """Let the scripts of the benchmarks be imported."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")


def test_trials_are_added_to_both_tables():
    from fault_table import added

    page = added(PAGE, TOTAL, 7)
    assert "<!-- seeds -->1, 2, 7." in page
    assert "| SIGKILL at a random moment | 1,171 | 1 | 10 hidden | `test_a` |" in page
    assert "| a full disk | 18 | 2 |  | `test_b`, `test_c` |" in page
    assert "| sample | 8 | 4 | 10 | 0 | 0 | 0 |" in page
    assert "| report | 1 | 0 | 1 | 0 | 0 | 1 |" in page
    assert page.endswith("<!-- kills: end -->\nThe end.\n")
    assert added(page, {}, 7) == page
    assert added(page, {}, 8).replace(", 8.", ".") == page


def test_steps_are_spread_evenly():
    from fault_steps import spread

    chosen = spread(100, 10, random.Random(1))
    assert [step // 10 for step in chosen] == list(range(10))
    assert set(spread(3, 30, random.Random(1))) == {0, 1, 2}


def carried_out(folder, steps, stop_before=None):
    """Write a file, give it its name, and change a history, in a fork; give its exit code."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        steps.watching(stop_before)()
        (folder / "data.csv").read_text()
        (folder / ".hidden").write_text("new")
        (folder / ".hidden").replace(folder / "out.csv")
        history = sqlite3.connect(folder / "h.db")
        history.execute("CREATE TABLE releases (number)")
        history.execute("INSERT INTO releases VALUES (1)")
        history.commit()
        os._exit(0)
    finally:
        os._exit(1)


@pytest.mark.skipif(sys.platform != "linux", reason="the steps are those of Linux")
def test_a_run_is_killed_before_the_step(tmp_path):
    from fault_steps import Stages

    steps = Stages()
    left = []
    for number in range(7):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "data.csv").write_text("old")
        code = carried_out(folder, steps, number)
        assert code == (-signal.SIGKILL if number < 6 else 0)
        assert steps.count == number
        names = {file.name for file in folder.iterdir()} - {"data.csv"}
        left.append(sorted(name for name in names if not name.endswith("-journal")))
    written = ["h.db", "out.csv"]
    assert left == [[], [".hidden"], written, written, written, written, written]
    with (
        closing(sqlite3.connect(tmp_path / "5" / "h.db")) as cut,
        closing(sqlite3.connect(tmp_path / "6/h.db")) as all_,
    ):
        assert cut.execute("SELECT * FROM releases").fetchall() == []
        assert all_.execute("SELECT * FROM releases").fetchall() == [(1,)]
