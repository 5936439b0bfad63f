"""Explore: many promises side by side, and the steps around what was found."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from indistinct.base.randomness import RandomSource
from indistinct.errors import NoSolutionError, UsageError
from indistinct.frontends.app.edits import pinned
from indistinct.frontends.report.sweep import chart
from indistinct.tables.core import Progress
from indistinct.tables.counting import prepare
from indistinct.tables.evaluation import read_original
from indistinct.tables.policy import Policy, resolve
from indistinct.tables.publish import protect_input, searched_and_reached, sweep


def swept(
    tell: Progress, words: dict[str, Any], folder: str, data: str, vary: dict[str, list[Any]]
) -> Mapping[str, Any]:
    """Search under many parameters."""
    found = sweep(data, Policy.from_words(words, Path(folder)), vary=vary, progress=tell)
    faults = [[one.document() for one in point.faults] for point in found.points]
    svg = chart(found, knee_alone=True)
    return {"document": found.document(), "faults": faults, "svg": svg, "vary": vary}


def around(
    tell: Progress, words: dict[str, Any], folder: str, data: str, levels: dict[str, int]
) -> Mapping[str, Any]:
    """Return what one level more or less of each column would cost."""
    policy = Policy.from_words(words, Path(folder))
    frame = protect_input(
        read_original(data, policy.reading, policy.set_forms), resolve(policy), RandomSource()
    ).records
    steps = [(name, level + by) for name, level in levels.items() for by in (-1, 1)]
    rows: list[dict[str, Any]] = []
    for number, (name, level) in enumerate(steps):
        tell(number / len(steps), name)
        if level >= 0:
            rows.append(_neighbor(frame, words, Path(folder), levels, name, level))
    tell(1.0, "")
    return {"rows": [row for row in rows if row], "levels": levels}


def _neighbor(  # noqa: PLR0913, PLR0917 - where it is, and where it goes
    frame: Any,
    words: dict[str, Any],
    folder: Path,
    levels: Mapping[str, int],
    name: str,
    level: int,
) -> dict[str, Any]:
    """Search with every level fixed; one column stands a level beside where it was."""
    row: dict[str, Any] = {"column": name, "level": level, "up": level > levels[name]}
    try:
        asked = resolve(Policy.from_words(pinned(words, {**levels, name: level}), folder))
        found = searched_and_reached(prepare(frame, asked))
    except NoSolutionError as error:
        return {**row, "faults": [error.faults[0].document()]}
    except UsageError:
        return {}  # the column has no such level
    return {**row, **found.document()}
