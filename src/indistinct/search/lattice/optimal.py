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
    divides: ClassVar[bool] = True

    def find(self, problem: Problem, deadline: Deadline, progress: Progress) -> Found:
        """Find the node of least objective among those that suppress few enough records."""
        from indistinct.search.lattice.optimal_search import find_optimum

        return find_optimum(problem, deadline, progress)
