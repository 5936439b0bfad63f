"""The note of each table: what its columns, marks and zeros mean, for whoever reads it alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from indistinct.aggregates.dimensions import TOTAL, Dimension
from indistinct.aggregates.family import Family
from indistinct.aggregates.lines import HIDDEN, Lines
from indistinct.aggregates.policy import MEASURE, TablesPolicy


def note_of(family: Family, number: int, lines: Lines, policy: TablesPolicy) -> dict[str, Any]:
    """Return the note of a table."""
    table = family.tables[number]
    dimensions = [
        {
            "name": family.dimensions[one].name,
            "total": TOTAL,
            "levels": levels_of(family.dimensions[one], lowest),
        }
        for one, lowest in zip(table.dimensions, table.lowest, strict=True)
    ]
    at_least = 0 if policy.hides_zeros else 1
    zeros = "hidden" if policy.hides_zeros else "exact" if lines.has_zeros else "left out"
    measure = {
        "kind": "count",
        "of": "people" if policy.data.person is not None else "rows",
        "column": None,
        "unit": 1,
        "zeros": zeros,
        "hidden": {"mark": HIDDEN, "at_least": at_least, "reaches": policy.minimum},
        "derived": None,
        "empty": {HIDDEN: "hidden so that it cannot be worked out"},
    }
    return {"dimensions": dimensions, "measures": {MEASURE: measure}}


def levels_of(dimension: Dimension, lowest: int) -> list[dict[str, str]]:
    """Return the label above each shown label, level by level, the lowest first."""
    found: list[dict[str, str]] = []
    shown: list[int] = np.flatnonzero(dimension.shown(lowest)).tolist()
    for level in range(lowest, dimension.n_levels):
        # A label that stands on several levels is told once, on the highest.
        own = [node for node in shown if node and dimension.tops[node] == level]
        own.sort(key=lambda node: int(dimension.ranks[node]))
        parents: list[int] = dimension.parents[np.array(own, np.int64)].tolist()
        above = [dimension.labels[parent] for parent in parents]
        found.append(dict(zip([dimension.labels[node] for node in own], above, strict=True)))
    return found
