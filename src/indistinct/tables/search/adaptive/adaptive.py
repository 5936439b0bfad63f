"""Adaptive generalization: diverse classes keep detail, the others are generalized further."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from indistinct.tables.core.protocols import Deadline, Problem, Progress
from indistinct.tables.search.adaptive.settings import Settings
from indistinct.tables.search.algorithm import Algorithm, SearchResult


@final
@dataclass(frozen=True, slots=True)
class Adaptive(Settings, Algorithm):
    """Generalize by vulnerability and diversity.

    Records are grouped by similarity, weighted with how much each quasi-identifier gives away. A
    class whose sensitive values are diverse and even is released at the lowest level that makes it
    uniform; another one is generalized further.

    Source: majeed2017, algorithms 1 and 2.
    """

    name: ClassVar[str] = "adaptive"
    in_words: ClassVar[str] = (
        "Columns that give more away were made coarser than columns that give less away, "
        "group by group, until the promise held."
    )
    reads_sensitive: ClassVar[bool] = True
    counts_people: ClassVar[bool] = False

    def find(self, problem: Problem, deadline: Deadline, progress: Progress) -> SearchResult:
        """Group, measure and generalize."""
        from indistinct.tables.search.adaptive.generalizing import find_adaptive

        return find_adaptive(self, problem, deadline, progress)
