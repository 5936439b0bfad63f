"""Searches over the lattice of full-domain recodings: the optimum, and the k-minimal nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from indistinct.core.protocols import Deadline, Problem, Progress
from indistinct.search.algorithm import Algorithm, SearchResult


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

    def find(self, problem: Problem, deadline: Deadline, progress: Progress) -> SearchResult:
        """Find the node of least objective among those that suppress few enough records."""
        from indistinct.search.lattice.optimal_search import find_optimum

        return find_optimum(problem, deadline, progress)


@final
@dataclass(frozen=True, slots=True)
class Ola(Algorithm):
    """The k-minimal nodes, and the best of them by the objective.

    Source: elemam2009, section "OLA"; the objective should be monotone.
    """

    name: ClassVar[str] = "ola"
    in_words: ClassVar[str] = (
        "The least coarse ways to make whole columns coarser were searched by halving the "
        "possibilities again and again, and the best of them was taken. Every value of a "
        "column stands at the same level of detail."
    )
    divides: ClassVar[bool] = True

    def find(self, problem: Problem, deadline: Deadline, progress: Progress) -> SearchResult:
        """Find all k-minimal nodes and choose the cheapest, however long that takes."""
        from indistinct.search.lattice.minimal_nodes import find_best_minimal

        del deadline
        return find_best_minimal(problem, progress)
