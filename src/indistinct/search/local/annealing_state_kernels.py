"""What annealing changes, and its smallest steps: join cells, attach and detach an item.

A class is a linked list of its items, so that an item enters or leaves it in constant time. The
first item of the list stands for the class: its cells at the levels of the class are those of all.
"""

# Single numbers out of arrays stand for int and float here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.core.arrays import Codes, Floats, Ints, Words
from indistinct.core.compiling import compiled, compiled_copy
from indistinct.search.local.peel_kernels import next_word

NOBODY = -1
UNIT = 1.0 / 9007199254740992.0  # 2**-53
DISSOLVED = -1


class Fields(NamedTuple):
    """Where the columns lie in a path.

    A column's field numbers the children of each cell, from the root down, the root's in its
    highest bits. Where two paths differ first therefore tells the lowest level at which they meet,
    and the union of such differences tells where more than two meet.

    Parameters
    ----------
    words : (n_columns,), which word of a path the column is in; words never fall from one column
        to the next
    shifts : (n_columns,), the lowest bit of the field
    masks : (n_columns,), as many bits set as the field has
    floors : (n_columns, most levels), the least difference of paths that meet above each level
    level_table : the level of each difference, for one column after the other
    starts : (n_columns,), where a column's table begins; -1 where it would be too long
    tops : (n_columns,), highest level
    """

    words: Ints
    shifts: Words
    masks: Words
    floors: Words
    level_table: Codes
    starts: Ints
    tops: Codes


class AnnealingProblem(NamedTuple):
    """What stays as it is while classes change.

    Parameters
    ----------
    codes : (n_items, n_columns), value codes
    weights : (n_items,), records
    paid : what a record pays per value and level, the levels of a value side by side
    rows : (n_items, n_columns), where the levels of an item's value begin in ``paid``
    paths : (n_items, n_words), the way from the root down to the item's cell in each column
    fields : where each column lies in ``paths``
    tuples : (n_items,), distinct tuple of each item
    residents, starts : items tuple after tuple, and where each begins: (n_tuples + 1,)
    similar : (n_tuples, n_similar), tuples that cost little together with each, itself first
    shared : (n_tuples, n_similar), what a record pays in the cells shared with each similar tuple
    least : records that every class needs
    """

    codes: Codes
    weights: Ints
    paid: Floats
    rows: Codes
    paths: Words
    fields: Fields
    tuples: Codes
    residents: Codes
    starts: Ints
    similar: Codes
    shared: Floats
    least: int


class AnnealingAssignment(NamedTuple):
    """Who is in which class now.

    Parameters
    ----------
    labels : (n_items,), class of each item
    nexts, previous : (n_items,), neighbors in the list of the class; NOBODY at its ends
    heads : (n_classes,), first item; NOBODY for an empty class
    sizes, counts : (n_classes,), records and items
    levels : (n_classes, n_columns)
    losses : (n_classes,), what a record of each class pays
    spare : numbers of empty classes; the first ``n_spare[0]`` of them are free
    """

    labels: Codes
    nexts: Codes
    previous: Codes
    heads: Codes
    sizes: Ints
    counts: Ints
    levels: Codes
    losses: Floats
    spare: Codes
    n_spare: Ints


@compiled
def lay_out(
    labels: Codes, weights: Ints, nodes: Codes, losses: Floats, n_classes: int
) -> AnnealingAssignment:
    """Write an assignment as linked lists, with room for ``n_classes``."""
    n_items, n_columns = len(labels), nodes.shape[1]
    assigned = AnnealingAssignment(
        np.empty(n_items, np.int32),
        np.empty(n_items, np.int32),
        np.empty(n_items, np.int32),
        np.full(n_classes, NOBODY, np.int32),
        np.zeros(n_classes, np.int64),
        np.zeros(n_classes, np.int64),
        np.zeros((n_classes, n_columns), np.int32),
        np.zeros(n_classes, np.float64),
        np.empty(n_classes, np.int32),
        np.zeros(1, np.int64),
    )
    for item in range(n_items):
        attach(assigned, weights, item, labels[item])
    for index in range(len(nodes)):
        assigned.losses[index] = losses[index]
        for column in range(n_columns):
            assigned.levels[index, column] = nodes[index, column]
    # Free numbers are put on a stack from the highest on, so that the lowest is taken first.
    for index in range(n_classes - 1, len(nodes) - 1, -1):
        give_back(assigned, index)
    return assigned


@compiled_copy
def draw_below(state: Words, limit: int) -> int:
    """Draw a whole number from 0 to ``limit`` - 1, at most 2**32."""
    # Signed: numba takes the sum of a signed and an unsigned number for a real one.
    return np.int64(((next_word(state) >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))


@compiled_copy
def draw_unit(state: Words) -> float:
    """Draw a number between 0 and 1, neither of them included."""
    return (float(next_word(state) >> np.uint64(11)) + 0.5) * UNIT


@compiled_copy
def level_of(fields: Fields, column: int, difference: np.uint64) -> int:
    """Return the lowest level of a column at which all paths meet that differ so from one of them.

    Parameters
    ----------
    difference : the bits in which any of them differs, in the word of the column
    """
    found = (difference >> fields.shifts[column]) & fields.masks[column]
    start = fields.starts[column]
    if start >= 0:
        return np.int64(fields.level_table[start + np.int64(found)])
    level = 0
    while level < fields.tops[column] and found >= fields.floors[column, level]:
        level += 1
    return level


@compiled_copy
def widen(problem: AnnealingProblem, first: int, levels: Codes, item: int, wider: Codes) -> float:
    """Raise ``levels`` around ``first`` until they hold ``item``; give what a record pays."""
    loss = 0.0
    word = np.int64(-1)
    difference = np.uint64(0)
    for column in range(len(wider)):
        if problem.fields.words[column] != word:
            word = problem.fields.words[column]
            difference = problem.paths[first, word] ^ problem.paths[item, word]
        level = max(level_of(problem.fields, column, difference), levels[column])
        wider[column] = level
        loss += problem.paid[problem.rows[first, column] + level]
    return loss


@compiled_copy
def fold(
    problem: AnnealingProblem,
    assigned: AnnealingAssignment,
    index: int,
    leaving: int,
    joining: int,
    levels: Codes,
) -> float:
    """Find the lowest levels of a class without one item and with another; give the loss.

    Parameters
    ----------
    leaving, joining : items; NOBODY for none. The class is not empty without ``leaving``
    levels : (n_columns,), to be filled
    """
    first = joining
    if first < 0:
        first = assigned.heads[index]
        first = first if first != leaving else assigned.nexts[first]
    loss = 0.0
    word = np.int64(-1)
    difference = np.uint64(0)
    for column in range(len(levels)):
        if problem.fields.words[column] != word:
            word = problem.fields.words[column]
            difference = np.uint64(0)
            item = assigned.heads[index]
            while item >= 0:
                if item != leaving:
                    difference |= problem.paths[first, word] ^ problem.paths[item, word]
                item = assigned.nexts[item]
        level = level_of(problem.fields, column, difference)
        levels[column] = level
        loss += problem.paid[problem.rows[first, column] + level]
    return loss


@compiled_copy
def detach(assigned: AnnealingAssignment, weights: Ints, item: int) -> None:
    """Remove an item from its class."""
    index = assigned.labels[item]
    before, after = assigned.previous[item], assigned.nexts[item]
    if before >= 0:
        assigned.nexts[before] = after
    else:
        assigned.heads[index] = after
    if after >= 0:
        assigned.previous[after] = before
    assigned.sizes[index] -= weights[item]
    assigned.counts[index] -= 1


@compiled_copy
def attach(assigned: AnnealingAssignment, weights: Ints, item: int, index: int) -> None:
    """Add an item, which is in no list, to a class."""
    head = assigned.heads[index]
    assigned.nexts[item] = head
    assigned.previous[item] = NOBODY
    if head >= 0:
        assigned.previous[head] = item
    assigned.heads[index] = item
    assigned.labels[item] = index
    assigned.sizes[index] += weights[item]
    assigned.counts[index] += 1


@compiled_copy
def settle(assigned: AnnealingAssignment, index: int, levels: Codes, loss: float) -> None:
    """Note the levels and the loss of a class."""
    assigned.losses[index] = loss
    for column in range(len(levels)):
        assigned.levels[index, column] = levels[column]


@compiled_copy
def take_spare(assigned: AnnealingAssignment) -> int:
    """Return the number of an empty class, which is free no more."""
    assigned.n_spare[0] -= 1
    return int(assigned.spare[assigned.n_spare[0]])


@compiled_copy
def give_back(assigned: AnnealingAssignment, index: int) -> None:
    """Let the number of an empty class be used again."""
    assigned.spare[assigned.n_spare[0]] = index
    assigned.n_spare[0] += 1


@compiled_copy
def similar_item(problem: AnnealingProblem, state: Words, item: int, place: int) -> int:
    """Return an item of the tuple at a place of the list of similar ones; NOBODY where it has none.

    Of several items with that tuple one is drawn.
    """
    other = problem.similar[problem.tuples[item], place]
    first = problem.starts[other]
    n_residents = problem.starts[other + 1] - first
    if n_residents == 0:
        return NOBODY
    shift = draw_below(state, n_residents) if n_residents > 1 else 0
    return int(problem.residents[first + shift])


@compiled_copy
def neighbor(problem: AnnealingProblem, state: Words, item: int) -> int:
    """Draw a similar item, the more similar the likelier; NOBODY where the draw misses."""
    share = draw_unit(state)
    return similar_item(problem, state, item, int(problem.similar.shape[1] * share * share))
