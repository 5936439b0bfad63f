"""Greedy k-member clustering: grow one class after the other around far-off records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from indistinct.base.parameters import parameter
from indistinct.tables.core.protocols import Deadline, Problem, Progress
from indistinct.tables.search.algorithm import Algorithm, SearchResult


@final
@dataclass(frozen=True, slots=True)
class KMember(Algorithm):
    """Greedy k-member clustering with Iyengar's loss.

    A class starts from the record furthest from the last one's and takes the nearest free records
    until it satisfies the models; what is left joins the nearest classes. Quadratic in the number
    of records.

    Source: byun2007, figure 3.
    """

    seed: int = parameter(int, at_least=0, default=0, in_policy=False, help="of the first record")

    name: ClassVar[str] = "k-member"
    in_words: ClassVar[str] = (
        "Groups were grown record by record, always with the record that costs the group "
        "least, until the promise held."
    )

    def find(self, problem: Problem, deadline: Deadline, progress: Progress) -> SearchResult:
        """Cluster the records."""
        from indistinct.tables.search.local.clusters import find_clusters

        return find_clusters(problem, self.seed, deadline, progress)
