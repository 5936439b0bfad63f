"""Run tests in a forked process that has loaded the libraries already."""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Callable, Sequence
from math import ceil
from pathlib import Path

import pytest
from hypothesis import Phase, settings

from mutants.places import ROOT

# What was loaded beforehand cannot explain its assertions, which nobody reads here.
OPTIONS = ["-x", "-q", "-m", "not slow and not postgres", "-p", "no:cacheprovider",
           "-W", "ignore::pytest.PytestAssertRewriteWarning"]  # fmt: skip
NO_TESTS = 5  # pytest's word for nothing to run
BROKEN = 70


class Hurried:
    """Lets Hypothesis stop at the first example that fails, and keep none for a later mutant.

    Parameters
    ----------
    examples : how many each test tries at most; None for as many as it tries otherwise
    """

    def __init__(self, examples: int | None = None) -> None:
        self.examples = examples

    def pytest_collection(self) -> None:
        settings.register_profile(
            "hurried",
            settings.default,
            max_examples=self.examples or settings.default.max_examples,
            phases=[Phase.explicit, Phase.generate],
            database=None,
            print_blob=False,
        )
        settings.load_profile("hurried")


class Only:
    """Runs some tests alone, those that take the least time first."""

    def __init__(self, wanted: Sequence[str]) -> None:
        self.turns = {name: turn for turn, name in enumerate(wanted)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self.turns]
        items.sort(key=lambda item: self.turns[item.nodeid])


def pytest_run(files: Sequence[str | Path], *plugins: object, examples: int | None = None) -> int:
    """Run files of tests in this process."""
    words = [*OPTIONS, *map(str, dict.fromkeys(files))]
    return int(pytest.main(words, plugins=[Hurried(examples), *plugins]))


def forked(work: Callable[[], int], seconds: float) -> int | None:
    """Return the exit code of work in a forked process; None where it takes too long.

    Parameters
    ----------
    seconds : of a processor; a process that waits has ten times as long, on a busy machine too
    """
    child = os.fork()
    if child == 0:
        try:
            os.setpgid(0, 0)
            os.chdir(ROOT)
            resource.setrlimit(resource.RLIMIT_CPU, (ceil(seconds), ceil(seconds) + 1))
            nowhere = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nowhere, stream)
            os._exit(work())
        finally:
            os._exit(BROKEN)
    ends = time.monotonic() + 10 * seconds
    while time.monotonic() < ends:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            return None if code in {-signal.SIGXCPU, -signal.SIGKILL} else code
        time.sleep(0.01)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None
