"""The small moves of annealing: one item moves, two change places, a few classes are built anew.

Each move computes by how much the loss rises, in records' worth, and is made where that is less
than a limit that was drawn before. A move that is not made gives REFUSED.
"""

# Single numbers out of arrays stand for int and float here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from indistinct.core.compiling import compiled_copy, compiled_part
from indistinct.search.local.annealing_journal_kernels import MOST_REBUILT, REFUSED, MoveContext
from indistinct.search.local.annealing_state_kernels import (
    NOBODY,
    attach,
    detach,
    draw_below,
    draw_unit,
    fold,
    give_back,
    neighbor,
    settle,
    take_spare,
    widen,
)


@compiled_part
def shift(context: MoveContext, item: int, to: int, limit: float) -> float:
    """Move an item that its class can spare to another class."""
    land, standing, yard = context.land, context.standing, context.yard
    small = context.small
    source = standing.labels[item]
    weight = land.weights[item]
    loss = standing.losses[source]
    if standing.counts[source] <= small:
        loss = fold(land, standing, source, item, NOBODY, yard.one)
    else:
        # The rungs of a class still fit when an item leaves. To find lower ones, all other items
        # have to be looked at, which takes too long in a large class.
        for column in range(len(yard.one)):
            yard.one[column] = standing.rungs[source, column]
    wider = widen(land, standing.heads[to], standing.rungs[to], item, yard.other)
    rise = (standing.sizes[source] - weight) * loss + (standing.sizes[to] + weight) * wider
    rise -= standing.sizes[source] * standing.losses[source]
    rise -= standing.sizes[to] * standing.losses[to]
    if rise >= limit:
        return REFUSED
    detach(standing, land.weights, item)
    attach(standing, land.weights, item, to)
    settle(standing, source, yard.one, loss)
    settle(standing, to, yard.other, wider)
    return rise


@compiled_part
def swap(context: MoveContext, item: int, other: int, limit: float) -> float:
    """Let two items of different classes change places."""
    land, standing, yard = context.land, context.standing, context.yard
    source, to = standing.labels[item], standing.labels[other]
    more = land.weights[other] - land.weights[item]
    source_size, to_size = standing.sizes[source] + more, standing.sizes[to] - more
    if source_size < land.least or to_size < land.least:
        return REFUSED
    to_loss = fold(land, standing, to, other, item, yard.other)
    rise = to_size * to_loss - standing.sizes[source] * standing.losses[source]
    rise -= standing.sizes[to] * standing.losses[to]
    # No loss is negative, so the rise cannot become smaller: many swaps end here.
    if rise >= limit:
        return REFUSED
    source_loss = fold(land, standing, source, item, other, yard.one)
    rise += source_size * source_loss
    if rise >= limit:
        return REFUSED
    detach(standing, land.weights, item)
    detach(standing, land.weights, other)
    attach(standing, land.weights, item, to)
    attach(standing, land.weights, other, source)
    settle(standing, source, yard.one, source_loss)
    settle(standing, to, yard.other, to_loss)
    return rise


@compiled_part
def exchange(context: MoveContext, item: int, near: int, limit: float) -> float:
    """Move an item to the class of a similar one, in exchange for a member where it must be."""
    land, standing, state = context.land, context.standing, context.state
    small = context.small
    source, to = standing.labels[item], standing.labels[near]
    if standing.sizes[source] - land.weights[item] >= land.least:
        return shift(context, item, to, limit)
    if standing.counts[to] > small or standing.counts[source] > small:
        return REFUSED
    other = standing.heads[to]
    for _ in range(draw_below(state, standing.counts[to])):
        other = standing.nexts[other]
    return swap(context, item, other, limit)


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
        before += standing.sizes[index] * standing.losses[index]
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
    for place in range(n_classes):
        index = yard.classes[place]
        standing.heads[index] = NOBODY
        standing.sizes[index] = 0
        standing.counts[index] = 0
        give_back(standing, index)
    for place in range(n_new):
        yard.classes[place] = take_spare(standing)
        settle(standing, yard.classes[place], yard.rungs[place], yard.losses[place])
    for place in range(n_items):
        attach(standing, land.weights, yard.items[place], yard.classes[yard.places[place]])
    return after - before


@compiled_part
def pick_classes(context: MoveContext, item: int, near: int) -> int:
    """List the classes of two items and up to three near them; 0 where one is too large."""
    land, standing, yard = context.land, context.standing, context.yard
    state, small = context.state, context.small
    yard.classes[0] = standing.labels[item]
    yard.classes[1] = standing.labels[near]
    if max(standing.counts[yard.classes[0]], standing.counts[yard.classes[1]]) > small:
        return 0
    n_classes = 2
    for _ in range(draw_below(state, MOST_REBUILT - 1)):
        other = neighbor(land, state, item if draw_below(state, 2) == 0 else near)
        if other < 0 or standing.counts[standing.labels[other]] > small:
            continue
        is_new = True
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
