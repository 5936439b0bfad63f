"""The optimum over the lattice of full-domain recodings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from indistinct.core.protocols import Deadline, Problem, Progress
from indistinct.search.algorithm import Algorithm, Found


@final
@dataclass(frozen=True, slots=True)
class Optimal(Algorithm):
    """The best full-domain recoding of all.

    Source: kohlmayer2012 (search on lattices with predictive tagging); the bound is our own.
    """

    name: ClassVar[str] = "optimal"
    in_words: ClassVar[str] = (
        "Of all ways to make whole columns coarser, the one that keeps the promise at the "
        "least loss was searched for among all of them. Every value of a column stands at the"
        " same level of detail."
    )
    divides: ClassVar[bool] = True

    def find(self, problem: Problem, deadline: Deadline, progress: Progress) -> Found:
        """Find the node of least objective among those that suppress few enough records."""
        from indistinct.search.lattice.optimal_search import find_optimum

        return find_optimum(problem, deadline, progress)
