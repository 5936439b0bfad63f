"""What a release with levels of its own for each group is made of: its combinations of levels."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from indistinct.base.arrays import Codes
from indistinct.base.compiled.kernels import group_rows
from indistinct.tables.core import Progress
from indistinct.tables.evaluation import read_original
from indistinct.tables.frames import drop_masked
from indistinct.tables.policy import Policy, resolve
from indistinct.tables.release import (
    ReleasedTable,
    column_scale,
    count_release,
    read_release,
    with_codebook,
)

MOST_COMBINATIONS = 300
# Of a range that the algorithm made from the data, and no hierarchy has.
OWN_RANGE = -1


def shaped(
    tell: Progress, words: dict[str, Any], folder: str, data: str, release: str
) -> Mapping[str, Any]:
    """Count the records and the groups of every combination of levels.

    Returns
    -------
    ``names`` of the columns, those with the fewest different levels first; ``hidden``, the level
    of each that hides everything; ``combinations`` with ``levels``, ``records`` and ``groups``,
    the most frequent first; and the records of the ``further`` ones
    """
    policy = Policy.from_words(words, Path(folder))
    tell(0.0, "reading")
    before = read_original(data, policy.reading, policy.set_forms)
    names = [name for name in policy.class_names if name not in policy.protections]
    tell(0.5, "comparing")
    frame = read_release(release, resolve(policy), may_be_empty=True)
    known = with_codebook(resolve(policy), release, frame)
    lines = [column_scale(before, known.columns[name]) for name in names]
    frame = drop_masked(frame, policy.release.suppressed)
    return combinations(names, count_release(frame, lines))


def combinations(names: list[str], table: ReleasedTable) -> Mapping[str, Any]:
    """Count the combinations of levels in a released table."""
    columns = [book.levels[table.cells[:, column]] for column, book in enumerate(table.books)]
    order: list[int] = np.argsort(
        [_variety(column, table) for column in columns], kind="stable"
    ).tolist()
    rows = np.ascontiguousarray(np.stack([columns[one] for one in order], axis=1), np.int32)
    labels, representatives, _ = group_rows(rows)
    records = np.bincount(labels, table.weights, len(representatives))
    groups = np.bincount(labels, minlength=len(representatives))
    ranked = np.argsort(-records, kind="stable")
    found = [
        {
            "levels": rows[representatives[one]].tolist(),
            "records": int(records[one]),
            "groups": int(groups[one]),
        }
        for one in ranked[:MOST_COMBINATIONS].tolist()
    ]
    return {
        "names": [names[one] for one in order],
        "hidden": [table.books[one].root_level for one in order],
        "combinations": found,
        "number": len(ranked),
        "further": int(records[ranked[MOST_COMBINATIONS:]].sum()),
    }


def _variety(levels: Codes, table: ReleasedTable) -> float:
    """Return the entropy of the levels of a column, by which the picture begins with few blocks."""
    counts = np.bincount(levels - OWN_RANGE, table.weights)
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log(shares)).sum())
