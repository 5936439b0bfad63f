"""The codebook of a release: what each label stands for that its cells show.

It is a function of the released texts and of the policy's rules: neither the values below a label
nor the records have a part in it. A cell that is not listed is a value, a range of numbers, hidden
or missing.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

import numpy as np

from indistinct.core.arrays import Floats
from indistinct.core.hierarchy import ROOT
from indistinct.policy.column_rule import ColumnRule
from indistinct.policy.hierarchies import listed_paths
from indistinct.policy.linked_form import GROUP
from indistinct.policy.resolved import Resolved
from indistinct.policy.sections.hierarchy import HierarchyRule
from indistinct.release.cells import RANGE

Entry = list[str | int]
HOURS = 24
CLOCK = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T]([0-9]{2}):([0-9]{2})")
MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
PERIOD = re.compile(
    r"(?:(?P<hour>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2})|(?P<week>[0-9]{4}-W[0-5][0-9])"
    r"|(?P<month>[0-9]{4}-(?:0[1-9]|1[0-2]))|(?P<quarter>[0-9]{4}-Q[1-4])"
    r"|(?P<year>[0-9]{4})|(?P<decade>[0-9]{3}0s))\Z"
)
Span = tuple[float, float]
NOWHERE = (math.nan, math.nan)


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
            [text, written.dates.index(period.lastgroup) + 1, _first_day(text, period.lastgroup)]
            for text in sorted(shown)
            if (period := PERIOD.match(text)) is not None and period.lastgroup in written.dates
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
    if step == "hour":
        return text
    if step == "week":
        return dt.date.fromisocalendar(int(text[:4]), int(text[6:]), 1).isoformat()
    if step == "month":
        return f"{text}-01"
    if step == "quarter":
        return f"{text[:4]}-{3 * int(text[-1]) - 2:02d}-01"
    return f"{text[:4]}-01-01"


def _listed(rule: ColumnRule, shown: Iterable[str]) -> list[Entry]:
    """Return the labels of a list among the shown cells, each with its lowest level."""
    lowest: dict[str, int] = {}
    for path in listed_paths(rule):
        for level, text in enumerate(path):
            lowest[text] = min(level, lowest.get(text, level))
    return [[text, lowest[text]] for text in sorted(shown) if lowest.get(text, 0) > 0]


def day_spans(texts: Sequence[str]) -> Floats:
    """Return where days and periods lie: (n_texts, 2), half-open; NaN for what is neither."""
    return np.array([_day_span(text) for text in texts], np.float64).reshape(-1, 2)


def moments_of(texts: Sequence[str]) -> Floats:
    """Return when days, moments and periods begin: (n_texts,), in days; NaN for what is neither."""
    starts = day_spans(texts)[:, 0]
    for place, text in enumerate(texts):
        clock = CLOCK.match(text)
        if clock is not None:
            starts[place] += (int(clock[1]) * 60 + int(clock[2])) / (60 * HOURS)
    return starts


@lru_cache(maxsize=1 << 16)
def _day_span(text: str) -> Span:
    """Return the days of a period, or one day, also of a moment; of an hour a part of a day."""
    period = PERIOD.match(text)
    step = None if period is None else period.lastgroup
    try:
        if step is None:
            day = dt.date.fromisoformat(text[:10]).toordinal()
            return float(day), float(day + 1)
        if step == "hour":
            begins = dt.date.fromisoformat(text[:10]).toordinal() + int(text[11:]) / HOURS
            return begins, begins + 1 / HOURS
        if step == "week":
            monday = dt.date.fromisocalendar(int(text[:4]), int(text[6:]), 1).toordinal()
            return float(monday), float(monday + 7)
    except ValueError:
        return NOWHERE
    year = int(f"{text[:3]}0") if step == "decade" else int(text[:4])
    month = {"month": text[5:7], "quarter": text[-1]}.get(step, "1")
    before = year * 12 + (3 * int(month) - 3 if step == "quarter" else int(month) - 1)
    after = before + MONTHS[step]
    return _first_day_in(before), _first_day_in(after)


def _first_day_in(months: int) -> float:
    """Return the first day of a month, counted from the year 0, within the calendar."""
    if months < 12:  # noqa: PLR2004 - the year 0, of which the calendar has no day
        return 1.0
    if months // 12 > dt.MAXYEAR:
        return float(dt.date.max.toordinal() + 1)
    return float(dt.date(months // 12, months % 12 + 1, 1).toordinal())
