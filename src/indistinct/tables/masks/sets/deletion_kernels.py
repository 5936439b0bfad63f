"""Deletion of labels from single records until no small set of labels is rare: compiled loops.

The sets of up to ``m`` labels of all records are counted in a table with open addressing. A set of
labels is one number: its labels, ascending and counted from 1, are the digits.
"""

# Single numbers out of arrays stand for int here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.compiled.kernels import compiled, compiled_part

MIXER = -7046029254386353131  # 2^64 / the golden ratio, odd: spreads neighboring keys
ALONE = 1e12  # rare sets that a label alone counts for, where it is rare itself


class RecordLabels(NamedTuple):
    """The labels of records.

    Parameters
    ----------
    starts, labels : the records, labels ascending in each
    kept : (n_labels_of_all_records,), whether a record still has the label
    """

    starts: Ints
    labels: Ints
    kept: Bools


class SetCounts(NamedTuple):
    """How many records have each set of up to ``m`` labels, as a hash table.

    Parameters
    ----------
    keys, counts : the number of a set in each slot, 0 for none, and its records
    base : number of different labels plus 1
    m : most labels of a set
    """

    keys: Ints
    counts: Codes
    base: int
    m: int


class Workspace(NamedTuple):
    """Room for the labels of one record.

    Parameters
    ----------
    here, places : the labels that it still has, and where they stand
    pick : the places of a set among them
    """

    here: Ints
    places: Ints
    pick: Ints


@compiled_part
def _workspace(records: RecordLabels, m: int) -> Workspace:
    """Make room for the longest record."""
    longest = 1
    for record in range(len(records.starts) - 1):
        longest = max(longest, records.starts[record + 1] - records.starts[record])
    return Workspace(
        np.empty(longest, np.int64), np.empty(longest, np.int64), np.empty(m + 1, np.int64)
    )


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
    """Return the number of the set of labels at some places."""
    key = 0  # no more than 2**62: ``keys.py`` refuses what would be
    for place in range(size):
        key = key * base + here[pick[place]] + 1
    return key


@compiled_part
def _count_of(sets: SetCounts, work: Workspace, size: int) -> int:
    """Return the records with the set of labels that is picked."""
    return sets.counts[_slot(sets.keys, _key(work.here, work.pick, size, sets.base))]


@compiled_part
def _has(pick: Ints, size: int, place: int) -> bool:
    """Return whether a place is picked."""
    index = 0
    while index < size and pick[index] != place:
        index += 1
    return index < size


@compiled_part
def _gather(records: RecordLabels, record: int, work: Workspace) -> int:
    """List the labels that a record still has, and where they stand; give their number."""
    n = 0
    for place in range(records.starts[record], records.starts[record + 1]):
        if records.kept[place]:
            work.here[n], work.places[n] = records.labels[place], place
            n += 1
    return n


@compiled
def count_sets(records: RecordLabels, base: int, m: int) -> SetCounts:
    """Count the records of every set of up to ``m`` labels.

    Parameters
    ----------
    base : number of different labels plus 1
    """
    keys, counts = np.zeros(1 << 12, np.int64), np.zeros(1 << 12, np.int32)
    used = 0
    work = _workspace(records, m)
    here, pick = work.here, work.pick
    for record in range(len(records.starts) - 1):
        n = _gather(records, record, work)
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
    return SetCounts(keys, counts, base, m)


@compiled_part
def _change_all(sets: SetCounts, work: Workspace, n: int, place: int, step: int) -> None:
    """Add ``step`` to the count of every set of a record that has the label at one place."""
    pick = work.pick
    for size in range(1, min(sets.m, n) + 1):
        _begin(pick, size)
        more = True
        while more:
            if _has(pick, size, place):
                sets.counts[_slot(sets.keys, _key(work.here, pick, size, sets.base))] += step
            more = _advance(pick, size, n)


@compiled
def delete_rare(records: RecordLabels, costs: Floats, sizes: Ints, sets: SetCounts, k: int) -> int:
    """Go once through the records, and delete labels while a record has a rare set.

    The label that most rare sets have, by what it costs, goes first; of equal ones that which makes
    fewest further sets rare, then the rarer.

    Parameters
    ----------
    costs : (n_labels_of_all_records,), loss of deleting each, above 0
    sizes : (n_labels,), records with each label; of equal labels the rarer is deleted
    sets : of all records, which is kept current

    Returns
    -------
    the labels deleted
    """
    work = _workspace(records, sets.m)
    here, places, pick = work.here, work.places, work.pick
    rare, broken = np.empty(len(here)), np.empty(len(here))
    n_deleted = 0
    # A record is done when none of its sets is rare. Each turn deletes a label, so it ends. What a
    # deletion makes rare in an earlier record is found in the caller's next pass.
    for record in range(len(records.starts) - 1):
        while True:
            n = _gather(records, record, work)
            for place in range(n):
                rare[place] = 0.0
                broken[place] = 0.0
            for size in range(1, min(sets.m, n) + 1):
                _begin(pick, size)
                more = True
                while more:
                    count = _count_of(sets, work, size)
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
            _change_all(sets, work, n, worst, -1)
            records.kept[places[worst]] = False
            n_deleted += 1
    return n_deleted


@compiled
def restore(records: RecordLabels, sets: SetCounts, k: int) -> int:
    """Restore deleted labels where every set that they complete then has ``k`` records.

    Returns
    -------
    the labels given back
    """
    work = _workspace(records, sets.m)
    pick = work.pick
    n_back = 0
    for record in range(len(records.starts) - 1):
        for tried in range(records.starts[record], records.starts[record + 1]):
            if records.kept[tried]:
                continue
            records.kept[tried] = True
            n = _gather(records, record, work)
            own = 0
            while work.places[own] != tried:
                own += 1
            # The sets with this label do not count the record yet, hence one more for each of them.
            fits = True
            for size in range(1, min(sets.m, n) + 1):
                _begin(pick, size)
                more = fits
                while more:
                    if _has(pick, size, own) and _count_of(sets, work, size) + 1 < k:
                        fits = False
                    more = fits and _advance(pick, size, n)
            if fits:
                _change_all(sets, work, n, own, 1)
                n_back += 1
            else:
                records.kept[tried] = False
    return n_back


@compiled
def deletion_cost(records: RecordLabels, saved: Floats, sets: SetCounts, k: int) -> float:
    """Estimate what deleting labels from records with rare sets costs, each record by itself.

    Parameters
    ----------
    saved : (n_labels,), loss of deleting each label
    sets : of all records, which is not kept current
    """
    work = _workspace(records, sets.m)
    here, pick = work.here, work.pick
    rare = np.empty(len(here))
    total = 0.0
    for record in range(len(records.starts) - 1):
        while True:
            n = _gather(records, record, work)
            rare[:n] = 0.0
            for size in range(1, min(sets.m, n) + 1):
                _begin(pick, size)
                more = True
                while more:
                    if _count_of(sets, work, size) < k:
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
            records.kept[work.places[worst]] = False
            total += saved[here[worst]]
    return total
