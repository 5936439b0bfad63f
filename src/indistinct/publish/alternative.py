"""What the algorithm that was not chosen would have cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import prod
from typing import Any

from indistinct.core.label_reading import read_as_labels
from indistinct.core.protocols import Deadline, Problem, Solution, no_progress
from indistinct.counting.prepare import Prepared
from indistinct.errors import NoSolutionError
from indistinct.policy.resolved import Resolved
from indistinct.release.manifest import loss_entry
from indistinct.release.searching import INSTEAD
from indistinct.search import DEFAULT_ALGORITHM, EXACT_ALGORITHM, algorithm_named
from indistinct.search.finish import solve

OTHER = "alternative"  # the fact that says what another algorithm would have cost
SECONDS = 0.5  # that the comparison may take
# Larger problems are not compared: the lattice alone, or one look at the tuples, would take long.
MOST_NODES, MOST_CELLS = 100_000, 2_000_000


def compared(prepared: Prepared, solution: Solution) -> Solution:
    """Add what the best full-domain release would have cost, where the policy left the choice.

    It is added to the facts of the search, as ``alternative``: the algorithm, its ``loss`` by the
    policy's objective, None where it has no release, and whether that is its optimum.
    """
    problem = prepared.problem
    is_open = prepared.resolved.is_default and prepared.resolved.algorithm is DEFAULT_ALGORITHM
    if not (is_open and INSTEAD not in solution.facts and prepared.resolved.class_names):
        return solution
    if not is_cheap(problem):
        return solution
    return replace(
        solution, facts={**solution.facts, OTHER: _cost_of_exact(problem, prepared.resolved)}
    )


def is_cheap(problem: Problem) -> bool:
    """Return whether the lattice and the table are so small that the optimum is soon known."""
    levels = zip(problem.min_levels, problem.max_levels, strict=True)
    n_nodes = prod(most - least + 1 for least, most in levels)
    return n_nodes <= MOST_NODES and problem.table.codes.size <= MOST_CELLS


def _cost_of_exact(problem: Problem, resolved: Resolved) -> Mapping[str, Any]:
    """Search for the best full-domain release, and say what it costs."""
    words = resolved.method.model_dump() | resolved.release.model_dump()
    algorithm = algorithm_named(EXACT_ALGORITHM.name, words)
    deadline = Deadline.after(SECONDS)
    entry: dict[str, Any] = {"algorithm": algorithm.name}
    try:
        found = solve(algorithm, problem, deadline, no_progress, read_as_labels)
    except NoSolutionError:
        return {**entry, "loss": None}
    loss = loss_entry(problem, found.recoding)[problem.objective.name]
    return {**entry, "loss": float(loss), "optimal": bool(found.facts["optimal"])}
