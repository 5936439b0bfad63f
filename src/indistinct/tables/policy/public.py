"""The public policy of a release: what its readers need to judge it, and nothing of the records.

It is a function of the policy's own words and of the released cells. Written parameters stay; a
suggested rule follows from the released cells; a file or a tree becomes the labels that are
released and those above them, without values, unless it is known independently of the data.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, cast

from indistinct.base.hierarchy import ROOT
from indistinct.tables.core.schema import Role
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.hierarchies import listed_paths
from indistinct.tables.policy.resolved import Resolved
from indistinct.tables.policy.sections.hierarchy import HierarchyRule

OF_COLUMNS = (
    "role",
    "level",
    "parent",
    "days_since",
    "min_level",
    "max_level",
    "type",
    "separator",
    "suppression",
)
OF_DATA = ("missing", "missing_as", "person", "household", "long")
PRIVATE = frozenset({"key", "mapping"})  # parameters of a mask that are paths


def public_policy(resolved: Resolved, cells: Mapping[str, Collection[str]]) -> dict[str, Any]:
    """Return the words of the policy that stands in the manifest of a release.

    Parameters
    ----------
    resolved : with every rule written out
    cells : per quasi-identifier and sensitive column, the different released cells as labels
    """
    words = resolved.words
    columns = {
        name: {
            **{word: said for word, said in own.items() if word in OF_COLUMNS},
            **_protection(own),
            **_hierarchy(resolved.columns[name], cells.get(name, ())),
        }
        for name, own in words["columns"].items()
    }
    data = {word: said for word, said in words.get("data", {}).items() if word in OF_DATA}
    share = resolved.method.max_suppression
    parts = {
        "columns": columns,
        "models": words["models"],
        "data": data,
        "method": {"max_suppression": share} if share else {},
        "release": words.get("release", {}),
        "noise": words.get("noise", {}),
    }
    return {table: said for table, said in parts.items() if said or table == "models"}


def _protection(words: Mapping[str, Any]) -> dict[str, Any]:
    """Return how a column is masked, without the paths of keys."""
    said: object = words.get("protect")
    if isinstance(said, Mapping):
        parts = cast("Mapping[str, Any]", said).items()
        said = {word: one for word, one in parts if word not in PRIVATE}
    return {} if said is None else {"protect": said}


def _hierarchy(rule: ColumnRule, cells: Collection[str]) -> dict[str, Any]:
    """Return what is said of the hierarchy of a column."""
    written = rule.hierarchy
    if written is None:
        return {}
    if rule.is_suggested:
        written = shown_rule(rule.missing, written, cells)
    elif written.lists_values and not written.public:
        of_values = rule.words.role is Role.SENSITIVE
        labels = _released_labels(rule, cells, of_values=of_values)
        written = HierarchyRule(labels=tuple(labels))
    return {"hierarchy": written.model_dump(mode="json", exclude_defaults=True)}


def shown_rule(
    missing: Sequence[str], rule: HierarchyRule, cells: Collection[str]
) -> HierarchyRule:
    """Return a suggested rule; of a column that shows no cell nothing suggests one."""
    is_shown = bool({*cells} - {ROOT, "", *missing})
    return rule if is_shown else HierarchyRule(labels=())


def _released_labels(
    rule: ColumnRule, cells: Collection[str], *, of_values: bool
) -> Iterator[tuple[str, int, str]]:
    """Yield the released labels of a list and those above them: text, level, label above.

    Parameters
    ----------
    of_values : whether released values are listed, too
    """
    paths, said, least = list(listed_paths(rule)), set[str](), rule.words.min_level
    # A value that is shown where no value may be is a label, too.
    shown = {*cells} if of_values or least else {*cells} - {path[0] for path in paths}
    for path in paths:
        for level, text in enumerate(path):
            if text in shown and text != ROOT and level >= least:
                yield from _chain(path[level:], level, said)
                break


def _chain(path: Sequence[str], first: int, said: set[str]) -> Iterator[tuple[str, int, str]]:
    """Yield a label and those above it that were not said before."""
    for level, (text, above) in enumerate(zip(path, [*path[1:], ROOT], strict=True), start=first):
        if text != ROOT and text not in said:
            said.add(text)
            yield text, level, above
