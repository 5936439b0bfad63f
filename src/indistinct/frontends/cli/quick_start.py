"""What the command leaves out at its start: work that no command needs.

Python's own work is left out for the command's process alone, and before it imports anything else.
"""

from __future__ import annotations

import dataclasses
import gc
import os
from collections.abc import Callable
from typing import Any

# Objects made before Python looks for cycles of garbage again. Its own 700 cost a tenth of the time
# of a short command, and find next to nothing: what a command holds are arrays.
OBJECTS_BETWEEN_SEARCHES = 200_000
# Lets jemalloc, which Polars allocates with, return memory at once; read when Polars is imported.
GIVE_BACK = "dirty_decay_ms:0,muzzy_decay_ms:0"
# What writes the methods of a dataclass in Python 3.11 and 3.12; later versions write those of a
# class at once, and need no help.
WRITER = "_create_fn"


def start_quickly() -> None:
    """Leave out what Python and pydantic do at every start, and no command needs.

    To look for plugins of pydantic, the metadata of everything that is installed are read; and a
    plugin would see the words of a policy. And Polars keeps for a while the memory that it no
    longer uses: a sixth of all that a command on a large table takes.
    """
    gc.set_threshold(OBJECTS_BETWEEN_SEARCHES, 20, 20)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    os.environ.setdefault("_RJEM_MALLOC_CONF", GIVE_BACK)
    write: Callable[..., Callable[..., Any]] | None = getattr(dataclasses, WRITER, None)
    if write is not None:
        setattr(dataclasses, WRITER, _when_called(write))


def _when_called(write: Callable[..., Callable[..., Any]]) -> Callable[..., Callable[..., Any]]:
    """Return a writer of methods that leaves those of a dataclass until somebody calls them.

    Python compiles six methods for each of some hundred frozen dataclasses, for a sixth of the time
    of a short command, which calls few but ``__init__``. That one is written at once: its signature
    is read, and it is called often.
    """

    def write_when_called(name: str, *words: Any, **named: Any) -> Callable[..., Any]:
        if name == "__init__":
            return write(name, *words, **named)
        written: list[Callable[..., Any]] = []

        def method(*arguments: Any) -> Any:
            if not written:
                written.append(write(name, *words, **named))
            return written[0](*arguments)

        method.__name__ = name
        return method

    return write_when_called
