"""Tells the person who waits that loops are being compiled: in the first run after installing."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

_waiting: list[Callable[[], None]] = []


@contextmanager
def on_first_compilation(tell: Callable[[], None]) -> Generator[None]:
    """Call ``tell`` when the first loop begins to be compiled; never where all are kept already.

    Of nested calls the innermost is told.
    """
    told = False

    def once() -> None:
        nonlocal told
        if not told:
            told = True
            tell()

    _waiting.append(once)
    try:
        yield
    finally:
        _waiting.remove(once)


def compilation_begins() -> None:
    """Tell whoever waits, if anybody does."""
    if _waiting:
        _waiting[-1]()
