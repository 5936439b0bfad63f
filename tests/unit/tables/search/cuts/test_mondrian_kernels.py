"""The loops of Mondrian, each alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from indistinct.tables.search.cuts.mondrian_kernels import (
    Cuts,
    Partitions,
    RankedItems,
    candidate_items,
    candidate_sizes,
    carry_out,
    number_keys,
    part_children,
    part_median,
    tear_median,
)


@settings(deadline=None)
@given(
    keys=st.lists(st.one_of(st.integers(0, 9), st.integers(0, 10**6)), min_size=1, max_size=30),
    data=st.data(),
)
def test_numbered_keys_are_the_ranks(keys, data) -> None:
    """Near or far apart, keys are numbered in their order and their weights added up."""
    weights = np.array(
        data.draw(st.lists(st.integers(1, 5), min_size=len(keys), max_size=len(keys)))
    )
    expected, ranks = np.unique(keys, return_inverse=True)
    numbered = np.array(keys, np.int32)
    counts, room = np.full(400, -1, np.int64), np.full(400, -1, np.int32)
    n_keys = number_keys(numbered, weights, min(keys), max(keys), counts, room)
    assert n_keys == len(expected)
    assert numbered.tolist() == ranks.tolist()
    assert counts[:n_keys].tolist() == np.bincount(ranks, weights).tolist()


@pytest.mark.parametrize(
    ("counts", "least", "expected"),
    [
        ([5, 6], 3, [0, 1]),  # each its own part
        ([5, 1, 2, 6], 3, [0, 2, 2, 1]),  # the small ones together
        ([9, 1, 5], 3, [0, 1, 1]),  # the smallest large one joins
        ([5, 1, 5], 3, [1, 1, 0]),  # the first of equals
        ([5, 2], 3, None),  # nothing left beside the group
        ([2, 2], 3, None),  # all of them small
        ([1, 1], 1, [0, 1]),
    ],
)
def test_parts_of_children(counts, least, expected) -> None:
    """Large children alone, small ones together."""
    part_of = np.full(len(counts), -1, np.int32)
    n_parts = part_children(np.array(counts), len(counts), least, part_of)
    assert n_parts == (0 if expected is None else max(expected) + 1)
    assert expected is None or part_of.tolist() == expected


@pytest.mark.parametrize(
    ("counts", "least", "expected"),
    [
        ([1, 1, 1, 1], 2, [0, 0, 1, 1]),
        ([1, 1, 1, 1, 1], 2, [0, 0, 0, 1, 1]),  # the lower median goes left
        ([2, 5], 2, [0, 1]),  # nothing behind the median: cut before it
        ([3, 6, 1], 3, [0, 1, 1]),  # too little behind it
        ([1, 8, 1], 2, None),
        ([1, 3], 2, None),
    ],
)
def test_parts_at_the_median(counts, least, expected) -> None:
    """Behind the lower median, else before it."""
    part_of = np.full(len(counts), -1, np.int32)
    n_parts = part_median(np.array(counts), len(counts), sum(counts), least, part_of)
    assert n_parts == (0 if expected is None else 2)
    assert expected is None or part_of.tolist() == expected


def test_torn_at_the_median() -> None:
    """Four of eight records go left: one tuple of the median whole, one in part."""
    keys = np.array([1, 0, 1, 2, 1], np.int32)
    weights = np.array([2, 1, 3, 1, 1])
    parts = np.full(5, -1, np.int32)
    torn = tear_median(np.array([1, 6, 1]), 8, weights, keys, parts)
    assert parts.tolist() == [0, 0, 1, 1, 1]
    assert torn == (2, 1)


def test_not_torn_where_tuples_fit() -> None:
    """No tuple is torn when whole ones make up the half."""
    keys = np.array([0, 0, 1], np.int32)
    parts = np.full(3, -1, np.int32)
    torn = tear_median(np.array([2, 2]), 4, np.array([1, 1, 2]), keys, parts)
    assert parts.tolist() == [0, 0, 1]
    assert torn == (-1, 0)


def generation() -> tuple[RankedItems, Partitions, Cuts]:
    """Three partitions of one column: cut with a torn item, left whole, cut in three."""
    items = RankedItems(
        np.arange(8, dtype=np.int32),
        np.array([1, 4, 2, 9, 1, 2, 3, 4]),
        np.array([[0, 1, 2, 5, 0, 1, 2, 3]], np.int32),
    )
    partitions = Partitions(
        np.array([0, 3, 4, 8]),
        np.array([7, 9, 10]),
        np.array([[0], [5], [0]], np.int32),
        np.array([[2], [5], [3]], np.int32),
    )
    cuts = Cuts(
        np.array([2, 0, 3], np.int32),
        np.array([0, 1, 1, 0, 0, 2, 1, 2], np.int32),
        np.array([1, -1, -1]),
        np.array([3, 0, 0]),
    )
    return items, partitions, cuts


def test_candidates_hold_every_record_once() -> None:
    """The torn item's records are counted on both sides, together as many as before."""
    items, partitions, cuts = generation()
    proposed = np.array([0, 2], np.int32)
    firsts, sizes = candidate_sizes(items, partitions, cuts, proposed)
    assert firsts.tolist() == [0, 2]
    assert sizes.tolist() == [4, 3, 1, 3, 6]
    labels, tuples, weights = candidate_items(items, partitions, cuts, proposed, firsts)
    assert labels.tolist() == [0, 0, 1, 1, 2, 4, 3, 4]
    assert tuples.tolist() == [0, 1, 1, 2, 4, 5, 6, 7]
    assert weights.tolist() == [1, 3, 1, 2, 1, 2, 3, 4]


def test_cuts_are_carried_out_in_order() -> None:
    """Parts lie one after another, their items as they were; partitions without a cut are left."""
    items, partitions, cuts = generation()
    target = RankedItems(np.zeros(9, np.int32), np.zeros(9, np.int64), np.zeros((1, 9), np.int32))
    parts, owners = carry_out(items, partitions, cuts, target)
    assert parts.starts.tolist() == [0, 2, 4, 5, 6, 8]
    assert parts.sizes.tolist() == [4, 3, 1, 3, 6]
    assert owners.tolist() == [0, 0, 2, 2, 2]
    assert target.tuples[:8].tolist() == [0, 1, 1, 2, 4, 6, 5, 7]
    assert target.weights[:8].tolist() == [1, 3, 1, 2, 1, 3, 2, 4]
    assert target.ranks[0, :8].tolist() == [0, 1, 1, 2, 0, 2, 1, 3]
