"""What annealing changes, and its smallest steps: join cells, attach and detach an item.

A class is a linked list of its items, so that an item enters or leaves it in constant time. The
first item of the list stands for the class: its cells at the rungs of the class are those of all.
"""

# Single numbers out of arrays stand for int and float here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.core.arrays import Codes, Floats, Ints, Words
from indistinct.core.compiling import compiled, compiled_copy, compiled_part
from indistinct.search.local.peel_kernels import next_word
from indistinct.search.local.shortfall_kernels import Demands, count_in, shortfall

NOBODY = -1
UNIT = 1.0 / 9007199254740992.0  # 2**-53
DISSOLVED = -1


class Fields(NamedTuple):
    """Where the columns lie in a path.

    A column's field numbers the children of each cell, from the root down, the root's in its
    highest bits. Where two paths differ first therefore tells the lowest rung at which they meet,
    and the union of such differences tells where more than two meet.

    Parameters
    ----------
    words : (n_columns,), which word of a path the column is in; words never fall from one column
        to the next
    shifts : (n_columns,), the lowest bit of the field
    masks : (n_columns,), as many bits set as the field has
    floors : (n_columns, most rungs), the least difference of paths that meet above each rung
    ladders : the rung of each difference, for one column after the other
    starts : (n_columns,), where a column's ladder begins; -1 where it would be too long
    tops : (n_columns,), highest rung
    """

    words: Ints
    shifts: Words
    masks: Words
    floors: Words
    ladders: Codes
    starts: Ints
    tops: Codes


class AnnealingProblem(NamedTuple):
    """What stays as it is while classes change.

    Parameters
    ----------
    codes : (n_items, n_columns), value codes
    weights : (n_items,), records
    paid : what a record pays per value and rung, the rungs of a value side by side
    rows : (n_items, n_columns), where the rungs of an item's value begin in ``paid``
    paths : (n_items, n_words), the way from the root down to the item's cell in each column
    fields : where each column lies in ``paths``
    tuples : (n_items,), distinct tuple of each item
    residents, starts : items tuple after tuple, and where each begins: (n_tuples + 1,)
    similar : (n_tuples, n_similar), tuples that cost little together with each, itself first
    shared : (n_tuples, n_similar), what a record pays in the cells shared with each similar tuple
    least : records that every class needs
    demands : of the models beside that
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
    demands: Demands
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
    rungs : (n_classes, n_columns)
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
    rungs: Codes
    losses: Floats
    counts_in: Codes
    lacks: Floats
    spare: Codes
    n_spare: Ints


@compiled
def lay_out(
    land: AnnealingProblem, labels: Codes, nodes: Codes, losses: Floats, n_classes: int
) -> AnnealingAssignment:
    """Write an assignment as linked lists, with room for ``n_classes``.

    The last class is that of the suppressed items, and stands for no class of ``nodes``.

    Parameters
    ----------
    labels : (n_items,), class of each item; NOBODY for the suppressed ones
    """
    n_items, n_columns = len(labels), nodes.shape[1]
    outside = n_classes - 1
    standing = AnnealingAssignment(
        np.empty(n_items, np.int32),
        np.empty(n_items, np.int32),
        np.empty(n_items, np.int32),
        np.full(n_classes, NOBODY, np.int32),
        np.zeros(n_classes, np.int64),
        np.zeros(n_classes, np.int64),
        np.zeros((n_classes, n_columns), np.int32),
        np.zeros(n_classes, np.float64),
        np.zeros((n_classes, len(land.demands.weights)), np.int32),
        np.zeros(n_classes, np.float64),
        np.empty(n_classes, np.int32),
        np.zeros(1, np.int64),
    )
    for item in range(n_items):
        attach(land, standing, item, labels[item] if labels[item] >= 0 else outside)
    for index in range(len(nodes)):
        standing.losses[index] = losses[index]
        standing.lacks[index] = shortfall(land.demands, standing.counts_in, index)
        for column in range(n_columns):
            standing.rungs[index, column] = nodes[index, column]
    standing.losses[outside] = land.suppression
    # Free numbers are put on a stack from the highest on, so that the lowest is taken first.
    for index in range(outside - 1, len(nodes) - 1, -1):
        give_back(standing, index)
    return standing


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
def rung_of(fields: Fields, column: int, difference: np.uint64) -> int:
    """Return the lowest rung of a column at which all paths meet that differ so from one of them.

    Parameters
    ----------
    difference : the bits in which any of them differs, in the word of the column
    """
    found = (difference >> fields.shifts[column]) & fields.masks[column]
    start = fields.starts[column]
    if start >= 0:
        return np.int64(fields.ladders[start + np.int64(found)])
    rung = 0
    while rung < fields.tops[column] and found >= fields.floors[column, rung]:
        rung += 1
    return rung


@compiled_copy
def widen(land: AnnealingProblem, first: int, rungs: Codes, item: int, wider: Codes) -> float:
    """Raise ``rungs`` around ``first`` until they hold ``item``; give what a record pays."""
    loss = 0.0
    word = np.int64(-1)
    difference = np.uint64(0)
    for column in range(len(wider)):
        if land.fields.words[column] != word:
            word = land.fields.words[column]
            difference = land.paths[first, word] ^ land.paths[item, word]
        rung = max(rung_of(land.fields, column, difference), rungs[column])
        wider[column] = rung
        loss += land.paid[land.rows[first, column] + rung]
    return loss


@compiled_copy
def fold(
    land: AnnealingProblem,
    standing: AnnealingAssignment,
    index: int,
    leaving: int,
    joining: int,
    rungs: Codes,
) -> float:
    """Find the lowest rungs of a class without one item and with another; give the loss.

    Parameters
    ----------
    leaving, joining : items; NOBODY for none. The class is not empty without ``leaving``
    rungs : (n_columns,), to be filled
    """
    first = joining
    if first < 0:
        first = standing.heads[index]
        first = first if first != leaving else standing.nexts[first]
    loss = 0.0
    word = np.int64(-1)
    difference = np.uint64(0)
    for column in range(len(rungs)):
        if land.fields.words[column] != word:
            word = land.fields.words[column]
            difference = np.uint64(0)
            item = standing.heads[index]
            while item >= 0:
                if item != leaving:
                    difference |= land.paths[first, word] ^ land.paths[item, word]
                item = standing.nexts[item]
        rung = rung_of(land.fields, column, difference)
        rungs[column] = rung
        loss += land.paid[land.rows[first, column] + rung]
    return loss


@compiled_copy
def detach(land: AnnealingProblem, standing: AnnealingAssignment, item: int) -> None:
    """Remove an item from its class."""
    index = standing.labels[item]
    before, after = standing.previous[item], standing.nexts[item]
    if before >= 0:
        standing.nexts[before] = after
    else:
        standing.heads[index] = after
    if after >= 0:
        standing.previous[after] = before
    standing.sizes[index] -= land.weights[item]
    standing.counts[index] -= 1
    count_in(land.demands, standing.counts_in, index, item, -land.weights[item])


@compiled_copy
def attach(land: AnnealingProblem, standing: AnnealingAssignment, item: int, index: int) -> None:
    """Add an item, which is in no list, to a class."""
    head = standing.heads[index]
    standing.nexts[item] = head
    standing.previous[item] = NOBODY
    if head >= 0:
        standing.previous[head] = item
    standing.heads[index] = item
    standing.labels[item] = index
    standing.sizes[index] += land.weights[item]
    standing.counts[index] += 1
    count_in(land.demands, standing.counts_in, index, item, land.weights[item])


@compiled_copy
def outside_of(standing: AnnealingAssignment) -> int:
    """Return the number of the class of suppressed items."""
    return len(standing.heads) - 1


@compiled_copy
def cost_of(land: AnnealingProblem, standing: AnnealingAssignment, index: int) -> float:
    """Return what the records of a class pay, and what it pays for what it misses."""
    return standing.sizes[index] * standing.losses[index] + land.price * standing.lacks[index]


@compiled_part
def lack_of(land: AnnealingProblem, standing: AnnealingAssignment, index: int) -> float:
    """Return by how many records a class misses its demands as it is counted now."""
    if len(land.demands.kinds) == 0 or index == len(standing.heads) - 1:
        return 0.0
    return shortfall(land.demands, standing.counts_in, index)


@compiled_part
def fit(
    land: AnnealingProblem,
    standing: AnnealingAssignment,
    index: int,
    leaving: int,
    joining: int,
    rungs: Codes,
    small: int,
) -> float:
    """Find rungs of a class without one item and with another; give the loss.

    The lowest ones of a class of up to ``small`` items. The rungs of a larger class still fit when
    an item leaves: to find lower ones, all others have to be looked at, which takes too long.
    """
    if index == len(standing.heads) - 1:
        return land.suppression
    if standing.counts[index] <= small:
        return fold(land, standing, index, leaving, joining, rungs)
    if joining >= 0:
        first = standing.heads[index]
        return widen(land, first, standing.rungs[index], joining, rungs)
    for column in range(len(rungs)):
        rungs[column] = standing.rungs[index, column]
    return standing.losses[index]


@compiled_copy
def settle(standing: AnnealingAssignment, index: int, rungs: Codes, loss: float) -> None:
    """Note the rungs and the loss of a class."""
    standing.losses[index] = loss
    for column in range(len(rungs)):
        standing.rungs[index, column] = rungs[column]


@compiled_copy
def take_spare(standing: AnnealingAssignment) -> int:
    """Return the number of an empty class, which is free no more."""
    standing.n_spare[0] -= 1
    return int(standing.spare[standing.n_spare[0]])


@compiled_copy
def give_back(standing: AnnealingAssignment, index: int) -> None:
    """Let the number of an empty class be used again."""
    standing.spare[standing.n_spare[0]] = index
    standing.n_spare[0] += 1


@compiled_copy
def similar_item(land: AnnealingProblem, state: Words, item: int, place: int) -> int:
    """Return an item of the tuple at a place of the list of similar ones; NOBODY where it has none.

    Of several items with that tuple one is drawn.
    """
    other = land.similar[land.tuples[item], place]
    first = land.starts[other]
    n_residents = land.starts[other + 1] - first
    if n_residents == 0:
        return NOBODY
    shift = draw_below(state, n_residents) if n_residents > 1 else 0
    return int(land.residents[first + shift])


@compiled_copy
def neighbor(land: AnnealingProblem, state: Words, item: int) -> int:
    """Draw a similar item, the more similar the likelier; NOBODY where the draw misses."""
    share = draw_unit(state)
    return similar_item(land, state, item, int(land.similar.shape[1] * share * share))
