"""The small moves of annealing: one item moves, two change places, a few classes are built anew.

Each move computes by how much the loss rises, in records' worth, and is made where that is less
than a limit that was drawn before. A move that is not made gives REFUSED.
"""

# Single numbers out of arrays stand for int and float here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from indistinct.base.compiled.compiling import compiled_part
from indistinct.tables.core.penalties import DISTINCT
from indistinct.tables.search.local.annealing_state_kernels import (
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
from indistinct.tables.search.local.annealing_undo_kernels import (
    MOST_ITEMS_REBUILT,
    MOST_REBUILT,
    REFUSED,
    MoveContext,
    count_class,
)
from indistinct.tables.search.local.violation_kernels import COUNTERS, N_DISTINCT, count_in

SWAPPED = 0.5  # share of the moves that could do without it that change two items, with demands
LONGEST_LOOK = 200  # members of a class that may be passed to draw one
HALF = 0.5


@compiled_part
def trade(context: MoveContext, item: int, other: int, to: int, limit: float) -> float:
    """Move an item to another class and, unless it is NOBODY, a member of that one back."""
    problem, assigned, buffer = context.problem, context.assigned, context.buffer
    source = assigned.labels[item]
    outside = outside_of(assigned)
    more = -problem.weights[item]
    if other >= 0:
        more += problem.weights[other]
    source_size, to_size = assigned.sizes[source] + more, assigned.sizes[to] - more
    if not (may_have(context, source, source_size) and may_have(context, to, to_size)):
        return REFUSED
    if assigned.counts[source] <= context.small:
        count_class(context.undo_log, assigned.counts[source])
    if assigned.counts[to] <= context.small:
        count_class(context.undo_log, assigned.counts[to])
    rise = -cost_of(problem, assigned, source) - cost_of(problem, assigned, to)
    if other >= 0 or to == outside:
        to_loss = fit(problem, assigned, to, other, item, buffer.other, context.small)
    else:
        to_loss = widen(problem, assigned.heads[to], assigned.levels[to], item, buffer.other)
    rise += to_size * to_loss
    # No loss is negative, so the rise cannot become smaller: many moves end here.
    if rise >= limit:
        return REFUSED
    source_loss = fit(problem, assigned, source, item, other, buffer.one, context.small)
    rise += source_size * source_loss
    if rise >= limit:
        return REFUSED
    trade_counts(context, item, other, source, to)
    source_lack, to_lack = lack_of(problem, assigned, source), lack_of(problem, assigned, to)
    trade_counts(context, item, other, to, source)
    rise += problem.price * (source_lack + to_lack)
    if rise >= limit:
        return REFUSED
    detach(problem, assigned, item)
    attach(problem, assigned, item, to)
    if other >= 0:
        detach(problem, assigned, other)
        attach(problem, assigned, other, source)
    settle(assigned, source, buffer.one, source_loss)
    settle(assigned, to, buffer.other, to_loss)
    assigned.lacks[source] = source_lack
    assigned.lacks[to] = to_lack
    return rise


@compiled_part
def may_have(context: MoveContext, index: int, size: int) -> bool:
    """Return whether a class may have so many records, and so many may be suppressed."""
    if index == outside_of(context.assigned):
        return size <= context.problem.budget
    return size >= context.problem.least


@compiled_part
def trade_counts(context: MoveContext, item: int, other: int, source: int, to: int) -> None:
    """Count an item out of one class and into another, and a second one back; move neither."""
    move_count(context.problem, context.assigned, item, source, to)
    if other >= 0:
        move_count(context.problem, context.assigned, other, to, source)


@compiled_part
def move_count(
    problem: AnnealingProblem, assigned: AnnealingAssignment, item: int, source: int, to: int
) -> None:
    """Count an item out of one class and into another, without moving it."""
    count_in(problem.penalties, assigned.counts_in, source, item, -problem.weights[item])
    count_in(problem.penalties, assigned.counts_in, to, item, problem.weights[item])


@compiled_part
def exchange(context: MoveContext, item: int, near: int, limit: float) -> float:
    """Move an item to the class of a similar one, in exchange for a member where it must be."""
    problem, assigned, state = context.problem, context.assigned, context.state
    small = context.small
    source, to = assigned.labels[item], assigned.labels[near]
    outside = outside_of(assigned)
    spares = source == outside or assigned.sizes[source] - problem.weights[item] >= problem.least
    swaps = len(problem.penalties.kinds) > 0 and draw_unit(state) < SWAPPED
    if spares and not swaps:
        return trade(context, item, NOBODY, to, limit)
    if to == outside:
        return trade(context, item, near, to, limit)
    if not swaps and (assigned.counts[to] > small or assigned.counts[source] > small):
        return REFUSED
    other = near
    if assigned.counts[to] <= LONGEST_LOOK:
        other = assigned.heads[to]
        for _ in range(draw_below(state, assigned.counts[to])):
            other = assigned.nexts[other]
    return trade(context, item, other, to, limit)


@compiled_part
def merge(context: MoveContext, item: int, near: int, limit: float) -> float:
    """Make one class of those of two items."""
    problem, assigned, buffer = context.problem, context.assigned, context.buffer
    to, source = assigned.labels[item], assigned.labels[near]
    outside = outside_of(assigned)
    if outside in (to, source):
        return REFUSED
    if assigned.counts[source] > assigned.counts[to]:
        to, source = source, to
    rise = -cost_of(problem, assigned, source) - cost_of(problem, assigned, to)
    first = assigned.heads[to]
    widen(problem, first, assigned.levels[to], assigned.heads[source], buffer.one)
    loss = 0.0
    for column in range(len(buffer.one)):
        buffer.one[column] = max(buffer.one[column], assigned.levels[source, column])
        loss += problem.paid[problem.rows[first, column] + buffer.one[column]]
    size = assigned.sizes[to] + assigned.sizes[source]
    rise += size * loss
    if rise >= limit:
        return REFUSED
    add_counts(problem, assigned, source, to, 1)
    lack = lack_of(problem, assigned, to)
    if rise + problem.price * lack >= limit:
        add_counts(problem, assigned, source, to, -1)
        return REFUSED
    rise += problem.price * lack
    add_counts(problem, assigned, source, to, -1)
    while assigned.heads[source] >= 0:
        member = assigned.heads[source]
        detach(problem, assigned, member)
        attach(problem, assigned, member, to)
    give_back(assigned, source)
    settle(assigned, to, buffer.one, loss)
    assigned.lacks[to] = lack
    return rise


@compiled_part
def add_counts(
    problem: AnnealingProblem, assigned: AnnealingAssignment, source: int, to: int, sign: int
) -> None:
    """Add the bins of one class to those of another, or take them out of it again."""
    penalties = problem.penalties
    for column in range(len(penalties.weights)):
        assigned.counts_in[to, column] += sign * assigned.counts_in[source, column]
    for penalty in range(len(penalties.kinds)):
        if penalties.kinds[penalty] != DISTINCT:
            continue
        start = penalties.starts[penalty]
        n_distinct = 0
        for column in range(start + COUNTERS, penalties.starts[penalty + 1]):
            if assigned.counts_in[to, column] > 0:
                n_distinct += 1
        assigned.counts_in[to, start + N_DISTINCT] = n_distinct


@compiled_part
def split(context: MoveContext, item: int, limit: float) -> float:
    """Split the class of an item in two, around it and another member that is drawn."""
    problem, assigned, buffer = context.problem, context.assigned, context.buffer
    source = assigned.labels[item]
    n_items = assigned.counts[source]
    is_small = n_items <= len(buffer.items) and assigned.sizes[source] >= 2 * problem.least
    if source == outside_of(assigned) or not is_small or assigned.n_spare[0] == 0:
        return REFUSED
    other = assigned.heads[source]
    for _ in range(draw_below(context.state, n_items)):
        other = assigned.nexts[other]
    n_moved = side_with(context, item, other)
    size = buffer.sizes[0]
    rest = assigned.sizes[source] - size
    if other == item or size < problem.least or rest < problem.least:
        return REFUSED
    rise = size * buffer.losses[0] + rest * buffer.losses[1] - cost_of(problem, assigned, source)
    if rise >= limit:
        return REFUSED
    number = take_spare(assigned)
    for place in range(n_moved):
        move_count(problem, assigned, buffer.items[place], source, number)
    lack, rest_lack = lack_of(problem, assigned, number), lack_of(problem, assigned, source)
    for place in range(n_moved):
        move_count(problem, assigned, buffer.items[place], number, source)
    rise += problem.price * (lack + rest_lack)
    if rise >= limit:
        give_back(assigned, number)
        return REFUSED
    for place in range(n_moved):
        detach(problem, assigned, buffer.items[place])
        attach(problem, assigned, buffer.items[place], number)
    settle(assigned, number, buffer.levels[0], buffer.losses[0])
    settle(assigned, source, buffer.levels[1], buffer.losses[1])
    assigned.lacks[number] = lack
    assigned.lacks[source] = rest_lack
    return rise


@compiled_part
def side_with(context: MoveContext, item: int, other: int) -> int:
    """List the members of a class that cost less with one of them than with another; count them.

    The buffer tells the levels and losses of both sides, and the records of the first.
    """
    problem, assigned, buffer = context.problem, context.assigned, context.buffer
    for column in range(len(buffer.one)):
        buffer.levels[0, column] = 0
        buffer.levels[1, column] = 0
    buffer.losses[0] = 0.0
    buffer.losses[1] = 0.0
    buffer.sizes[0] = 0
    n_moved = 0
    member = assigned.heads[assigned.labels[item]]
    while member >= 0:
        near = widen(problem, item, buffer.levels[0], member, buffer.one)
        far = widen(problem, other, buffer.levels[1], member, buffer.other)
        more = (near - buffer.losses[0]) - (far - buffer.losses[1])
        goes = more < 0.0 or (more == 0.0 and draw_unit(context.state) < HALF)
        if member == item or (goes and member != other):
            for column in range(len(buffer.one)):
                buffer.levels[0, column] = buffer.one[column]
            buffer.losses[0] = near
            buffer.sizes[0] += problem.weights[member]
            buffer.items[n_moved] = member
            n_moved += 1
        else:
            for column in range(len(buffer.other)):
                buffer.levels[1, column] = buffer.other[column]
            buffer.losses[1] = far
        member = assigned.nexts[member]
    return n_moved


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
        before += cost_of(problem, assigned, index)
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
    if n_new > assigned.n_spare[0]:
        return REFUSED
    # The lacks are known once the items are counted in the new classes.
    for place in range(n_new):
        buffer.numbers[place] = take_spare(assigned)
    for place in range(n_items):
        item = buffer.items[place]
        move_count(
            problem, assigned, item, assigned.labels[item], buffer.numbers[buffer.places[place]]
        )
    for place in range(n_new):
        number = buffer.numbers[place]
        assigned.lacks[number] = lack_of(problem, assigned, number)
        after += problem.price * assigned.lacks[number]
    for place in range(n_items):
        item = buffer.items[place]
        move_count(
            problem, assigned, item, buffer.numbers[buffer.places[place]], assigned.labels[item]
        )
    if after >= before + limit:
        for place in range(n_new - 1, -1, -1):
            give_back(assigned, buffer.numbers[place])
        return REFUSED
    for place in range(n_items):
        item = buffer.items[place]
        detach(problem, assigned, item)
        attach(problem, assigned, item, buffer.numbers[buffer.places[place]])
    for place in range(n_new):
        settle(assigned, buffer.numbers[place], buffer.levels[place], buffer.losses[place])
    for place in range(n_classes):
        give_back(assigned, buffer.classes[place])
    return after - before


@compiled_part
def pick_classes(context: MoveContext, item: int, near: int) -> int:
    """List the classes of two items and up to three near them; 0 where they are too large."""
    problem, assigned, buffer = context.problem, context.assigned, context.buffer
    state, small = context.state, context.small
    buffer.classes[0] = assigned.labels[item]
    buffer.classes[1] = assigned.labels[near]
    outside = outside_of(assigned)
    if max(assigned.counts[buffer.classes[0]], assigned.counts[buffer.classes[1]]) > small:
        return 0
    if buffer.classes[0] == outside or buffer.classes[1] == outside:
        return 0
    n_items = assigned.counts[buffer.classes[0]] + assigned.counts[buffer.classes[1]]
    n_classes = 2
    for _ in range(draw_below(state, MOST_REBUILT - 1)):
        other = neighbor(problem, state, item if draw_below(state, 2) == 0 else near)
        if other < 0 or assigned.counts[assigned.labels[other]] > small:
            continue
        is_new = assigned.labels[other] != outside
        for place in range(n_classes):
            if buffer.classes[place] == assigned.labels[other]:
                is_new = False
        if is_new:
            buffer.classes[n_classes] = assigned.labels[other]
            n_items += assigned.counts[assigned.labels[other]]
            n_classes += 1
    return n_classes if n_items <= MOST_ITEMS_REBUILT else 0


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


@compiled_part
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
