"""The codebook of a release: what each label stands for that its cells show.

It is a function of the released texts and of the policy's rules: neither the values below a label
nor the records have a part in it. A cell that is not listed is a value, a range of numbers, hidden
or missing.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from indistinct.base.hierarchy import ROOT
from indistinct.tables.core.date_hierarchies import precision_of
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.hierarchies import listed_paths
from indistinct.tables.policy.linked_form import GROUP
from indistinct.tables.policy.resolved import Resolved
from indistinct.tables.policy.sections.hierarchy import HierarchyRule
from indistinct.tables.release.cells import RANGE
from indistinct.tables.release.day_spans import step_of

Entry = list[str | int]


def codebook_of(
    resolved: Resolved, cells: Mapping[str, Collection[str]], numbers: Collection[str] = ()
) -> dict[str, Any]:
    """Return what is said of every released column: its kind, and the labels that it shows.

    Parameters
    ----------
    resolved : with every rule written out
    cells : per quasi-identifier and column of sets, the different released cells, as labels
    numbers : quasi-identifiers that are released as two bounds or as midpoints, if any are

    Notes
    -----
    Of a quasi-identifier: ``kind``, ``cells`` (text, level and where it begins), and whether
    ``values``, ``hidden`` and ``missing`` cells are shown. An empty bound or midpoint is hidden.
    """
    book: dict[str, Any] = {}
    left_out = {*resolved.left_out}
    for name in resolved.columns:
        if name in left_out:
            continue
        if name in resolved.class_names and name in cells:
            shown_as = resolved.release.intervals if name in numbers else "label"
            book[name] = _of_labels(
                resolved.columns[name], resolved.release.suppressed_cell, cells[name], shown_as
            )
        elif name in resolved.set_names:
            listed = _listed(resolved.columns[name], {*cells.get(name, ())} - {ROOT})
            separator = resolved.columns[name].words.separator
            book[name] = {"kind": "items", "separator": separator, "cells": listed}
        elif name in resolved.protections:
            book[name] = {"kind": "protected", "by": resolved.protections[name].name}
        else:
            book[name] = {"kind": "values"}
    if resolved.release.form == "anatomy":
        book[GROUP] = {"kind": "group"}
    return book


def _of_labels(
    rule: ColumnRule, means: str, cells: Collection[str], shown_as: str
) -> dict[str, Any]:
    """Return what is said of a quasi-identifier."""
    missing = rule.texts_of_missing
    shown = set(cells) - {ROOT} - missing
    is_missing, is_hidden = not missing.isdisjoint(cells), ROOT in cells
    if shown_as != "label":
        is_missing, is_hidden = False, is_hidden or is_missing
    # A midpoint does not show which label it is the middle of.
    entries = [] if shown_as == "midpoint" else _entries(rule, shown)
    # Nothing suggests a rule where no cell is shown.
    is_known = bool(shown) or not rule.is_suggested
    found: dict[str, Any] = {"kind": _kind(rule.hierarchy, entries) if is_known else "values"}
    if shown_as != "label":
        found["as"] = shown_as
    if shown_as != "midpoint":
        ranges = {text for text in shown if found["kind"] == "ranges" and RANGE.match(text)}
        found["cells"] = entries
        found["values"] = len(shown) > len(entries) + len(ranges)
    found |= {"hidden": is_hidden, "missing": is_missing}
    if means == "any":
        found["hidden_means"] = "any"
    return found


def _kind(rule: HierarchyRule | None, entries: Sequence[Entry]) -> str:
    """Return how the labels of a column are written."""
    for kind in ("intervals", "dates", "mask", "ranges"):
        if rule is not None and getattr(rule, kind) is not None:
            return kind
    return "labels" if entries else "values"


def _entries(rule: ColumnRule, shown: Iterable[str]) -> list[Entry]:
    """Return the labels among the shown cells, each with its level and where it begins."""
    written = rule.hierarchy
    if written is None or written.ranges is not None:
        return []
    if written.intervals is not None:
        return _intervals(written.intervals, shown)
    if written.dates is not None:
        return [
            [text, written.dates.index(step) + 1, _first_day(text, step)]
            for text in sorted(shown)
            if (step := step_of(text) or precision_of(text)) in written.dates
        ]
    if written.mask is not None:
        return [
            [text, len(text) - len(kept), kept]
            for text in sorted(shown)
            if (kept := text.rstrip(ROOT)) != text
        ]
    return _listed(rule, shown)


def _intervals(widths: Sequence[float], shown: Iterable[str]) -> list[Entry]:
    """Return the intervals among the shown cells, by where they begin."""
    levels = {Decimal(repr(width)): level for level, width in enumerate(widths, start=1)}
    found: list[tuple[Decimal, int, str, str]] = []
    for text in shown:
        if (ends := RANGE.match(text)) is not None:
            low, high = Decimal(ends[1]), Decimal(ends[2])
            found.append((low, levels[high - low], text, ends[1]))
    return [[text, level, low] for _, level, text, low in sorted(found)]


def _first_day(text: str, step: str) -> str:
    """Return the first day of a period; of an hour the hour itself."""
    if step in {"hour", "day"}:
        return text
    if step == "week":
        return dt.date.fromisocalendar(int(text[:4]), int(text[6:]), 1).isoformat()
    if step == "month":
        return f"{text}-01"
    if step == "quarter":
        return f"{text[:4]}-{3 * int(text[-1]) - 2:02d}-01"
    if step == "half-year":
        return f"{text[:4]}-{6 * int(text[-1]) - 5:02d}-01"
    return f"{text[:4]}-01-01"


def _listed(rule: ColumnRule, shown: Iterable[str]) -> list[Entry]:
    """Return the labels of a list among the shown cells, each with its lowest allowed level."""
    lowest: dict[str, int] = {}
    for path in listed_paths(rule):
        for level, text in enumerate(path):
            if level >= rule.words.min_level:
                lowest[text] = min(level, lowest.get(text, level))
    return [[text, lowest[text]] for text in sorted(shown) if lowest.get(text, 0) > 0]
