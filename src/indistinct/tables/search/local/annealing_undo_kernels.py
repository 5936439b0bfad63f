"""What the moves of annealing work with, and what an opening changed, so that it can be undone."""

# Single numbers out of arrays stand for int and float here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints, Words
from indistinct.base.compiled.compiling import compiled_part
from indistinct.tables.search.local.annealing_state_kernels import (
    AnnealingAssignment,
    AnnealingProblem,
    attach,
    detach,
    settle,
)
from indistinct.tables.search.local.peel_kernels import PeeledGroups

N_MOVED, N_TOUCHED, N_HOMELESS, STAMP, WORK = 0, 1, 2, 3, 4
GIVEN_UP, BROKEN = -1, -2
REFUSED = 1e300
MOST_REBUILT = 5  # classes
MOST_ITEMS_REBUILT = 1200  # of these classes together: the time grows with their square
STEP_CLASS = 256  # items of a class up to which looking through it is part of the move
STEP_SHIFTS = 64  # entries of a sorted list that take as long to shift as one item to look at


class MoveBuffer(NamedTuple):
    """Room for a move that builds classes anew.

    Parameters
    ----------
    items : items to be given a class
    places : (n_items,), which new class each goes to; NOBODY while it goes to none
    classes, numbers : classes that are taken apart, and the numbers of the new ones
    firsts, sizes, losses, levels : of each new class
    one, other : (n_columns,), levels
    """

    items: Codes
    places: Codes
    classes: Codes
    numbers: Codes
    firsts: Codes
    sizes: Ints
    losses: Floats
    levels: Codes
    one: Codes
    other: Codes


class UndoLog(NamedTuple):
    """What a move has changed, so that it can be undone.

    Parameters
    ----------
    items, origins : items that moved, and the classes they came from
    touched : classes that changed
    losses, lacks, levels : of the touched classes, before
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
    levels: Codes
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

    problem: AnnealingProblem
    assigned: AnnealingAssignment
    buffer: MoveBuffer
    undo_log: UndoLog
    groups: PeeledGroups
    state: Words
    small: int


@compiled_part
def count_class(undo_log: UndoLog, count: int) -> None:
    """Count that a class of so many items was looked through, if it is a large one.

    Otherwise a table with few distinct tuples, whose classes have thousands of items, would take
    minutes for the moves of a second.
    """
    if count > STEP_CLASS:
        undo_log.tally[WORK] += count - STEP_CLASS


@compiled_part
def empty_buffer(n_columns: int, n_items: int) -> MoveBuffer:
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
def empty_undo_log(n_columns: int, n_items: int, n_classes: int) -> UndoLog:
    """Return an empty undo_log."""
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


@compiled_part
def touch(assigned: AnnealingAssignment, undo_log: UndoLog, index: int) -> None:
    """Note what a class was like before the move that is being made."""
    if undo_log.stamps[index] == undo_log.tally[STAMP]:
        return
    undo_log.stamps[index] = undo_log.tally[STAMP]
    undo_log.leaving[index] = 0
    place = undo_log.tally[N_TOUCHED]
    undo_log.touched[place] = index
    undo_log.losses[place] = assigned.losses[index]
    undo_log.lacks[place] = assigned.lacks[index]
    for column in range(undo_log.levels.shape[1]):
        undo_log.levels[place, column] = assigned.levels[index, column]
    undo_log.tally[N_TOUCHED] += 1


@compiled_part
def note_move(undo_log: UndoLog, item: int, origin: int) -> None:
    """Note that an item leaves a class."""
    moved = undo_log.tally[N_MOVED]
    undo_log.items[moved] = item
    undo_log.origins[moved] = origin
    undo_log.tally[N_MOVED] += 1


@compiled_part
def undo(problem: AnnealingProblem, assigned: AnnealingAssignment, undo_log: UndoLog) -> None:
    """Undo everything since before the move."""
    for place in range(undo_log.tally[N_MOVED] - 1, -1, -1):
        item = undo_log.items[place]
        detach(problem, assigned, item)
        attach(problem, assigned, item, undo_log.origins[place])
    for place in range(undo_log.tally[N_TOUCHED]):
        assigned.lacks[undo_log.touched[place]] = undo_log.lacks[place]
        settle(assigned, undo_log.touched[place], undo_log.levels[place], undo_log.losses[place])
