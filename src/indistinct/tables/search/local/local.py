"""Local recoding: every class at its own levels; forest peel, absorption, annealing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from indistinct.base.parameters import parameter
from indistinct.tables.core.protocols import Deadline, Problem, Progress
from indistinct.tables.search.algorithm import Algorithm, SearchResult

BOUNDS = ("quick", "certified")
EFFORTS = ("fast", "default", "thorough", "best")


@final
@dataclass(frozen=True, slots=True)
class Local(Algorithm):
    """Local recoding: each class of records is released at levels of its own.

    The same value may stand at different levels in different rows, which loses far less than one
    level per column. The result depends on the parameters alone, not on the number of threads;
    only a deadline makes it depend on the machine.

    Parameters
    ----------
    effort, seed, bound : see their help
    threads : that work at once, at least 1; None for one per core
    rounds : of annealing, instead of those the effort pays for; the temperature falls the more
        slowly the more there are

    Source: our own; the greedy order and the moves are described in docs/local-recoding.md.
    """

    effort: str = parameter(
        str, choices=EFFORTS, default="default", help="how long to look for a smaller loss"
    )
    seed: int = parameter(
        int, at_least=0, default=0, in_policy=False, help="of the random trees and moves"
    )
    bound: str = parameter(
        str,
        choices=BOUNDS,
        default="quick",
        help="how long to look for what no local recoding can lose less than",
    )
    threads: int | None = None
    rounds: int | None = None

    name: ClassVar[str] = "local"
    in_words: ClassVar[str] = (
        "Each group of records was made only as coarse as it needed to be, so that the same "
        "value may stand in full in one record and as a range in another."
    )

    def find(self, problem: Problem, deadline: Deadline, progress: Progress) -> SearchResult:
        """Find an assignment of records to classes of small loss."""
        from indistinct.tables.search.local.local_search import find_local

        return find_local(
            problem,
            deadline,
            progress,
            level=self.effort,
            seed=self.seed,
            threads=self.threads,
            rounds=self.rounds,
            certified=self.bound == "certified",
        )
