"""The check at the end of a draft: each label of a hierarchy is true of the values below it.

The labels are judged as those of every list, by what shares nothing with what draws them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast

from indistinct.base.hierarchy import ROOT, GeneralizationHierarchy
from indistinct.base.hierarchy_builders import from_masks
from indistinct.errors import HierarchyError
from indistinct.tables.core.date_hierarchies import from_dates
from indistinct.tables.core.interval_hierarchies import from_intervals
from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.drafting.drawn import KEPT_OR_HIDDEN, DraftedHierarchy
from indistinct.tables.policy.label_truth import false_labels

FEW = 24  # values by which the labels of a rule are judged: it is the same for all of them
Paths = Mapping[str, Sequence[str]]


def checked(column: CountedColumn, shape: DraftedHierarchy) -> DraftedHierarchy:
    """Return a hierarchy whose labels are true, and none of which is another value.

    Returns
    -------
    the hierarchy, with other names for groups that have the name of a value; a value is kept or
    hidden where a label is false
    """
    if shape.rule is KEPT_OR_HIDDEN or (shape.rule is None and shape.rows is None):
        return shape
    try:
        paths = labels_above(column, shape)
    except HierarchyError:
        return _refused("the hierarchy that was drawn does not fit the values")
    if false := _n_false(paths):
        return _refused(f"{false} labels of the hierarchy that was drawn are not true of values")
    if shape.rows is not None and names_of_values(paths):
        renamed = DraftedHierarchy(shape.said, rows=_renamed(shape.rows))
        paths = {row[0]: row for row in renamed.rows or ()}
        if names_of_values(paths) or _n_false(paths):
            return _refused("the hierarchy that was drawn has groups with the name of a value")
        return renamed
    return shape


def _n_false(paths: Paths) -> int:
    """Count the labels that are not true of a value below them, at each level anew."""
    found = false_labels(paths.values(), exact=True)
    return len({(one.level, one.label) for one in found})


def names_of_values(paths: Paths) -> Counter[int]:
    """Count, per level, the labels of several values that read as one of the values."""
    below = Counter(
        (level, label) for path in paths.values() for level, label in enumerate(path[1:], start=1)
    )
    values = {_as_read(value) for value in paths}
    return Counter(
        level
        for (level, label), count in below.items()
        if count > 1 and label != ROOT and _as_read(label) in values
    )


def _as_read(text: str) -> str:
    """Return a text without what a reader passes over: blanks, case and zeros of a fraction."""
    return re.sub(r"^(-?\d+)\.0+$", r"\1", "".join(text.casefold().split()))


def _refused(why: str) -> DraftedHierarchy:
    """Return that a value is kept or hidden, and why."""
    return DraftedHierarchy(f"A value is kept or hidden: {why}.", rule=KEPT_OR_HIDDEN)


def labels_above(column: CountedColumn, shape: DraftedHierarchy, *, every: bool = False) -> Paths:
    """Return the labels of each value, itself first.

    Parameters
    ----------
    every : whether a rule is held against all values, and not against some of them
    """
    if shape.rows is not None:
        return {row[0]: row for row in shape.rows}
    step = 1 if every else max(1, len(column.texts) // FEW)
    built = _built(column, shape.rule or {}, step)
    return dict(zip(built.values, built.paths(), strict=True))


def _built(column: CountedColumn, rule: Mapping[str, object], step: int) -> GeneralizationHierarchy:
    """Build the hierarchy of a rule over some values."""
    texts = tuple(column.texts[::step])
    if "intervals" in rule and column.numbers is not None:
        widths = cast("Sequence[float]", rule["intervals"])
        return from_intervals(column.numbers[::step].tolist(), texts, widths)
    if "dates" in rule:
        return from_dates(texts, cast("Sequence[str]", rule["dates"]))
    return from_masks(texts, int(str(rule.get("mask", 1))))


def _renamed(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return rows in which no group of several values has the name of one."""
    values = {row[0].casefold().strip() for row in rows}
    members: dict[tuple[int, str], set[str]] = {}
    for row in rows:
        for level, label in enumerate(row[1:-1], start=1):
            members.setdefault((level, label), set()).add(row[0])

    def name(level: int, label: str) -> str:
        is_taken = len(members[level, label]) > 1 and label.casefold().strip() in values
        return f"{label} (group)" if is_taken else label

    return [
        (row[0], *(name(level, label) for level, label in enumerate(row[1:-1], 1)), row[-1])
        for row in rows
    ]
