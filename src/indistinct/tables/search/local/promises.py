"""Classes that keep promises beside their size: anneal with a price for what is still missed.

A search that keeps every class feasible from the beginning on makes large classes early and never
parts them again. Here the classes begin as k-anonymity alone has them. What they miss of the other
promises has a price, which rises from round to round while the temperature falls; at last nothing
may be missed. Records may be suppressed on the way, as far as the policy allows.

Some models have no price. Under these, classes begin as the models allow, and of the changes of a
round those independent parts are kept that gain and break nothing.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Codes
from indistinct.base.compiled.kernels import group_rows
from indistinct.tables.search.local.annealing import (
    PURPOSE,
    SIMILAR_OF_LONGEST,
    StepLimit,
    anneal_once,
    partial_problem,
    planted,
    similar_tuples,
    whole_problem,
)
from indistinct.tables.search.local.annealing_plans import TemperatureSchedule
from indistinct.tables.search.local.annealing_state_kernels import AnnealingProblem
from indistinct.tables.search.local.construct import better
from indistinct.tables.search.local.forest import ClusterTrees, forest_peel, joined
from indistinct.tables.search.local.local_space import Assignment, LocalSpace, without
from indistinct.tables.search.local.merge_into import merge_into
from indistinct.tables.search.local.parts import combined, tightened
from indistinct.tables.search.local.penalty_layout import has_price, priced
from indistinct.tables.search.local.run import LocalSearchRun
from indistinct.tables.search.progress import best_stage

ROUNDS = 30  # of the whole search, at least
MOST_WORK = 10_000_000  # items to look at in a round
COOLING = TemperatureSchedule(0.15, 0.002)  # in records' worth of loss
FIRST_PRICE, LAST_PRICE = 2.0, 20.0  # of a record that is missed, in suppressed records
ROUNDS_SHARE = 0.85  # of the time left, where it is limited: the rest is for the end
POLISHED = 3  # rounds after the last, in which nothing may be missed any more
FORBIDDING = 1e6
MOST_CELLS = 50_000_000  # counts of all classes in all bins
LOOKS_IN_PARTS = 4  # at each item, in a round of which parts are kept
HEAT_IN_PARTS = 0.02  # its temperature, in suppressed records


class KeptPromises(NamedTuple):
    """What a search under promises found.

    Parameters
    ----------
    assignment : the classes that keep all
    rounds : that were done
    of_size : the classes of size alone that it began with
    """

    assignment: Assignment
    rounds: int
    of_size: Assignment


@dataclass(frozen=True, slots=True)
class PromiseRun:
    """What stays the same during a search under promises.

    Parameters
    ----------
    space : whose items are the records
    problem : of these in the order of ``items``
    work : items to look at in a round, about
    """

    space: LocalSpace
    problem: AnnealingProblem
    items: Codes
    run: LocalSearchRun
    work: int

    def round(self, state: Assignment, number: int, price: float, step: StepLimit) -> Assignment:
        """Do one round at a price."""
        problem = self.problem._replace(price=price * self.space.price)
        groups = joined([tree.result() for tree in planted(self.space, problem, self.run, number)])
        word = self.run.words(PURPOSE, number, 1)[0]
        return anneal_once(self.space, problem, self.items, state, groups, step, word)


def can_price(space: LocalSpace) -> bool:
    """Return whether every model beside the demand for size has a price, and counts find room."""
    if space.sized or not has_price(space):
        return False
    n_classes = space.problem.table.n_records // space.least
    return n_classes * sum(penalty.n_bins for penalty in priced(space)) <= MOST_CELLS


def kept_promises(
    space: LocalSpace, forest: ClusterTrees, work: int, rounds: int | None, run: LocalSearchRun
) -> KeptPromises:
    """Anneal from the classes of size alone.

    Too many records may be outside, where the repair of the last classes finds no other way.

    Parameters
    ----------
    space : whose items are the records
    work : items to look at in the whole search, about
    rounds : None for as many as are usual
    """
    groups, tuples = distinct_tuples(space)
    everything = np.arange(tuples.n_items, dtype=np.int32)
    peeled = merge_into(tuples, forest_peel(tuples, everything, forest, run))
    of_size = Assignment(peeled.labels[groups], peeled.nodes)
    state = of_size
    usual = max(ROUNDS, work // MOST_WORK)
    n_rounds = usual if rounds is None else rounds
    search = promise_run(space, groups, tuples, run, max(work // usual, 1))
    done, share = 0, 0.0
    begun = time.monotonic()
    while share < 1.0 and n_rounds and state.n_classes:
        after = min(share + 1 / n_rounds, 1.0)
        price = FIRST_PRICE * (LAST_PRICE / FIRST_PRICE) ** after
        temperature = StepLimit(
            search.work, *(COOLING.temperature(one) * space.price for one in (share, after))
        )
        state = search.round(state, done, price, temperature)
        done += 1
        share = max(done / n_rounds, run.time_share(begun, ROUNDS_SHARE))
        # These classes need not keep the promise before they are repaired.
        run.progress(0.9 * share, best_stage(f"round {done}", "loss", None, None))
    return KeptPromises(polished(search, repaired(space, state), done), done, of_size)


def annealed_in_parts(
    space: LocalSpace, state: Assignment, rounds: int, run: LocalSearchRun
) -> tuple[Assignment, int]:
    """Anneal, and keep of each round the parts that gain and break no model; count the rounds, too.

    Parameters
    ----------
    state : whose classes satisfy the models
    """
    work = LOOKS_IN_PARTS * space.n_items
    search = promise_run(space, *distinct_tuples(space), run, work)
    step = StepLimit(work, *(HEAT_IN_PARTS * space.price for _ in range(2)))
    for number in range(rounds):
        if run.deadline.passed:
            return state, number
        changed = tightened(space, search.round(state, number, FORBIDDING, step))
        state = combined(space, state, changed)
        told = best_stage(f"round {number + 1}", "loss", state.total(space), run.known_bound)
        run.progress((number + 1) / rounds, told)
    return state, rounds


def promise_run(
    space: LocalSpace, groups: Codes, tuples: LocalSpace, run: LocalSearchRun, work: int
) -> PromiseRun:
    """Lay out all items of a space for rounds of so much work.

    Parameters
    ----------
    groups, tuples : as :func:`distinct_tuples` gives them
    """
    # Partners that complete a class are further off than those that only make it cheaper.
    similar = similar_tuples(tuples, run, SIMILAR_OF_LONGEST)
    by_tuple = replace(space, tuples=groups)
    items = np.argsort(similar.places[groups], kind="stable").astype(np.int32)
    problem = partial_problem(by_tuple, whole_problem(by_tuple, similar), similar, items)
    return PromiseRun(space, problem, items, run, work)


def distinct_tuples(space: LocalSpace) -> tuple[Codes, LocalSpace]:
    """Return the distinct tuple of each item, and the space of these under size alone."""
    groups, first, _ = group_rows(np.ascontiguousarray(space.items.codes))
    weights = np.bincount(groups, space.items.weights, len(first)).astype(np.int64)
    codes = np.ascontiguousarray(space.items.codes[first])
    numbers = np.arange(len(first), dtype=np.int32)
    return groups, replace(
        space,
        items=space.items._replace(codes=codes, weights=weights),
        tuples=numbers,
        values={},
        sized=True,
        hereditary=True,
        additive=True,
        people=None,
    )


def repaired(space: LocalSpace, state: Assignment) -> Assignment:
    """Dissolve the classes that fail a model, and let their records join others."""
    if state.n_classes == 0:
        return state
    state = tightened(space, state)
    return merge_into(space, without(state, ~space.judge(*state.members())))


def polished(search: PromiseRun, state: Assignment, number: int) -> Assignment:
    """Gain what can be gained without missing anything."""
    space = search.space
    if state.n_classes == 0:
        return state
    best = state
    for extra in range(POLISHED):
        if search.run.deadline.passed:
            break
        cold = StepLimit(search.work, *(COOLING.cool * space.price for _ in range(2)))
        state = search.round(state, number + extra, FORBIDDING, cold)
    return better(space, best, repaired(space, state))
