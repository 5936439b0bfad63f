"""Simulated annealing of an assignment, for models of size alone.

Small moves change a few classes each. A move that raises the loss is made too, the more rarely the
more it raises it and the later it comes. The last part of a long search is done in two ways at
once, which part by part give the better of two assignments. The result depends on the seed alone.
"""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import reduce
from threading import Event
from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.tables.search.local.annealing_kernels import anneal, find_similar
from indistinct.tables.search.local.annealing_plans import AnnealingPlan
from indistinct.tables.search.local.annealing_state_kernels import AnnealingProblem, lay_out
from indistinct.tables.search.local.forest import joined
from indistinct.tables.search.local.local_space import OUTSIDE, Assignment, LocalSpace
from indistinct.tables.search.local.parts import combined, settled, tightened
from indistinct.tables.search.local.paths import paid_by_value, paths_of
from indistinct.tables.search.local.peel_kernels import PeeledGroups, grow_tree
from indistinct.tables.search.local.penalty_layout import penalties_of
from indistinct.tables.search.local.run import LocalSearchRun, ending
from indistinct.tables.search.progress import best_stage


class SimilarSearch(NamedTuple):
    """How thoroughly similar tuples are looked for.

    Parameters
    ----------
    orders : number of orders in which similar tuples stand near each other
    reach : how far apart in an order tuples are compared
    n_similar : length of each list, at most
    """

    orders: int
    reach: int
    n_similar: int


TREES = 3  # per round
TREE_LOOKS = 3  # columns looked at per split, at most
APART = 0.35  # share of the rounds, the last ones, that a long search does in several ways
SIMILAR, SIMILAR_OF_LONGEST = SimilarSearch(6, 8, 33), SimilarSearch(16, 16, 65)
SIMILAR_OF_MANY = SimilarSearch(2, 4, 9)
MANY_TUPLES = 100_000
MOST_LISTED, LEAST_SIMILAR = 20_000_000, 8  # similar tuples: of all lists together, of each
SPARE_CLASSES = 80  # that there may be besides the full ones, in the middle of a move
PURPOSE, TREES_OF_ROUNDS, ORDERING = 4, 5, 6  # of random draws


class Similar(NamedTuple):
    """Which tuples cost little together with each.

    Parameters
    ----------
    places : (n_tuples,), place of each tuple in an order in which similar ones stand near each
        other; the other fields are in this order, and number the tuples so
    tuples : (n_tuples, n_similar), itself first
    shared : (n_tuples, n_similar), what a record pays in the cells shared with each
    """

    places: Codes
    tuples: Codes
    shared: Floats


@dataclass(frozen=True, slots=True)
class AnnealingRun:
    """What stays the same during a whole search.

    Parameters
    ----------
    problem : of the items ``inside``, which are those in a class
    scale : loss of the first assignment
    over : set where every way has to end
    begun : when it began, by the monotonic clock
    """

    space: LocalSpace
    problem: AnnealingProblem
    inside: Codes
    scale: float
    run: LocalSearchRun
    plan: AnnealingPlan
    over: Event = field(default_factory=Event)
    begun: float = field(default_factory=time.monotonic)

    def share(self, number: int) -> float:
        """Return the share of the search that is over after so many rounds, or by the clock."""
        return max(number / self.plan.rounds, self.run.time_share(self.begun))


class AnnealingStage(NamedTuple):
    """Where a search stands after some rounds, and the best assignment after any of them."""

    assignment: Assignment
    best: Assignment
    number: int


@dataclass(frozen=True, slots=True)
class StepLimit:
    """How far to annealing.

    Parameters
    ----------
    work : items to look at, about
    warm, cool : temperature at the beginning and at the end, in records' worth of loss
    """

    work: int
    warm: float
    cool: float


def widths_of(space: LocalSpace) -> list[int]:
    """Return the number of values of each column."""
    return [len(hierarchy.values) for hierarchy in space.problem.hierarchies]


def annealed(
    space: LocalSpace,
    assignment: Assignment,
    similar: Similar,
    run: LocalSearchRun,
    plan: AnnealingPlan,
) -> tuple[Assignment, int]:
    """Anneal an assignment; give the best after any round, and the number of rounds done.

    Items that are in no class stay so.

    Parameters
    ----------
    space : whose models ask for size alone
    similar : as :func:`similar_tuples` gives it
    """
    inside = np.flatnonzero(assignment.labels != OUTSIDE).astype(np.int32)
    inside = inside[np.argsort(similar.places[space.tuples[inside]], kind="stable")]
    problem = partial_problem(space, whole_problem(space, similar), similar, inside)
    annealing = AnnealingRun(space, problem, inside, assignment.total(space), run, plan)
    parting = plan.rounds - (round(APART * plan.rounds) if plan.ways > 1 else 0)
    trunk = annealed_until(annealing, AnnealingStage(assignment, assignment, 0), parting)
    if run.deadline.passed or parting == plan.rounds:
        return tightened(space, trunk.best), trunk.number
    # The first way is annealed_until here, where an interruption arrives, which ends the others.
    with ThreadPoolExecutor(max(plan.ways - 1, 1)) as pool, ending(annealing.over):
        others = [
            pool.submit(annealed_until, annealing, trunk, plan.rounds, way)
            for way in range(1, plan.ways)
        ]
        ends = [
            annealed_until(annealing, trunk, plan.rounds),
            *(other.result() for other in others),
        ]
    best = reduce(lambda one, other: combined(space, one, other), [end.best for end in ends])
    return tightened(space, best), min(end.number for end in ends)


def annealed_until(
    annealing: AnnealingRun, stage: AnnealingStage, end: int, way: int = 0
) -> AnnealingStage:
    """Anneal from a stage until the round ``end``.

    Parameters
    ----------
    way : each takes its own way; the first one reports
    """
    space, run, plan = annealing.space, annealing.run, annealing.plan
    rounds = plan.rounds
    assignment, best, number = stage
    least = best.total(space)
    draws = way * rounds
    trees = planted(space, annealing.problem, run, draws + number) if number < end else []
    share = annealing.share(number)
    while share < end / rounds and not (
        run.deadline.passed or least <= 0.0 or annealing.over.is_set()
    ):
        groups = joined([tree.result() for tree in trees])
        trees = (
            planted(space, annealing.problem, run, draws + number + 1) if number + 1 < end else []
        )
        hot, cool = map(plan.schedule.temperature, (share, min(share + 1 / rounds, 1.0)))
        limit = StepLimit(plan.work, annealing.scale * hot, annealing.scale * cool)
        word = run.words(PURPOSE, draws + number, 1)[0]
        assignment = anneal_once(
            space, annealing.problem, annealing.inside, assignment, groups, limit, word
        )
        number += 1
        share = annealing.share(number)
        if (total := assignment.total(space)) < least:
            best, least = assignment, total
        if way == 0:
            run.progress(share, best_stage(f"round {number}", "loss", least, run.known_bound))
    return AnnealingStage(assignment, best, number)


def anneal_once(  # noqa: PLR0913, PLR0917 - what a round depends on
    space: LocalSpace,
    problem: AnnealingProblem,
    inside: Codes,
    assignment: Assignment,
    groups: PeeledGroups,
    limit: StepLimit,
    word: np.uint64,
) -> Assignment:
    """Do one round, and join the classes with equal cells.

    Parameters
    ----------
    problem : of the items ``inside``, which are those in a class
    groups : of these items, numbered as they are in ``problem``
    """
    most = min(int(problem.weights.sum()) // problem.least, len(inside))
    assigned = lay_out(
        problem,
        assignment.labels[inside],
        assignment.nodes,
        assignment.losses(space),
        max(most, assignment.n_classes) + SPARE_CLASSES,
    )
    anneal(problem, assigned, groups, limit.work, limit.warm, limit.cool, word)
    labels = np.full(space.n_items, OUTSIDE, np.int32)
    outside = len(assigned.heads) - 1
    labels[inside] = np.where(assigned.labels == outside, OUTSIDE, assigned.labels)
    return settled(space, Assignment(labels, assigned.levels))


def planted(
    space: LocalSpace, problem: AnnealingProblem, run: LocalSearchRun, number: int
) -> list[Future[PeeledGroups]]:
    """Begin to grow the trees of a round over the distinct tuples of a problem."""
    present = np.flatnonzero(np.diff(problem.starts))
    begins = problem.starts[present]
    tuples = space.items._replace(
        codes=np.ascontiguousarray(problem.codes[problem.residents[begins]]),
        weights=np.add.reduceat(problem.weights[problem.residents], begins),
    )
    everything = np.arange(len(present), dtype=np.int32)

    def grow(word: np.uint64) -> PeeledGroups:
        looks = 1 + int(word) % TREE_LOOKS
        tree = grow_tree(tuples, everything, problem.least, looks, space.price, word)
        return of_items(tree, problem, present)

    return [run.pool.submit(grow, word) for word in run.words(TREES_OF_ROUNDS, number, TREES)]


def of_items(groups: PeeledGroups, problem: AnnealingProblem, present: Ints) -> PeeledGroups:
    """Return groups of tuples as groups of the items of these tuples.

    Parameters
    ----------
    groups : of one tree, whose members number the tuples of ``present``
    """
    tuples = present[groups.members]
    begins = problem.starts[tuples]
    counts = problem.starts[tuples + 1] - begins
    ends = np.cumsum(counts)
    shifts: Ints = np.repeat(begins - ends + counts, counts)
    places: Ints = np.arange(len(shifts), dtype=np.int64) + shifts
    bounds = np.concatenate([[0], ends])
    starts = bounds[groups.starts]
    return groups._replace(
        members=problem.residents[places],
        starts=starts,
        sizes=bounds[groups.starts + groups.sizes] - starts,
    )


def whole_problem(space: LocalSpace, similar: Similar) -> AnnealingProblem:
    """Lay out all items of a space for the compiled loops."""
    items = space.items
    widths = widths_of(space)
    paths, fields = paths_of(items, widths)
    paid, rows = paid_by_value(items, widths)
    everything = np.arange(space.n_items, dtype=np.int32)
    empty = AnnealingProblem(
        items.codes,
        items.weights,
        paid,
        rows,
        paths,
        fields,
        space.tuples,
        everything,
        np.zeros(0, np.int64),
        similar.tuples,
        similar.shared,
        space.least,
        penalties_of(space),
        0.0,
        space.price,
        space.problem.budget,
    )
    return partial_problem(space, empty, similar, everything)


def partial_problem(
    space: LocalSpace, whole: AnnealingProblem, similar: Similar, items: Codes
) -> AnnealingProblem:
    """Return the problem of some items, which are numbered anew in the order given."""
    tuples = similar.places[space.tuples[items]]
    counts = np.bincount(tuples, minlength=len(similar.places))
    return whole._replace(
        codes=np.ascontiguousarray(space.items.codes[items]),
        rows=whole.rows[items],
        paths=whole.paths[items],
        weights=np.ascontiguousarray(space.items.weights[items]),
        penalties=whole.penalties._replace(places=whole.penalties.places[items]),
        tuples=tuples,
        residents=np.argsort(tuples, kind="stable").astype(np.int32),
        starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
    )


def similar_tuples(
    space: LocalSpace, run: LocalSearchRun, search: SimilarSearch | None = None
) -> Similar:
    """List for each tuple some that cost little together with it: (n_tuples, n_similar).

    Random trees bring the tuples in orders in which similar ones stand near each other.

    Parameters
    ----------
    space : whose items are the distinct tuples
    search : None for the usual one of a short search
    """
    everything = np.arange(space.n_items, dtype=np.int32)
    search = search or (SIMILAR if space.n_items <= MANY_TUPLES else SIMILAR_OF_MANY)

    def order(word: np.uint64) -> Codes:
        return grow_tree(space.items, everything, 2, 2, space.price, word).members

    words = run.words(ORDERING, 0, search.orders + 1)
    orders = np.stack(list(run.pool.map(order, words[1:])))
    places = np.empty(space.n_items, np.int32)
    places[orders[0]] = everything
    whole = whole_problem(
        space, Similar(everything, everything[:, None], np.zeros((len(places), 1)))
    )
    most = max(MOST_LISTED // space.n_items, LEAST_SIMILAR)
    n_similar = min(search.n_similar, space.n_items, most)
    found, shared = find_similar(whole, orders, search.reach, n_similar, words[0])
    found = places[found[orders[0]]]
    return Similar(places, found, shared[orders[0]])
