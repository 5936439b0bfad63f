"""Local recoding: every class at its own levels; forest peel, absorption, annealing."""

from __future__ import annotations

import os
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from indistinct.core.arrays import Ints
from indistinct.core.protocols import Deadline, Problem, Progress
from indistinct.search.algorithm import SearchResult
from indistinct.search.local.absorb import absorb
from indistinct.search.local.annealing import (
    MANY_TUPLES,
    SIMILAR_OF_LONGEST,
    annealed,
    similar_tuples,
)
from indistinct.search.local.annealing_plans import (
    FROM_RELAXATION,
    LEAST_ROUNDS,
    longest_plan,
    rounds_for,
    short_plan,
)
from indistinct.search.local.construct import better, constructed, is_tolerable
from indistinct.search.local.forest import ProposalTrees
from indistinct.search.local.found import found_of, size_alone
from indistinct.search.local.local_space import OUTSIDE, Assignment, LocalSpace, local_space, merged
from indistinct.search.local.lower_bound import (
    CERTIFIED_WORK,
    DEFAULT_WORK,
    LowerBound,
    affordable_bound,
    least_bound,
)
from indistinct.search.local.near_groups import NearGroups, is_walkable, near_groups
from indistinct.search.local.parts import combined, settled
from indistinct.search.local.promises import annealed_in_parts, can_price, kept_promises
from indistinct.search.local.relaxation import Relaxed, relaxed
from indistinct.search.local.rounding_kernels import claim
from indistinct.search.local.run import AtOnce, LocalSearchRun, UntilOver, ending

THOROUGH = 0.3  # of the longest search, which is spent as a thorough one
SHARE = 0.5  # of the time left, which the beginning takes at most
PRICED, LISTED, RELAXED = 0.05, 0.15, 0.45  # of the whole search that is done then, about
# Tuples up to which the lower bound is computed beside the search. Beyond it, both together would
# need hundreds of megabytes at one time.
BOUNDED_BESIDE = 100_000
FEW_RECORDS = 1000  # below it a proposal takes less time than to hand it to a thread
FEWER = 0.6  # share of the rounds that annealing needs from a rounded relaxation
EXPANDED_RECORDS = 200_000  # up to here single records are moved, beyond it pieces of tuples
WORK_PER_RECORD = 12_000  # items that a search looks at by default, per record at most
LONGEST_WORK_PER_ITEM = 18_000  # items that the longest search looks at, per item at least
MOST_WORK = 2_000_000_000
MANY_RECORDS = 5000  # from here on a greater effort looks at all the more
ROUNDS_IN_PARTS = (40, 300)  # by default, under models that have no price: at least, at most
ITEMS_OF_ROUNDS_IN_PARTS = 1_000_000  # items of all these rounds together, in between
PURPOSE = 7  # of random draws
LEAST_OFTEN = 0.02  # groups that were open more seldom take no records
# Per trial: how often a record has to have been taken, and the noise of how often a group was open.
TRIALS = ((0.5, 0.0), (0.3, 0.0), (0.7, 0.0), (0.5, 0.1), (0.5, 0.3))
PRICE_WEIGHT = 1e-6  # weight of its price in the order of members that were taken equally often


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

    forest: ProposalTrees
    work: int
    priced: int
    bound: int
    longest: bool = False


EFFORTS = {
    "fast": Effort(ProposalTrees(4, 0.3), 0, 0, DEFAULT_WORK // 30),
    "default": Effort(ProposalTrees(4, 0.2), 40_000_000, 60_000_000, DEFAULT_WORK),
    "thorough": Effort(ProposalTrees(16, 0.1), 240_000_000, 240_000_000, 5 * DEFAULT_WORK),
    "best": Effort(
        ProposalTrees(16, 0.1), 560_000_000, 560_000_000, 5 * DEFAULT_WORK, longest=True
    ),
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
        return found_of(whole, absorb(whole, assignment), bound.result(), **facts)


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
    first = replace(run.part(0.0, THOROUGH), deadline=_sooner(run.deadline, THOROUGH))
    whole, kept, facts = searched(space, EFFORTS["thorough"], rounds, pricing, first)
    of_longer, longer, told = searched(space, effort, rounds, pricing, run.part(THOROUGH, 1.0))
    if not longer.n_classes:
        return whole, kept, facts
    longer = absorb(of_longer, longer)
    if kept.n_classes:
        kept = absorb(whole, kept)
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


def forest_for(space: LocalSpace, effort: Effort) -> ProposalTrees:
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


def rounded(
    whole: LocalSpace, groups: NearGroups, solution: Relaxed, run: LocalSearchRun
) -> Assignment | None:
    """Return the best of some roundings; None where each leaves too many outside.

    Parameters
    ----------
    whole : whose items are the records, those of a tuple one after another
    groups : of tuples
    """
    sorted_groups, solution = _most_taken_first(groups, solution)
    best = None
    for trial, (enough, noise) in enumerate(TRIALS):
        if run.deadline.passed:
            break
        draws = run.draw(PURPOSE, trial).standard_normal(groups.n_groups)
        shaken = solution.often + noise * draws
        turns = np.argsort(-shaken, kind="stable")
        turns = turns[solution.often[turns] >= LEAST_OFTEN]
        claimed = claimed_by(whole, sorted_groups, solution, turns, enough)
        found = settled(whole, absorb(whole, claimed))
        if not found.n_classes or len(found.outside()) > whole.problem.budget:
            continue
        if best is None or found.total(whole) < best.total(whole):
            best = found
    return best


def claimed_by(
    whole: LocalSpace, groups: NearGroups, solution: Relaxed, turns: Ints, enough: float
) -> Assignment:
    """Let groups take free records in turn; those that nobody takes stay outside.

    Parameters
    ----------
    groups, solution : the most often taken members first within each group
    turns : groups, in the order in which they take records
    enough : a member that was taken so often gives at least one record
    """
    ends = np.cumsum(np.bincount(whole.tuples)).astype(np.int64)
    labels = np.full(whole.n_items, OUTSIDE, np.int32)
    opened = np.empty(groups.n_groups, np.int64)
    free = np.concatenate([np.zeros(1, np.int64), ends[:-1]])
    n_classes = claim(
        turns,
        groups.starts,
        groups.members,
        solution.taken,
        whole.least,
        enough,
        free,
        ends,
        labels,
        opened,
    )
    return Assignment(labels, np.ascontiguousarray(groups.nodes[opened[:n_classes]]))


def _most_taken_first(groups: NearGroups, solution: Relaxed) -> tuple[NearGroups, Relaxed]:
    """Sort the members of each group by how often it took them."""
    numbers = np.repeat(np.arange(groups.n_groups), np.diff(groups.starts))
    wish = solution.taken + PRICE_WEIGHT * solution.prices[groups.members]
    order = np.lexsort((-wish, numbers))
    return (
        groups._replace(members=groups.members[order]),
        solution._replace(taken=solution.taken[order]),
    )


def rounded_beginning(
    space: LocalSpace, whole: LocalSpace, pricing: Future[LowerBound], run: LocalSearchRun
) -> Assignment | None:
    """Round a solution of the linear relaxation; None where it cannot be had, or not in time.

    Parameters
    ----------
    space : whose items are the distinct tuples, of a lattice that is walkable
    whole : the same, where each record is an item
    pricing : what gives the prices to begin with
    """
    run = replace(run, deadline=_sooner(run.deadline, SHARE))
    run.progress(PRICED, "waiting for the prices of the lower bound")
    moment = run.deadline.moment
    wait([pricing], None if moment is None else max(moment - time.monotonic(), 0.0))
    prices = pricing.result().prices if pricing.done() else None
    if prices is None:
        return None
    groups = near_groups(space, prices, run.part(PRICED, LISTED))
    if groups is None:
        return None
    solution = relaxed(space, groups, prices, run.part(LISTED, RELAXED))
    return None if solution is None else rounded(whole, groups, solution, run)


def _sooner(deadline: Deadline, share: float) -> Deadline:
    """Return the moment when a share of the time left is over."""
    if deadline.moment is None:
        return deadline
    now = time.monotonic()
    return Deadline(now + share * (deadline.moment - now))
