"""What the first run after an installation leaves for the next."""

import os
import shutil
import subprocess
import sys

import pytest

from shared import ROOT

COUNT = """
import numpy
from indistinct.base.compiled.kernels import group_rows
print(group_rows(numpy.array([[1], [1], [2]], numpy.int32))[2].tolist())
"""


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
