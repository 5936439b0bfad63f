"""Groups of released records with one value of a column, or of a pair of columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice

import numpy as np

from indistinct.core.arrays import Codes, Ints
from indistinct.core.grouping import group_few_rows

MOST_PAIRS = 200  # of columns that are looked at together
MOST_TESTED = 20_000  # records by which agreement is compared with chance


def groups(others: Mapping[str, Codes], records: Ints) -> Iterator[tuple[tuple[str, ...], Codes]]:
    """Yield each column, and each one's number of records with one value."""
    repeating = {name: codes for name, codes in others.items() if repeats(codes, records)}
    for name, codes in repeating.items():
        yield (name,), codes
    for name, codes in repeating.items():
        sizes = np.bincount(codes[codes >= 0], records[codes >= 0])
        counts = np.where(codes >= 0, sizes[codes].astype(np.int64), -1)
        # As many different numbers as values: the numbers tell no other groups apart.
        if len(np.unique(counts)) < len(np.unique(codes)):
            yield (f"records with one {name}",), _numbered(counts)


def pairs(others: Mapping[str, Codes], records: Ints) -> list[tuple[str, ...]]:
    """Return the pairs of columns that are looked at together."""
    repeating = [name for name, codes in others.items() if repeats(codes, records)]
    return list(islice(combinations(repeating, 2), MOST_PAIRS))


def whole_groups(codes: Codes, records: Ints) -> Ints:
    """Draw whole groups of one value, of about as many records as are tested.

    Returns
    -------
    (n_drawn,), the rows; all of them where there are few
    """
    total = int(records.sum())
    if total <= MOST_TESTED:
        return np.arange(len(codes))
    sizes = np.bincount(codes[codes >= 0], records[codes >= 0])
    order = np.argsort(-sizes, kind="stable")[:: max(1, total // MOST_TESTED)]
    is_drawn = np.zeros(len(sizes), np.bool_)
    is_drawn[order[np.cumsum(sizes[order]) <= 2 * MOST_TESTED]] = True
    drawn = np.flatnonzero((codes >= 0) & is_drawn[codes])
    # Groups that are larger than all that is tested stay large among some of their records.
    return drawn if len(drawn) else np.arange(0, len(codes), max(1, total // MOST_TESTED))


def paired(both: Sequence[Codes], some: Ints) -> Codes:
    """Return a number for each pair of values of some rows; -1 where one of them is missing."""
    values = np.stack([codes[some] for codes in both], axis=1)
    labels = group_few_rows(np.ascontiguousarray(values.astype(np.int32)))[0]
    return np.where((values < 0).any(axis=1), -1, labels).astype(np.int32)


def _numbered(counts: Ints) -> Codes:
    """Return numbers of different counts from 0 on; -1 stays."""
    codes = np.unique(counts, return_inverse=True)[1].astype(np.int32)
    return np.where(counts < 0, -1, codes).astype(np.int32)


def repeats(codes: Codes, records: Ints) -> bool:
    """Return whether some value has several records, and not all records have one."""
    known = codes[codes >= 0]
    sizes = np.bincount(known, records[codes >= 0])
    return bool((sizes > 1).any()) and int((sizes > 0).sum()) > 1
