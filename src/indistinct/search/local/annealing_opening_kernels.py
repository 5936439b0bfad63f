"""The large move of annealing: open a group, and mend what that does to other classes.

A group of a random tree takes the members that pay more than they would in it, and the dearest of
the others where it needs them. Classes that are left with too few records are filled up or given
up. Only then is the whole change weighed, and undone if it costs too much. Unlike a round of
refinement, which opens hundreds of groups at a time and estimates their damage, this tells of every
single group what it is worth.
"""

# Single numbers out of arrays stand for int and float here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from indistinct.core.compiling import compiled_copy, compiled_part
from indistinct.search.local.annealing_journal_kernels import (
    BROKEN,
    GIVEN_UP,
    N_HOMELESS,
    N_MOVED,
    N_TOUCHED,
    REFUSED,
    STAMP,
    WORK,
    MoveContext,
    note_move,
    touch,
    undo,
)
from indistinct.search.local.annealing_state_kernels import (
    NOBODY,
    attach,
    detach,
    draw_below,
    draw_unit,
    fold,
    give_back,
    lack_of,
    outside_of,
    settle,
    similar_item,
    take_spare,
    widen,
)

TIE = 1e-9  # records' worth of loss within which lenders count as equal
FILLED = 0.5  # share of the classes lacking few records that are filled up
MOST_MISSING = 3  # records that a class which is filled up may lack
SHAKEN = 0.95  # of the order of similar tuples


@compiled_part
def open_group(context: MoveContext, group: int, limit: float) -> float:
    """Open a group if, with all that follows, the loss rises by less than ``limit``."""
    land, standing, journal = context.land, context.standing, context.journal
    state = context.state
    journal.tally[N_MOVED] = 0
    journal.tally[N_TOUCHED] = 0
    journal.tally[N_HOMELESS] = 0
    journal.tally[STAMP] += 1
    reserve = 0.1 * max(0, draw_below(state, 5) - 2)  # 0 three times in five
    anger = 0.5 * draw_below(state, 3)
    weight, gain = choose_gainers(context, group, reserve)
    if weight == 0:
        return REFUSED
    if weight < land.least:
        lent = choose_lenders(context, group, anger, land.least - weight)
        if lent <= -REFUSED:
            return REFUSED
        gain += lent
    # What the classes miss now is the most that can be gained beside.
    loose = limit
    for place in range(journal.tally[N_TOUCHED]):
        loose += land.price * journal.lacks[place]
    if gain <= -loose or standing.n_spare[0] == 0:
        return REFUSED
    number = take_spare(standing)
    rise = move_in(context, number)
    if rise < loose:
        rise = mend_all(context, rise, loose)
    if rise < loose:
        rise = house_all(context, number, rise, loose)
    if rise < loose and len(land.demands.kinds) > 0:
        rise += lacks_anew(context, number)
    if rise >= limit:
        undo(land, standing, journal)
        give_back(standing, number)
        return REFUSED
    for place in range(journal.tally[N_TOUCHED]):
        index = journal.touched[place]
        if standing.counts[index] == 0 and index != outside_of(standing):
            give_back(standing, index)
    return rise


@compiled_part
def lacks_anew(context: MoveContext, number: int) -> float:
    """Measure what the changed classes miss; give what more that costs than before."""
    land, standing, journal = context.land, context.standing, context.journal
    standing.lacks[number] = lack_of(land, standing, number)
    more = standing.lacks[number]
    for place in range(journal.tally[N_TOUCHED]):
        index = journal.touched[place]
        if index == number:
            continue
        standing.lacks[index] = lack_of(land, standing, index)
        more += standing.lacks[index] - journal.lacks[place]
    return land.price * more


@compiled_copy
def choose(context: MoveContext, item: int) -> None:
    """Note that an item joins the group."""
    land, standing, journal = context.land, context.standing, context.journal
    index = standing.labels[item]
    touch(standing, journal, index)
    journal.leaving[index] += land.weights[item]
    journal.chosen[item] = journal.tally[STAMP]
    note_move(journal, item, index)


@compiled_copy
def choose_gainers(context: MoveContext, group: int, reserve: float) -> tuple[int, float]:
    """Choose the members that gain; give their records, and what these gain together.

    A member whose class would be left with too few records must gain more than the share
    ``reserve`` of what it pays.
    """
    land, standing, journal = context.land, context.standing, context.journal
    groups = context.groups
    weight = np.int64(0)
    gain = 0.0
    first = groups.starts[group]
    journal.tally[WORK] += groups.sizes[group]
    for position in range(first, first + groups.sizes[group]):
        item = groups.members[position]
        index = standing.labels[item]
        paid = standing.losses[index]
        own = paid - groups.losses[group]
        if own <= 0.0:
            continue
        breaks = standing.sizes[index] - land.weights[item] < land.least
        if own <= reserve * paid and breaks and index != outside_of(standing):
            continue
        choose(context, item)
        weight += land.weights[item]
        gain += land.weights[item] * own
    return weight, gain


@compiled_part
def choose_lenders(context: MoveContext, group: int, anger: float, needed: int) -> float:
    """Choose members that lose least by joining; give what they gain, -REFUSED for too few.

    A member that breaks its class counts as losing ``anger`` times the loss of the group more.
    Of several that lose as much some are drawn.

    Parameters
    ----------
    needed : records
    """
    land, standing, yard = context.land, context.standing, context.yard
    journal, groups, state = context.journal, context.groups, context.state
    # ``yard`` lists the best members so far, what they gain in falling order. Every item has at
    # least one record, so no more than ``needed`` items can be of use.
    n_listed = 0
    first = groups.starts[group]
    own = groups.losses[group]
    journal.tally[WORK] += groups.sizes[group]
    for position in range(first, first + groups.sizes[group]):
        item = groups.members[position]
        index = standing.labels[item]
        worth = standing.losses[index] - own
        if journal.chosen[item] == journal.tally[STAMP]:
            continue
        # What follows only makes it worth less, so this refuses most members at no cost.
        if n_listed == needed and worth <= yard.losses[needed - 1]:
            continue
        rest = standing.sizes[index]
        if journal.stamps[index] == journal.tally[STAMP]:
            rest -= journal.leaving[index]
        after = rest - land.weights[item]
        if rest >= land.least and 0 < after < land.least and index != outside_of(standing):
            worth -= anger * own
        worth -= TIE * draw_unit(state)
        if n_listed == needed and worth <= yard.losses[needed - 1]:
            continue
        slot = min(n_listed, needed - 1)
        n_listed = slot + 1
        while slot > 0 and yard.losses[slot - 1] < worth:
            yard.losses[slot] = yard.losses[slot - 1]
            yard.items[slot] = yard.items[slot - 1]
            slot -= 1
        yard.losses[slot] = worth
        yard.items[slot] = item
    gain = 0.0
    lent = np.int64(0)
    for slot in range(n_listed):
        if lent >= needed:
            break
        item = yard.items[slot]
        choose(context, item)
        lent += land.weights[item]
        gain += land.weights[item] * (standing.losses[standing.labels[item]] - own)
    return gain if lent >= needed else -REFUSED


@compiled_part
def move_in(context: MoveContext, number: int) -> float:
    """Fill class ``number`` with those chosen; give the rise, with the homeless paying nothing."""
    land, standing, yard = context.land, context.standing, context.yard
    journal, small = context.journal, context.small
    rise = 0.0
    n_touched = journal.tally[N_TOUCHED]
    for place in range(n_touched):
        index = journal.touched[place]
        rise -= standing.sizes[index] * standing.losses[index]
    for place in range(journal.tally[N_MOVED]):
        item = journal.items[place]
        detach(land, standing, item)
        attach(land, standing, item, number)
    loss = fold(land, standing, number, NOBODY, NOBODY, yard.one)
    settle(standing, number, yard.one, loss)
    journal.stamps[number] = journal.tally[STAMP]
    journal.leaving[number] = 0
    rise += standing.sizes[number] * loss
    # A class that lost members may fit the others more closely now. Only small classes are fitted
    # again: a large one seldom loses its last member of a kind, and takes long to look through.
    for place in range(n_touched):
        index = journal.touched[place]
        if index == outside_of(standing):
            rise += standing.sizes[index] * standing.losses[index]
        elif standing.counts[index] == 0:
            journal.leaving[index] = GIVEN_UP
        elif standing.sizes[index] >= land.least:
            if standing.counts[index] <= small:
                loss = fold(land, standing, index, NOBODY, NOBODY, yard.one)
                settle(standing, index, yard.one, loss)
            rise += standing.sizes[index] * standing.losses[index]
        else:
            journal.leaving[index] = BROKEN
    return rise


@compiled_part
def mend_all(context: MoveContext, rise: float, limit: float) -> float:
    """Fill up some of the classes that are too small now, and give up the others."""
    land, standing, journal = context.land, context.standing, context.journal
    state = context.state
    for place in range(journal.tally[N_TOUCHED]):
        index = journal.touched[place]
        if journal.leaving[index] != BROKEN:
            continue
        if land.least - standing.sizes[index] <= MOST_MISSING and draw_unit(state) < FILLED:
            rise += fill_up(context, index, limit - rise)
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
def fill_up(context: MoveContext, index: int, limit: float) -> float:
    """Fill up a class with records that other classes can spare; give the rise."""
    land, standing, yard = context.land, context.standing, context.yard
    journal, small = context.journal, context.small
    loss = fold(land, standing, index, NOBODY, NOBODY, yard.one)
    settle(standing, index, yard.one, loss)
    journal.leaving[index] = 0
    rise = standing.sizes[index] * loss
    while standing.sizes[index] < land.least and rise < limit:
        item = best_guest(context, index, limit - rise)
        if item < 0:
            return REFUSED
        source = standing.labels[item]
        touch(standing, journal, source)
        rise -= standing.sizes[index] * standing.losses[index]
        rise -= standing.sizes[source] * standing.losses[source]
        loss = widen(land, standing.heads[index], standing.rungs[index], item, yard.one)
        settle(standing, index, yard.one, loss)
        note_move(journal, item, source)
        detach(land, standing, item)
        attach(land, standing, item, index)
        # Its old class may fit the other members more closely without this record. A large class is
        # left as it is, since to look through it takes longer than this is worth.
        if standing.counts[source] <= small:
            loss = fold(land, standing, source, NOBODY, NOBODY, yard.one)
            settle(standing, source, yard.one, loss)
        rise += standing.sizes[index] * standing.losses[index]
        rise += standing.sizes[source] * standing.losses[source]
    return rise


@compiled_copy
def best_guest(context: MoveContext, index: int, limit: float) -> int:
    """Find the item that a class gains most cheaply, similar to a member that is drawn.

    NOBODY where it costs ``limit`` or more.
    """
    land, standing, yard = context.land, context.standing, context.yard
    journal, state = context.journal, context.state
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
        if source in (index, outside_of(standing)):
            continue
        if standing.sizes[source] - weight < land.least:
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
def house_all(context: MoveContext, number: int, rise: float, limit: float) -> float:
    """House each homeless item where it costs least, until the rise reaches ``limit``."""
    land, standing, yard = context.land, context.standing, context.yard
    journal = context.journal
    for place in range(journal.tally[N_HOMELESS]):
        item = journal.homeless[place]
        home, rent = best_home(context, item, number, limit - rise)
        if home < 0:
            return REFUSED
        rise += rent
        touch(standing, journal, home)
        loss = widen(land, standing.heads[home], standing.rungs[home], item, yard.one)
        settle(standing, home, yard.one, loss)
        note_move(journal, item, standing.labels[item])
        detach(land, standing, item)
        attach(land, standing, item, home)
    return rise


@compiled_copy
def best_home(context: MoveContext, item: int, number: int, limit: float) -> tuple[int, float]:
    """Find the class that an item costs least in: the new one, or that of a similar item.

    NOBODY where it costs ``limit`` or more in all of them.
    """
    land, standing, yard = context.land, context.standing, context.yard
    journal, state = context.journal, context.state
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
        if index in (best, outside_of(standing)):
            continue
        loss = widen(land, standing.heads[index], standing.rungs[index], item, yard.one)
        rise = (standing.sizes[index] + weight) * loss
        rise -= standing.sizes[index] * standing.losses[index]
        if rise < least:
            least = rise
            best = index
    return best, least
