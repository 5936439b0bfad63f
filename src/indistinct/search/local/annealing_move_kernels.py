"""The small moves of annealing: one item moves, two change places, a few classes are built anew.

Each move computes by how much the loss rises, in records' worth, and is made where that is less
than a limit that was drawn before. A move that is not made gives REFUSED.
"""

# Single numbers out of arrays stand for int and float here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from indistinct.core.compiling import compiled_copy, compiled_part
from indistinct.core.demands import DISTINCT
from indistinct.search.local.annealing_journal_kernels import MOST_REBUILT, REFUSED, MoveContext
from indistinct.search.local.annealing_state_kernels import (
    NOBODY,
    AnnealingAssignment,
    AnnealingProblem,
    attach,
    cost_of,
    detach,
    draw_below,
    draw_unit,
    fit,
    give_back,
    lack_of,
    neighbor,
    outside_of,
    settle,
    take_spare,
    widen,
)
from indistinct.search.local.shortfall_kernels import COUNTERS, N_DISTINCT, count_in

SWAPPED = 0.5  # share of the moves that could do without it that change two items, with demands
LONGEST_LOOK = 200  # members of a class that may be passed to draw one
HALF = 0.5


@compiled_part
def shift(context: MoveContext, item: int, to: int, limit: float) -> float:
    """Move an item that its class can spare to another class."""
    land, standing, yard = context.land, context.standing, context.yard
    source = standing.labels[item]
    weight = land.weights[item]
    outside = outside_of(standing)
    if to == outside and standing.sizes[to] + weight > land.budget:
        return REFUSED
    before = cost_of(land, standing, source) + cost_of(land, standing, to)
    wider = land.suppression
    if to != outside:
        wider = widen(land, standing.heads[to], standing.rungs[to], item, yard.other)
    rise = (standing.sizes[to] + weight) * wider - before
    # No class pays less than nothing, so the rise cannot become smaller.
    if rise >= limit:
        return REFUSED
    loss = fit(land, standing, source, item, NOBODY, yard.one, context.small)
    rise += (standing.sizes[source] - weight) * loss
    if rise >= limit:
        return REFUSED
    move_count(land, standing, item, source, to)
    source_lack, to_lack = lack_of(land, standing, source), lack_of(land, standing, to)
    move_count(land, standing, item, to, source)
    rise += land.price * (source_lack + to_lack)
    if rise >= limit:
        return REFUSED
    detach(land, standing, item)
    attach(land, standing, item, to)
    settle(standing, source, yard.one, loss)
    settle(standing, to, yard.other, wider)
    standing.lacks[source] = source_lack
    standing.lacks[to] = to_lack
    return rise


@compiled_part
def move_count(
    land: AnnealingProblem, standing: AnnealingAssignment, item: int, source: int, to: int
) -> None:
    """Count an item out of one class and into another, without moving it."""
    count_in(land.demands, standing.counts_in, source, item, -land.weights[item])
    count_in(land.demands, standing.counts_in, to, item, land.weights[item])


@compiled_part
def swap(context: MoveContext, item: int, other: int, limit: float) -> float:
    """Let two items of different classes change places."""
    land, standing, yard = context.land, context.standing, context.yard
    source, to = standing.labels[item], standing.labels[other]
    more = land.weights[other] - land.weights[item]
    source_size, to_size = standing.sizes[source] + more, standing.sizes[to] - more
    outside = outside_of(standing)
    if (source_size < land.least and source != outside) or (to_size < land.least and to != outside):
        return REFUSED
    if (source == outside and source_size > land.budget) or (
        to == outside and to_size > land.budget
    ):
        return REFUSED
    rise = -cost_of(land, standing, source) - cost_of(land, standing, to)
    to_loss = fit(land, standing, to, other, item, yard.other, context.small)
    rise += to_size * to_loss
    # No loss is negative, so the rise cannot become smaller: many swaps end here.
    if rise >= limit:
        return REFUSED
    source_loss = fit(land, standing, source, item, other, yard.one, context.small)
    rise += source_size * source_loss
    if rise >= limit:
        return REFUSED
    move_count(land, standing, item, source, to)
    move_count(land, standing, other, to, source)
    source_lack, to_lack = lack_of(land, standing, source), lack_of(land, standing, to)
    move_count(land, standing, item, to, source)
    move_count(land, standing, other, source, to)
    rise += land.price * (source_lack + to_lack)
    if rise >= limit:
        return REFUSED
    detach(land, standing, item)
    detach(land, standing, other)
    attach(land, standing, item, to)
    attach(land, standing, other, source)
    settle(standing, source, yard.one, source_loss)
    settle(standing, to, yard.other, to_loss)
    standing.lacks[source] = source_lack
    standing.lacks[to] = to_lack
    return rise


@compiled_part
def exchange(context: MoveContext, item: int, near: int, limit: float) -> float:
    """Move an item to the class of a similar one, in exchange for a member where it must be."""
    land, standing, state = context.land, context.standing, context.state
    small = context.small
    source, to = standing.labels[item], standing.labels[near]
    outside = outside_of(standing)
    spares = source == outside or standing.sizes[source] - land.weights[item] >= land.least
    swaps = len(land.demands.kinds) > 0 and draw_unit(state) < SWAPPED
    if spares and not swaps:
        return shift(context, item, to, limit)
    if to == outside:
        return swap(context, item, near, limit)
    if not swaps and (standing.counts[to] > small or standing.counts[source] > small):
        return REFUSED
    other = near
    if standing.counts[to] <= LONGEST_LOOK:
        other = standing.heads[to]
        for _ in range(draw_below(state, standing.counts[to])):
            other = standing.nexts[other]
    return swap(context, item, other, limit)


@compiled_part
def merge(context: MoveContext, item: int, near: int, limit: float) -> float:
    """Make one class of those of two items."""
    land, standing, yard = context.land, context.standing, context.yard
    to, source = standing.labels[item], standing.labels[near]
    outside = outside_of(standing)
    if outside in (to, source):
        return REFUSED
    if standing.counts[source] > standing.counts[to]:
        to, source = source, to
    rise = -cost_of(land, standing, source) - cost_of(land, standing, to)
    first = standing.heads[to]
    widen(land, first, standing.rungs[to], standing.heads[source], yard.one)
    loss = 0.0
    for column in range(len(yard.one)):
        yard.one[column] = max(yard.one[column], standing.rungs[source, column])
        loss += land.paid[land.rows[first, column] + yard.one[column]]
    size = standing.sizes[to] + standing.sizes[source]
    rise += size * loss
    if rise >= limit:
        return REFUSED
    add_counts(land, standing, source, to, 1)
    lack = lack_of(land, standing, to)
    if rise + land.price * lack >= limit:
        add_counts(land, standing, source, to, -1)
        return REFUSED
    rise += land.price * lack
    add_counts(land, standing, source, to, -1)
    while standing.heads[source] >= 0:
        member = standing.heads[source]
        detach(land, standing, member)
        attach(land, standing, member, to)
    give_back(standing, source)
    settle(standing, to, yard.one, loss)
    standing.lacks[to] = lack
    return rise


@compiled_part
def add_counts(
    land: AnnealingProblem, standing: AnnealingAssignment, source: int, to: int, sign: int
) -> None:
    """Add the bins of one class to those of another, or take them out of it again."""
    demands = land.demands
    for column in range(len(demands.weights)):
        standing.counts_in[to, column] += sign * standing.counts_in[source, column]
    for demand in range(len(demands.kinds)):
        if demands.kinds[demand] != DISTINCT:
            continue
        start = demands.starts[demand]
        n_distinct = 0
        for column in range(start + COUNTERS, demands.starts[demand + 1]):
            if standing.counts_in[to, column] > 0:
                n_distinct += 1
        standing.counts_in[to, start + N_DISTINCT] = n_distinct


@compiled_part
def split(context: MoveContext, item: int, limit: float) -> float:
    """Split the class of an item in two, around it and another member that is drawn."""
    land, standing, yard = context.land, context.standing, context.yard
    source = standing.labels[item]
    n_items = standing.counts[source]
    is_small = n_items <= len(yard.items) and standing.sizes[source] >= 2 * land.least
    if source == outside_of(standing) or not is_small or standing.n_spare[0] == 0:
        return REFUSED
    other = standing.heads[source]
    for _ in range(draw_below(context.state, n_items)):
        other = standing.nexts[other]
    n_moved = side_with(context, item, other)
    size = yard.sizes[0]
    rest = standing.sizes[source] - size
    if other == item or size < land.least or rest < land.least:
        return REFUSED
    rise = size * yard.losses[0] + rest * yard.losses[1] - cost_of(land, standing, source)
    if rise >= limit:
        return REFUSED
    number = take_spare(standing)
    for place in range(n_moved):
        move_count(land, standing, yard.items[place], source, number)
    lack, rest_lack = lack_of(land, standing, number), lack_of(land, standing, source)
    for place in range(n_moved):
        move_count(land, standing, yard.items[place], number, source)
    rise += land.price * (lack + rest_lack)
    if rise >= limit:
        give_back(standing, number)
        return REFUSED
    for place in range(n_moved):
        detach(land, standing, yard.items[place])
        attach(land, standing, yard.items[place], number)
    settle(standing, number, yard.rungs[0], yard.losses[0])
    settle(standing, source, yard.rungs[1], yard.losses[1])
    standing.lacks[number] = lack
    standing.lacks[source] = rest_lack
    return rise


@compiled_part
def side_with(context: MoveContext, item: int, other: int) -> int:
    """List the members of a class that cost less with one of them than with another; count them.

    The yard tells the rungs and losses of both sides, and the records of the first.
    """
    land, standing, yard = context.land, context.standing, context.yard
    for column in range(len(yard.one)):
        yard.rungs[0, column] = 0
        yard.rungs[1, column] = 0
    yard.losses[0] = 0.0
    yard.losses[1] = 0.0
    yard.sizes[0] = 0
    n_moved = 0
    member = standing.heads[standing.labels[item]]
    while member >= 0:
        near = widen(land, item, yard.rungs[0], member, yard.one)
        far = widen(land, other, yard.rungs[1], member, yard.other)
        more = (near - yard.losses[0]) - (far - yard.losses[1])
        goes = more < 0.0 or (more == 0.0 and draw_unit(context.state) < HALF)
        if member == item or (goes and member != other):
            for column in range(len(yard.one)):
                yard.rungs[0, column] = yard.one[column]
            yard.losses[0] = near
            yard.sizes[0] += land.weights[member]
            yard.items[n_moved] = member
            n_moved += 1
        else:
            for column in range(len(yard.other)):
                yard.rungs[1, column] = yard.other[column]
            yard.losses[1] = far
        member = standing.nexts[member]
    return n_moved


@compiled_part
def rebuild(context: MoveContext, item: int, near: int, limit: float) -> float:
    """Rebuild the classes of two similar items, and a few near them; return the change of cost."""
    land, standing, yard = context.land, context.standing, context.yard
    state = context.state
    n_classes = pick_classes(context, item, near)
    if n_classes == 0:
        return REFUSED
    n_items = 0
    before = 0.0
    for place in range(n_classes):
        index = yard.classes[place]
        before += cost_of(land, standing, index)
        member = standing.heads[index]
        while member >= 0:
            yard.items[n_items] = member
            yard.places[n_items] = NOBODY
            n_items += 1
            member = standing.nexts[member]
    # Without noise the same classes would be built whenever the same item is drawn first.
    noise = 0.5 * draw_unit(state)
    n_new, after = build(context, n_items, before + limit, noise)
    if after < before + limit:
        after = distribute(context, n_items, n_new, after)
    if after >= before + limit:
        return REFUSED
    if n_new > standing.n_spare[0]:
        return REFUSED
    # The lacks are known once the items are counted in the new classes.
    for place in range(n_new):
        yard.numbers[place] = take_spare(standing)
    for place in range(n_items):
        item = yard.items[place]
        move_count(land, standing, item, standing.labels[item], yard.numbers[yard.places[place]])
    for place in range(n_new):
        number = yard.numbers[place]
        standing.lacks[number] = lack_of(land, standing, number)
        after += land.price * standing.lacks[number]
    for place in range(n_items):
        item = yard.items[place]
        move_count(land, standing, item, yard.numbers[yard.places[place]], standing.labels[item])
    if after >= before + limit:
        for place in range(n_new - 1, -1, -1):
            give_back(standing, yard.numbers[place])
        return REFUSED
    for place in range(n_items):
        item = yard.items[place]
        detach(land, standing, item)
        attach(land, standing, item, yard.numbers[yard.places[place]])
    for place in range(n_new):
        settle(standing, yard.numbers[place], yard.rungs[place], yard.losses[place])
    for place in range(n_classes):
        give_back(standing, yard.classes[place])
    return after - before


@compiled_part
def pick_classes(context: MoveContext, item: int, near: int) -> int:
    """List the classes of two items and up to three near them; 0 where one is too large."""
    land, standing, yard = context.land, context.standing, context.yard
    state, small = context.state, context.small
    yard.classes[0] = standing.labels[item]
    yard.classes[1] = standing.labels[near]
    outside = outside_of(standing)
    if max(standing.counts[yard.classes[0]], standing.counts[yard.classes[1]]) > small:
        return 0
    if yard.classes[0] == outside or yard.classes[1] == outside:
        return 0
    n_classes = 2
    for _ in range(draw_below(state, MOST_REBUILT - 1)):
        other = neighbor(land, state, item if draw_below(state, 2) == 0 else near)
        if other < 0 or standing.counts[standing.labels[other]] > small:
            continue
        is_new = standing.labels[other] != outside
        for place in range(n_classes):
            if yard.classes[place] == standing.labels[other]:
                is_new = False
        if is_new:
            yard.classes[n_classes] = standing.labels[other]
            n_classes += 1
    return n_classes


@compiled_part
def build(context: MoveContext, n_items: int, limit: float, noise: float) -> tuple[int, float]:
    """Build classes around items drawn at random until too few are left, or it costs ``limit``.

    A class takes the item that costs least with it, the costs shaken by up to ``noise``.

    Returns
    -------
    n_classes, cost : the new classes, and what their records pay together
    """
    land, yard, state = context.land, context.yard, context.state
    left = np.int64(0)
    n_left = n_items
    for place in range(n_items):
        left += land.weights[yard.items[place]]
    n_new = 0
    cost = 0.0
    while left >= land.least and cost < limit:
        # One of the items without a class is drawn: the one behind so many others.
        skipped = draw_below(state, n_left)
        place = 0
        while yard.places[place] >= 0 or skipped > 0:
            if yard.places[place] < 0:
                skipped -= 1
            place += 1
        first = yard.items[place]
        for column in range(len(yard.one)):
            yard.rungs[n_new, column] = 0
        yard.firsts[n_new] = first
        size = np.int64(0)
        while place >= 0:
            chosen = yard.items[place]
            yard.places[place] = n_new
            yard.losses[n_new] = widen(land, first, yard.rungs[n_new], chosen, yard.one)
            for column in range(len(yard.one)):
                yard.rungs[n_new, column] = yard.one[column]
            size += land.weights[chosen]
            n_left -= 1
            place = NOBODY
            if size < land.least:
                place = cheapest(context, n_items, n_new, noise)
        yard.sizes[n_new] = size
        left -= size
        cost += size * yard.losses[n_new]
        n_new += 1
    return n_new, cost


@compiled_copy
def cheapest(context: MoveContext, n_items: int, index: int, noise: float) -> int:
    """Find the place of the item without a class that costs least in a class."""
    land, yard, state = context.land, context.yard, context.state
    best = NOBODY
    least = REFUSED
    for place in range(n_items):
        if yard.places[place] < 0:
            first = yard.firsts[index]
            loss = widen(land, first, yard.rungs[index], yard.items[place], yard.one)
            loss *= 1.0 + noise * draw_unit(state)
            if loss < least:
                least = loss
                best = place
    return best


@compiled_part
def distribute(context: MoveContext, n_items: int, n_new: int, cost: float) -> float:
    """Assign each item that is left to the new class it costs least in; return the whole cost."""
    land, yard = context.land, context.yard
    for place in range(n_items):
        if yard.places[place] >= 0:
            continue
        item = yard.items[place]
        weight = land.weights[item]
        best = 0
        least = REFUSED
        for index in range(n_new):
            loss = widen(land, yard.firsts[index], yard.rungs[index], item, yard.one)
            rise = (yard.sizes[index] + weight) * loss - yard.sizes[index] * yard.losses[index]
            if rise < least:
                least = rise
                best = index
        yard.losses[best] = widen(land, yard.firsts[best], yard.rungs[best], item, yard.one)
        for column in range(len(yard.one)):
            yard.rungs[best, column] = yard.one[column]
        yard.sizes[best] += weight
        yard.places[place] = best
        cost += least
    return cost
