"""The first run after an installation: other processes compile a part of the loops.

Each of them runs the same kind of work on made-up data (:mod:`indistinct.cli.rehearsal`), so it
needs neither the data of the user nor a list of loops. Commands that find all loops kept start no
process.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from indistinct.core.turns import SharedCompilation, sharing

if TYPE_CHECKING:
    import subprocess

HELPERS = "INDISTINCT_HELPERS"  # a variable of the environment: how many processes help
CORES_PER_HELPER = 2
MOST_HELPERS = 2  # the longest loop, and the start of a process, take as long with more
# The works that compile for seconds and are rehearsed in less, each with its first word, if any.
HELPED = {
    ("anonymize", "local"),
    ("anonymize", "mondrian"),
    ("anonymize", "k-member"),
    ("anonymize", "cell-suppression"),
    ("graph anonymize", "k-degree"),
    ("graph anonymize", "k-neighborhood"),
    ("graph inspect",),
    ("graph assess",),
    ("graph attack", "walk"),
    ("graph attack", "passive"),
    ("graph attack", "degree"),
    ("graph attack", "refinement"),
}


@contextmanager
def compiling_together(work: str, *words: str) -> Generator[None]:
    """Let other processes help if loops have to be compiled inside.

    Parameters
    ----------
    work : one of the ``REHEARSALS``
    words : what is said to it, such as the name of the algorithm
    """
    n_helpers = _n_helpers()
    if not n_helpers or (work, *words[:1]) not in HELPED or not sys.executable:
        yield
        return
    import tempfile

    helpers: list[subprocess.Popen[bytes]] = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:

        def call_helpers() -> Callable[[], bool]:
            helpers.extend(_started([folder, work, *words]) for _ in range(n_helpers))
            return lambda: any(helper.poll() is None for helper in helpers)

        try:
            with sharing(SharedCompilation(Path(folder), call_helpers)):
                yield
        finally:
            for helper in helpers:
                _let_go(helper)


def _n_helpers() -> int:
    """Return the number of processes that may help: by the environment, else by the cores."""
    said = os.environ.get(HELPERS, "")
    n_helpers = int(said) if said.isdecimal() else _n_cores() // CORES_PER_HELPER
    return min(n_helpers, MOST_HELPERS)


def _n_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _started(words: list[str]) -> subprocess.Popen[bytes]:
    """Start a process that compiles what a rehearsal comes to, and is silent.

    ``-P``: it imports nothing from the folder in which the command was typed.
    """
    import subprocess

    return subprocess.Popen(  # noqa: S603 - our own words, and no shell
        [sys.executable, "-P", "-m", "indistinct.cli.rehearsal", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _let_go(helper: subprocess.Popen[bytes]) -> None:
    """Let a process end after the loop that it is compiling: numba keeps the loop for later runs.

    It ends at the end of its standard input, also when this process is killed.
    """
    if helper.stdin is not None:
        helper.stdin.close()
    helper.returncode = 0  # nobody waits for it, and Python need not warn of that
