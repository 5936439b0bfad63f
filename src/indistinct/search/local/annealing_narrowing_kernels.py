"""The move of annealing that lets a class go down by a rung in one column.

Often a few members alone keep a class from a finer cell. They are put aside, each of them goes
where it costs least, and similar records that other classes can spare take their places.
"""

# Single numbers out of arrays stand for int and float here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from indistinct.core.arrays import Words
from indistinct.core.compiling import compiled_part
from indistinct.search.local.annealing_journal_kernels import (
    GIVEN_UP,
    N_HOMELESS,
    WORK,
    Journal,
    begin_move,
    give_back_emptied,
    note_move,
    touch,
    undo,
)
from indistinct.search.local.annealing_mending_kernels import fill_up, house_all, most_missing
from indistinct.search.local.annealing_move_kernels import REFUSED, Yard
from indistinct.search.local.annealing_state_kernels import (
    NOBODY,
    Land,
    Standing,
    attach,
    detach,
    draw_below,
    fold,
    give_back,
    rung_of,
    settle,
    take_spare,
)


@compiled_part
def narrow(
    land: Land,
    standing: Standing,
    yard: Yard,
    journal: Journal,
    state: Words,
    item: int,
    limit: float,
    small: int,
) -> float:
    """Put the members aside that do not share the finer cell of an item in some column.

    Refused where they are too many, or where the loss would rise by ``limit`` or more.
    """
    index = standing.labels[item]
    if standing.counts[index] > small:
        return REFUSED
    column = coarse_column(standing, state, index)
    if column < 0:
        return REFUSED
    begin_move(journal)
    n_misfits = list_misfits(land, standing, journal, item, column)
    if n_misfits == 0:
        return REFUSED
    before = standing.sizes[index] * standing.losses[index]
    touch(standing, journal, index)
    aside = take_spare(standing)
    touch(standing, journal, aside)
    for place in range(n_misfits):
        misfit = journal.homeless[place]
        note_move(journal, misfit, index)
        detach(standing, land.weights, misfit)
        attach(standing, land.weights, misfit, aside)
    # Neither is a home: the misfits would all go back.
    journal.leaving[aside] = GIVEN_UP
    journal.leaving[index] = GIVEN_UP
    loss = fold(land, standing, index, NOBODY, NOBODY, yard.one)
    settle(standing, index, yard.one, loss)
    rise = standing.sizes[index] * loss - before
    if rise < limit:
        rise = house_all(land, standing, yard, journal, state, aside, rise, limit)
    if rise < limit and standing.sizes[index] < land.least:
        rise -= standing.sizes[index] * loss
        rise += fill_up(land, standing, yard, journal, state, index, limit - rise, small)
    if rise >= limit:
        undo(land, standing, journal)
        give_back(standing, aside)
        return REFUSED
    give_back_emptied(standing, journal)
    return rise


@compiled_part
def coarse_column(standing: Standing, state: Words, index: int) -> int:
    """Draw a column in which a class is not at the lowest rung; NOBODY where there is none."""
    n_columns = standing.rungs.shape[1]
    column = draw_below(state, n_columns)
    for _ in range(n_columns):
        if standing.rungs[index, column] > 0:
            return column
        column = (column + 1) % n_columns
    return NOBODY


@compiled_part
def list_misfits(land: Land, standing: Standing, journal: Journal, item: int, column: int) -> int:
    """List as homeless the members that do not share the cell of an item one rung lower.

    Returns
    -------
    how many they are; 0 where they are more than a class that is filled up may lack
    """
    index = standing.labels[item]
    journal.tally[WORK] += standing.counts[index]
    word = land.fields.words[column]
    rung = standing.rungs[index, column]
    n_misfits = 0
    member = standing.heads[index]
    while member >= 0:
        difference = land.paths[item, word] ^ land.paths[member, word]
        if rung_of(land.fields, column, difference) >= rung:
            if n_misfits == most_missing(land):
                return 0
            journal.homeless[n_misfits] = member
            n_misfits += 1
        member = standing.nexts[member]
    journal.tally[N_HOMELESS] = n_misfits
    return n_misfits
