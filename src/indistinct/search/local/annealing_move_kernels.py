"""The small moves of annealing: one item moves, two change places, a few classes are built anew.

Each move computes by how much the loss rises, in records' worth, and is made where that is less
than a limit that was drawn before. A move that is not made gives REFUSED.
"""

# Single numbers out of arrays stand for int and float here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from indistinct.core.compiling import compiled_copy, compiled_part
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
from indistinct.search.local.annealing_undo_kernels import MOST_REBUILT, REFUSED, MoveContext


@compiled_part
def shift(context: MoveContext, item: int, to: int, limit: float) -> float:
    """Move an item that its class can spare to another class."""
    problem, assigned, buffer = context.problem, context.assigned, context.buffer
    small = context.small
    source = assigned.labels[item]
    weight = problem.weights[item]
    loss = assigned.losses[source]
    if assigned.counts[source] <= small:
        loss = fold(problem, assigned, source, item, NOBODY, buffer.one)
    else:
        # The levels of a class still fit when an item leaves. To find lower ones, all other items
        # have to be looked at, which takes too long in a large class.
        for column in range(len(buffer.one)):
            buffer.one[column] = assigned.levels[source, column]
    wider = widen(problem, assigned.heads[to], assigned.levels[to], item, buffer.other)
    rise = (assigned.sizes[source] - weight) * loss + (assigned.sizes[to] + weight) * wider
    rise -= assigned.sizes[source] * assigned.losses[source]
    rise -= assigned.sizes[to] * assigned.losses[to]
    if rise >= limit:
        return REFUSED
    detach(assigned, problem.weights, item)
    attach(assigned, problem.weights, item, to)
    settle(assigned, source, buffer.one, loss)
    settle(assigned, to, buffer.other, wider)
    return rise


@compiled_part
def swap(context: MoveContext, item: int, other: int, limit: float) -> float:
    """Let two items of different classes change places."""
    problem, assigned, buffer = context.problem, context.assigned, context.buffer
    source, to = assigned.labels[item], assigned.labels[other]
    more = problem.weights[other] - problem.weights[item]
    source_size, to_size = assigned.sizes[source] + more, assigned.sizes[to] - more
    if source_size < problem.least or to_size < problem.least:
        return REFUSED
    to_loss = fold(problem, assigned, to, other, item, buffer.other)
    rise = to_size * to_loss - assigned.sizes[source] * assigned.losses[source]
    rise -= assigned.sizes[to] * assigned.losses[to]
    # No loss is negative, so the rise cannot become smaller: many swaps end here.
    if rise >= limit:
        return REFUSED
    source_loss = fold(problem, assigned, source, item, other, buffer.one)
    rise += source_size * source_loss
    if rise >= limit:
        return REFUSED
    detach(assigned, problem.weights, item)
    detach(assigned, problem.weights, other)
    attach(assigned, problem.weights, item, to)
    attach(assigned, problem.weights, other, source)
    settle(assigned, source, buffer.one, source_loss)
    settle(assigned, to, buffer.other, to_loss)
    return rise


@compiled_part
def exchange(context: MoveContext, item: int, near: int, limit: float) -> float:
    """Move an item to the class of a similar one, in exchange for a member where it must be."""
    problem, assigned, state = context.problem, context.assigned, context.state
    small = context.small
    source, to = assigned.labels[item], assigned.labels[near]
    if assigned.sizes[source] - problem.weights[item] >= problem.least:
        return shift(context, item, to, limit)
    if assigned.counts[to] > small or assigned.counts[source] > small:
        return REFUSED
    other = assigned.heads[to]
    for _ in range(draw_below(state, assigned.counts[to])):
        other = assigned.nexts[other]
    return swap(context, item, other, limit)


@compiled_part
def rebuild(context: MoveContext, item: int, near: int, limit: float) -> float:
    """Rebuild the classes of two similar items, and a few near them; return the change of cost."""
    problem, assigned, buffer = context.problem, context.assigned, context.buffer
    state = context.state
    n_classes = pick_classes(context, item, near)
    if n_classes == 0:
        return REFUSED
    n_items = 0
    before = 0.0
    for place in range(n_classes):
        index = buffer.classes[place]
        before += assigned.sizes[index] * assigned.losses[index]
        member = assigned.heads[index]
        while member >= 0:
            buffer.items[n_items] = member
            buffer.places[n_items] = NOBODY
            n_items += 1
            member = assigned.nexts[member]
    # Without noise the same classes would be built whenever the same item is drawn first.
    noise = 0.5 * draw_unit(state)
    n_new, after = build(context, n_items, before + limit, noise)
    if after < before + limit:
        after = distribute(context, n_items, n_new, after)
    if after >= before + limit:
        return REFUSED
    for place in range(n_classes):
        index = buffer.classes[place]
        assigned.heads[index] = NOBODY
        assigned.sizes[index] = 0
        assigned.counts[index] = 0
        give_back(assigned, index)
    for place in range(n_new):
        buffer.classes[place] = take_spare(assigned)
        settle(assigned, buffer.classes[place], buffer.levels[place], buffer.losses[place])
    for place in range(n_items):
        attach(assigned, problem.weights, buffer.items[place], buffer.classes[buffer.places[place]])
    return after - before


@compiled_part
def pick_classes(context: MoveContext, item: int, near: int) -> int:
    """List the classes of two items and up to three near them; 0 where one is too large."""
    problem, assigned, buffer = context.problem, context.assigned, context.buffer
    state, small = context.state, context.small
    buffer.classes[0] = assigned.labels[item]
    buffer.classes[1] = assigned.labels[near]
    if max(assigned.counts[buffer.classes[0]], assigned.counts[buffer.classes[1]]) > small:
        return 0
    n_classes = 2
    for _ in range(draw_below(state, MOST_REBUILT - 1)):
        other = neighbor(problem, state, item if draw_below(state, 2) == 0 else near)
        if other < 0 or assigned.counts[assigned.labels[other]] > small:
            continue
        is_new = True
        for place in range(n_classes):
            if buffer.classes[place] == assigned.labels[other]:
                is_new = False
        if is_new:
            buffer.classes[n_classes] = assigned.labels[other]
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
    problem, buffer, state = context.problem, context.buffer, context.state
    left = np.int64(0)
    n_left = n_items
    for place in range(n_items):
        left += problem.weights[buffer.items[place]]
    n_new = 0
    cost = 0.0
    while left >= problem.least and cost < limit:
        # One of the items without a class is drawn: the one behind so many others.
        skipped = draw_below(state, n_left)
        place = 0
        while buffer.places[place] >= 0 or skipped > 0:
            if buffer.places[place] < 0:
                skipped -= 1
            place += 1
        first = buffer.items[place]
        for column in range(len(buffer.one)):
            buffer.levels[n_new, column] = 0
        buffer.firsts[n_new] = first
        size = np.int64(0)
        while place >= 0:
            chosen = buffer.items[place]
            buffer.places[place] = n_new
            buffer.losses[n_new] = widen(problem, first, buffer.levels[n_new], chosen, buffer.one)
            for column in range(len(buffer.one)):
                buffer.levels[n_new, column] = buffer.one[column]
            size += problem.weights[chosen]
            n_left -= 1
            place = NOBODY
            if size < problem.least:
                place = cheapest(context, n_items, n_new, noise)
        buffer.sizes[n_new] = size
        left -= size
        cost += size * buffer.losses[n_new]
        n_new += 1
    return n_new, cost


@compiled_copy
def cheapest(context: MoveContext, n_items: int, index: int, noise: float) -> int:
    """Find the place of the item without a class that costs least in a class."""
    problem, buffer, state = context.problem, context.buffer, context.state
    best = NOBODY
    least = REFUSED
    for place in range(n_items):
        if buffer.places[place] < 0:
            first = buffer.firsts[index]
            loss = widen(problem, first, buffer.levels[index], buffer.items[place], buffer.one)
            loss *= 1.0 + noise * draw_unit(state)
            if loss < least:
                least = loss
                best = place
    return best


@compiled_part
def distribute(context: MoveContext, n_items: int, n_new: int, cost: float) -> float:
    """Assign each item that is left to the new class it costs least in; return the whole cost."""
    problem, buffer = context.problem, context.buffer
    for place in range(n_items):
        if buffer.places[place] >= 0:
            continue
        item = buffer.items[place]
        weight = problem.weights[item]
        best = 0
        least = REFUSED
        for index in range(n_new):
            loss = widen(problem, buffer.firsts[index], buffer.levels[index], item, buffer.one)
            rise = (buffer.sizes[index] + weight) * loss - buffer.sizes[index] * buffer.losses[
                index
            ]
            if rise < least:
                least = rise
                best = index
        buffer.losses[best] = widen(
            problem, buffer.firsts[best], buffer.levels[best], item, buffer.one
        )
        for column in range(len(buffer.one)):
            buffer.levels[best, column] = buffer.one[column]
        buffer.sizes[best] += weight
        buffer.places[place] = best
        cost += least
    return cost
