"""The public policy of a release: what its readers need to judge it, and nothing of the records.

It is a function of the policy's own words and of the released cells. Written parameters stay; a
suggested rule keeps the steps that released cells use; a file or a tree becomes the labels that are
released and those above them, without values, unless it is known independently of the data.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from indistinct.core.date_hierarchies import period_of
from indistinct.core.hierarchy import ROOT
from indistinct.core.schema import Role
from indistinct.policy.hierarchies import listed_paths
from indistinct.policy.policy import Policy
from indistinct.policy.sections.hierarchy import HierarchyRule

OF_COLUMNS = ("role", "min_level", "max_level", "type", "separator", "suppression")
OF_DATA = ("missing", "missing_as", "person", "long")
PRIVATE = frozenset({"key", "mapping"})  # parameters of a mask that are paths


def public_policy(policy: Policy, cells: Mapping[str, Collection[str]]) -> dict[str, Any]:
    """Return the words of the policy that stands in the manifest of a release.

    Parameters
    ----------
    policy : with every rule written out
    cells : per quasi-identifier and sensitive column, the different released cells as labels
    """
    words = policy.words()
    columns = {
        name: {
            **_plain_words(policy, name, own),
            **_protection(own),
            **_hierarchy(policy, name, cells.get(name, ())),
        }
        for name, own in words["columns"].items()
    }
    data = {word: said for word, said in words.get("data", {}).items() if word in OF_DATA}
    share = policy.method.max_suppression
    parts = {
        "columns": columns,
        "models": words["models"],
        "data": data,
        "method": {"max_suppression": share} if share else {},
        "release": words.get("release", {}),
        "noise": words.get("noise", {}),
    }
    return {table: said for table, said in parts.items() if said or table == "models"}


def _plain_words(policy: Policy, name: str, words: Mapping[str, Any]) -> dict[str, Any]:
    """Return the words of a column that are public; the levels of a suggested rule are its own."""
    said = {word: one for word, one in words.items() if word in OF_COLUMNS}
    if name in policy.suggested_names:
        said.pop("max_level", None)
        if "min_level" in said:
            said["min_level"] = min(1, said["min_level"])
    return said


def _protection(words: Mapping[str, Any]) -> dict[str, Any]:
    """Return how a column is masked, without the paths of keys."""
    said = words.get("protect")
    if isinstance(said, Mapping):
        return {"protect": {word: one for word, one in said.items() if word not in PRIVATE}}
    return {} if said is None else {"protect": said}


def _hierarchy(policy: Policy, name: str, cells: Collection[str]) -> dict[str, Any]:
    """Return what is said of the hierarchy of a column."""
    rule = policy.columns[name].hierarchy
    if rule is None:
        return {}
    if name in policy.suggested_names:
        rule = used_part(rule, cells)
    elif rule.lists_values and not rule.public:
        of_values = policy.columns[name].role is Role.SENSITIVE or name in policy.set_names
        labels = _released_labels(policy, name, cells, of_values=of_values)
        rule = HierarchyRule(labels=tuple(labels))
    return {"hierarchy": rule.model_dump(mode="json", exclude_defaults=True)}


def used_part(rule: HierarchyRule, cells: Collection[str]) -> HierarchyRule:
    """Return the part of a suggested rule that released cells use."""
    flat = HierarchyRule(labels=())
    if rule.intervals is not None:
        used = {width for cell in cells if (width := _width(cell)) is not None}
        widths = tuple(width for width in rule.intervals if Decimal(str(width)) in used)
        return HierarchyRule(intervals=widths) if widths else flat
    if rule.dates is not None:
        used_steps = {period_of(cell) for cell in cells}
        steps = tuple(step for step in rule.dates if step in used_steps)
        return HierarchyRule(dates=steps) if steps else flat
    if rule.mask is not None:
        stars = max((len(cell) - len(cell.rstrip(ROOT)) for cell in cells if cell.strip(ROOT)),
                    default=0)  # fmt: skip
        return HierarchyRule(mask=stars) if stars else flat
    return rule


def _width(cell: str) -> Decimal | None:
    """Return how wide a half-open interval is; None for any other cell."""
    if not (cell.startswith("[") and cell.endswith(")")):
        return None
    low, _, high = cell[1:-1].partition(", ")
    try:
        return Decimal(high) - Decimal(low)
    except InvalidOperation:
        return None


def _released_labels(
    policy: Policy, name: str, cells: Collection[str], *, of_values: bool
) -> Iterator[tuple[str, int, str]]:
    """Return the released labels of a list and those above them: text, level, label above.

    Parameters
    ----------
    of_values : whether released values are listed, too
    """
    shown, said = set(cells), set[str]()
    for path in listed_paths(policy, name):
        for level, text in enumerate(path):
            if text in shown and text != ROOT and (level > 0 or of_values):
                yield from _chain(path[level:], level, said)
                break


def _chain(path: Sequence[str], first: int, said: set[str]) -> Iterator[tuple[str, int, str]]:
    """Return a label and those above it that were not said before."""
    for level, (text, above) in enumerate(zip(path, [*path[1:], ROOT], strict=True), start=first):
        if text != ROOT and text not in said:
            said.add(text)
            yield text, level, above
