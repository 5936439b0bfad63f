"""The warnings of a release in the order in which people need them.

Three ranks: who can be found, what is given away, what is useless. The command, the report and the
application take their words from here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from indistinct.tables.release.entries import (
    FOUND,
    GIVEN_AWAY,
    RANK_OF,
    RANKS,
    USELESS,
    WarningEntry,
)

TITLES = {
    FOUND: "who can be found",
    GIVEN_AWAY: "what is given away",
    USELESS: "what is useless",
}
MOST_NAMES = 4  # columns that a line names before it counts the others
BEFORE_ALL = "repeated-identifier"  # where records are no people, all other figures are in doubt


def some_names(names: Sequence[str]) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f"{', '.join(names[:MOST_NAMES])}{more}"


def of_rank(warnings: Sequence[WarningEntry], rank: str) -> list[WarningEntry]:
    """Return the warnings of a rank, those that concern the most records first."""
    found = [one for one in warnings if RANK_OF[one.code] == rank]
    return sorted(found, key=lambda one: (one.code != BEFORE_ALL, -one.share))


def first_of_each_rank(warnings: Sequence[WarningEntry]) -> Iterator[str]:
    """Yield one line a rank, and how many warnings these leave out."""
    n_left = len(warnings)
    for rank in RANKS:
        found = of_rank(warnings, rank)
        if found:
            n_left -= 1
            yield line_of(found[0])
    if n_left:
        yield f"{n_left} more: --warnings all prints each of them"


def all_ranked(warnings: Sequence[WarningEntry]) -> Iterator[str]:
    """Yield a line a warning."""
    for rank in RANKS:
        yield from map(line_of, of_rank(warnings, rank))


def lines_of_documents(documents: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a line for each warning of a manifest, which anybody may have written."""
    for rank, title in TITLES.items():
        for document in documents:
            if document["rank"] == rank:
                yield f"{title}: {document['message']}"


def line_of(warning: WarningEntry) -> str:
    """Return a warning with its rank."""
    return f"{TITLES[RANK_OF[warning.code]]}: {warning.message}"


def reaches(warnings: Sequence[WarningEntry], rank: str) -> bool:
    """Return whether a warning is of some rank, or of one before it."""
    grave = RANKS[: RANKS.index(rank) + 1]
    return any(RANK_OF[one.code] in grave for one in warnings)
