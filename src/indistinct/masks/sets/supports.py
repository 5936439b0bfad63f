"""The least support of a set of labels, counted by another way than the searches count."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from indistinct.masks.sets.item_records import ItemRecords


def least_support(labels: ItemRecords, m: int | None) -> int | None:
    """Give the fewest records with a set of up to ``m`` labels that some record has.

    None where no record has a label. The whole label sets decide where ``m`` is None: a part of a
    set is in at least as many records as the set.
    """
    sets = Counter(labels.sets())
    if m is None:
        return _least_of_whole(sets)
    counts = Counter[tuple[int, ...]]()
    for one, times in sets.items():
        for size in range(1, min(m, len(one)) + 1):
            for part in combinations(one, size):
                counts[part] += times
    return min(counts.values(), default=None)


def _least_of_whole(sets: Counter[tuple[int, ...]]) -> int | None:
    """Count for each whole set the records that contain it, and give the fewest."""
    holders: dict[int, set[int]] = {}
    kinds = list(sets.items())
    for number, (one, _) in enumerate(kinds):
        for label in one:
            holders.setdefault(label, set()).add(number)
    found = [
        sum(
            kinds[other][1]
            for other in holders[one[0]].intersection(*(holders[label] for label in one))
        )
        for one, _ in kinds
        if one
    ]
    return min(found, default=None)


def rarest_set(labels: ItemRecords) -> int | None:
    """Give the records of the whole set, the empty one too, that fewest records have."""
    return min(Counter(labels.sets()).values(), default=None)
