"""The query that gives a release, and what an engine does besides answering queries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from indistinct.engines.places import Numbering
from indistinct.engines.sources import PLACE, DecisionTable, Draft, Sink


@dataclass(frozen=True, slots=True)
class Storing:
    """What an engine does besides answering queries.

    Parameters
    ----------
    fingerprint : hashes the table where it is made of files; None where its rows are hashed
    unchanged : tells whether it is what it was
    write : writes the rows of a query, whose order is part of it
    lazy : gives the rows of a query as the kind of data that came in
    numbering : what the places of records refer to, where the engine gives them
    """

    fingerprint: Callable[[], str] | None
    unchanged: Callable[[], bool]
    write: Callable[[Release, Sink], Draft]
    lazy: Callable[[str], Any]
    numbering: Numbering | None = None


@dataclass(frozen=True, slots=True)
class Release:
    """The query that gives a release.

    Parameters
    ----------
    source : what its rows are selected from
    order : what they are ordered by
    columns, shown : their names, and how a query writes these
    rank : how a query writes the rank of the released cells
    decision : what becomes of the records
    has_places : whether the rows have the places of their records besides
    """

    source: str
    order: str
    columns: Sequence[str]
    shown: Sequence[str]
    rank: str
    decision: DecisionTable
    has_places: bool = False

    @property
    def n_released(self) -> int:
        """How many rows there are."""
        return self.decision.n_released

    @property
    def unordered(self) -> str:
        """The query without an order: the columns that are released as they are, and the ranks."""
        cells = self.decision.cells.columns
        passed = zip([*self.columns, PLACE], self.shown, strict=False)
        names = [shown for name, shown in passed if name not in cells]
        return f"SELECT {', '.join([*names, self.rank])} FROM {self.source}"

    @property
    def ordered(self) -> str:
        """The query with its order."""
        return f"SELECT {', '.join(self.shown)} FROM {self.source} ORDER BY {self.order}"
