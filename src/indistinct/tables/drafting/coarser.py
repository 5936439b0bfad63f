"""Columns that are the levels above another one, such as the region of each district.

A district lies in one region: the region tells nothing that the district does not. Both stay in the
release, and the district is generalized to its region.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from indistinct.base.coded_text import joined, sentence
from indistinct.base.hierarchy import ROOT
from indistinct.tables.core.schema import Role
from indistinct.tables.drafting.counted_column import CountedColumn
from indistinct.tables.drafting.date_levels import are_periods, are_years
from indistinct.tables.drafting.drawn import DraftedHierarchy
from indistinct.tables.drafting.joint import Joint, follows
from indistinct.tables.drafting.roles import SET_KIND, Suggestion

MOST_LEVELS = 3
SHORT_NAME = 4  # characters of a value that says nothing without the name of its column


@dataclass(frozen=True, slots=True)
class CoarserColumn:
    """A column whose values are groups of those of another one.

    Parameters
    ----------
    name : of the column
    groups : per value of the finer column, the value that goes with it; empty for a missing one
    """

    name: str
    groups: Mapping[str, str]


def has_levels(column: CountedColumn, suggestion: Suggestion) -> bool:
    """Return whether a column is one of categories, codes or places that groups may stand above."""
    if suggestion.role is not Role.QUASI_IDENTIFIER or suggestion.kind in {SET_KIND, "date"}:
        return False
    if column.type not in {"text", "integer"} or column.like in {"dates", "bands"}:
        return False
    is_quantity = column.numbers is not None and suggestion.kind == "number"
    return not (is_quantity or are_years(column, suggestion.kind) or _are_dates(column))


def _are_dates(column: CountedColumn) -> bool:
    """Return whether the texts of a column are dates or periods."""
    return column.numbers is None and are_periods(column)


def coarser_of(
    columns: Sequence[CountedColumn], suggestions: Sequence[Suggestion], joint: Joint
) -> dict[str, tuple[CoarserColumn, ...]]:
    """Find the coarser columns of each finer one, the finest of them first.

    Each coarser column stands above one finer column alone: that with the fewest values.
    """
    able = [
        column for column, one in zip(columns, suggestions, strict=True) if has_levels(column, one)
    ]
    able.sort(key=lambda column: -column.distinct)
    found: dict[str, list[CoarserColumn]] = {}
    tops: dict[str, str] = {}  # the finest column below each
    for place, column in enumerate(able):
        below = [
            other
            for other in reversed(able[:place])
            if other.distinct > column.distinct and follows(column, other, joint, comes_later=True)
        ]
        if not below:
            continue
        finest = tops.get(below[0].name, below[0].name)
        groups = joint.groups(finest_evidence(able, finest), column)
        if groups and len(found.get(finest, ())) < MOST_LEVELS:
            tops[column.name] = finest
            found.setdefault(finest, []).append(CoarserColumn(column.name, groups))
    return {name: tuple(levels) for name, levels in found.items()}


def finest_evidence(columns: Sequence[CountedColumn], name: str) -> CountedColumn:
    """Return the column of a name."""
    return next(column for column in columns if column.name == name)


def as_level(suggestion: Suggestion, finer: str) -> Suggestion:
    """Return that a column is the level above another one, and stays in the release."""
    said = sentence(
        "level-above",
        'It is the level above "{column}", each value of which lies in one.',
        column=finer,
    )
    return replace(suggestion, reason=joined(suggestion.reason, said))


def drawn_by(column: CountedColumn, levels: Sequence[CoarserColumn]) -> DraftedHierarchy:
    """Draw the values of coarser columns above those of a finer one."""
    rows = [
        (text, *(_label(level, level.groups.get(text, "")) for level in levels), ROOT)
        for text in column.texts
    ]
    listed = ", then ".join(f'"{level.name}"' for level in levels)
    return DraftedHierarchy(f"The values of {listed} stand above; then hidden.", rows=rows)


def _label(level: CoarserColumn, value: str) -> str:
    """Return the name of a group; a short code is not understood without that of its column."""
    if not value:
        return f"{level.name} missing"
    is_code = len(value) <= SHORT_NAME or value.replace(".", "").isdigit()
    return f"{level.name} {value}" if is_code else value
