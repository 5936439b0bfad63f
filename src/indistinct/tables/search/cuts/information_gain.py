"""Mondrian by information gain: cut where the parts tell a sensitive value apart best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from indistinct.tables.core.protocols import Deadline, Problem, Progress
from indistinct.tables.search.algorithm import Algorithm, SearchResult


@final
@dataclass(frozen=True, slots=True)
class InformationGainMondrian(Algorithm):
    """Cut a partition in two so that the entropy of the first sensitive column falls most.

    Values of a hierarchy are cut in the order of its leaves and released as their lowest common
    label. A partition stays whole where every cut has a part that fails a model.

    Notes
    -----
    About log2(n_records / k) generations, each in O(n_tuples * n_columns * (log n_tuples + values
    of the sensitive column)).

    Source: lefevre2006b, section 4.
    """

    name: ClassVar[str] = "infogain-mondrian"
    in_words: ClassVar[str] = (
        "The records were cut into groups where the cut tells most about the sensitive "
        "column, as long as every group kept the promise."
    )
    reads_sensitive: ClassVar[bool] = True
    counts_people: ClassVar[bool] = False
    ranges: ClassVar[bool] = True

    def find(self, problem: Problem, deadline: Deadline, progress: Progress) -> SearchResult:
        """Cut until no cut is allowed, or until the deadline."""
        from indistinct.tables.search.cuts.gain_cuts import find_gaining_cuts

        return find_gaining_cuts(problem, deadline, progress)
