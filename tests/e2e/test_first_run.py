"""What the first run after an installation says, and what it leaves for the next."""

import os
import pty
import shutil
import subprocess
import sys

import numpy as np
import pytest
from numba.core.caching import NullCache

from indistinct.cli.terminal import COMPILING, saying_when_compiling
from indistinct.core.compilation import on_first_compilation
from indistinct.core.kernels import compiled
from shared import ROOT

TABLE = "age,town\n" + "".join(f"{20 + row % 3},{row % 2}\n" for row in range(12))
COUNT = """
import numpy
from indistinct.core.kernels import group_rows
print(group_rows(numpy.array([[1], [1], [2]], numpy.int32))[2].tolist())
"""
COMMAND = ["anonymize", "people.csv", "--quasi-identifiers", "age,town", "--k", "2"]
COMMAND += ["--algorithm", "optimal"]  # has least to compile


def fresh():
    """Make a loop of the package that nobody has compiled."""

    def add(numbers, more):
        return numbers + more

    add.__module__ = "indistinct.made_up"
    loop = compiled(add)
    loop.dispatcher._cache = NullCache()  # else the next test run would find it compiled
    return loop


@pytest.fixture
def installed(tmp_path):
    """Copy the package to where nothing can be written beside it, not even by root."""
    shutil.copytree(
        ROOT / "src" / "indistinct",
        tmp_path / "site" / "indistinct",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    for folder in (tmp_path / "site").rglob("*/"):
        (folder / "__pycache__").touch()
    (tmp_path / "people.csv").write_text(TABLE, encoding="utf-8")
    return tmp_path


def environment(folder, home):
    found = {
        name: value
        for name, value in os.environ.items()
        if name not in {"NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "PYTHONPATH"}
    }
    return {**found, "PYTHONPATH": str(folder / "site"), "HOME": str(home)}


def compiled_files(folder):
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*.nb[ic]")}


def count(folder, home):
    """Call one compiled loop in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", COUNT],
        cwd=folder,
        env=environment(folder, home),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "[2, 1]\n", "")


def test_the_next_process_finds_what_the_first_compiled(installed):
    """Where the package cannot be written, the user's cache keeps it."""
    home = installed / "home"
    home.mkdir()
    count(installed, home)
    kept = compiled_files(home)
    assert kept
    count(installed, home)
    assert compiled_files(home) == kept
    assert not compiled_files(installed / "site")


def test_it_runs_where_nothing_can_be_kept(installed):
    """Neither beside the package nor in a home folder: it compiles for this run alone."""
    home = installed / "home"
    home.touch()
    count(installed, home)


def test_a_terminal_hears_of_it_once(installed):
    """The first run says that it compiles, the second does not."""
    home = installed / "home"
    home.mkdir()
    said = []
    for out in ("one.csv", "two.csv"):
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "indistinct", *COMMAND, "--out", out],
            cwd=installed,
            env={**environment(installed, home), "TERM": "xterm", "COLUMNS": "120"},
            stdout=subprocess.DEVNULL,
            stderr=theirs,
        )
        os.close(theirs)
        heard = b""
        with os.fdopen(ours, "rb", buffering=0) as reader:
            try:
                while found := reader.read(4096):
                    heard += found
            except OSError:  # the other end was closed
                pass
        assert process.wait() == 0, heard
        said.append(COMPILING in heard.decode())
    assert said == [True, False]


def test_only_the_innermost_is_told_and_once():
    """A progress bar speaks in place of the command around it."""
    outer, inner = [], []
    with (
        on_first_compilation(lambda: outer.append(1)),
        on_first_compilation(lambda: inner.append(1)),
    ):
        loop = fresh()
        loop(np.ones(2, np.int16), 1)
        loop(np.ones(2, np.int8), 1)
    assert (outer, inner) == ([], [1])


def test_a_pipe_hears_nothing(capsys):
    """Standard error is no terminal here."""
    with saying_when_compiling(quiet=False):
        fresh()(np.ones(2, np.uint8), 1)
    assert not capsys.readouterr().err
