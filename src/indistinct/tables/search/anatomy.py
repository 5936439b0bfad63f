"""Anatomy: groups of records with different sensitive values, whatever else they have."""

from __future__ import annotations

import heapq

import numpy as np

from indistinct.base.arrays import Codes, Ints
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault, NoSolutionError

NOWHERE = -1


def anatomy_groups(values: Codes, least: int, uncounted: int | None, source: RandomSource) -> Ints:
    """Return groups of at least ``least`` records with different values, one for every record.

    While ``least`` values have records left, one random record of each of the commonest values
    makes a group; each record that is then left joins a random group that lacks its value.

    Parameters
    ----------
    values : (n_records,), value codes
    least : distinct values per group, at least 1
    uncounted : the value that does not count, whose records are spread over the groups; None: all
        values count
    source : of all random choices

    Returns
    -------
    (n_records,), group of each record, numbered at random from 0

    Raises
    ------
    NoSolutionError
        when more than one record in ``least`` has the same value

    Notes
    -----
    O(n_records * log(n_values)).

    Source: xiao2006, figure 3.
    """
    if uncounted is not None:
        return _with_uncounted(values, least, uncounted, source)
    _check_frequencies(values, least)
    waiting = _waiting(values, source)
    heap = [(-len(records), value) for value, records in enumerate(waiting) if records]
    heapq.heapify(heap)
    groups = np.full(len(values), NOWHERE, np.int64)
    n_groups = 0
    while len(heap) >= least:
        largest = [heapq.heappop(heap) for _ in range(least)]
        for count, value in largest:
            groups[waiting[value].pop()] = n_groups
            if count < -1:
                heapq.heappush(heap, (count + 1, value))
        n_groups += 1
    _place_the_rest(values, groups, n_groups, source.apart("anatomy, rest"))
    return source.apart("anatomy, numbers").permutation(n_groups)[groups]


def _with_uncounted(values: Codes, least: int, uncounted: int, source: RandomSource) -> Ints:
    """Group the other records, and spread those of a value evenly over the groups, at random."""
    counts = values != uncounted
    if not counts.any():
        raise NoSolutionError(
            "no sensitive value is known", "Give the sensitive column another role."
        )
    groups = np.full(len(values), NOWHERE, np.int64)
    groups[counts] = anatomy_groups(values[counts], least, None, source)
    n_groups, n_rest = int(groups.max()) + 1, int(np.count_nonzero(~counts))
    groups[~counts] = source.apart("anatomy, uncounted").permutation(n_rest) % n_groups
    return groups


def _check_frequencies(values: Codes, least: int) -> None:
    """Refuse values of which there are more than there can be groups."""
    commonest = int(np.bincount(values).max())
    if commonest * least > len(values):
        share = commonest / len(values)
        possible = len(values) // commonest
        raise NoSolutionError(
            [
                Fault(
                    "models",
                    f"ask that no value take more than 1/{least} of a group, but the commonest "
                    f"takes {share:.2%} of the table",
                    f"Ask for l of at most {possible}."
                    if possible > 1
                    else 'Set release.form to "table".',
                )
            ]
        )


def _waiting(values: Codes, source: RandomSource) -> list[list[int]]:
    """Return the records of each value in random order."""
    order = source.apart("anatomy, order").permutation(len(values))
    by_value = order[np.argsort(values[order], kind="stable")]
    ends = np.cumsum(np.bincount(values))[:-1]
    return [records.tolist() for records in np.split(by_value, ends)]


def _place_the_rest(values: Codes, groups: Ints, n_groups: int, source: RandomSource) -> None:
    """Assign each record that is left to a random group that lacks its value."""
    rest = np.flatnonzero(groups == NOWHERE)
    for record, word in zip(rest, source.words(len(rest)), strict=True):
        taken = groups[(values == values[record]) & (groups != NOWHERE)]
        free = np.setdiff1d(np.arange(n_groups), taken)
        groups[record] = free[int(word) % len(free)]
