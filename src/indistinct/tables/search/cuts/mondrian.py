"""Mondrian: cut the records along one column at a time, until no cut is allowed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from indistinct.base.parameters import parameter
from indistinct.tables.core.protocols import Deadline, Problem, Progress
from indistinct.tables.search.algorithm import Algorithm, SearchResult


@final
@dataclass(frozen=True, slots=True)
class Mondrian(Algorithm):
    """Greedy multidimensional partitioning, strict or relaxed.

    Parameters
    ----------
    relaxed : whether records with the median may go to both sides of a cut, so that the sides are
        equal up to one record; otherwise records with equal values stay together

    Notes
    -----
    Where the source is silent:

    - Numbers are cut behind the lower median, or before it where a side would else be too small.
      Where the missing value is among them, it is cut off first.
    - Labels are cut into the labels below their lowest common one. Those with too few records
      become one part together, which keeps the common label; where this part is too small as well,
      the smallest of the others joins it.
    - Where ``max_levels`` forbid one class for the whole table, the division they force is the
      start; a class of it that fails a model is suppressed, if so many records may be.
    - Relaxed classes that are released alike become one; where that fails a model which a union
      need not keep, it is suppressed.
    - Of the partitions that a part was cut from, those count as supersets of (n,t)-closeness that
      hold all records inside their own cells: a reader of the release sees no others. Labels that
      became one part for being too few, and all that is cut from it, are none.

    About log2(n_records / k) generations of cuts, each in O(n_tuples * n_columns).

    Source: lefevre2006, the greedy partitioning algorithm for strict and relaxed recoding.
    """

    relaxed: bool = parameter(
        bool, default=False, help="whether equal values may go to both sides of a cut"
    )

    name: ClassVar[str] = "mondrian"
    in_words: ClassVar[str] = (
        "The records were cut into smaller and smaller groups, one column at a time, as long "
        "as every group kept the promise. Each group is then described by the ranges or "
        "labels that cover it."
    )
    ranges: ClassVar[bool] = True

    def find(self, problem: Problem, deadline: Deadline, progress: Progress) -> SearchResult:
        """Cut until no cut is allowed, or until the deadline."""
        from indistinct.tables.search.cuts.partitioning import find_partition

        return find_partition(problem, deadline, progress, relaxed=self.relaxed)
