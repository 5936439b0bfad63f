"""Cell suppression: values stay as they are or give way to a star; nothing is generalized."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, final

from indistinct.core.parameters import check, parameter
from indistinct.core.protocols import Deadline, Problem, Progress, Solution
from indistinct.metrics import Loss
from indistinct.search.cells.suppression_cells import (
    full_cells,
    suppressed_entry,
    suppression_cells,
    two_level_problem,
)
from indistinct.search.cells.wildcard_suppression import suppress_for_compatibility
from indistinct.search.local.local import EFFORTS, Local

READINGS = ("value", "any")


@final
@dataclass(frozen=True, slots=True)
class CellSuppression:
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
    seed: int = parameter(int, at_least=0, default=0, help="of the search's random choices")

    name: ClassVar[str] = "cell-suppression"

    def __post_init__(self) -> None:
        """Check the parameters."""
        check(self)

    def search(self, problem: Problem, deadline: Deadline, progress: Progress) -> Solution:
        """Choose the cells to suppress.

        Raises
        ------
        NoSolutionError
            when more whole records than the policy allows cannot be helped by suppressed cells
        ParameterError
            when stars stand for any value and a model asks for more than a number of records
        """
        if self.suppressed_cell == "any":
            return suppress_for_compatibility(problem, deadline, progress)
        return _suppress_for_equality(problem, Local(self.effort, self.seed), deadline, progress)


def _suppress_for_equality(
    problem: Problem, local: Local, deadline: Deadline, progress: Progress
) -> Solution:
    """Search classes of equal cells: local recoding with nothing between a value and a star."""
    reduced = two_level_problem(problem, Loss(problem.weights))
    solution = local.search(reduced, deadline, progress)
    cells = suppression_cells(problem)
    recoding = replace(
        solution.recoding,
        cells=full_cells(problem, cells, solution.recoding.cells),
        domains=tuple(of_column.domain for of_column in cells),
    )
    # The bound of the search is one on its own two-level problem, not on the objective.
    facts = {name: fact for name, fact in solution.facts.items() if name != "lower_bound"}
    return Solution(
        recoding, {**facts, "suppressed_cells": suppressed_entry(problem, cells, recoding)}
    )
