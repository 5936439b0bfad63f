"""Simulated annealing of an assignment: the longest search, for models of size alone.

Small moves change a few classes each. A move that raises the loss is made too, the more rarely the
more it raises it and the later it comes. The last part of a search is done in two ways at once,
which part by part give the better of two assignments. The result depends on the seed alone.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import reduce
from threading import Event
from typing import NamedTuple

import numpy as np

from indistinct.core.arrays import Codes, Floats
from indistinct.search.local.annealing_kernels import anneal, find_similar
from indistinct.search.local.annealing_state_kernels import AnnealingProblem, lay_out
from indistinct.search.local.demand_layout import demands_of
from indistinct.search.local.forest import joined
from indistinct.search.local.local_space import OUTSIDE, Assignment, LocalSpace
from indistinct.search.local.paths import fit_in_words, paid_by_value, paths_of
from indistinct.search.local.peel_kernels import PeeledGroups, grow_tree
from indistinct.search.local.refine import combined, settled
from indistinct.search.local.run import LocalSearchRun, ending
from indistinct.search.progress import so_far

MOST_ROUNDS, LEAST_ROUNDS, ITEMS_PER_ROUND = 150, 10, 200
TREES = 3  # per round
TREE_LOOKS = 3  # columns looked at per split, at most
APART, WAYS = 0.35, 2  # share of the rounds, the last ones, that are annealed_until in several ways
WORK_PER_ITEM = 26_000  # items looked at in a whole search, per item
MOST_WORK = 2_000_000_000
ORDERS, REACH, SIMILAR = 16, 16, 65  # of the lists of similar tuples
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
class TemperatureSchedule:
    """How warm a search is: the temperature at first and at last, over the loss it begins with."""

    warm: float
    cool: float

    def temperature(self, share: float) -> float:
        """Return the temperature after a share of the search, over the loss it begins with."""
        return self.warm * (self.cool / self.warm) ** share


FROM_PEEL = TemperatureSchedule(0.4, 0.02)
# A beginning that is arranged well already would be torn to pieces at a higher temperature.
FROM_RELAXATION = TemperatureSchedule(0.05, 0.02)


@dataclass(frozen=True, slots=True)
class AnnealingRun:
    """What stays the same during a whole search.

    Parameters
    ----------
    problem : of the items ``inside``, which are those in a class
    scale : loss of the first assignment
    rounds : of the whole search
    schedule : from its first round to its last
    over : set where every way has to end
    """

    space: LocalSpace
    problem: AnnealingProblem
    inside: Codes
    scale: float
    run: LocalSearchRun
    rounds: int
    schedule: TemperatureSchedule
    over: Event = field(default_factory=Event)


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


def can_anneal(space: LocalSpace) -> bool:
    """Return whether annealing applies: size alone matters, and a word has room for each path."""
    return space.sized and can_hold(space)


def can_hold(space: LocalSpace) -> bool:
    """Return whether a word has room for each path."""
    return fit_in_words(space.items, widths_of(space))


def widths_of(space: LocalSpace) -> list[int]:
    """Return the number of values of each column."""
    return [len(hierarchy.values) for hierarchy in space.problem.hierarchies]


def rounds_for(n_items: int) -> int:
    """Return the rounds of a whole search."""
    return min(max(n_items // ITEMS_PER_ROUND, LEAST_ROUNDS), MOST_ROUNDS)


def annealed(  # noqa: PLR0913, PLR0917 - what a search depends on
    space: LocalSpace,
    assignment: Assignment,
    similar: Similar,
    run: LocalSearchRun,
    rounds: int,
    schedule: TemperatureSchedule = FROM_PEEL,
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
    annealing = AnnealingRun(space, problem, inside, assignment.total(space), run, rounds, schedule)
    parting = rounds - round(APART * rounds)
    trunk = annealed_until(annealing, AnnealingStage(assignment, assignment, 0), parting)
    if trunk.number < parting or parting == rounds:
        return trunk.best, trunk.number
    # The first way is annealed_until here, where an interruption arrives, which ends the others.
    with ThreadPoolExecutor(max(WAYS - 1, 1)) as pool, ending(annealing.over):
        others = [
            pool.submit(annealed_until, annealing, trunk, rounds, way) for way in range(1, WAYS)
        ]
        ends = [annealed_until(annealing, trunk, rounds), *(other.result() for other in others)]
    best = reduce(lambda one, other: combined(space, one, other), [end.best for end in ends])
    return best, min(end.number for end in ends)


def annealed_until(
    annealing: AnnealingRun, stage: AnnealingStage, end: int, way: int = 0
) -> AnnealingStage:
    """Anneal from a stage until the round ``end``.

    Parameters
    ----------
    way : each takes its own way; the first one reports
    """
    space, run, rounds = annealing.space, annealing.run, annealing.rounds
    work = min(WORK_PER_ITEM * space.n_items, MOST_WORK) // rounds_for(space.n_items)
    assignment, best, number = stage
    least = best.total(space)
    draws = way * rounds
    trees = planted(space, annealing.problem, run, draws + number) if number < end else []
    while number < end and not (run.deadline.passed or least <= 0.0 or annealing.over.is_set()):
        groups = joined([tree.result() for tree in trees])
        trees = (
            planted(space, annealing.problem, run, draws + number + 1) if number + 1 < end else []
        )
        hot, cool = (
            annealing.schedule.temperature(number / rounds),
            annealing.schedule.temperature((number + 1) / rounds),
        )
        limit = StepLimit(work, annealing.scale * hot, annealing.scale * cool)
        word = run.words(PURPOSE, draws + number, 1)[0]
        assignment = anneal_once(
            space, annealing.problem, annealing.inside, assignment, groups, limit, word
        )
        number += 1
        if (total := assignment.total(space)) < least:
            best, least = assignment, total
        if way == 0:
            said = so_far("loss", least, run.known_bound)
            run.progress(number / rounds, f"round {number}; {said}")
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
    assigned = lay_out(
        problem,
        assignment.labels[inside],
        assignment.nodes,
        assignment.losses(space),
        min(int(problem.weights.sum()) // problem.least, len(inside)) + SPARE_CLASSES,
    )
    anneal(problem, assigned, groups, limit.work, limit.warm, limit.cool, word)
    labels = np.full(space.n_items, OUTSIDE, np.int32)
    outside = len(assigned.heads) - 1
    labels[inside] = np.where(assigned.labels == outside, OUTSIDE, assigned.labels)
    return settled(space, Assignment(labels, assigned.levels))


def planted(
    space: LocalSpace, problem: AnnealingProblem, run: LocalSearchRun, number: int
) -> list[Future[PeeledGroups]]:
    """Begin to grow the trees of a round over the items of a problem."""
    items = space.items._replace(codes=problem.codes, weights=problem.weights)
    everything = np.arange(len(problem.weights), dtype=np.int32)
    return [
        run.pool.submit(
            grow_tree,
            items,
            everything,
            problem.least,
            1 + int(word) % TREE_LOOKS,
            space.price,
            word,
        )
        for word in run.words(TREES_OF_ROUNDS, number, TREES)
    ]


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
        demands_of(space),
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
        demands=whole.demands._replace(places=whole.demands.places[items]),
        tuples=tuples,
        residents=np.argsort(tuples, kind="stable").astype(np.int32),
        starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
    )


def similar_tuples(space: LocalSpace, run: LocalSearchRun) -> Similar:
    """List for each tuple some that cost little together with it: (n_tuples, n_similar).

    Random trees bring the tuples in orders in which similar ones stand near each other.

    Parameters
    ----------
    space : whose items are the distinct tuples
    """
    everything = np.arange(space.n_items, dtype=np.int32)

    def order(word: np.uint64) -> Codes:
        return grow_tree(space.items, everything, 2, 2, space.price, word).members

    words = run.words(ORDERING, 0, ORDERS + 1)
    orders = np.stack(list(run.pool.map(order, words[1:])))
    places = np.empty(space.n_items, np.int32)
    places[orders[0]] = everything
    whole = whole_problem(
        space, Similar(everything, everything[:, None], np.zeros((len(places), 1)))
    )
    n_similar = min(SIMILAR, space.n_items, max(MOST_LISTED // space.n_items, LEAST_SIMILAR))
    found, shared = find_similar(whole, orders, REACH, n_similar, words[0])
    found = places[found[orders[0]]]
    return Similar(places, found, shared[orders[0]])
