"""What an opening does for the classes that it leaves too small: fill them up, or give them up.

A class is filled up with similar records that other classes can spare. Each item of a class that is
given up goes where it costs least.
"""

# Single numbers out of arrays stand for int and float here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from indistinct.core.arrays import Words
from indistinct.core.compiling import compiled_copy, compiled_part
from indistinct.search.local.annealing_journal_kernels import (
    BROKEN,
    GIVEN_UP,
    N_HOMELESS,
    N_TOUCHED,
    STAMP,
    WORK,
    Journal,
    note_move,
    touch,
)
from indistinct.search.local.annealing_move_kernels import REFUSED, Yard
from indistinct.search.local.annealing_state_kernels import (
    NOBODY,
    Land,
    Standing,
    attach,
    detach,
    draw_below,
    draw_unit,
    fold,
    settle,
    similar_item,
    widen,
)

FILLED = 0.5  # share of the classes lacking few records that are filled up
MOST_MISSING = 3  # records that a class which is filled up may lack
SHAKEN = 0.95  # of the order of similar tuples


@compiled_part
def mend_all(
    land: Land,
    standing: Standing,
    yard: Yard,
    journal: Journal,
    state: Words,
    rise: float,
    limit: float,
    small: int,
) -> float:
    """Fill up some of the classes that are too small now, and give up the others."""
    for place in range(journal.tally[N_TOUCHED]):
        index = journal.touched[place]
        if journal.leaving[index] != BROKEN:
            continue
        if land.least - standing.sizes[index] <= MOST_MISSING and draw_unit(state) < FILLED:
            rise += fill_up(land, standing, yard, journal, state, index, limit - rise, small)
            if rise >= limit:
                break
        else:
            journal.leaving[index] = GIVEN_UP
            item = standing.heads[index]
            while item >= 0:
                journal.homeless[journal.tally[N_HOMELESS]] = item
                journal.tally[N_HOMELESS] += 1
                item = standing.nexts[item]
    return rise


@compiled_part
def fill_up(
    land: Land,
    standing: Standing,
    yard: Yard,
    journal: Journal,
    state: Words,
    index: int,
    limit: float,
    small: int,
) -> float:
    """Fill up a class with records that other classes can spare; give the rise."""
    loss = fold(land, standing, index, NOBODY, NOBODY, yard.one)
    settle(standing, index, yard.one, loss)
    journal.leaving[index] = 0
    rise = standing.sizes[index] * loss
    while standing.sizes[index] < land.least and rise < limit:
        item = best_guest(land, standing, yard, journal, state, index, limit - rise)
        if item < 0:
            return REFUSED
        source = standing.labels[item]
        touch(standing, journal, source)
        rise -= standing.sizes[index] * standing.losses[index]
        rise -= standing.sizes[source] * standing.losses[source]
        loss = widen(land, standing.heads[index], standing.rungs[index], item, yard.one)
        settle(standing, index, yard.one, loss)
        note_move(journal, item, source)
        detach(standing, land.weights, item)
        attach(standing, land.weights, item, index)
        # Its old class may fit the other members more closely without this record. A large class is
        # left as it is, since to look through it takes longer than this is worth.
        if standing.counts[source] <= small:
            loss = fold(land, standing, source, NOBODY, NOBODY, yard.one)
            settle(standing, source, yard.one, loss)
        rise += standing.sizes[index] * standing.losses[index]
        rise += standing.sizes[source] * standing.losses[source]
    return rise


@compiled_copy
def best_guest(
    land: Land,
    standing: Standing,
    yard: Yard,
    journal: Journal,
    state: Words,
    index: int,
    limit: float,
) -> int:
    """Find the item that a class gains most cheaply, similar to a member that is drawn.

    NOBODY where it costs ``limit`` or more.
    """
    member = standing.heads[index]
    for _ in range(draw_below(state, standing.counts[index])):
        member = standing.nexts[member]
    size = standing.sizes[index]
    best = NOBODY
    cheapest = limit
    n_similar = land.similar.shape[1]
    journal.tally[WORK] += n_similar
    for place in range(n_similar):
        item = similar_item(land, state, member, place)
        if item < 0:
            continue
        source = standing.labels[item]
        weight = land.weights[item]
        if source == index or standing.sizes[source] - weight < land.least:
            continue
        worth = size * standing.losses[index] + weight * standing.losses[source]
        # With the item, a record of the class loses at least what it loses now, and at least what
        # the item shares with the member. This bound takes no comparison of cells.
        shared = max(land.shared[land.tuples[member], place], standing.losses[index])
        if (size + weight) * shared - worth >= cheapest:
            continue
        loss = widen(land, member, standing.rungs[index], item, yard.other)
        rise = (size + weight) * loss - worth
        if rise < cheapest:
            cheapest = rise
            best = item
    return best


@compiled_part
def house_all(
    land: Land,
    standing: Standing,
    yard: Yard,
    journal: Journal,
    state: Words,
    number: int,
    rise: float,
    limit: float,
) -> float:
    """House each homeless item where it costs least, until the rise reaches ``limit``."""
    for place in range(journal.tally[N_HOMELESS]):
        item = journal.homeless[place]
        home, rent = best_home(land, standing, yard, journal, state, item, number, limit - rise)
        if home < 0:
            return REFUSED
        rise += rent
        touch(standing, journal, home)
        loss = widen(land, standing.heads[home], standing.rungs[home], item, yard.one)
        settle(standing, home, yard.one, loss)
        note_move(journal, item, standing.labels[item])
        detach(standing, land.weights, item)
        attach(standing, land.weights, item, home)
    return rise


@compiled_copy
def best_home(
    land: Land,
    standing: Standing,
    yard: Yard,
    journal: Journal,
    state: Words,
    item: int,
    number: int,
    limit: float,
) -> tuple[int, float]:
    """Find the class that an item costs least in: the new one, or that of a similar item.

    NOBODY where it costs ``limit`` or more in all of them.
    """
    weight = land.weights[item]
    best = NOBODY
    least = limit
    own = land.tuples[item]
    n_similar = land.similar.shape[1]
    journal.tally[WORK] += n_similar
    for place in range(-1, n_similar):
        index = number
        shared = 0.0
        if place >= 0:
            shared = land.shared[own, place]
            # The list is in the order of these costs, each of which was shaken by up to a
            # twentieth: no class that follows is cheaper by more than that.
            if weight * shared * SHAKEN >= least:
                break
            other = similar_item(land, state, item, place)
            if other < 0:
                continue
            index = standing.labels[other]
        shared = max(shared, standing.losses[index])
        bound = (standing.sizes[index] + weight) * shared
        if bound - standing.sizes[index] * standing.losses[index] >= least:
            continue
        is_touched = journal.stamps[index] == journal.tally[STAMP]
        if is_touched and journal.leaving[index] == GIVEN_UP:
            continue
        if index == best:
            continue
        loss = widen(land, standing.heads[index], standing.rungs[index], item, yard.one)
        rise = (standing.sizes[index] + weight) * loss
        rise -= standing.sizes[index] * standing.losses[index]
        if rise < least:
            least = rise
            best = index
    return best, least
