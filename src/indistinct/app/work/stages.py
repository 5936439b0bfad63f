"""A part of a job as a part of the whole: progress that goes once from 0 to 1."""

from __future__ import annotations

from collections.abc import Mapping

from indistinct.core.protocols import Progress

# Shares of a search over the whole table, of 20,000 records as of a million.
READ, COUNTED, FOUND = 0.02, 0.06, 0.75
BEGINNINGS: Mapping[str, float] = {"reading": READ, "counting": COUNTED, "writing": FOUND}


def of_search(tell: Progress) -> Progress:
    """Tell reading, counting, searching and writing as one.

    The search tells its own share from 0 to 1; nobody tells how far the writing is.
    """

    def told(share: float, message: str) -> None:
        begun = BEGINNINGS.get(message)
        tell(COUNTED + (FOUND - COUNTED) * share if begun is None else begun, message)

    return told
