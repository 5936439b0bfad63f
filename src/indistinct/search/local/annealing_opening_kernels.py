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

from indistinct.core.arrays import Words
from indistinct.core.compiling import compiled_copy, compiled_part
from indistinct.search.local.annealing_journal_kernels import (
    BROKEN,
    GIVEN_UP,
    N_HOMELESS,
    N_MOVED,
    N_TOUCHED,
    STAMP,
    WORK,
    Journal,
    note_move,
    touch,
    undo,
)
from indistinct.search.local.annealing_mending_kernels import house_all, mend_all
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
    give_back,
    settle,
    take_spare,
)
from indistinct.search.local.peel_kernels import Groups

TIE = 1e-9  # records' worth of loss within which lenders count as equal


@compiled_part
def open_group(
    land: Land,
    standing: Standing,
    yard: Yard,
    journal: Journal,
    groups: Groups,
    group: int,
    state: Words,
    limit: float,
    small: int,
) -> float:
    """Open a group if, with all that follows, the loss rises by less than ``limit``."""
    journal.tally[N_MOVED] = 0
    journal.tally[N_TOUCHED] = 0
    journal.tally[N_HOMELESS] = 0
    journal.tally[STAMP] += 1
    reserve = 0.1 * max(0, draw_below(state, 5) - 2)  # 0 three times in five
    anger = 0.5 * draw_below(state, 3)
    weight, gain = choose_gainers(land, standing, journal, groups, group, reserve)
    if weight == 0:
        return REFUSED
    if weight < land.least:
        lent = choose_lenders(
            land, standing, yard, journal, groups, group, state, anger, land.least - weight
        )
        if lent <= -REFUSED:
            return REFUSED
        gain += lent
    if gain <= -limit:
        return REFUSED
    number = take_spare(standing)
    rise = move_in(land, standing, yard, journal, number, small)
    if rise < limit:
        rise = mend_all(land, standing, yard, journal, state, rise, limit, small)
    if rise < limit:
        rise = house_all(land, standing, yard, journal, state, number, rise, limit)
    if rise >= limit:
        undo(land, standing, journal)
        give_back(standing, number)
        return REFUSED
    for place in range(journal.tally[N_TOUCHED]):
        index = journal.touched[place]
        if standing.counts[index] == 0:
            give_back(standing, index)
    return rise


@compiled_copy
def choose(land: Land, standing: Standing, journal: Journal, item: int) -> None:
    """Note that an item joins the group."""
    index = standing.labels[item]
    touch(standing, journal, index)
    journal.leaving[index] += land.weights[item]
    journal.chosen[item] = journal.tally[STAMP]
    note_move(journal, item, index)


@compiled_copy
def choose_gainers(
    land: Land,
    standing: Standing,
    journal: Journal,
    groups: Groups,
    group: int,
    reserve: float,
) -> tuple[int, float]:
    """Choose the members that gain; give their records, and what these gain together.

    A member whose class would be left with too few records must gain more than the share
    ``reserve`` of what it pays.
    """
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
        if own <= reserve * paid and standing.sizes[index] - land.weights[item] < land.least:
            continue
        choose(land, standing, journal, item)
        weight += land.weights[item]
        gain += land.weights[item] * own
    return weight, gain


@compiled_part
def choose_lenders(
    land: Land,
    standing: Standing,
    yard: Yard,
    journal: Journal,
    groups: Groups,
    group: int,
    state: Words,
    anger: float,
    needed: int,
) -> float:
    """Choose members that lose least by joining; give what they gain, -REFUSED for too few.

    A member that breaks its class counts as losing ``anger`` times the loss of the group more.
    Of several that lose as much some are drawn.

    Parameters
    ----------
    needed : records
    """
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
        if rest >= land.least and 0 < after < land.least:
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
        choose(land, standing, journal, item)
        lent += land.weights[item]
        gain += land.weights[item] * (standing.losses[standing.labels[item]] - own)
    return gain if lent >= needed else -REFUSED


@compiled_part
def move_in(
    land: Land, standing: Standing, yard: Yard, journal: Journal, number: int, small: int
) -> float:
    """Fill class ``number`` with those chosen; give the rise, with the homeless paying nothing."""
    rise = 0.0
    n_touched = journal.tally[N_TOUCHED]
    for place in range(n_touched):
        index = journal.touched[place]
        rise -= standing.sizes[index] * standing.losses[index]
    for place in range(journal.tally[N_MOVED]):
        item = journal.items[place]
        detach(standing, land.weights, item)
        attach(standing, land.weights, item, number)
    loss = fold(land, standing, number, NOBODY, NOBODY, yard.one)
    settle(standing, number, yard.one, loss)
    journal.stamps[number] = journal.tally[STAMP]
    journal.leaving[number] = 0
    rise += standing.sizes[number] * loss
    # A class that lost members may fit the others more closely now. Only small classes are fitted
    # again: a large one seldom loses its last member of a kind, and takes long to look through.
    for place in range(n_touched):
        index = journal.touched[place]
        if standing.counts[index] == 0:
            journal.leaving[index] = GIVEN_UP
        elif standing.sizes[index] >= land.least:
            if standing.counts[index] <= small:
                loss = fold(land, standing, index, NOBODY, NOBODY, yard.one)
                settle(standing, index, yard.one, loss)
            rise += standing.sizes[index] * standing.losses[index]
        else:
            journal.leaving[index] = BROKEN
    return rise
