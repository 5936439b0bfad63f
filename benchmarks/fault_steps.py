"""The steps of writing of a run, and how to kill it at one of them.

A kill at a random moment rarely meets the few milliseconds in which files get their names. So the
steps are counted once: a file is opened for writing, named, replaced, removed or given permissions,
a folder is made, or a statement changes a ledger or a history. Then runs are killed just before
some of them, spread evenly over all.
"""

from __future__ import annotations

import mmap
import os
import random
import signal
import sqlite3
import sys
from collections.abc import Callable

NAMING = {
    "os.rename", "os.link", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.truncate",
}  # fmt: skip
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
COMMITTING = ("BEGIN", "INSERT", "UPDATE", "DELETE", "CREATE", "COMMIT")
LONGEST = 8  # bytes of the number that is shared


class Stages:
    """Counts the steps of writing of a forked run, for the process that started it."""

    def __init__(self) -> None:
        self.shared = mmap.mmap(-1, LONGEST)

    @property
    def count(self) -> int:
        """How many steps the last run took."""
        return int.from_bytes(self.shared[:LONGEST], "little")

    def watching(self, stop_before: int | None = None) -> Callable[[], None]:
        """Return what a run calls first: it counts, and kills the run before a step, from 0."""
        self.shared[:LONGEST] = bytes(LONGEST)

        def step() -> None:
            if self.count == stop_before:
                os.kill(os.getpid(), signal.SIGKILL)
            self.shared[:LONGEST] = (self.count + 1).to_bytes(LONGEST, "little")

        def stated(statement: str) -> None:
            if statement.startswith(COMMITTING):
                step()

        def heard(event: str, given: tuple) -> None:
            if event in NAMING or (event == "open" and is_written(given[0], given[2])):
                step()

        def connect(*given: object, **words: object) -> sqlite3.Connection:
            connection = connect_as_before(*given, **words)
            connection.set_trace_callback(stated)
            return connection

        def watch() -> None:
            sys.addaudithook(heard)
            sqlite3.connect = connect

        connect_as_before = sqlite3.connect
        return watch


def is_written(path: object, flags: object) -> bool:
    """Return whether a file is opened for writing; what no command keeps does not count."""
    is_device = str(path).startswith("/dev/") and not str(path).startswith("/dev/shm/")
    is_elsewhere = is_device or str(path).startswith("/proc/self/task")
    return not is_elsewhere and isinstance(flags, int) and bool(flags & WRITING)


def spread(count: int, times: int, chance: random.Random) -> list[int]:
    """Choose steps from 0 to ``count`` - 1 evenly, one at random out of each equal part."""
    return [min(int((turn + chance.random()) * count / times), count - 1) for turn in range(times)]
