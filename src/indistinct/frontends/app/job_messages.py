"""What a job is doing, in whole sentences: by the codes of the engine, which speaks shortly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from indistinct.frontends.app.number_words import count, figure, percent
from indistinct.frontends.app.texts import catalogue, text

# Measures that are 0 for the original table and 1 for a table in which everything is hidden.
SHARES = frozenset({"loss", "ncp"})
# Jobs whose messages name what is tried: a column, or the parameters of a promise.
NAMED = frozenset({"around", "sweep"})


def sentence(kind: str, told: Mapping[str, Any]) -> str:
    """Return what a job does.

    Parameters
    ----------
    kind : of the job
    told : its ``message``, with the ``code`` and the ``parts`` of it; nothing at the beginning
    """
    code = told.get("code", "")
    if not code:
        return text("stage.starting")
    if kind in NAMED:
        return text(f"stage.{kind}", name=told["message"])
    if code == "best":
        return _best(**told["parts"])
    if (known := f"stage.{code}") in catalogue():
        parts = {name: _figure(value) for name, value in told["parts"].items()}
        return text(known, **parts)
    return text("stage.other")


def _figure(value: Any) -> str:
    return count(value) if isinstance(value, int) else str(value)


def _best(measure: str, best: float, bound: float | None) -> str:
    """Return how good the best release is, and how good any can be."""
    is_share = measure in SHARES and best <= 1
    write = percent if is_share else figure
    name = "stage.best_share" if is_share else "stage.best"
    if bound is None:
        return text(name, measure=measure, best=write(best))
    return text(f"{name}_bounded", measure=measure, best=write(best), bound=write(bound))
