"""The labels above values, level by level, with one root above all: of distances along a hierarchy.

Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

from collections.abc import Sequence

from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.verification.listed import listed_paths, path_of_missing
from indistinct.tables.verification.rendering import Renderer
from indistinct.tables.verification.texts import HIDDEN


def paths_above(rule: ColumnRule, values: Sequence[str]) -> dict[str, list[str]]:
    """Return the labels above each value, finest first, with one root above all."""
    if rule.hierarchy is None:
        return {}
    cells = Renderer.of(rule)
    if cells.kind in {"list", "labels"}:
        listed = listed_paths(rule)
        paths = {value: list(path[1:]) for value, path in listed.items()}
        paths |= {value: list(path[1:]) for value in values if (path := cells.listed.path(value))}
        # The empty text is a word for a missing value like others: the first that is listed counts.
        paths[""] = list(path_of_missing(listed, rule.missing)[1:]) if "" in values else []
        tops = {path[-1] if path else value for value, path in paths.items() if path or value}
        is_rooted = len(tops) == 1
        return paths if is_rooted else {value: [*path, HIDDEN] for value, path in paths.items()}
    levels = range(1, cells.top)
    paths = {value: [cells.text_of(one, value) or value for one in levels] for value in values}
    # Where all is hidden at the last level of a mask, that level is the root.
    if cells.kind == "mask" and all(path[-1] == HIDDEN for value, path in paths.items() if value):
        paths = {value: path[:-1] for value, path in paths.items()}
    return {value: [*path, HIDDEN] for value, path in paths.items()}
