"""What the moves of annealing work with, and what an opening changed, so that it can be undone."""

# Single numbers out of arrays stand for int and float here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.core.arrays import Codes, Floats, Ints, Words
from indistinct.core.compiling import compiled_copy, compiled_part
from indistinct.search.local.annealing_state_kernels import (
    AnnealingAssignment,
    AnnealingProblem,
    attach,
    detach,
    settle,
)
from indistinct.search.local.peel_kernels import Groups

N_MOVED, N_TOUCHED, N_HOMELESS, STAMP, WORK = 0, 1, 2, 3, 4
GIVEN_UP, BROKEN = -1, -2
REFUSED = 1e300
MOST_REBUILT = 5  # classes


class MoveBuffer(NamedTuple):
    """Room for a move that builds classes anew.

    Parameters
    ----------
    items : items to be given a class
    places : (n_items,), which new class each goes to; NOBODY while it goes to none
    classes, numbers : classes that are taken apart, and the numbers of the new ones
    firsts, sizes, losses, rungs : of each new class
    one, other : (n_columns,), rungs
    """

    items: Codes
    places: Codes
    classes: Codes
    numbers: Codes
    firsts: Codes
    sizes: Ints
    losses: Floats
    rungs: Codes
    one: Codes
    other: Codes


class UndoLog(NamedTuple):
    """What a move has changed, so that it can be undone.

    Parameters
    ----------
    items, origins : items that moved, and the classes they came from
    touched : classes that changed
    losses, lacks, rungs : of the touched classes, before
    leaving : (n_classes,), records that leave each touched class; BROKEN while it has too few,
        GIVEN_UP for one given up
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
    lacks: Floats
    rungs: Codes
    leaving: Ints
    stamps: Ints
    chosen: Ints
    homeless: Codes
    tally: Ints


class MoveContext(NamedTuple):
    """What every move reads and changes.

    Parameters
    ----------
    groups : that may be opened
    state : of the random draws
    small : items up to which a class is looked at as a whole
    """

    land: AnnealingProblem
    standing: AnnealingAssignment
    yard: MoveBuffer
    journal: UndoLog
    groups: Groups
    state: Words
    small: int


@compiled_part
def yard_of(n_columns: int, n_items: int) -> MoveBuffer:
    """Return room for moves of up to ``n_items``."""
    return MoveBuffer(
        np.empty(n_items, np.int32),
        np.empty(n_items, np.int32),
        np.empty(MOST_REBUILT, np.int32),
        np.empty(n_items, np.int32),
        np.empty(n_items, np.int32),
        np.empty(n_items, np.int64),
        np.empty(n_items, np.float64),
        np.empty((n_items, n_columns), np.int32),
        np.empty(n_columns, np.int32),
        np.empty(n_columns, np.int32),
    )


@compiled_part
def journal_of(n_columns: int, n_items: int, n_classes: int) -> UndoLog:
    """Return an empty journal."""
    return UndoLog(
        np.empty(2 * n_items, np.int32),  # an item may join the group, and then fill up a class
        np.empty(2 * n_items, np.int32),
        np.empty(n_classes, np.int32),
        np.empty(n_classes, np.float64),
        np.empty(n_classes, np.float64),
        np.empty((n_classes, n_columns), np.int32),
        np.zeros(n_classes, np.int64),
        np.zeros(n_classes, np.int64),
        np.zeros(n_items, np.int64),
        np.empty(n_items, np.int32),
        np.zeros(5, np.int64),
    )


@compiled_copy
def touch(standing: AnnealingAssignment, journal: UndoLog, index: int) -> None:
    """Note what a class was like before the move that is being made."""
    if journal.stamps[index] == journal.tally[STAMP]:
        return
    journal.stamps[index] = journal.tally[STAMP]
    journal.leaving[index] = 0
    place = journal.tally[N_TOUCHED]
    journal.touched[place] = index
    journal.losses[place] = standing.losses[index]
    journal.lacks[place] = standing.lacks[index]
    for column in range(journal.rungs.shape[1]):
        journal.rungs[place, column] = standing.rungs[index, column]
    journal.tally[N_TOUCHED] += 1


@compiled_copy
def note_move(journal: UndoLog, item: int, origin: int) -> None:
    """Note that an item leaves a class."""
    moved = journal.tally[N_MOVED]
    journal.items[moved] = item
    journal.origins[moved] = origin
    journal.tally[N_MOVED] += 1


@compiled_part
def undo(land: AnnealingProblem, standing: AnnealingAssignment, journal: UndoLog) -> None:
    """Undo everything since before the move."""
    for place in range(journal.tally[N_MOVED] - 1, -1, -1):
        item = journal.items[place]
        detach(land, standing, item)
        attach(land, standing, item, journal.origins[place])
    for place in range(journal.tally[N_TOUCHED]):
        standing.lacks[journal.touched[place]] = journal.lacks[place]
        settle(standing, journal.touched[place], journal.rungs[place], journal.losses[place])
