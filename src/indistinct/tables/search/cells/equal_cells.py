"""Cell suppression where a star is a value of its own: classes of equal cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from indistinct.tables.core.protocols import Deadline, Problem, Progress
from indistinct.tables.core.recoding import Recoding
from indistinct.tables.metrics import Loss
from indistinct.tables.search.algorithm import SearchResult
from indistinct.tables.search.cells.suppression_cells import (
    full_cells,
    suppressed_entry,
    suppression_cells,
    two_level_problem,
)
from indistinct.tables.search.local.local import Local


def suppress_for_equality(
    problem: Problem, local: Local, deadline: Deadline, progress: Progress
) -> SearchResult:
    """Search classes of equal cells: local recoding with nothing between a value and a star."""
    reduced = two_level_problem(problem, Loss(problem.weights))
    found = local.find(reduced, deadline, progress)
    cells = suppression_cells(problem)
    recoding = replace(
        found.recoding,
        cells=full_cells(problem, cells, found.recoding.cells),
        domains=tuple(of_column.domain for of_column in cells),
    )
    # These are of the two-level problem that is searched, not of the objective.
    own = {"lower_bound", "size_alone"}
    facts = {name: fact for name, fact in found.facts.items() if name not in own}

    def of_release(released: Recoding) -> Mapping[str, Any]:
        return {"suppressed_cells": suppressed_entry(problem, cells, released)}

    return replace(found, recoding=recoding, facts=facts, of_release=of_release)
