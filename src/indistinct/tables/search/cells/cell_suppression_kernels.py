"""The compiled loops of cell suppression: who is compatible with whom.

A tuple is one or more 64-bit words in which every column has a field of its own; what a record
shows of it is the tuple and the fields that it keeps. Two records are compatible when they agree
in all fields that both keep.
"""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Bools, Codes, Ints, Words
from indistinct.base.compiled.kernels import compiled

NO_LIMIT = 1 << 60


@compiled
def masks_of_neighbors(
    codes: Codes,
    weights: Ints,
    which: Ints,
    costs: Ints,
    may_be_suppressed: Bools,
    k: int,
    n_nearest: int,
) -> Ints:
    """Find columns whose suppression makes a tuple look like k records, from the nearest tuples.

    Parameters
    ----------
    codes : (n_tuples, n_columns)
    weights : (n_tuples,), records
    which : the tuples to find columns for
    costs : (n_columns,), of a cell
    may_be_suppressed : (n_columns,)
    k : records wanted
    n_nearest : tuples that are looked at, those that differ in the cheapest columns; at least k

    Returns
    -------
    a bit per column to suppress; all that may be, where too few tuples are near: (n_which,)

    Notes
    -----
    O(n_which * n_tuples * n_columns), most tuples left after few columns.
    """
    n_tuples, n_columns = codes.shape
    found = np.empty(len(which), np.int64)
    distances = np.empty(n_nearest, np.int64)
    differing = np.empty(n_nearest, np.int64)
    near_weights = np.empty(n_nearest, np.int64)
    every = 0
    for column in range(n_columns):
        if may_be_suppressed[column]:
            every |= 1 << column
    for index in range(len(which)):
        one = which[index]
        n_near = 0
        for other in range(n_tuples):
            if other == one:
                continue
            distance = 0
            differs = 0
            for column in range(n_columns):
                if codes[one, column] != codes[other, column]:
                    if not may_be_suppressed[column]:
                        distance = NO_LIMIT
                        break
                    distance += costs[column]
                    differs |= 1 << column
                    # Costs only add up: this tuple cannot come nearer than the last of the nearest.
                    if n_near == n_nearest and distance >= distances[n_near - 1]:
                        distance = NO_LIMIT
                        break
            if distance == NO_LIMIT:
                continue
            # Invariant: the distances of the nearest ascend.
            place = n_near if n_near < n_nearest else n_nearest - 1
            while place > 0 and distances[place - 1] > distance:
                distances[place] = distances[place - 1]
                differing[place] = differing[place - 1]
                near_weights[place] = near_weights[place - 1]
                place -= 1
            distances[place] = distance
            differing[place] = differs
            near_weights[place] = weights[other]
            n_near = min(n_near + 1, n_nearest)
        best = every
        least = NO_LIMIT
        for seed in range(n_near):
            mask = differing[seed]
            cost = distances[seed]
            # From each near tuple on: suppress what tells it apart, then whatever brings the
            # cheapest next one, until k records look alike. What costs as much as the best mask is
            # given up.
            while cost < least:
                count = weights[one]
                cheapest = NO_LIMIT
                nearest = -1
                for near in range(n_near):
                    added = differing[near] & ~mask
                    if added == 0:
                        count += near_weights[near]
                        continue
                    more = 0
                    for column in range(n_columns):
                        if added >> column & 1:
                            more += costs[column]
                    if more < cheapest:
                        cheapest = more
                        nearest = near
                if count >= k:
                    best = mask
                    least = cost
                    break
                if nearest < 0:
                    break
                mask |= differing[nearest]
                cost += cheapest
        found[index] = best
    return found


@compiled
def count_compatible(words: Words, keeps: Words, weights: Ints, limit: int) -> Ints:
    """Count the records that are compatible with each item, itself included: (n_items,).

    Parameters
    ----------
    words, keeps : (n_items, n_words), tuples and the fields they keep
    weights : (n_items,), records
    limit : items that are counted, the first ones; the others need no one
    """
    n_items, n_words = words.shape
    counts = np.full(n_items, NO_LIMIT)
    none = np.uint64(0)
    for one in range(limit):
        found = 0
        for other in range(n_items):
            differ = none
            for word in range(n_words):
                # A field that one of the two hides agrees with everything.
                differ = words[one, word] ^ words[other, word]
                differ &= keeps[one, word] & keeps[other, word]
                if differ != none:
                    break
            if differ == none:
                found += weights[other]
        counts[one] = found
    return counts


@compiled
def count_candidates(targets: Words, words: Words, keeps: Words, weights: Ints) -> Ints:
    """Count the released records that a person with each of some tuples may be: (n_targets,).

    Parameters
    ----------
    targets : (n_targets, n_words), tuples of which nothing is suppressed
    words, keeps : (n_items, n_words), released tuples and the fields they keep
    weights : (n_items,), records
    """
    n_words = words.shape[1]
    counts = np.zeros(len(targets), np.int64)
    none = np.uint64(0)
    for target in range(len(targets)):
        for item in range(len(words)):
            differ = none
            for word in range(n_words):
                differ = (targets[target, word] ^ words[item, word]) & keeps[item, word]
                if differ != none:
                    break
            if differ == none:
                counts[target] += weights[item]
    return counts


@compiled
def give_back(
    words: Words,
    keeps: Words,
    weights: Ints,
    counts: Ints,
    order: Ints,
    fields: Words,
    places: Codes,
    columns: Codes,
    k: int,
) -> int:
    """Restore every cell that nobody needs suppressed; return their number.

    Parameters
    ----------
    words, keeps : (n_items, n_words), tuples and the fields they keep, which is changed
    weights : (n_items,), records; 1 for those in ``order``
    counts : (n_items,), records compatible with each, which is changed
    order : the items to look at
    fields, places : (n_columns,), the bits of each column and their word
    columns : (n_columns,), the columns in the order in which they are to be given back
    k : compatible records that each needs

    Notes
    -----
    Giving a cell back only ever lowers counts: what cannot be given back now cannot be later, so
    one pass leaves nothing to give.
    """
    n_items, n_words = words.shape
    lost = np.empty(len(fields), np.int64)
    least = np.empty(len(fields), np.int64)
    touched = np.empty(n_items, np.int64)
    none = np.uint64(0)
    n_given = 0
    for one in order:
        n_touched = 0  # compatible only because of cells that ``one`` has suppressed
        for other in range(n_items):
            hidden = none
            for word in range(n_words):
                shown = (words[one, word] ^ words[other, word]) & keeps[other, word]
                if shown & keeps[one, word] != none:
                    hidden = none
                    break
                hidden |= shown
            if hidden != none:
                touched[n_touched] = other
                n_touched += 1
        again = True
        while again:
            again = False
            # By column: the records that would no longer be compatible, and the fewest that one of
            # them would be left with. Both change with every cell that is given back.
            lost[:] = 0
            least[:] = NO_LIMIT
            for position in range(n_touched):
                other = touched[position]
                for column in columns:
                    place = places[column]
                    shown = (words[one, place] ^ words[other, place]) & keeps[other, place]
                    if shown & fields[column] != none:
                        lost[column] += weights[other]
                        least[column] = min(least[column], counts[other])
            for column in columns:
                place = places[column]
                if keeps[one, place] & fields[column] != none:
                    continue
                if counts[one] - lost[column] < k or least[column] - weights[one] < k:
                    continue
                counts[one] -= lost[column]
                n_left = 0
                for position in range(n_touched):
                    other = touched[position]
                    shown = (words[one, place] ^ words[other, place]) & keeps[other, place]
                    if shown & fields[column] != none:
                        counts[other] -= weights[one]
                    else:
                        touched[n_left] = other
                        n_left += 1
                n_touched = n_left
                keeps[one, place] |= fields[column]
                n_given += 1
                again = True
                break
    return n_given
