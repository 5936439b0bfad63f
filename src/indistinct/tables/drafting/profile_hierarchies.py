"""Hierarchies that a known model of data asks for: of ages, years of birth, codes and concepts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from indistinct.base.hierarchy import ROOT
from indistinct.tables.drafting.ancestors import of_ancestors
from indistinct.tables.drafting.checked import checked
from indistinct.tables.drafting.codes import of_prefixes
from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.drafting.drawn import FLAT, DraftedHierarchy, Rows
from indistinct.tables.frames.frame import Frame


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a hierarchy takes from the other tables.

    Parameters
    ----------
    tables : by their names in lower case
    last_year : of the dates of events; None where there is none
    """

    tables: Mapping[str, Frame]
    last_year: int | None = None


@dataclass(frozen=True, slots=True)
class ProfileHierarchy:
    """The hierarchy of a column by its model of data.

    Parameters
    ----------
    shape : of the hierarchy
    min_level : the finest level that is released
    """

    shape: DraftedHierarchy
    min_level: int = 0


def profile_hierarchy(
    rule: Mapping[str, Any], column: CountedColumn, around: Surroundings
) -> ProfileHierarchy:
    """Draw the hierarchy of a column.

    Parameters
    ----------
    rule : ``ancestors`` names a table of them; ``prefixes`` are numbers of characters; ``ages`` and
        ``births`` are widths of intervals, ``together`` the age from which on all are one group;
        anything else is the word ``hierarchy`` of a policy
    column : its values
    """
    if "ages" in rule or "births" in rule:
        return _of_people(rule, column, around.last_year)
    if "prefixes" in rule:
        shape = of_prefixes(column.texts, rule["prefixes"]) or FLAT
    elif "ancestors" in rule:
        table = around.tables.get(rule["ancestors"])
        shape = FLAT if table is None else of_ancestors(column.texts, table)
    else:
        return ProfileHierarchy(DraftedHierarchy("", rule=rule))
    return ProfileHierarchy(checked(column, shape) if column.is_whole else FLAT)


def _of_people(
    rule: Mapping[str, Any], column: CountedColumn, last_year: int | None
) -> ProfileHierarchy:
    """Draw intervals of ages, or of years of birth, with the oldest people in one group.

    The finest level that is released has the group, too. Who may have reached the age by the last
    year of the events belongs to it.
    """
    widths: Sequence[int] = rule.get("ages") or rule["births"]
    plain = ProfileHierarchy(DraftedHierarchy("", rule={"intervals": list(widths)}))
    numbers, oldest = column.numbers, int(rule["together"])
    if numbers is None or not column.is_whole or ("births" in rule and last_year is None):
        return plain
    low, high, group = -math.inf, float(oldest), f"{oldest} or more"
    said = f"Ages of {group} are one group"
    if "births" in rule:
        low, high = float(last_year or 0) - oldest + 1, math.inf
        group = f"up to {low - 1:g}"
        said = f"Years {group} are one group: ages of {oldest} or more in {last_year}"
    rows: Rows = []
    for text, number in zip(column.texts, numbers.tolist(), strict=True):
        is_old = not low <= number < high
        above = [_interval(number, width, low, high) for width in (1, *widths)]
        rows.append((text, *([group] * len(above) if is_old else above), ROOT))
    if not any(row[1] == group for row in rows):
        return plain
    return ProfileHierarchy(checked(column, DraftedHierarchy(f"{said}.", rows=rows)), 1)


def _interval(number: float, width: int, low: float, high: float) -> str:
    """Return the interval of a number, within two ends."""
    start = number // width * width
    return f"[{max(start, low):g}, {min(start + width, high):g})"
