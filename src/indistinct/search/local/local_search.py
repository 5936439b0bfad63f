"""Local recoding: every class at its own levels; forest peel, absorption, refinement."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from indistinct.core.protocols import Deadline, Problem, Progress
from indistinct.search.algorithm import Found
from indistinct.search.local.absorb import absorb
from indistinct.search.local.annealing import annealed, can_anneal, rounds_for, similar_tuples
from indistinct.search.local.assignment import Assignment
from indistinct.search.local.construct import constructed
from indistinct.search.local.forest import Forest
from indistinct.search.local.found import found_of
from indistinct.search.local.local_space import LocalSpace, local_space
from indistinct.search.local.lower_bound import CERTIFIED_WORK, DEFAULT_WORK, affordable_bound
from indistinct.search.local.refine import refine, settled
from indistinct.search.local.run import Run, UntilOver, ending

LONG = 3000  # rounds from which on a search may pass through worse assignments
HEAT = 0.15
LEAST_HEATED = 50  # rounds of refinement with heat that even a tiny table gets
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
    anneals : whether worse assignments are passed through: by annealing where size alone matters,
        else by refinement
    """

    forest: Forest
    cells: int
    rounds: int
    bound: int
    anneals: bool = False


EFFORTS = {
    "fast": Effort(Forest(4, 0.3), 0, 0, DEFAULT_WORK // 30),
    "default": Effort(Forest(4, 0.2), 10_000_000, 400, DEFAULT_WORK),
    "thorough": Effort(Forest(16, 0.1), 52_000_000, 2000, 5 * DEFAULT_WORK),
    "best": Effort(Forest(16, 0.1), 208_000_000, 2000, 5 * DEFAULT_WORK, anneals=True),
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
    work = CERTIFIED_WORK if certified else effort.bound
    until = UntilOver(deadline.moment, deadline)
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool, ending(until.over):
        bound = pool.submit(affordable_bound, space, work, until)
        if not effort.anneals:
            # Both would need their memory at one time.
            bound.result()
        run = Run(seed, pool, deadline, progress, bound)
        assignment = constructed(space, effort.forest, run)
        n_rounds = _rounds(space, effort) if rounds is None else rounds
        whole, assignment, done = improved(space, assignment, n_rounds, run, anneals=effort.anneals)
        return found_of(whole, absorb(whole, assignment), bound.result(), rounds=done)


def improved(
    space: LocalSpace, assignment: Assignment, rounds: int, run: Run, *, anneals: bool
) -> tuple[LocalSpace, Assignment, int]:
    """Improve an assignment; give the space that it is of then, and the rounds done."""
    if not rounds or not assignment.n_classes:
        return space, assignment, 0
    if anneals and can_anneal(space):
        similar = similar_tuples(space, run)
        space, assignment = unfolded(space, assignment)
        return space, *annealed(space, assignment, similar, run, rounds)
    space, assignment = unfolded(space, assignment)
    heat = HEAT if anneals or rounds >= LONG else 0.0
    return space, *refine(space, assignment, rounds, run, heat)


def _rounds(space: LocalSpace, effort: Effort) -> int:
    """Give the rounds of refinement that the work allowed pays for, or of annealing."""
    if effort.anneals and can_anneal(space):
        return rounds_for(min(space.problem.table.n_records, EXPANDED_RECORDS))
    n_items = min(space.problem.table.n_records, COUNTED_RECORDS)
    n_cells = max(n_items, space.n_items) * space.problem.table.n_columns
    most = n_items + LEAST_HEATED if effort.anneals else effort.rounds
    return min(effort.rounds, effort.cells // n_cells, most)


def unfolded(space: LocalSpace, assignment: Assignment) -> tuple[LocalSpace, Assignment]:
    """Let refinement move single records, where the table is not too large for that."""
    if space.problem.table.n_records > EXPANDED_RECORDS:
        return space, settled(space, assignment)
    labels = np.repeat(assignment.labels, space.items.weights)
    space = space.expanded()
    return space, settled(space, Assignment(labels, assignment.nodes))
