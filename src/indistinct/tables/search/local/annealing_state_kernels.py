"""What annealing changes, and its smallest steps: join cells, attach and detach an item.

A class is a linked list of its items, so that an item enters or leaves it in constant time. The
first item of the list stands for the class: its cells at the levels of the class are those of all.
"""

# Single numbers out of arrays stand for int and float here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints, Words
from indistinct.base.compiled.compiling import compiled, compiled_part
from indistinct.tables.search.local.peel_kernels import next_word
from indistinct.tables.search.local.violation_kernels import Penalties, count_in, violation

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
    starts : (n_columns,), where a column's ladder begins; -1 where it would be too long
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
    penalties : of the models beside that
    price : of a record that a class misses a demand by
    suppression : what a suppressed record pays
    budget : records that may be suppressed
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
    penalties: Penalties
    price: float
    suppression: float
    budget: int


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
    counts_in : (n_classes, n_bins), records of each class in each bin of the demands
    lacks : (n_classes,), records by which each class misses its demands
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
    counts_in: Codes
    lacks: Floats
    spare: Codes
    n_spare: Ints


@compiled
def lay_out(
    problem: AnnealingProblem, labels: Codes, nodes: Codes, losses: Floats, n_classes: int
) -> AnnealingAssignment:
    """Write an assignment as linked lists, with room for ``n_classes``.

    The last class is that of the suppressed items, and stands for no class of ``nodes``.

    Parameters
    ----------
    labels : (n_items,), class of each item; NOBODY for the suppressed ones
    """
    n_items, n_columns = len(labels), nodes.shape[1]
    outside = n_classes - 1
    assigned = AnnealingAssignment(
        np.empty(n_items, np.int32),
        np.empty(n_items, np.int32),
        np.empty(n_items, np.int32),
        np.full(n_classes, NOBODY, np.int32),
        np.zeros(n_classes, np.int64),
        np.zeros(n_classes, np.int64),
        np.zeros((n_classes, n_columns), np.int32),
        np.zeros(n_classes, np.float64),
        np.zeros((n_classes, len(problem.penalties.weights)), np.int32),
        np.zeros(n_classes, np.float64),
        np.empty(n_classes, np.int32),
        np.zeros(1, np.int64),
    )
    for item in range(n_items):
        attach(problem, assigned, item, labels[item] if labels[item] >= 0 else outside)
    for index in range(len(nodes)):
        assigned.losses[index] = losses[index]
        assigned.lacks[index] = violation(problem.penalties, assigned.counts_in, index)
        for column in range(n_columns):
            assigned.levels[index, column] = nodes[index, column]
    assigned.losses[outside] = problem.suppression
    # Free numbers are put on a stack from the highest on, so that the lowest is taken first.
    for index in range(outside - 1, len(nodes) - 1, -1):
        give_back(assigned, index)
    return assigned


@compiled_part
def draw_below(state: Words, limit: int) -> int:
    """Draw a whole number from 0 to ``limit`` - 1, at most 2**32."""
    # Signed: numba takes the sum of a signed and an unsigned number for a real one.
    return np.int64(((next_word(state) >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))


@compiled_part
def draw_unit(state: Words) -> float:
    """Draw a number between 0 and 1, neither of them included."""
    return (float(next_word(state) >> np.uint64(11)) + 0.5) * UNIT


@compiled_part
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


@compiled_part
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


@compiled_part
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


@compiled_part
def detach(problem: AnnealingProblem, assigned: AnnealingAssignment, item: int) -> None:
    """Remove an item from its class."""
    index = assigned.labels[item]
    before, after = assigned.previous[item], assigned.nexts[item]
    if before >= 0:
        assigned.nexts[before] = after
    else:
        assigned.heads[index] = after
    if after >= 0:
        assigned.previous[after] = before
    assigned.sizes[index] -= problem.weights[item]
    assigned.counts[index] -= 1
    count_in(problem.penalties, assigned.counts_in, index, item, -problem.weights[item])


@compiled_part
def attach(problem: AnnealingProblem, assigned: AnnealingAssignment, item: int, index: int) -> None:
    """Add an item, which is in no list, to a class."""
    head = assigned.heads[index]
    assigned.nexts[item] = head
    assigned.previous[item] = NOBODY
    if head >= 0:
        assigned.previous[head] = item
    assigned.heads[index] = item
    assigned.labels[item] = index
    assigned.sizes[index] += problem.weights[item]
    assigned.counts[index] += 1
    count_in(problem.penalties, assigned.counts_in, index, item, problem.weights[item])


@compiled_part
def outside_of(assigned: AnnealingAssignment) -> int:
    """Return the number of the class of suppressed items."""
    return len(assigned.heads) - 1


@compiled_part
def cost_of(problem: AnnealingProblem, assigned: AnnealingAssignment, index: int) -> float:
    """Return what the records of a class pay, and what it pays for what it misses."""
    return assigned.sizes[index] * assigned.losses[index] + problem.price * assigned.lacks[index]


@compiled_part
def lack_of(problem: AnnealingProblem, assigned: AnnealingAssignment, index: int) -> float:
    """Return by how many records a class misses its demands as it is counted now."""
    if len(problem.penalties.kinds) == 0 or index == len(assigned.heads) - 1:
        return 0.0
    return violation(problem.penalties, assigned.counts_in, index)


@compiled_part
def fit(
    problem: AnnealingProblem,
    assigned: AnnealingAssignment,
    index: int,
    leaving: int,
    joining: int,
    levels: Codes,
    small: int,
) -> float:
    """Find levels of a class without one item and with another; give the loss.

    The lowest ones of a class of up to ``small`` items. The levels of a larger class still fit when
    an item leaves: to find lower ones, all others have to be looked at, which takes too long.
    """
    if index == len(assigned.heads) - 1:
        return problem.suppression
    if assigned.counts[index] <= small:
        return fold(problem, assigned, index, leaving, joining, levels)
    if joining >= 0:
        first = assigned.heads[index]
        return widen(problem, first, assigned.levels[index], joining, levels)
    for column in range(len(levels)):
        levels[column] = assigned.levels[index, column]
    return assigned.losses[index]


@compiled_part
def settle(assigned: AnnealingAssignment, index: int, levels: Codes, loss: float) -> None:
    """Note the levels and the loss of a class."""
    assigned.losses[index] = loss
    for column in range(len(levels)):
        assigned.levels[index, column] = levels[column]


@compiled_part
def take_spare(assigned: AnnealingAssignment) -> int:
    """Return the number of an empty class, which is free no more."""
    assigned.n_spare[0] -= 1
    return int(assigned.spare[assigned.n_spare[0]])


@compiled_part
def give_back(assigned: AnnealingAssignment, index: int) -> None:
    """Let the number of an empty class be used again."""
    assigned.spare[assigned.n_spare[0]] = index
    assigned.n_spare[0] += 1


@compiled_part
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


@compiled_part
def neighbor(problem: AnnealingProblem, state: Words, item: int) -> int:
    """Draw a similar item, the more similar the likelier; NOBODY where the draw misses."""
    share = draw_unit(state)
    return similar_item(problem, state, item, int(problem.similar.shape[1] * share * share))
