"""Local recoding: every class at its own levels; forest peel, absorption, annealing."""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.tables.core.protocols import Deadline, Problem, Progress
from indistinct.tables.search.algorithm import SearchResult
from indistinct.tables.search.local.annealing import (
    MANY_TUPLES,
    SIMILAR_OF_LONGEST,
    annealed,
    similar_tuples,
)
from indistinct.tables.search.local.annealing_plans import (
    FROM_RELAXATION,
    LEAST_ROUNDS,
    longest_plan,
    rounds_for,
    short_plan,
)
from indistinct.tables.search.local.construct import better, constructed, is_tolerable
from indistinct.tables.search.local.forest import ClusterTrees
from indistinct.tables.search.local.found import found_of, size_alone
from indistinct.tables.search.local.local_space import Assignment, LocalSpace, local_space, merged
from indistinct.tables.search.local.lower_bound import (
    CERTIFIED_WORK,
    DEFAULT_WORK,
    LowerBound,
    affordable_bound,
    least_bound,
)
from indistinct.tables.search.local.merge_into import merge_into
from indistinct.tables.search.local.near_groups import is_walkable
from indistinct.tables.search.local.parts import combined, settled
from indistinct.tables.search.local.promises import annealed_in_parts, can_price, kept_promises
from indistinct.tables.search.local.rounded_beginning import RELAXED, rounded_beginning
from indistinct.tables.search.local.run import AtOnce, LocalSearchRun, UntilOver, ending, sooner

THOROUGH = 0.3  # of the longest search, which is spent as a thorough one
# Tuples up to which the lower bound is computed beside the search. Beyond it, both together would
# need hundreds of megabytes at one time.
BOUNDED_BESIDE = 100_000
FEW_RECORDS = 1000  # below it a proposal takes less time than to hand it to a thread
FEWER = 0.6  # share of the rounds that annealing needs from a rounded relaxation
EXPANDED_RECORDS = 200_000  # up to here single records are moved, beyond it pieces of tuples
WORK_PER_RECORD = 14_000  # items that a search looks at by default, per record at most
LONGEST_WORK_PER_ITEM = 18_000  # items that the longest search looks at, per item at least
MOST_WORK = 2_000_000_000
MANY_RECORDS = 5000  # from here on a greater effort looks at all the more
ROUNDS_IN_PARTS = (40, 300)  # by default, under models that have no price: at least, at most
ITEMS_OF_ROUNDS_IN_PARTS = 1_000_000  # items of all these rounds together, in between


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard to try.

    Parameters
    ----------
    forest : of the peel
    work : items that the annealing looks at, about and at most; 0 for no annealing
    priced : likewise, where the models ask for more than size
    bound : groups that the lower bound may roll up
    longest : whether the annealing is the longest one where size alone matters
    """

    forest: ClusterTrees
    work: int
    priced: int
    bound: int
    longest: bool = False


EFFORTS = {
    "fast": Effort(ClusterTrees(4, 0.3), 0, 0, DEFAULT_WORK // 30),
    "default": Effort(ClusterTrees(4, 0.2), 40_000_000, 70_000_000, DEFAULT_WORK),
    "thorough": Effort(ClusterTrees(16, 0.1), 240_000_000, 240_000_000, 5 * DEFAULT_WORK),
    "best": Effort(ClusterTrees(16, 0.1), 560_000_000, 560_000_000, 5 * DEFAULT_WORK, longest=True),
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
) -> SearchResult:
    """Find an assignment of records to classes of small loss."""
    effort = EFFORTS[level]
    space = local_space(problem)
    if (already := finest(space)) is not None:
        return found_of(space, already, least_bound(space), rounds=0)
    work = CERTIFIED_WORK if certified else effort.bound
    until = UntilOver(deadline.moment, deadline)
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool, ending(until.over):
        bound = pool.submit(affordable_bound, space, work, until)
        if space.n_items > BOUNDED_BESIDE and not effort.longest:
            bound.result()
        is_small = space.problem.table.n_records < FEW_RECORDS and not effort.longest
        run = LocalSearchRun(seed, AtOnce() if is_small else pool, deadline, progress, bound)
        # A certified bound takes longer, and has to leave the release as it is.
        again = certified and effort.longest and space.sized
        pricing = pool.submit(affordable_bound, space, effort.bound, until) if again else bound
        find = kept_better if effort.longest else searched
        whole, assignment, facts = find(space, effort, rounds, pricing, run)
        return found_of(whole, merge_into(whole, assignment), bound.result(), **facts)


def kept_better(
    space: LocalSpace,
    effort: Effort,
    rounds: int | None,
    pricing: Future[LowerBound],
    run: LocalSearchRun,
) -> tuple[LocalSpace, Assignment, dict[str, Any]]:
    """Search thoroughly first, then longer; keep what is better in each independent part.

    Without a time limit the loss is therefore never above that of a thorough search.
    """
    is_one_descent = not (space.sized or can_price(space))  # longer only goes on from there
    if is_one_descent or rounds == 0 or run.deadline.passed:
        return searched(space, effort, rounds, pricing, run)
    first = replace(run.part(0.0, THOROUGH), deadline=sooner(run.deadline, THOROUGH))
    whole, kept, facts = searched(space, EFFORTS["thorough"], rounds, pricing, first)
    of_longer, longer, told = searched(space, effort, rounds, pricing, run.part(THOROUGH, 1.0))
    if not longer.n_classes:
        return whole, kept, facts
    longer = merge_into(of_longer, longer)
    if kept.n_classes:
        kept = merge_into(whole, kept)
        longer = better(whole, combined(whole, longer, kept), kept)
    return of_longer, longer, told


def searched(
    space: LocalSpace,
    effort: Effort,
    rounds: int | None,
    pricing: Future[LowerBound],
    run: LocalSearchRun,
) -> tuple[LocalSpace, Assignment, dict[str, Any]]:
    """Search as an effort does; give what :func:`priced_search` gives."""
    if effort.work and rounds != 0 and can_price(space) and not run.deadline.passed:
        return priced_search(space, effort, rounds, run)
    assignment = constructed(space, forest_for(space, effort), run)
    whole, assignment, done = improved(space, assignment, effort, rounds, pricing, run)
    return whole, assignment, {"rounds": done}


def forest_for(space: LocalSpace, effort: Effort) -> ClusterTrees:
    """Return the forest of an effort, a thinner one of many tuples: annealing makes up for it."""
    forest = effort.forest
    if space.n_items <= MANY_TUPLES or not (effort.work and space.sized):
        return forest
    return replace(forest, trees=forest.trees // 2, share=1.5 * forest.share)


def finest(space: LocalSpace) -> Assignment | None:
    """Return the classes at the lowest levels, if they satisfy every model: nothing is better."""
    nodes = np.zeros((space.n_items, space.items.codes.shape[1]), np.int32)
    classes = merged(space, Assignment(np.arange(space.n_items, dtype=np.int32), nodes))
    if space.problem.reads_all_classes or not space.n_items:
        return None
    return classes if space.judge(*classes.members()).all() else None


def improved(  # noqa: PLR0913, PLR0917 - what an improvement depends on
    space: LocalSpace,
    assignment: Assignment,
    effort: Effort,
    rounds: int | None,
    pricing: Future[LowerBound],
    run: LocalSearchRun,
) -> tuple[LocalSpace, Assignment, int]:
    """Improve an assignment; give the space that it is of then, and the rounds done.

    Parameters
    ----------
    rounds : None for as many as the effort allows
    pricing : gives prices of the tuples
    """
    if rounds == 0 or not (effort.work and assignment.n_classes):
        return space, assignment, 0
    whole, assignment = unfolded(space, assignment)
    if run.deadline.passed:
        return whole, assignment, 0
    if effort.longest and space.sized:
        return whole, *long_search(space, whole, assignment, rounds, pricing, run)
    if space.sized:
        work = affordable_work(effort, space.problem.table.n_records, is_sized=True)
        plan = short_plan(whole.n_items, work, rounds)
        return whole, *annealed(whole, assignment, similar_tuples(space, run), run, plan)
    n_rounds = _rounds_in_parts(whole.n_items, effort) if rounds is None else rounds
    return whole, *annealed_in_parts(whole, assignment, n_rounds, run)


def _rounds_in_parts(n_items: int, effort: Effort) -> int:
    """Return the rounds under models that have no price."""
    fewest, most = ROUNDS_IN_PARTS
    usual = min(max(ITEMS_OF_ROUNDS_IN_PARTS // n_items, fewest), most)
    return usual * effort.priced // EFFORTS["default"].priced


def long_search(  # noqa: PLR0913, PLR0917 - what an improvement depends on
    space: LocalSpace,
    whole: LocalSpace,
    peeled: Assignment,
    rounds: int | None,
    pricing: Future[LowerBound],
    run: LocalSearchRun,
) -> tuple[Assignment, int]:
    """Anneal, from a rounded relaxation where that can be had and else from what was peeled.

    Parameters
    ----------
    whole, peeled : the space of all pieces, and an assignment of them
    """
    similar = similar_tuples(space, run, SIMILAR_OF_LONGEST)
    n_records = space.problem.table.n_records
    n_rounds = rounds_for(whole.n_items) if rounds is None else rounds
    work = longest_work(whole.n_items, n_records)
    begun = None
    if n_records <= EXPANDED_RECORDS and is_walkable(space):
        begun = rounded_beginning(space, whole, pricing, run)
        run = run.part(RELAXED, 1.0)
    if begun is None:
        plan = longest_plan(whole.n_items, work, n_rounds)
        return annealed(whole, peeled, similar, run, plan)
    if rounds is None:
        n_rounds = max(round(FEWER * n_rounds), LEAST_ROUNDS)
    plan = longest_plan(whole.n_items, work, n_rounds, FROM_RELAXATION)
    best, done = annealed(whole, begun, similar, run, plan)
    # A search that had to end early may not have come below what was peeled.
    return min(best, peeled, key=lambda one: one.total(whole)), done


def priced_search(
    space: LocalSpace, effort: Effort, rounds: int | None, run: LocalSearchRun
) -> tuple[LocalSpace, Assignment, dict[str, Any]]:
    """Anneal with a price for what is missed; peel under all models only where that leaves many.

    Returns
    -------
    whole, assignment, facts : the space of the assignment, and what is told of the search
    """
    _, whole = pieces_of(space)
    work = affordable_work(effort, space.problem.table.n_records, is_sized=False)
    found = kept_promises(whole, effort.forest, work, rounds, run)
    assignment = found.assignment
    facts: dict[str, Any] = {"rounds": found.rounds}
    if found.of_size.n_classes:
        facts["size_alone"] = size_alone(whole, found.of_size)
    if not is_tolerable(whole, assignment):
        peeled = constructed(space, effort.forest, run)
        assignment = better(whole, assignment, unfolded(space, peeled)[1])
    return whole, assignment, facts


def affordable_work(effort: Effort, n_records: int, *, is_sized: bool) -> int:
    """Return the items that a search looks at; greater efforts mean little to few records."""
    usual = EFFORTS["default"]
    most, usual_most = (effort.work, usual.work) if is_sized else (effort.priced, usual.priced)
    times = most / usual_most - 1
    per_record = WORK_PER_RECORD * (1 + times * min(n_records / MANY_RECORDS, 1))
    return min(most, round(per_record * n_records))


def longest_work(n_items: int, n_records: int) -> int:
    """Return the items that the longest search looks at."""
    affordable = affordable_work(EFFORTS["best"], n_records, is_sized=True)
    return max(affordable, min(LONGEST_WORK_PER_ITEM * n_items, MOST_WORK))


def unfolded(space: LocalSpace, assignment: Assignment) -> tuple[LocalSpace, Assignment]:
    """Return the space of all pieces, and an assignment of them."""
    counts, space = pieces_of(space)
    return space, settled(space, Assignment(np.repeat(assignment.labels, counts), assignment.nodes))


def pieces_of(space: LocalSpace) -> tuple[Ints, LocalSpace]:
    """Let annealing move single records; of a large table, pieces of equal records.

    Where even the distinct records are many, all equal ones stay together. To part them would gain
    little, and whoever writes the release would have to draw who goes to which class.

    Returns
    -------
    counts, space : pieces of each item, (n_items,), and the space of all pieces
    """
    if space.problem.table.n_records <= EXPANDED_RECORDS:
        return space.items.weights, space.expanded()
    if space.n_items <= EXPANDED_RECORDS:
        return space.divided()
    return np.ones(space.n_items, np.int64), space
