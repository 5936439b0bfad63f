"""The large move of annealing: open a group, and mend what that does to other classes.

A group of a random tree takes the members that pay more than they would in it, and the dearest of
the others where it needs them. Classes that are left with too few records are filled up or given
up. Only then is the whole change weighed, and undone if it costs too much.
"""

# Single numbers out of arrays stand for int and float here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from indistinct.base.compiled.compiling import compiled_part
from indistinct.tables.search.local.annealing_state_kernels import (
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
from indistinct.tables.search.local.annealing_undo_kernels import (
    BROKEN,
    GIVEN_UP,
    N_HOMELESS,
    N_MOVED,
    N_TOUCHED,
    REFUSED,
    STAMP,
    STEP_SHIFTS,
    WORK,
    MoveContext,
    count_class,
    note_move,
    touch,
    undo,
)

TIE = 1e-9  # records' worth of loss within which lenders count as equal
FILLED = 0.5  # share of the classes lacking few records that are filled up
MOST_MISSING = 3  # records that a class which is filled up may lack
SHAKEN = 0.95  # of the order of similar tuples


@compiled_part
def open_group(context: MoveContext, group: int, limit: float) -> float:
    """Open a group if, with all that follows, the loss rises by less than ``limit``."""
    problem, assigned, undo_log = context.problem, context.assigned, context.undo_log
    state = context.state
    undo_log.tally[N_MOVED] = 0
    undo_log.tally[N_TOUCHED] = 0
    undo_log.tally[N_HOMELESS] = 0
    undo_log.tally[STAMP] += 1
    reserve = 0.1 * max(0, draw_below(state, 5) - 2)  # 0 three times in five
    anger = 0.5 * draw_below(state, 3)
    weight, gain = choose_gainers(context, group, reserve)
    if weight == 0:
        return REFUSED
    if weight < problem.least:
        lent = choose_lenders(context, group, anger, problem.least - weight)
        if lent <= -REFUSED:
            return REFUSED
        gain += lent
    # What the classes miss now is the most that can be gained beside.
    loose = limit
    for place in range(undo_log.tally[N_TOUCHED]):
        loose += problem.price * undo_log.lacks[place]
    if gain <= -loose or assigned.n_spare[0] == 0:
        return REFUSED
    number = take_spare(assigned)
    rise = move_in(context, number)
    if rise < loose:
        rise = mend_all(context, rise, loose)
    if rise < loose:
        rise = house_all(context, number, rise, loose)
    if rise < loose and len(problem.penalties.kinds) > 0:
        rise += lacks_anew(context, number)
    if rise >= limit:
        undo(problem, assigned, undo_log)
        give_back(assigned, number)
        return REFUSED
    for place in range(undo_log.tally[N_TOUCHED]):
        index = undo_log.touched[place]
        if assigned.counts[index] == 0 and index != outside_of(assigned):
            give_back(assigned, index)
    return rise


@compiled_part
def lacks_anew(context: MoveContext, number: int) -> float:
    """Measure what the changed classes miss; give what more that costs than before."""
    problem, assigned, undo_log = context.problem, context.assigned, context.undo_log
    assigned.lacks[number] = lack_of(problem, assigned, number)
    more = assigned.lacks[number]
    for place in range(undo_log.tally[N_TOUCHED]):
        index = undo_log.touched[place]
        if index == number:
            continue
        assigned.lacks[index] = lack_of(problem, assigned, index)
        more += assigned.lacks[index] - undo_log.lacks[place]
    return problem.price * more


@compiled_part
def choose(context: MoveContext, item: int) -> None:
    """Note that an item joins the group."""
    problem, assigned, undo_log = context.problem, context.assigned, context.undo_log
    index = assigned.labels[item]
    touch(assigned, undo_log, index)
    undo_log.leaving[index] += problem.weights[item]
    undo_log.chosen[item] = undo_log.tally[STAMP]
    note_move(undo_log, item, index)


@compiled_part
def choose_gainers(context: MoveContext, group: int, reserve: float) -> tuple[int, float]:
    """Choose the members that gain; give their records, and what these gain together.

    A member whose class would be left with too few records must gain more than the share
    ``reserve`` of what it pays.
    """
    problem, assigned, undo_log = context.problem, context.assigned, context.undo_log
    groups = context.groups
    weight = np.int64(0)
    gain = 0.0
    first = groups.starts[group]
    undo_log.tally[WORK] += groups.sizes[group]
    for position in range(first, first + groups.sizes[group]):
        item = groups.members[position]
        index = assigned.labels[item]
        paid = assigned.losses[index]
        own = paid - groups.losses[group]
        if own <= 0.0:
            continue
        breaks = assigned.sizes[index] - problem.weights[item] < problem.least
        if own <= reserve * paid and breaks and index != outside_of(assigned):
            continue
        choose(context, item)
        weight += problem.weights[item]
        gain += problem.weights[item] * own
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
    problem, assigned, buffer = context.problem, context.assigned, context.buffer
    undo_log, groups, state = context.undo_log, context.groups, context.state
    # ``buffer`` lists the best members so far, what they gain in falling order. Every item has at
    # least one record, so no more than ``needed`` items can be of use.
    n_listed = 0
    first = groups.starts[group]
    own = groups.losses[group]
    undo_log.tally[WORK] += groups.sizes[group]
    for position in range(first, first + groups.sizes[group]):
        item = groups.members[position]
        index = assigned.labels[item]
        worth = assigned.losses[index] - own
        if undo_log.chosen[item] == undo_log.tally[STAMP]:
            continue
        # What follows only makes it worth less, so this refuses most members at no cost.
        if n_listed == needed and worth <= buffer.losses[needed - 1]:
            continue
        rest = assigned.sizes[index]
        if undo_log.stamps[index] == undo_log.tally[STAMP]:
            rest -= undo_log.leaving[index]
        after = rest - problem.weights[item]
        if rest >= problem.least and 0 < after < problem.least and index != outside_of(assigned):
            worth -= anger * own
        worth -= TIE * draw_unit(state)
        if n_listed == needed and worth <= buffer.losses[needed - 1]:
            continue
        slot = min(n_listed, needed - 1)
        n_listed = slot + 1
        undo_log.tally[WORK] += slot // STEP_SHIFTS
        while slot > 0 and buffer.losses[slot - 1] < worth:
            buffer.losses[slot] = buffer.losses[slot - 1]
            buffer.items[slot] = buffer.items[slot - 1]
            slot -= 1
        buffer.losses[slot] = worth
        buffer.items[slot] = item
    gain = 0.0
    lent = np.int64(0)
    for slot in range(n_listed):
        if lent >= needed:
            break
        item = buffer.items[slot]
        choose(context, item)
        lent += problem.weights[item]
        gain += problem.weights[item] * (assigned.losses[assigned.labels[item]] - own)
    return gain if lent >= needed else -REFUSED


@compiled_part
def move_in(context: MoveContext, number: int) -> float:
    """Fill class ``number`` with those chosen; give the rise, with the homeless paying nothing."""
    problem, assigned, buffer = context.problem, context.assigned, context.buffer
    undo_log, small = context.undo_log, context.small
    rise = 0.0
    n_touched = undo_log.tally[N_TOUCHED]
    for place in range(n_touched):
        index = undo_log.touched[place]
        rise -= assigned.sizes[index] * assigned.losses[index]
    for place in range(undo_log.tally[N_MOVED]):
        item = undo_log.items[place]
        detach(problem, assigned, item)
        attach(problem, assigned, item, number)
    loss = fold(problem, assigned, number, NOBODY, NOBODY, buffer.one)
    settle(assigned, number, buffer.one, loss)
    undo_log.stamps[number] = undo_log.tally[STAMP]
    undo_log.leaving[number] = 0
    rise += assigned.sizes[number] * loss
    # A class that lost members may fit the others more closely now. Only small classes are fitted
    # again: a large one seldom loses its last member of a kind, and takes long to look through.
    for place in range(n_touched):
        index = undo_log.touched[place]
        if index == outside_of(assigned):
            rise += assigned.sizes[index] * assigned.losses[index]
        elif assigned.counts[index] == 0:
            undo_log.leaving[index] = GIVEN_UP
        elif assigned.sizes[index] >= problem.least:
            if assigned.counts[index] <= small:
                count_class(undo_log, assigned.counts[index])
                loss = fold(problem, assigned, index, NOBODY, NOBODY, buffer.one)
                settle(assigned, index, buffer.one, loss)
            rise += assigned.sizes[index] * assigned.losses[index]
        else:
            undo_log.leaving[index] = BROKEN
    return rise


@compiled_part
def mend_all(context: MoveContext, rise: float, limit: float) -> float:
    """Fill up some of the classes that are too small now, and give up the others."""
    problem, assigned, undo_log = context.problem, context.assigned, context.undo_log
    state = context.state
    for place in range(undo_log.tally[N_TOUCHED]):
        index = undo_log.touched[place]
        if undo_log.leaving[index] != BROKEN:
            continue
        if problem.least - assigned.sizes[index] <= MOST_MISSING and draw_unit(state) < FILLED:
            rise += fill_up(context, index, limit - rise)
            if rise >= limit:
                break
        else:
            undo_log.leaving[index] = GIVEN_UP
            item = assigned.heads[index]
            while item >= 0:
                undo_log.homeless[undo_log.tally[N_HOMELESS]] = item
                undo_log.tally[N_HOMELESS] += 1
                item = assigned.nexts[item]
    return rise


@compiled_part
def fill_up(context: MoveContext, index: int, limit: float) -> float:
    """Fill up a class with records that other classes can spare; give the rise."""
    problem, assigned, buffer = context.problem, context.assigned, context.buffer
    undo_log, small = context.undo_log, context.small
    count_class(undo_log, assigned.counts[index])
    loss = fold(problem, assigned, index, NOBODY, NOBODY, buffer.one)
    settle(assigned, index, buffer.one, loss)
    undo_log.leaving[index] = 0
    rise = assigned.sizes[index] * loss
    while assigned.sizes[index] < problem.least and rise < limit:
        item = best_guest(context, index, limit - rise)
        if item < 0:
            return REFUSED
        source = assigned.labels[item]
        touch(assigned, undo_log, source)
        rise -= assigned.sizes[index] * assigned.losses[index]
        rise -= assigned.sizes[source] * assigned.losses[source]
        loss = widen(problem, assigned.heads[index], assigned.levels[index], item, buffer.one)
        settle(assigned, index, buffer.one, loss)
        note_move(undo_log, item, source)
        detach(problem, assigned, item)
        attach(problem, assigned, item, index)
        # Its old class may fit the other members more closely without this record. A large class is
        # left as it is, since to look through it takes longer than this is worth.
        if assigned.counts[source] <= small:
            count_class(undo_log, assigned.counts[source])
            loss = fold(problem, assigned, source, NOBODY, NOBODY, buffer.one)
            settle(assigned, source, buffer.one, loss)
        rise += assigned.sizes[index] * assigned.losses[index]
        rise += assigned.sizes[source] * assigned.losses[source]
    return rise


@compiled_part
def best_guest(context: MoveContext, index: int, limit: float) -> int:
    """Find the item that a class gains most cheaply, similar to a member that is drawn.

    NOBODY where it costs ``limit`` or more.
    """
    problem, assigned, buffer = context.problem, context.assigned, context.buffer
    undo_log, state = context.undo_log, context.state
    count_class(undo_log, assigned.counts[index])
    member = assigned.heads[index]
    for _ in range(draw_below(state, assigned.counts[index])):
        member = assigned.nexts[member]
    size = assigned.sizes[index]
    best = NOBODY
    cheapest = limit
    n_similar = problem.similar.shape[1]
    undo_log.tally[WORK] += n_similar
    for place in range(n_similar):
        item = similar_item(problem, state, member, place)
        if item < 0:
            continue
        source = assigned.labels[item]
        weight = problem.weights[item]
        if source in (index, outside_of(assigned)):
            continue
        if assigned.sizes[source] - weight < problem.least:
            continue
        worth = size * assigned.losses[index] + weight * assigned.losses[source]
        # With the item, a record of the class loses at least what it loses now, and at least what
        # the item shares with the member. This bound takes no comparison of cells.
        shared = max(problem.shared[problem.tuples[member], place], assigned.losses[index])
        if (size + weight) * shared - worth >= cheapest:
            continue
        loss = widen(problem, member, assigned.levels[index], item, buffer.other)
        rise = (size + weight) * loss - worth
        if rise < cheapest:
            cheapest = rise
            best = item
    return best


@compiled_part
def house_all(context: MoveContext, number: int, rise: float, limit: float) -> float:
    """House each homeless item where it costs least, until the rise reaches ``limit``."""
    problem, assigned, buffer = context.problem, context.assigned, context.buffer
    undo_log = context.undo_log
    for place in range(undo_log.tally[N_HOMELESS]):
        item = undo_log.homeless[place]
        home, rent = best_home(context, item, number, limit - rise)
        if home < 0:
            return REFUSED
        rise += rent
        touch(assigned, undo_log, home)
        loss = widen(problem, assigned.heads[home], assigned.levels[home], item, buffer.one)
        settle(assigned, home, buffer.one, loss)
        note_move(undo_log, item, assigned.labels[item])
        detach(problem, assigned, item)
        attach(problem, assigned, item, home)
    return rise


@compiled_part
def best_home(context: MoveContext, item: int, number: int, limit: float) -> tuple[int, float]:
    """Find the class that an item costs least in: the new one, or that of a similar item.

    NOBODY where it costs ``limit`` or more in all of them.
    """
    problem, assigned, buffer = context.problem, context.assigned, context.buffer
    undo_log, state = context.undo_log, context.state
    weight = problem.weights[item]
    best = NOBODY
    least = limit
    own = problem.tuples[item]
    n_similar = problem.similar.shape[1]
    undo_log.tally[WORK] += n_similar
    for place in range(-1, n_similar):
        index = number
        shared = 0.0
        if place >= 0:
            shared = problem.shared[own, place]
            # The list is in the order of these costs, each of which was shaken by up to a
            # twentieth: no class that follows is cheaper by more than that.
            if weight * shared * SHAKEN >= least:
                break
            other = similar_item(problem, state, item, place)
            if other < 0:
                continue
            index = assigned.labels[other]
        shared = max(shared, assigned.losses[index])
        bound = (assigned.sizes[index] + weight) * shared
        if bound - assigned.sizes[index] * assigned.losses[index] >= least:
            continue
        is_touched = undo_log.stamps[index] == undo_log.tally[STAMP]
        if is_touched and undo_log.leaving[index] == GIVEN_UP:
            continue
        if index in (best, outside_of(assigned)):
            continue
        loss = widen(problem, assigned.heads[index], assigned.levels[index], item, buffer.one)
        rise = (assigned.sizes[index] + weight) * loss
        rise -= assigned.sizes[index] * assigned.losses[index]
        if rise < least:
            least = rise
            best = index
    return best, least
