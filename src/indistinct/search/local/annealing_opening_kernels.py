"""The large move of annealing: open a group, and house all whom that leaves without a class.

A group of a random tree takes the members that pay more than they would in it, and the dearest of
the others where it needs them. Classes that are left with too few records are given up, and each of
their items goes where it costs least. Only then is the whole change weighed, and undone if it costs
too much. Unlike a round of refinement, which opens hundreds of groups at a time and estimates their
damage, this tells of every single group what it is worth.
"""

# Single numbers out of arrays stand for int and float here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.core.arrays import Codes, Floats, Ints, Words
from indistinct.core.compiling import compiled_part
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
    similar_item,
    take_spare,
    widen,
)
from indistinct.search.local.peel_kernels import Groups

N_MOVED, N_TOUCHED, N_HOMELESS, STAMP, WORK = 0, 1, 2, 3, 4
GIVEN_UP = -1
TIE = 1e-9  # records' worth of loss within which lenders count as equal


class Journal(NamedTuple):
    """What a move has changed, so that it can be undone.

    Parameters
    ----------
    items, origins : items that moved, and the classes they came from
    touched : classes that changed
    losses, rungs : of the touched classes, before
    leaving : (n_classes,), records that leave each touched class; GIVEN_UP for one given up
    stamps : (n_classes,), the last move that touched each class
    chosen : (n_items,), the last move that each item was chosen in
    homeless : items whose class was given up
    tally : how many items moved, classes were touched and items are homeless; the number of the
        move; the items looked at in all moves
    """

    items: Codes
    origins: Codes
    touched: Codes
    losses: Floats
    rungs: Codes
    leaving: Ints
    stamps: Ints
    chosen: Ints
    homeless: Codes
    tally: Ints


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
    while weight < land.least:
        lender, worth = best_lender(land, standing, journal, groups, group, state, anger)
        if lender < 0:
            return REFUSED
        choose(land, standing, journal, lender)
        weight += land.weights[lender]
        gain += land.weights[lender] * worth
    if gain <= -limit:
        return REFUSED
    number = take_spare(standing)
    rise = move_in(land, standing, yard, journal, number, small)
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


@compiled_part
def touch(standing: Standing, journal: Journal, index: int) -> None:
    """Note what a class was like before the move that is being made."""
    if journal.stamps[index] == journal.tally[STAMP]:
        return
    journal.stamps[index] = journal.tally[STAMP]
    journal.leaving[index] = 0
    place = journal.tally[N_TOUCHED]
    journal.touched[place] = index
    journal.losses[place] = standing.losses[index]
    for column in range(journal.rungs.shape[1]):
        journal.rungs[place, column] = standing.rungs[index, column]
    journal.tally[N_TOUCHED] += 1


@compiled_part
def choose(land: Land, standing: Standing, journal: Journal, item: int) -> None:
    """Note that an item joins the group."""
    index = standing.labels[item]
    touch(standing, journal, index)
    journal.leaving[index] += land.weights[item]
    journal.chosen[item] = journal.tally[STAMP]
    place = journal.tally[N_MOVED]
    journal.items[place] = item
    journal.origins[place] = index
    journal.tally[N_MOVED] += 1


@compiled_part
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
def best_lender(
    land: Land,
    standing: Standing,
    journal: Journal,
    groups: Groups,
    group: int,
    state: Words,
    anger: float,
) -> tuple[int, float]:
    """Find the member that loses least by joining; NOBODY where all have joined.

    A member that breaks its class counts as losing ``anger`` times the loss of the group more.
    Of several that lose as much one is drawn.
    """
    best = NOBODY
    most = -REFUSED
    first = groups.starts[group]
    journal.tally[WORK] += groups.sizes[group]
    for position in range(first, first + groups.sizes[group]):
        item = groups.members[position]
        if journal.chosen[item] == journal.tally[STAMP]:
            continue
        index = standing.labels[item]
        rest = standing.sizes[index]
        if journal.stamps[index] == journal.tally[STAMP]:
            rest -= journal.leaving[index]
        worth = standing.losses[index] - groups.losses[group]
        after = rest - land.weights[item]
        if rest >= land.least and 0 < after < land.least:
            worth -= anger * groups.losses[group]
        worth -= TIE * draw_unit(state)
        if worth > most:
            most = worth
            best = item
    return best, most


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
            journal.leaving[index] = GIVEN_UP
            item = standing.heads[index]
            while item >= 0:
                journal.homeless[journal.tally[N_HOMELESS]] = item
                journal.tally[N_HOMELESS] += 1
                item = standing.nexts[item]
    return rise


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
        home, rent = best_home(land, standing, yard, journal, state, item, number)
        rise += rent
        if rise >= limit:
            break
        touch(standing, journal, home)
        loss = widen(land, standing.heads[home], standing.rungs[home], item, yard.one)
        settle(standing, home, yard.one, loss)
        moved = journal.tally[N_MOVED]
        journal.items[moved] = item
        journal.origins[moved] = standing.labels[item]
        journal.tally[N_MOVED] += 1
        detach(standing, land.weights, item)
        attach(standing, land.weights, item, home)
    return rise


@compiled_part
def best_home(
    land: Land,
    standing: Standing,
    yard: Yard,
    journal: Journal,
    state: Words,
    item: int,
    number: int,
) -> tuple[int, float]:
    """Find the class that an item costs least in: the new one, or that of a similar item."""
    weight = land.weights[item]
    best = NOBODY
    least = REFUSED
    n_similar = land.similar.shape[1]
    journal.tally[WORK] += n_similar
    for place in range(n_similar + 1):
        index = number
        if place < n_similar:
            other = similar_item(land, state, item, place)
            if other < 0:
                continue
            index = standing.labels[other]
        is_touched = journal.stamps[index] == journal.tally[STAMP]
        if is_touched and journal.leaving[index] == GIVEN_UP:
            continue
        if index == best or weight * standing.losses[index] >= least:
            continue
        loss = widen(land, standing.heads[index], standing.rungs[index], item, yard.one)
        rise = (standing.sizes[index] + weight) * loss
        rise -= standing.sizes[index] * standing.losses[index]
        if rise < least:
            least = rise
            best = index
    return best, least


@compiled_part
def undo(land: Land, standing: Standing, journal: Journal) -> None:
    """Put everything back as it was before the move."""
    for place in range(journal.tally[N_MOVED] - 1, -1, -1):
        item = journal.items[place]
        detach(standing, land.weights, item)
        attach(standing, land.weights, item, journal.origins[place])
    for place in range(journal.tally[N_TOUCHED]):
        settle(standing, journal.touched[place], journal.rungs[place], journal.losses[place])
