"""Deletion of labels from single records until no small set of labels is rare: compiled loops.

The sets of up to ``m`` labels of all records are counted in a table with open addressing. A set of
labels is one number: its labels, ascending and counted from 1, are the digits.
"""

# Single numbers out of arrays stand for int here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import numpy as np

from indistinct.core.arrays import Bools, Codes, Floats, Ints
from indistinct.core.kernels import compiled, compiled_part

MIXER = -7046029254386353131  # 2^64 / the golden ratio, odd: spreads neighboring keys
ALONE = 1e12  # rare sets that a label alone counts for, where it is rare itself


@compiled_part
def _slot(keys: Ints, key: int) -> int:
    """Find the slot of a key, or the free one where it belongs."""
    # A key is never 0, since labels are counted from 1, and the table is at most half full: so 0 is
    # a free slot, and there is one.
    mask = len(keys) - 1
    slot = ((key * MIXER) >> 21) & mask
    while keys[slot] != 0 and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


@compiled_part
def _begin(pick: Ints, size: int) -> None:
    """Pick the first places."""
    for place in range(size):
        pick[place] = place


@compiled_part
def _advance(pick: Ints, size: int, n: int) -> bool:
    """Move on to the next ``size`` of ``n`` places; tell whether there is one."""
    place = size - 1
    while place >= 0 and pick[place] == n - size + place:
        place -= 1
    if place < 0:
        return False
    pick[place] += 1
    for later in range(place + 1, size):
        pick[later] = pick[later - 1] + 1
    return True


@compiled_part
def _key(here: Ints, pick: Ints, size: int, base: int) -> int:
    """Give the number of the set of labels at some places."""
    key = 0  # no more than 2**62: ``keys.py`` refuses what would be
    for place in range(size):
        key = key * base + here[pick[place]] + 1
    return key


@compiled_part
def _gather(labels: Ints, kept: Bools, first: int, last: int, here: Ints, places: Ints) -> int:
    """List the labels that a record still has, and where they stand; give their number."""
    n = 0
    for place in range(first, last):
        if kept[place]:
            here[n], places[n] = labels[place], place
            n += 1
    return n


@compiled
def count_sets(starts: Ints, labels: Ints, kept: Bools, base: int, m: int) -> tuple[Ints, Codes]:
    """Count the records of every set of up to ``m`` labels.

    Parameters
    ----------
    starts, labels : the records, labels ascending in each
    kept : (n_labels_of_all_records,), whether a record still has the label
    base : number of different labels plus 1
    """
    keys, counts = np.zeros(1 << 12, np.int64), np.zeros(1 << 12, np.int32)
    used = 0
    longest = 1
    for record in range(len(starts) - 1):
        longest = max(longest, starts[record + 1] - starts[record])
    here, places = np.empty(longest, np.int64), np.empty(longest, np.int64)
    pick = np.empty(m + 1, np.int64)
    for record in range(len(starts) - 1):
        n = _gather(labels, kept, starts[record], starts[record + 1], here, places)
        for size in range(1, min(m, n) + 1):
            _begin(pick, size)
            more = True
            while more:
                key = _key(here, pick, size, base)
                slot = _slot(keys, key)
                if keys[slot] == 0:
                    keys[slot] = key
                    used += 1
                counts[slot] += 1
                # The table is never more than half full, so that a free slot is found soon.
                if 2 * used > len(keys):
                    old_keys, old_counts = keys, counts
                    keys = np.zeros(2 * len(old_keys), np.int64)
                    counts = np.zeros(2 * len(old_keys), np.int32)
                    for old in range(len(old_keys)):
                        if old_keys[old] != 0:
                            slot = _slot(keys, old_keys[old])
                            keys[slot], counts[slot] = old_keys[old], old_counts[old]
                more = _advance(pick, size, n)
    return keys, counts


@compiled_part
def _change_all(
    here: Ints, n: int, place: int, step: int, base: int, m: int, keys: Ints, counts: Codes
) -> None:
    """Add ``step`` to the count of every set of a record that has the label at one place."""
    pick = np.empty(m + 1, np.int64)
    for size in range(1, min(m, n) + 1):
        _begin(pick, size)
        more = True
        while more:
            has = False
            for index in range(size):
                has |= pick[index] == place
            if has:
                counts[_slot(keys, _key(here, pick, size, base))] += step
            more = _advance(pick, size, n)


@compiled
def delete_rare(
    starts: Ints,
    labels: Ints,
    kept: Bools,
    costs: Floats,
    sizes: Ints,
    keys: Ints,
    counts: Codes,
    base: int,
    m: int,
    k: int,
) -> int:
    """Go once through the records, and delete labels while a record has a rare set.

    The label that most rare sets have, by what it costs, goes first; of equal ones that which makes
    fewest further sets rare, then the rarer.

    Parameters
    ----------
    costs : (n_labels_of_all_records,), loss of deleting each, above 0
    sizes : (n_labels,), records with each label; of equal labels the rarer is deleted
    keys, counts : the table of supports, which is kept current

    Returns
    -------
    the labels deleted
    """
    longest = 1
    for record in range(len(starts) - 1):
        longest = max(longest, starts[record + 1] - starts[record])
    here, places = np.empty(longest, np.int64), np.empty(longest, np.int64)
    rare, broken = np.empty(longest), np.empty(longest)
    pick = np.empty(m + 1, np.int64)
    n_deleted = 0
    # A record is done when none of its sets is rare. Each turn deletes a label, so it ends. What a
    # deletion makes rare in an earlier record is found in the caller's next pass.
    for record in range(len(starts) - 1):
        while True:
            n = _gather(labels, kept, starts[record], starts[record + 1], here, places)
            for place in range(n):
                rare[place] = 0.0
                broken[place] = 0.0
            for size in range(1, min(m, n) + 1):
                _begin(pick, size)
                more = True
                while more:
                    count = counts[_slot(keys, _key(here, pick, size, base))]
                    for index in range(size):
                        if count < k:
                            rare[pick[index]] += ALONE if size == 1 else 1.0
                        # Without this label, the others of the set have one record less than k.
                        broken[pick[index]] += count == k
                    more = _advance(pick, size, n)
            worst, most = -1, 0.0
            for place in range(n):
                score = rare[place] / costs[places[place]]
                is_better = score > most
                if worst >= 0 and score == most:
                    is_better = broken[place] < broken[worst] or (
                        broken[place] == broken[worst] and sizes[here[place]] < sizes[here[worst]]
                    )
                if is_better:
                    worst, most = place, score
            if worst < 0:
                break
            _change_all(here, n, worst, -1, base, m, keys, counts)
            kept[places[worst]] = False
            n_deleted += 1
    return n_deleted


@compiled
def restore(
    starts: Ints,
    labels: Ints,
    kept: Bools,
    keys: Ints,
    counts: Codes,
    base: int,
    m: int,
    k: int,
) -> int:
    """Give deleted labels back where every set that they complete then has ``k`` records.

    Returns
    -------
    the labels given back
    """
    longest = 1
    for record in range(len(starts) - 1):
        longest = max(longest, starts[record + 1] - starts[record])
    here, places = np.empty(longest, np.int64), np.empty(longest, np.int64)
    pick = np.empty(m + 1, np.int64)
    n_back = 0
    for record in range(len(starts) - 1):
        for tried in range(starts[record], starts[record + 1]):
            if kept[tried]:
                continue
            kept[tried] = True
            n = _gather(labels, kept, starts[record], starts[record + 1], here, places)
            own = 0
            while places[own] != tried:
                own += 1
            # The sets with this label do not count the record yet, hence one more for each of them.
            fits = True
            for size in range(1, min(m, n) + 1):
                _begin(pick, size)
                more = fits
                while more:
                    has = False
                    for index in range(size):
                        has |= pick[index] == own
                    if has and counts[_slot(keys, _key(here, pick, size, base))] + 1 < k:
                        fits = False
                    more = fits and _advance(pick, size, n)
            if fits:
                _change_all(here, n, own, 1, base, m, keys, counts)
                n_back += 1
            else:
                kept[tried] = False
    return n_back


@compiled
def deletion_cost(
    starts: Ints, labels: Ints, saved: Floats, keys: Ints, counts: Codes, base: int, m: int, k: int
) -> float:
    """Estimate what deleting labels from records with rare sets costs, each record by itself.

    Parameters
    ----------
    saved : (n_labels,), loss of deleting each label
    keys, counts : the table of supports, which is not kept current
    """
    longest = 1
    for record in range(len(starts) - 1):
        longest = max(longest, starts[record + 1] - starts[record])
    here, places = np.empty(longest, np.int64), np.empty(longest, np.int64)
    rare, pick = np.empty(longest), np.empty(m + 1, np.int64)
    kept = np.ones(len(labels), np.bool_)
    total = 0.0
    for record in range(len(starts) - 1):
        while True:
            n = _gather(labels, kept, starts[record], starts[record + 1], here, places)
            rare[:n] = 0.0
            for size in range(1, min(m, n) + 1):
                _begin(pick, size)
                more = True
                while more:
                    if counts[_slot(keys, _key(here, pick, size, base))] < k:
                        for index in range(size):
                            rare[pick[index]] += ALONE if size == 1 else 1.0
                    more = _advance(pick, size, n)
            worst, most = -1, 0.0
            for place in range(n):
                score = rare[place] / max(saved[here[place]], 1e-9)
                if score > most:
                    worst, most = place, score
            # Labels that other records lose make sets rarer, which the table of supports does not
            # know here. So this is an estimate, and rather too low.
            if worst < 0:
                break
            kept[places[worst]] = False
            total += saved[here[worst]]
    return total
