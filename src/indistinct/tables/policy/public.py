"""The public policy of a release: what its readers need to judge it, and nothing of the records.

It is a function of the policy's own words and of the released cells. Written parameters stay; a
suggested rule follows from the released cells; a file or a tree becomes the labels that are
released and those above them, without values, unless it is known independently of the data. What
is left out of it is named under ``withheld``: readers cannot know it, which is not nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, cast

import numpy as np

from indistinct.base.hierarchy import ROOT, GeneralizationHierarchy
from indistinct.tables.core.schema import Role
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.hierarchies import listed_hierarchy
from indistinct.tables.policy.sections.hierarchy import HierarchyRule
from indistinct.tables.policy.specification import Specification

OF_COLUMNS = (
    "role",
    "level",
    "parent",
    "days_since",
    "min_level",
    "max_level",
    "may_hide",
    "type",
    "missing",
    "separator",
    "suppression",
)
OF_DATA = ("missing", "missing_as", "person", "household", "long")
PRIVATE = frozenset({"key", "mapping"})  # parameters of a mask that are paths


def public_policy(spec: Specification, cells: Mapping[str, Collection[str]]) -> dict[str, Any]:
    """Return the words of the policy that stands in the manifest of a release.

    Parameters
    ----------
    spec : with every rule written out
    cells : per quasi-identifier and sensitive column, the different released cells as labels
    """
    words = spec.words
    columns = {
        name: {
            **{word: said for word, said in own.items() if word in OF_COLUMNS},
            **_protection(own),
            **_hierarchy(spec.columns[name], cells.get(name, ())),
        }
        for name, own in words["columns"].items()
    }
    data = {word: said for word, said in words.get("data", {}).items() if word in OF_DATA}
    share = spec.method.max_suppression
    size = None if spec.population is None else spec.population.size
    parts = {
        "columns": columns,
        "models": words["models"],
        "data": data,
        "method": {"max_suppression": share} if share else {},
        "release": words.get("release", {}),
        "noise": words.get("noise", {}),
        "population": {} if size is None else {"size": size},
        "withheld": list(_withheld(spec)),
    }
    return {table: said for table, said in parts.items() if said or table == "models"}


def _withheld(spec: Specification) -> Iterator[str]:
    """Name what the public policy leaves out of what decides a promise or a cell."""
    if spec.people_file is not None:
        yield "population.data"
    for name, rule in spec.columns.items():
        written = rule.hierarchy
        if written is not None and written.lists_values and not written.public:
            yield f"hierarchies.{name}"


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
    listed = listed_hierarchy(rule)
    if listed is None:
        return
    said = {ROOT}
    for level, place in _first_shown(rule, listed, cells, of_values=of_values):
        codes: list[int] = listed.codes[level:, place].tolist()
        path = [labels[code] for labels, code in zip(listed.labels[level:], codes, strict=True)]
        for higher, (text, above) in enumerate(pairwise([*path, ROOT]), start=level):
            if text not in said:
                said.add(text)
                yield text, higher, above


def _first_shown(
    rule: ColumnRule, listed: GeneralizationHierarchy, cells: Collection[str], *, of_values: bool
) -> list[tuple[int, int]]:
    """Return the lowest allowed level at which each shown text stands, and a value below it."""
    levels = listed.lowest_levels(rule.words.min_level)
    if of_values and not rule.words.min_level:
        levels |= dict.fromkeys(listed.values, 0)
    shown = {text: levels[text] for text in cells if text in levels}
    found: list[tuple[int, int]] = []
    for level in {*shown.values()}:
        codes = listed.codes[level]
        first = np.zeros(len(listed.labels[level]), np.int64)
        first[codes[::-1]] = np.arange(len(codes))[::-1]
        places = zip(listed.labels[level], first.tolist(), strict=True)
        found += [(place, level) for text, place in places if shown.get(text) == level]
    return [(level, place) for place, level in sorted(found)]
