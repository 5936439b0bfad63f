"""Share the compilation of loops among processes: each loop is compiled by one of them.

Numba holds Python's lock while it compiles, so threads would only wait for one another. Processes
do not. Which of them compiles a loop for which types is settled by files in a folder of their own:
whoever makes the file first has the turn, and the others find the machine code in numba's cache.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

LOOKS = 0.005  # seconds between two looks at what another process does
PATIENCE = 60.0  # seconds for which a process waits for another one, then compiles itself

Compile = Callable[[Any], Any]


class Turns:
    """Says who compiles a loop.

    Parameters
    ----------
    folder : exists, and all processes that share the compilation can write there
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def take(self, loop: str, types: object) -> bool:
        """Take the turn to compile a loop for types; False if it was taken before."""
        try:
            os.close(os.open(self._taken(loop, types), os.O_CREAT | os.O_EXCL, 0o600))
        except FileExistsError:
            return False
        return True

    def end(self, loop: str, types: object) -> None:
        """Say that the machine code is kept, or that there will be none."""
        with suppress(FileNotFoundError):  # nobody waits any longer, and the folder is gone
            self._ended(loop, types).touch()

    def wait(self, loop: str, types: object, is_anybody_there: Callable[[], bool]) -> None:
        """Wait for whoever has the turn, as long as there is somebody."""
        until = time.monotonic() + PATIENCE
        while not self._ended(loop, types).exists():
            if time.monotonic() > until or not is_anybody_there():
                return
            time.sleep(LOOKS)

    def _taken(self, loop: str, types: object) -> Path:
        """Return the file that says that somebody has the turn."""
        import hashlib  # loads for milliseconds, and only a first run needs it

        return self._folder / hashlib.sha256(f"{loop} {types}".encode()).hexdigest()

    def _ended(self, loop: str, types: object) -> Path:
        """Return the file that says that the turn is over."""
        return self._taken(loop, types).with_suffix(".ended")


class SharedCompilation:
    """The compilation of the loops of this process, in which others help from the first loop on.

    Parameters
    ----------
    folder : of the turns
    call_helpers : starts the other processes, and gives a function that tells whether any of them
        is still there; called when the first loop has to be compiled, so never where all are kept
    """

    def __init__(self, folder: Path, call_helpers: Callable[[], Callable[[], bool]]) -> None:
        self._turns = Turns(folder)
        self._call_helpers = call_helpers
        self._is_anybody_there: Callable[[], bool] | None = None

    def begin(self, loop: str, types: object) -> None:
        """Call the helpers, if this is the first loop that is really compiled."""
        if self._is_anybody_there is None:
            self._turns.take(loop, types)
            self._is_anybody_there = self._call_helpers()

    def compiled(self, loop: str, types: object, compile_or_load: Compile) -> Any:
        """Compile a loop, or load what another process compiled."""
        if self._is_anybody_there is not None and not self._turns.take(loop, types):
            self._turns.wait(loop, types, self._is_anybody_there)
            return compile_or_load(types)
        try:
            return compile_or_load(types)
        finally:
            if self._is_anybody_there is not None:
                self._turns.end(loop, types)


_shared: list[SharedCompilation] = []


@contextmanager
def sharing(compilation: SharedCompilation) -> Generator[None]:
    """Share the compilation of all loops that are called inside."""
    _shared.append(compilation)
    try:
        yield
    finally:
        _shared.remove(compilation)


def compiled_in_turn(loop: str, types: object, compile_or_load: Compile) -> Any:
    """Compile or load a loop: at once, or when it is its turn where compilation is shared."""
    if not _shared:
        return compile_or_load(types)
    return _shared[-1].compiled(loop, types, compile_or_load)


def compilation_of(loop: str, types: object) -> None:
    """Tell those who share the compilation, if anybody, that a loop was not kept."""
    if _shared:
        _shared[-1].begin(loop, types)
