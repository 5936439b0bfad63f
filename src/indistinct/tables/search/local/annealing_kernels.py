"""The compiled loops of annealing: the annealing itself, and which tuples are similar."""

# Single numbers out of arrays stand for int and float here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Codes, Floats
from indistinct.base.compiled.compiling import compiled, compiled_part
from indistinct.tables.search.local.annealing_move_kernels import (
    exchange,
    merge,
    rebuild,
    split,
    trade,
)
from indistinct.tables.search.local.annealing_opening_kernels import open_group
from indistinct.tables.search.local.annealing_state_kernels import (
    NOBODY,
    AnnealingAssignment,
    AnnealingProblem,
    draw_below,
    draw_unit,
    level_of,
    neighbor,
    outside_of,
)
from indistinct.tables.search.local.annealing_undo_kernels import (
    MOST_ITEMS_REBUILT,
    MOST_REBUILT,
    REFUSED,
    WORK,
    MoveContext,
    empty_buffer,
    empty_undo_log,
)
from indistinct.tables.search.local.peel_kernels import PeeledGroups

OPENED = 0.25  # share of the moves that open a group
SUPPRESSED = 0.003  # share of the moves, with demands, that suppress an item
FAR = 0.1  # share of the moves, with demands, that may be made between any two items
MERGED = 0.3  # share of the moves, with demands, that make one class of two
SPLIT = 0.5  # share of the moves, with demands, between two items of a class that split it
REBUILT = 0.05  # share of the other moves that build a few classes anew
STEP_WORK = 12  # items looked at by a small move, about
WINDOW = 2048  # items that stand near each other, among which moves are made for a while
STAY = 2048  # moves made there
SMALL_CLASS = 24  # items at least up to which a class is looked at as a whole
LARGEST_GROUP = 600  # items at least up to which a group may be opened


@compiled
def anneal(
    problem: AnnealingProblem,
    assigned: AnnealingAssignment,
    groups: PeeledGroups,
    work: int,
    warm: float,
    cool: float,
    seed: np.uint64,
) -> float:
    """Make random moves, and those that raise the loss the more rarely the more they do.

    Parameters
    ----------
    assigned : changed here
    groups : that may be opened
    work : items to look at, about
    warm, cool : temperature at the beginning and at the end, in records' worth of loss: a move
        that raises the loss by as much is made once in e times
    seed : of the draws

    Returns
    -------
    rise of the loss, in records' worth
    """
    n_items, n_columns = problem.codes.shape
    small = max(SMALL_CLASS, 3 * problem.least)
    buffer = empty_buffer(n_columns, max(MOST_REBUILT * small, LARGEST_GROUP))
    undo_log = empty_undo_log(n_columns, n_items, len(assigned.heads))
    state = np.empty(1, np.uint64)
    state[0] = seed
    context = MoveContext(problem, assigned, buffer, undo_log, groups, state, np.int64(small))
    return make_moves(context, work, warm, cool)


@compiled_part
def make_moves(context: MoveContext, work: int, warm: float, cool: float) -> float:
    """Make the moves of :func:`anneal`."""
    problem, assigned, groups = context.problem, context.assigned, context.groups
    undo_log, state, small = context.undo_log, context.state, context.small
    outside = outside_of(assigned)
    has_penalties = len(problem.penalties.kinds) > 0
    largest = max(LARGEST_GROUP, 4 * problem.least)
    n_items = len(problem.weights)
    n_groups = len(groups.sizes)
    item_window = min(WINDOW, n_items)
    group_window = min(max(WINDOW * n_groups // n_items, 1), n_groups)
    first_item = draw_below(state, n_items)
    first_group = draw_below(state, max(n_groups, 1))
    total = 0.0
    done = np.int64(0)
    while done + undo_log.tally[WORK] < work:
        share = (done + undo_log.tally[WORK]) / work
        # The temperature falls by the same factor with each item that is looked at. Moves stay near
        # each other for a while, because what they read is then in the processor's cache.
        temperature = warm * (cool / warm) ** share
        first_item = (first_item + item_window) % n_items
        first_group = (first_group + group_window) % max(n_groups, 1)
        for _ in range(STAY):
            # To make a move that raises the loss by r with probability exp(-r / temperature) is to
            # make it if r < -temperature * ln(u) for a uniform u. Because u is drawn first, a move
            # can be given up as soon as its rise is known to be larger.
            limit = -temperature * np.log(draw_unit(state))
            done += STEP_WORK
            rise = REFUSED
            if n_groups > 0 and draw_unit(state) < OPENED:
                group = (first_group + draw_below(state, group_window)) % n_groups
                if groups.sizes[group] <= largest:
                    rise = open_group(context, group, limit)
            else:
                item = (first_item + draw_below(state, item_window)) % n_items
                if has_penalties and draw_unit(state) < SUPPRESSED:
                    if assigned.labels[item] != outside:
                        rise = trade(context, item, NOBODY, outside, limit)
                        if rise < REFUSED:
                            total += rise
                    continue
                if has_penalties and draw_unit(state) < FAR:
                    near = draw_below(state, n_items)
                else:
                    near = neighbor(problem, state, item)
                if near < 0 or assigned.labels[near] == assigned.labels[item]:
                    if has_penalties and draw_unit(state) < SPLIT:
                        done += assigned.counts[assigned.labels[item]]
                        rise = split(context, item, limit)
                        if rise < REFUSED:
                            total += rise
                    continue
                kind = draw_unit(state)
                if has_penalties and kind > 1.0 - MERGED:
                    rise = merge(context, item, near, limit)
                elif kind < REBUILT:
                    done += min(MOST_REBUILT * small, MOST_ITEMS_REBUILT)
                    rise = rebuild(context, item, near, limit)
                else:
                    rise = exchange(context, item, near, limit)
            if rise < REFUSED:
                total += rise
    return total


@compiled
def find_similar(
    problem: AnnealingProblem, orders: Codes, reach: int, n_similar: int, seed: np.uint64
) -> tuple[Codes, Floats]:
    """List for each tuple those that cost least together with it: (n_tuples, n_similar).

    Only tuples that stand near each other in one of the orders are compared. Costs are shaken a
    little, since many are equal. A list that is too short is filled with the tuple itself.

    Parameters
    ----------
    problem : whose items are the tuples
    orders : (n_orders, n_tuples), in which similar tuples stand near each other
    reach : how far apart in an order tuples are compared
    """
    n_orders, n_tuples = orders.shape
    found = np.empty((n_tuples, n_similar), np.int32)
    costs = np.empty(n_similar, np.float64)
    shared = np.zeros((n_tuples, n_similar), np.float64)
    places = np.empty((n_orders, n_tuples), np.int32)
    for order in range(n_orders):
        for place in range(n_tuples):
            places[order, orders[order, place]] = place
    seen = np.full(n_tuples, -1, np.int32)
    state = np.empty(1, np.uint64)
    state[0] = seed
    for one in range(n_tuples):
        found[one, 0] = one
        costs[0] = -1.0  # less than any cost, so that no insertion passes the item itself
        seen[one] = one
        filled = 1
        for order in range(n_orders):
            middle = places[order, one]
            for place in range(max(0, middle - reach), min(n_tuples, middle + reach + 1)):
                other = orders[order, place]
                if seen[other] == one:
                    continue
                seen[other] = one
                limit = costs[n_similar - 1] if filled == n_similar else REFUSED
                cost = pair_cost(problem, one, other, limit)
                cost *= 1.0 + 0.05 * draw_unit(state)
                if cost >= limit:
                    continue
                slot = min(filled, n_similar - 1)
                filled = slot + 1 if filled < n_similar else filled
                while costs[slot - 1] > cost:
                    costs[slot] = costs[slot - 1]
                    found[one, slot] = found[one, slot - 1]
                    slot -= 1
                costs[slot] = cost
                found[one, slot] = other
        for slot in range(filled, n_similar):
            found[one, slot] = one
        for slot in range(1, filled):
            shared[one, slot] = pair_cost(problem, one, found[one, slot], REFUSED)
    return found, shared


@compiled_part
def pair_cost(problem: AnnealingProblem, one: int, other: int, limit: float) -> float:
    """Return what a record pays in the cells that two items share, or more than ``limit``."""
    cost = 0.0
    for column in range(problem.codes.shape[1]):
        word = problem.fields.words[column]
        difference = problem.paths[one, word] ^ problem.paths[other, word]
        cost += problem.paid[
            problem.rows[one, column] + level_of(problem.fields, column, difference)
        ]
        if cost > limit:
            break
    return cost
