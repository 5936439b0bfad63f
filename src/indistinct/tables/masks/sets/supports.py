"""Who fits known items: records counted by another way than the searches count."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.tables.masks.sets.item_records import ItemRecords

ItemLabels = tuple[int, ...]


def candidates(labels: ItemRecords, m: int | None, *, whole: bool = False) -> Ints:
    """Return for each record how many somebody finds at least who knows some of its labels.

    Parameters
    ----------
    labels : of the records of one class
    m : labels that are known, the rarest together; None for any number
    whole : whether the whole set is known, and that it has no other label

    Returns
    -------
    (n_records,), the record itself among them; all records where it has no label and that is not
    known
    """
    sets = labels.sets()
    counts = Counter(sets)
    if whole:
        found: dict[ItemLabels, int] = dict(counts)
    elif m is None:
        found = _holders(counts)
    else:
        found = _rarest_parts(counts, m)
    return np.array([found[one] for one in sets], np.int64)


def least_support(labels: ItemRecords, m: int | None) -> int | None:
    """Return the fewest records with a set of up to ``m`` labels that some record has.

    None where no record has a label. The whole label sets decide where ``m`` is None: a part of a
    set is in at least as many records as the set.
    """
    has_label = np.diff(labels.starts) > 0
    return int(candidates(labels, m)[has_label].min()) if has_label.any() else None


def _holders(counts: Counter[ItemLabels]) -> dict[ItemLabels, int]:
    """Count for each whole set the records that contain it."""
    holders: dict[int, set[int]] = {}
    kinds = list(counts.items())
    for number, (one, _) in enumerate(kinds):
        for label in one:
            holders.setdefault(label, set()).add(number)
    everyone = set(range(len(kinds)))
    return {
        one: sum(
            kinds[other][1] for other in everyone.intersection(*(holders[label] for label in one))
        )
        for one, _ in kinds
    }


def _rarest_parts(counts: Counter[ItemLabels], m: int) -> dict[ItemLabels, int]:
    """Count for each set the records with its ``m`` labels that are rarest together.

    A larger part is in no more records, so that parts of ``m`` labels decide, or the whole set.
    """
    sizes = {min(m, len(one)) for one in counts}
    supports = Counter[ItemLabels]()
    for one, times in counts.items():
        for size in sizes:
            for part in combinations(one, size):
                supports[part] += times
    return {
        one: min(supports[part] for part in combinations(one, min(m, len(one)))) for one in counts
    }
