"""What is refused of a policy of related tables in one sentence each, whatever else it says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from indistinct.errors import Fault

LEAVE_IT = "Leave it out."
REFUSED = {
    "history": ("releases that follow each other are not possible with related tables", LEAVE_IT),
    "noise": ("noise is not possible with related tables", LEAVE_IT),
    "population": ("the population is not counted with related tables", LEAVE_IT),
    "columns": (
        "stands beside tables, of which each has columns of its own",
        "Move the columns into tables.NAME.columns.",
    ),
    "release": ("has no settings for related tables", LEAVE_IT),
    "data.long": (
        "is not possible with related tables, which have a row per item anyway",
        "Make the long file a table that references the people.",
    ),
    "data.person": (
        "is not possible with related tables, whose people are the rows of one table",
        "Name that table as related.people.",
    ),
    "data.household": (
        "is not possible with related tables",
        "Name the table of households as related.people.",
    ),
}


def refused_settings(words: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield a fault for each setting that related tables cannot have."""
    for place, said in REFUSED.items():
        if _has(words, place):
            yield Fault(place, *said)


def _has(words: Mapping[str, Any], place: str) -> bool:
    """Return whether words have one at a place."""
    table, _, word = place.partition(".")
    said = words.get(table)
    if not word:
        return said is not None
    return isinstance(said, Mapping) and word in said
