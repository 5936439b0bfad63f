"""What a job is doing, in whole sentences: the words of the engines are short and technical."""

from __future__ import annotations

import re

from indistinct.frontends.app.number_words import count, figure, percent
from indistinct.frontends.app.texts import catalogue, text
from indistinct.tables.search import SearchProgress, read_so_far

# Measures that are 0 for the original table and 1 for a table in which everything is hidden.
SHARES = frozenset({"loss", "ncp"})
# Jobs whose messages name what is tried: a column, or the parameters of a promise.
NAMED = frozenset({"around", "sweep"})
COUNTED = re.compile(r"(\d+) (classes|nodes|sets of columns|labels replaced)")
COUNTED_NAMES = {
    "classes": "stage.classes",
    "nodes": "stage.nodes",
    "sets of columns": "stage.column_sets",
    "labels replaced": "stage.labels",
}


def sentence(kind: str, message: str) -> str:
    """Return what a job does.

    Parameters
    ----------
    kind : of the job
    message : of the engine
    """
    if not message:
        return text("stage.starting")
    if kind in NAMED:
        return text(f"stage.{kind}", name=message)
    if (known := f"stage.{message.replace(' ', '_')}") in catalogue():
        return text(known)
    if (found := read_so_far(message)) is not None:
        return _best(found)
    if (number := COUNTED.match(message)) is not None:
        return text(COUNTED_NAMES[number[2]], number=count(int(number[1])))
    return text("stage.other", message=message)


def _best(found: SearchProgress) -> str:
    """Return how good the best release is, and how good any can be."""
    if found.measure in SHARES and found.best <= 1:
        best, bound = percent(found.best), percent(found.bound or 0.0)
        name = "stage.best_share" if found.bound is None else "stage.best_share_bounded"
        return text(name, best=best, bound=bound)
    best, bound = figure(found.best), figure(found.bound or 0.0)
    name = "stage.best" if found.bound is None else "stage.best_bounded"
    return text(name, measure=found.measure, best=best, bound=bound)
