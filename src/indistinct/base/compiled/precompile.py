"""Compile every loop before somebody waits for one, and keep the machine code.

    python -m indistinct.base.compiled.precompile [--processes 2] [base tables.search.local ...]
    python -m indistinct.base.compiled.precompile --note

Python does not say for which types a loop will be called. ``loop_types.json`` does: for each
module, the one with most machine code first, the types of each loop. ``--note`` writes it anew,
from what the runs of this program, such as its tests, have kept. A loop or a type that is missing
there is compiled when it is first called.
"""

# numba ships no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

from indistinct.base.compiled.compiling import Loop, compiler
from indistinct.base.compiled.loop_types import Text, text_of, type_of

PROCESSES = 2
TYPES = Path(__file__).with_name("loop_types.json")


def main(words: list[str]) -> None:
    """Compile what is not kept yet, or note what is."""
    parser = argparse.ArgumentParser(
        description=__doc__, prog="python -m indistinct.base.compiled.precompile"
    )
    parser.add_argument("rooms", nargs="*", help="packages whose loops are wanted, if not all")
    parser.add_argument("--processes", type=int, default=PROCESSES)
    parser.add_argument("--note", action="store_true")
    asked = parser.parse_args(words)
    if asked.note:
        TYPES.write_text(as_text(kept_types()), encoding="utf-8")
        return
    wanted = tuple(f"indistinct.{room}." for room in asked.rooms) or ("",)
    missing = [
        module
        for module in noted_types()
        if f"{module}.".startswith(wanted) and not is_kept(module)
    ]
    if not missing:
        return
    with multiprocessing.get_context("spawn").Pool(asked.processes) as processes:
        for _ in processes.imap_unordered(compile_module, missing, chunksize=1):
            pass


def as_text(found: dict[str, dict[str, list[list[Text]]]]) -> str:
    """Return types as JSON, a line for each loop."""
    modules = (
        f"{json.dumps(module)}: {{\n"
        + ",\n".join(f" {json.dumps(loop)}: {json.dumps(types)}" for loop, types in loops.items())
        + "\n}"
        for module, loops in found.items()
    )
    return "{" + ",\n".join(modules) + "}\n"


def noted_types() -> dict[str, dict[str, list[list[Text]]]]:
    """Return the types of each loop of each module, as they are noted."""
    return json.loads(TYPES.read_text(encoding="utf-8"))


def compile_module(module: str) -> None:
    """Compile the loops of a module: by one process, since they share their parts.

    A loop that has other arguments now is left to its first call.
    """
    for loop, types in loops_of(module):
        with suppress(TypeError, compiler().core.errors.NumbaError):
            loop.dispatcher.compile(types)


def is_kept(module: str) -> bool:
    """Return whether the machine code of all loops of a module is kept."""
    return all(types in _cache_of(loop).kept() for loop, types in loops_of(module))


def loops_of(module: str) -> Iterator[tuple[Loop, tuple[Any, ...]]]:
    """Yield each loop of a module for each of its types, up to one that has another name now."""
    with suppress(ImportError, KeyError):
        names = vars(import_module(module))
        for name, found in noted_types()[module].items():
            for types in found:
                if not names[name].is_part:
                    yield names[name], tuple(map(type_of, types))


def kept_types() -> dict[str, dict[str, list[list[Text]]]]:
    """Return the types for which machine code is kept, the modules with most of it first."""
    found: dict[str, dict[str, list[list[Text]]]] = {}
    sizes: dict[str, int] = {}
    for loop in all_loops():
        if kept := _cache_of(loop).kept():
            texts = sorted(([text_of(one) for one in types] for types in kept), key=str)
            found.setdefault(loop.__module__, {})[loop.py_func.__name__] = texts
            size = sum(file.stat().st_size for file in kept.values())
            sizes[loop.__module__] = sizes.get(loop.__module__, 0) + size
    return {name: found[name] for name in sorted(found, key=sizes.__getitem__, reverse=True)}


def kept_files() -> list[Path]:
    """List the files of the machine code that is noted, and of no other."""
    found: list[Path] = []
    for module in noted_types():
        for loop in dict.fromkeys(loop for loop, _ in loops_of(module)):
            found += [_cache_of(loop).index, *_cache_of(loop).kept().values()]
    return found


def all_loops() -> Iterator[Loop]:
    """Yield every loop of the package that Python can call."""
    package = import_module("indistinct")
    for _, name, _ in walk_packages(package.__path__, "indistinct."):
        if not name.endswith("__main__"):
            for loop in vars(import_module(name)).values():
                if isinstance(loop, Loop) and not loop.is_part and loop.__module__ == name:
                    yield loop


def _cache_of(loop: Loop) -> Any:
    """Return what keeps the machine code of a loop."""
    return loop.dispatcher._cache  # noqa: SLF001 - numba has no public door


if __name__ == "__main__":
    main(sys.argv[1:])
