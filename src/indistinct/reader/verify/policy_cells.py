"""The cells that a policy allows a column, and the labels above its values: a reader's definition.

Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

import csv
from collections.abc import Container, Iterator, Mapping, Sequence
from decimal import ROUND_FLOOR, Decimal
from functools import lru_cache
from pathlib import Path
from typing import cast

from indistinct.engines.text import file_rows
from indistinct.errors import DataError
from indistinct.policy.policy import Policy
from indistinct.policy.sections.hierarchy import HierarchyRule
from indistinct.reader.verify.cells import (
    HIDDEN,
    Cells,
    Intervals,
    Kept,
    Listed,
    MadeFromData,
    Masks,
    Periods,
)
from indistinct.reader.verify.number_texts import (
    is_number,
)


def cells_of(policy: Policy, name: str) -> Cells:
    """Give the cells that a policy allows a column."""
    rule = policy.columns[name].hierarchy
    if rule is None or rule.ranges is not None:
        # Ranges that an algorithm makes of numbers have no levels.
        ranged = policy.releases_ranges(name)
        rounded = ranged and policy.release.range_ends == "rounded"
        return MadeFromData({"", *policy.data.missing}, not ranged, rounded)
    if rule.labels is not None:
        return Kept({text: level for text, level, _ in rule.labels}, {"", *policy.data.missing})
    listed = _listed(policy, rule)
    return listed or cells_by(rule, {"", *policy.data.missing})


def cells_by(rule: HierarchyRule, missing: Container[str]) -> Cells:
    """Give the cells of intervals, masks or dates."""
    if rule.intervals is not None:
        return Intervals(rule.intervals, missing)
    return Periods(rule.dates, missing) if rule.dates is not None else Masks(rule.mask or 1)


def listed_paths(policy: Policy, name: str) -> Mapping[str, Sequence[str]]:
    """Read the path of labels of each value, the value itself first, from a file or a tree."""
    rule = policy.columns[name].hierarchy
    if rule is not None and rule.labels is not None:
        return _paths_of_labels(rule.labels)
    listed = None if rule is None else _listed(policy, rule)
    return {} if listed is None else listed.paths


def _paths_of_labels(labels: Sequence[tuple[str, int, str]]) -> dict[str, list[str]]:
    """Return the labels above each label, itself first."""
    above = {text: coarser for text, _, coarser in labels}
    paths: dict[str, list[str]] = {}
    for text, _, _ in labels:
        path = [text]
        while (coarser := above.get(path[-1], "*")) not in {"*", *path}:
            path.append(coarser)
        paths[text] = [*path, "*"]
    return paths


def _listed(policy: Policy, rule: HierarchyRule) -> Listed | None:
    """Read a file or a tree; None for a rule that is neither."""
    if rule.csv is not None:
        path = policy.path(rule.csv)
        try:
            found = path.stat()
            state = (found.st_mtime_ns, found.st_size, found.st_ino)
            return _listed_in(path, rule.separator, state)
        except (OSError, ValueError, csv.Error):
            problem = f"the hierarchy file {path.name} cannot be read"
            raise DataError(problem, "Check the path, and that the file is UTF-8.") from None
    if rule.tree is not None:
        return Listed({path[-1]: [*path[::-1], HIDDEN] for path in _leaves(rule.tree, [])})
    return None


@lru_cache(maxsize=32)
def _listed_in(path: Path, separator: str | None, state: tuple[int, ...]) -> Listed:  # noqa: ARG001 - a key
    """Read a file once for each state it is found in: each check of a column asks for it."""
    return Listed({row[0]: row for row in file_rows(path, separator)})


def missing_label(policy: Policy, name: str) -> str:
    """Give the text under which a file or a tree lists the missing value; else the empty text."""
    listed = listed_paths(policy, name)
    return next((token for token in policy.data.missing if token in listed), "")


def masked_missing(policy: Policy) -> str:
    """Give the text whose characters are hidden where a mask meets a missing value."""
    return next(iter(policy.data.missing), "")


def paths_above(policy: Policy, name: str, values: Sequence[str]) -> dict[str, list[str]]:
    """Give the labels above each value, finest first, with one root above all."""
    rule = policy.columns[name].hierarchy
    if rule is None:
        return {}
    paths = {value: list(path[1:]) for value, path in listed_paths(policy, name).items()}
    if paths:
        # The empty text is a word for a missing value like others: the first that is listed counts.
        paths[""] = paths.get(missing_label(policy, name), paths.get("", []))
    else:
        # A mask hides the characters of the word for a missing value as well.
        word = masked_missing(policy) if rule.mask is not None else ""
        paths = {value: list(_labels_above(rule, value or word)) for value in values}
    tops = {path[-1] if path else value for value, path in paths.items() if path or value}
    is_rooted = len(tops) == 1 and (rule.mask is None or not min(tops).strip(HIDDEN))
    return paths if is_rooted else {value: [*path, HIDDEN] for value, path in paths.items()}


def _labels_above(rule: HierarchyRule, value: str) -> Iterator[str]:
    """Write what a value becomes level by level; a missing one keeps its label."""
    if rule.mask is not None:
        for hidden in range(1, rule.mask + 1):
            kept = value[: max(0, len(value) - hidden)]
            yield kept + HIDDEN * (len(value) - len(kept))
        return
    for width in rule.intervals or ():
        yield _step(value, width) if is_number(value) and value != "NaN" else value
    for step in rule.dates or ():
        month = int(value[5:7]) if value else 0
        ends = {"month": 7, "quarter": 4, "year": 4, "decade": 3}
        yield value[: ends[step]] + (f"-Q{(month + 2) // 3}" if step == "quarter" else "")
    yield HIDDEN


def _step(value: str, width: float) -> str:
    """Give the number of a value's interval: its quotient by the width, rounded down."""
    # As a whole number: Decimal writes a zero as 0, 0E+1 or -0, which would be three labels.
    return str(int((Decimal(value) / Decimal(str(width))).to_integral_value(ROUND_FLOOR)))


def _leaves(node: object, above: list[str]) -> Iterator[list[str]]:
    """Walk down a tree."""
    if isinstance(node, Mapping):
        for name, below in cast("Mapping[object, object]", node).items():
            yield from _leaves(below, [*above, str(name)])
    else:
        for leaf in cast("Sequence[object]", node):
            yield [*above, str(leaf)]
