"""The first run: other processes rehearse it on made-up data, and compile some of its loops."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from indistinct.cli import first_run
from indistinct.cli.first_run import HELPED, HELPERS, compiling_together
from indistinct.cli.rehearsal import REHEARSALS, loops_of
from indistinct.core.compiling import Loop, compiled
from indistinct.core.turns import compilation_of
from shared import environment


@compiled
def summed(numbers: np.ndarray) -> int:
    """Sum some numbers."""
    found = 0
    for number in numbers:
        found += number
    return found


def test_a_rehearsal_finds_the_loops_and_compiles_none():
    """Each loop is found once for each of its types, in the order of the first calls."""

    def work():
        assert summed(np.arange(4)) == 6
        assert summed(np.arange(3)) == 3
        assert summed(np.arange(4.0)) == 6
        raise ValueError

    call = Loop.__call__
    found = loops_of(work)
    assert Loop.__call__ is call
    assert [loop for loop, _ in found] == [summed, summed]
    assert [str(types[0].dtype) for _, types in found] == ["int64", "float64"]
    assert not summed.dispatcher.signatures


WORK = [
    ("anonymize", "cell-suppression"),
    ("graph anonymize", "k-degree"),
    ("graph inspect",),
    ("graph assess",),
    ("graph attack", "walk", "k-degree"),
]


@pytest.mark.parametrize(
    "work",
    [
        *WORK,
        pytest.param(("anonymize", "mondrian"), marks=pytest.mark.slow),
        pytest.param(("anonymize", "local", "microaggregation"), marks=pytest.mark.slow),
        pytest.param(("anonymize", "k-member"), marks=pytest.mark.slow),
        pytest.param(("graph anonymize", "k-neighborhood"), marks=pytest.mark.slow),
        pytest.param(("graph attack", "refinement", "k-degree"), marks=pytest.mark.slow),
    ],
    ids=" ".join,
)
@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_every_rehearsal_goes_through(work, tmp_path):
    """An error in it would go unseen, and all that it had not come to would not be compiled."""
    name, *words = work
    ended = []

    def rehearse():
        REHEARSALS[name](tmp_path, *words)
        ended.append(True)

    found = loops_of(rehearse)
    assert ended
    assert len(found) >= 4
    assert tuple(work[:2]) in HELPED


def test_every_work_that_is_helped_is_rehearsed():
    """And the other way round."""
    assert {work for work, *_ in HELPED} == set(REHEARSALS)


def test_nobody_is_called_where_nothing_is_compiled(monkeypatch):
    """All loops of later runs are kept."""
    monkeypatch.delenv(HELPERS)
    monkeypatch.setattr(first_run, "_n_cores", lambda: 8)
    monkeypatch.setattr(first_run, "_started", lambda words: pytest.fail(str(words)))
    with compiling_together("anonymize", "local"):
        pass


@pytest.mark.parametrize("cores", [1, 2, 64])
def test_helpers_are_as_many_as_there_is_room_for(monkeypatch, cores):
    """One core is the command's own, and no more than two help; their folder goes with them."""
    called = []
    monkeypatch.delenv(HELPERS)
    monkeypatch.setattr(first_run, "_n_cores", lambda: cores)
    monkeypatch.setattr(first_run, "_started", lambda words: called.append(words) or Gone())
    with compiling_together("anonymize", "local", "microaggregation"):
        compilation_of("a loop", ())
        compilation_of("another loop", ())
    assert len(called) == {1: 0, 2: 1, 64: 2}[cores]
    assert all(words[1:] == ["anonymize", "local", "microaggregation"] for words in called)
    assert not any(Path(words[0]).exists() for words in called)


@pytest.mark.parametrize(
    ("said", "n_helpers"), [("0", 0), ("1", 1), ("9", 2), ("many", 2), ("", 2)]
)
def test_the_environment_says_how_many_help(monkeypatch, said, n_helpers):
    """What is no number says nothing."""
    called = []
    monkeypatch.setenv(HELPERS, said)
    monkeypatch.setattr(first_run, "_n_cores", lambda: 4)
    monkeypatch.setattr(first_run, "_started", lambda words: called.append(words) or Gone())
    with compiling_together("graph inspect"):
        compilation_of("a loop", ())
    assert len(called) == n_helpers


class Gone:
    """A helper that has ended."""

    stdin = None
    returncode = 0

    @staticmethod
    def poll():
        """Say so."""
        return 0


def helper(folder, kept, *work):
    """Start a helper whose machine code is kept in a folder."""
    return subprocess.Popen(
        [sys.executable, "-m", "indistinct.cli.rehearsal", str(folder), *work],
        env={**environment(), "NUMBA_CACHE_DIR": str(kept)},
        stdin=subprocess.PIPE,
    )


def test_a_helper_ends_with_the_command(tmp_path):
    """However the command ends, the standard input of its helpers does, too."""
    with helper(tmp_path, tmp_path / "kept", "graph inspect") as process:
        process.stdin.close()
        assert process.wait(timeout=60) == 0
    assert not list(tmp_path.rglob("*.nbc"))


@pytest.mark.slow
def test_a_helper_compiles_what_a_command_then_loads(tmp_path):
    """Nobody else compiles here, so the helper compiles all that it has rehearsed, and no more."""
    (tmp_path / "turns").mkdir()
    with helper(tmp_path / "turns", tmp_path / "kept", "graph inspect") as process:
        assert process.wait(timeout=120) == 0
    code = """
import sys
from pathlib import Path
from numba.core.event import Listener, register
from indistinct.cli.rehearsal import REHEARSALS
class Compiled(Listener):
    def on_start(self, event):
        print(event.data["dispatcher"].py_func.__qualname__)
    def on_end(self, event):
        pass
register("numba:compile", Compiled())
REHEARSALS["graph inspect"](Path(sys.argv[1]))
"""
    run = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        env={**environment(), "NUMBA_CACHE_DIR": str(tmp_path / "kept")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert not run.stdout


@pytest.mark.slow
def test_a_first_run_gives_what_a_later_run_gives(tmp_path):
    """With helpers and with all loops kept the same graph is released."""
    edges = "".join(f"{one},{one + step}\n" for one in range(40) for step in (1, 3))
    (tmp_path / "edges.csv").write_text(edges, encoding="utf-8")
    command = ["-m", "indistinct", "graph", "anonymize", "edges.csv", "--k", "2", "--seed", "1"]
    for out in ("first.csv", "second.csv"):
        subprocess.run(
            [sys.executable, *command, "--out", out],
            env={**environment(), "NUMBA_CACHE_DIR": str(tmp_path / "kept"), HELPERS: "1"},
            cwd=tmp_path,
            check=True,
        )
    assert (tmp_path / "first.csv").read_bytes() == (tmp_path / "second.csv").read_bytes()
