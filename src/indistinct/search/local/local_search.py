"""Local recoding: every class at its own levels; forest peel, absorption, refinement."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from indistinct.core.protocols import Deadline, Problem, Progress
from indistinct.search.algorithm import Found
from indistinct.search.local.absorb import absorb
from indistinct.search.local.assignment import Assignment
from indistinct.search.local.construct import constructed
from indistinct.search.local.forest import Forest
from indistinct.search.local.found import found_of
from indistinct.search.local.local_space import LocalSpace, local_space
from indistinct.search.local.lower_bound import CERTIFIED_WORK, DEFAULT_WORK, affordable_bound
from indistinct.search.local.refine import refine, settled
from indistinct.search.local.run import Run

LONG = 3000  # rounds from which on a search may pass through worse assignments
HEAT = 0.15
COUNTED_RECORDS = 300_000  # beyond it, a round is paid for by the tuple
EXPANDED_RECORDS = 200_000  # up to here refinement moves single records, beyond it whole tuples


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard to try.

    Parameters
    ----------
    forest : of the peel
    cells : of the table times rounds of refinement: the work allowed
    rounds : of refinement at most
    bound : groups that the lower bound may roll up
    """

    forest: Forest
    cells: int
    rounds: int
    bound: int


EFFORTS = {
    "fast": Effort(Forest(4, 0.3), 0, 0, DEFAULT_WORK // 30),
    "default": Effort(Forest(4, 0.2), 10_000_000, 400, DEFAULT_WORK),
    "thorough": Effort(Forest(16, 0.1), 52_000_000, 2000, 5 * DEFAULT_WORK),
}


def find_local(  # noqa: PLR0913 - the parameters of the algorithm
    problem: Problem,
    deadline: Deadline,
    progress: Progress,
    *,
    level: str,
    seed: int,
    threads: int | None,
    rounds: int | None,
    certified: bool = False,
) -> Found:
    """Find an assignment of records to classes of small loss."""
    effort = EFFORTS[level]
    space = local_space(problem)
    bound = affordable_bound(space, CERTIFIED_WORK if certified else effort.bound, deadline)
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        run = Run(seed, pool, deadline, progress, bound.value)
        assignment = constructed(space, effort.forest, run)
        n_rounds = _rounds(space, effort) if rounds is None else rounds
        heat = HEAT if n_rounds >= LONG else 0.0
        done = 0
        if n_rounds and assignment.n_classes:
            space, assignment = unfolded(space, assignment)
            assignment, done = refine(space, assignment, n_rounds, run, heat)
    return found_of(space, absorb(space, assignment), bound, rounds=done)


def _rounds(space: LocalSpace, effort: Effort) -> int:
    """Give the rounds of refinement that the work allowed pays for."""
    n_items = min(space.problem.table.n_records, COUNTED_RECORDS)
    n_cells = max(n_items, space.n_items) * space.problem.table.n_columns
    return min(effort.rounds, effort.cells // n_cells)


def unfolded(space: LocalSpace, assignment: Assignment) -> tuple[LocalSpace, Assignment]:
    """Let refinement move single records, where the table is not too large for that."""
    if space.problem.table.n_records > EXPANDED_RECORDS:
        return space, settled(space, assignment)
    labels = np.repeat(assignment.labels, space.items.weights)
    space = space.expanded()
    return space, settled(space, Assignment(labels, assignment.nodes))
