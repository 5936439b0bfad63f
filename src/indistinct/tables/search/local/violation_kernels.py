"""How far a class is from each demand, in records, by counts that follow every move."""

# Single numbers out of arrays stand for int and float here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.compiled.compiling import compiled_part
from indistinct.tables.core.penalties import DISTANCE, DISTINCT, ENTROPY, LIMITS, SQUARES, TAIL

CLOSE = 1e-9  # share of the bound that rounding may add to a measure
N_KNOWN, N_DISTINCT, COUNTERS = 0, 1, 2  # bins of each demand, before those of its values

MISSED = 0.3  # records that a class counts as missing beside, so that no tiny miss is cheap


class Penalties(NamedTuple):
    """The demands of all models but that for size, as the compiled loops read them.

    Parameters
    ----------
    places : (n_items, n_places), bins that an item counts in; -1 for none
    distinct : (n_places,), bin that counts how many of the bins of a place are not empty; -1
        for none
    kinds, bounds, ranks, carries : (n_penalties,), as
        :class:`~indistinct.tables.core.penalties.Penalty` has them
    starts : (n_penalties + 1,), where the bins of each demand begin
    weights, lowest, greatest : (n_bins,), likewise
    """

    places: Codes
    distinct: Codes
    kinds: Codes
    bounds: Floats
    ranks: Codes
    carries: Floats
    starts: Ints
    weights: Floats
    lowest: Floats
    greatest: Floats


@compiled_part
def count_in(penalties: Penalties, counts: Codes, index: int, item: int, weight: int) -> None:
    """Count an item in a class; with a negative weight, count it out."""
    for place in range(penalties.places.shape[1]):
        column = penalties.places[item, place]
        if column < 0:
            continue
        before = counts[index, column]
        after = before + weight
        counts[index, column] = after
        counter = penalties.distinct[place]
        if counter >= 0:
            if before == 0:
                counts[index, counter] += 1
            elif after == 0:
                counts[index, counter] -= 1


@compiled_part
def violation(penalties: Penalties, counts: Codes, index: int) -> float:
    """Return by how many records a class misses all demands together, 0 where it satisfies them."""
    total = 0.0
    for penalty in range(len(penalties.kinds)):
        total += violation_of(penalties, counts, index, penalty)
    return total + MISSED if total > 0.0 else 0.0


@compiled_part
def violation_of(penalties: Penalties, counts: Codes, index: int, penalty: int) -> float:
    """Return by how many records a class misses one demand."""
    start, end = penalties.starts[penalty], penalties.starts[penalty + 1]
    known = counts[index, start + N_KNOWN]
    if known == 0:
        return 0.0
    bound = penalties.bounds[penalty]
    kind = penalties.kinds[penalty]
    missing = 0.0
    first = start + COUNTERS
    if kind == DISTINCT:
        missing = bound - counts[index, start + N_DISTINCT]
    elif kind == DISTANCE:
        carry = penalties.carries[penalty]
        surplus = 0.0
        distance = 0.0
        for column in range(first, end):
            share = counts[index, column] / known - penalties.greatest[column]
            surplus = carry * surplus + share
            distance += penalties.weights[column] * abs(surplus)
        missing = known * (distance - bound - CLOSE)
    elif kind == LIMITS:
        for column in range(first, end):
            count = counts[index, column]
            missing += max(count - penalties.greatest[column] * known - CLOSE, 0.0)
            missing += max(penalties.lowest[column] * known - count - CLOSE, 0.0)
    elif kind == ENTROPY:
        spread = 0.0
        for column in range(first, end):
            count = counts[index, column]
            if count > 1:
                spread += count * np.log(count)
        missing = known * (bound - CLOSE - np.log(known)) + spread
    elif kind == SQUARES:
        squares = 0.0
        for column in range(first, end):
            count = counts[index, column]
            squares += count * count
        missing = squares / known - bound * known * (1.0 + CLOSE)
    elif kind == TAIL:
        missing = tail_missing(penalties, counts, index, penalty)
    return max(missing, 0.0)


@compiled_part
def tail_missing(penalties: Penalties, counts: Codes, index: int, penalty: int) -> float:
    """Return by how many records the commonest value outweighs the tail of the rarer ones.

    The commonest value must be strictly rarer than the bound times the tail.
    """
    start, end = penalties.starts[penalty], penalties.starts[penalty + 1]
    first = start + COUNTERS
    tail = counts[index, start + N_KNOWN]
    greatest = 0
    above = tail + 1
    left = penalties.ranks[penalty] - 1
    # The greatest counts leave the tail one after the other, equal ones together.
    while True:
        following = 0
        equal = 0
        for column in range(first, end):
            count = counts[index, column]
            if count < above:
                if count > following:
                    following = count
                    equal = 1
                elif count == following:
                    equal += 1
        if greatest == 0:
            greatest = following
        if left <= 0 or following == 0:
            break
        tail -= following * min(equal, left)
        left -= equal
        above = following
    excess = greatest - penalties.bounds[penalty] * tail
    return excess + 0.5 if excess >= -CLOSE else 0.0
