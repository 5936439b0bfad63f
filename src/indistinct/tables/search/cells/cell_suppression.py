"""Cell suppression: values stay as they are or give way to a star; nothing is generalized."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from indistinct.base.parameters import parameter
from indistinct.tables.core.protocols import Deadline, Problem, Progress
from indistinct.tables.search.algorithm import Algorithm, SearchResult
from indistinct.tables.search.local.local import EFFORTS, Local

READINGS = ("value", "any")


@final
@dataclass(frozen=True, slots=True)
class CellSuppression(Algorithm):
    """Suppress single cells until every record has enough others beside it.

    Each column is released at its lowest level allowed, or as ``*``. A column's weight is its
    importance: a cell of a column with twice the weight counts as two.

    Parameters
    ----------
    suppressed_cell : how a reader takes a star. ``value``: as a value of its own, so that records
        are alike when all their cells are, stars included. ``any``: as any value, so that a
        record's group is every record compatible with it
    effort, seed : of the local search that the first reading takes

    Source: our own; the counting of compatible records is that of templ2015.
    """

    suppressed_cell: str = parameter(
        str, choices=READINGS, default="value", help="how a star is read"
    )
    effort: str = parameter(
        str, choices=EFFORTS, default="default", help="how long to look for fewer cells"
    )
    seed: int = parameter(
        int, at_least=0, default=0, in_policy=False, help="of the search's random choices"
    )

    name: ClassVar[str] = "cell-suppression"
    in_words: ClassVar[str] = (
        "Single cells were hidden behind a star where they would have made a record stand "
        "out. All other cells stay as they were."
    )

    def find(self, problem: Problem, deadline: Deadline, progress: Progress) -> SearchResult:
        """Choose the cells to suppress."""
        if self.suppressed_cell == "any":
            from indistinct.tables.search.cells.wildcard_suppression import (
                suppress_for_compatibility,
            )

            return suppress_for_compatibility(problem, deadline, progress)
        from indistinct.tables.search.cells.equal_cells import suppress_for_equality

        local = Local(self.effort, self.seed)
        return suppress_for_equality(problem, local, deadline, progress)
