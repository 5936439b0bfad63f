"""Lattice peel: always release the cheapest group of the whole lattice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from indistinct.base.parameters import parameter
from indistinct.tables.core.protocols import Deadline, Problem, Progress
from indistinct.tables.search.algorithm import Algorithm, SearchResult


@final
@dataclass(frozen=True, slots=True)
class LatticePeel(Algorithm):
    """Local recoding by the greedy rule over all groups of the lattice.

    Source: our own; docs/local-recoding.md.
    """

    mix: float = parameter(
        float,
        at_least=0,
        at_most=1,
        default=0.3,
        in_policy=False,
        help="1 keeps the greedy order exactly, less visits nodes in the order of their means",
    )

    name: ClassVar[str] = "lattice-peel"
    in_words: ClassVar[str] = (
        "Groups of records were released one after the other, always the cheapest group that "
        "keeps the promise, so that the same value may stand at different levels of detail."
    )

    def find(self, problem: Problem, deadline: Deadline, progress: Progress) -> SearchResult:
        """Release group after group, then absorb what is left."""
        from indistinct.tables.search.local.lattice_peeling import find_peeled

        return find_peeled(problem, self.mix, deadline, progress)
