"""A process that helps with a first run: it compiles loops that a command is about to call.

It runs the same kind of work on a few made-up records, in which Python interprets the loops, and
notes which loops are called with which types. Then it compiles them, the last one first, while the
command compiles them in the order of their calls, until the two meet. See ``first_run.py``.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from indistinct.core.compiling import Loop, name_of
from indistinct.core.turns import Turns

RECORDS, PEOPLE = 40, 8  # few enough to be interpreted within a second or two
MASK = {"name": "microaggregation", "k": 3}


def rehearse_table(folder: Path, algorithm: str, *masks: str) -> None:
    """Publish a table by an algorithm; two of its columns by microaggregation, if it is named.

    The lattice is small: interpreted, the walk of the lower bound would take longer than all else.
    """
    import indistinct as ind

    del folder
    columns = ["birth_date", "weight_kg"] if MASK["name"] in masks else []
    masked = {"role": "quasi-identifier", "protect": MASK}
    policy = ind.Policy.from_keywords(
        identifiers=["name"],
        quasi_identifiers=["height_cm", "sex"],
        sensitive=["diagnosis"],
        insensitive=[
            "birth_date",
            "postcode",
            "occupation",
            "insurance",
            "weight_kg",
            "admission_date",
        ],
        k=3,
        l=2,
        max_suppression=0.5,
        algorithm=algorithm,
    ).with_words({"columns": dict.fromkeys(columns, masked)})
    ind.anonymize(ind.sample("patients", rows=RECORDS, seed=1), policy, seed=1)


def rehearse_graph(folder: Path, model: str) -> None:
    """Publish a graph by a model."""
    from indistinct.graph.anonymization import anonymize

    anonymize(_friends(folder), model, k=2, seed=1)


def rehearse_inspection(folder: Path) -> None:
    """See how much a graph gives away."""
    from indistinct.graph.inspection import inspect

    inspect(_friends(folder))


def rehearse_assessment(folder: Path) -> None:
    """Measure what a released graph has lost."""
    from indistinct.graph.assessment import assess
    from indistinct.graph.graph_files import read

    graph = read(_friends(folder))
    ids = [graph.id_of(vertex) for vertex in range(graph.n_vertices)]
    assess(graph, original=graph, crosswalk=list(zip(ids, ids, strict=True)))


def rehearse_attack(folder: Path, attack: Any, model: str) -> None:
    """Attack the releases of a graph."""
    from indistinct.graph.red_team import attack as run

    # Planted vertices take twenty others each.
    run(_friends(folder, 50), attack=attack, model=model, trials=1, size=2, seed=1, k=2)


REHEARSALS: dict[str, Callable[..., None]] = {
    "anonymize": rehearse_table,
    "graph anonymize": rehearse_graph,
    "graph inspect": rehearse_inspection,
    "graph assess": rehearse_assessment,
    "graph attack": rehearse_attack,
}


def main() -> None:
    """Rehearse what is named on the command line, then compile its loops, the last one first."""
    is_over = threading.Event()
    threading.Thread(target=_wait_for_end, args=[is_over], daemon=True).start()
    warnings.simplefilter("ignore")
    folder, work, *words = sys.argv[1:]
    turns = Turns(Path(folder))
    with tempfile.TemporaryDirectory() as own:
        loops = loops_of(partial(REHEARSALS[work], Path(own), *words))
    for loop, types in reversed(loops):
        if is_over.is_set():
            return
        name = name_of(loop.py_func)
        if turns.take(name, types):
            try:
                loop.dispatcher.compile(types)
            finally:
                turns.end(name, types)


def loops_of(work: Callable[[], None]) -> list[tuple[Loop, tuple[Any, ...]]]:
    """Run some work without compiling; give the loops that it calls, each with its types, once.

    If the work ends with an error, the loops up to there are given.
    """
    found: dict[tuple[str, tuple[Any, ...]], tuple[Loop, tuple[Any, ...]]] = {}
    is_inside = threading.local()

    def interpreted(loop: Loop, *arguments: Any) -> Any:
        if getattr(is_inside, "a_loop", False):
            return loop.py_func(*arguments)
        type_of: Callable[[Any], Any] = loop.dispatcher.typeof_pyval
        types = tuple(map(type_of, arguments))
        found.setdefault((name_of(loop.py_func), types), (loop, types))
        is_inside.a_loop = True
        try:
            return loop.py_func(*arguments)
        finally:
            is_inside.a_loop = False

    compiled = Loop.__call__
    Loop.__call__ = interpreted  # pyright: ignore[reportAttributeAccessIssue] - for a while
    try:
        with suppress(Exception):  # the command itself says what is wrong
            work()
    finally:
        Loop.__call__ = compiled
    return list(found.values())


def _friends(folder: Path, people: int = PEOPLE) -> Path:
    """Write a graph of made-up friends."""
    from indistinct.publish.sample_friends import friendships

    path = folder / "friends.csv"
    edges = friendships(people, np.random.default_rng(1))
    path.write_text("".join(f"{one},{other}\n" for one, other in edges), encoding="utf-8")
    return path


def _wait_for_end(is_over: threading.Event) -> None:
    """Wait until the command has ended, however it did.

    Python's own file of the input would be locked by this thread when the process ends.
    """
    while os.read(0, 1):
        pass
    is_over.set()


if __name__ == "__main__":
    main()
