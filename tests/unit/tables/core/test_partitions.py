"""Records that no partition of a class releases, against the enumeration of its parts."""

import itertools

import numpy as np
import pytest
from hypothesis import given, strategies as st

from indistinct.base.hierarchy_builders import from_rows, tree_rows
from indistinct.tables.core.distances import Distance
from indistinct.tables.core.frequencies import SensitiveColumn, ValueCounts
from indistinct.tables.core.partitions import beyond_greatest

TREE = {"animal": {"cat": ["c1", "c2"], "dog": ["d1"]}, "plant": {"oak": ["o1", "o2"]}}
VALUES = ("c1", "c2", "d1", "o1", "o2")
EXACT = (Distance("equal"), Distance("hierarchical"))
CONVEX = (*EXACT, Distance("ordered"), Distance("kernel", smoothing="mass"))


def column_of(counts) -> SensitiveColumn:
    """Return a column whose whole table has these records per value."""
    hierarchy = from_rows(tree_rows(TREE)).restricted(VALUES)
    return SensitiveColumn("illness", VALUES, None, np.array(counts, np.int64), hierarchy)


def one_class(held) -> ValueCounts:
    """Return the counts of a single class."""
    present = np.flatnonzero(held)
    counts = np.array(held, np.int64)[present]
    return ValueCounts(np.array([0, len(present)]), present.astype(np.int32), counts)


def beyond(distance, held, table, limit) -> int:
    sizes = np.array([sum(held)], np.int64)
    return int(distance.beyond(one_class(held), sizes, column_of(table), limit)[0])


def largest_part(distance, held, table, limit) -> int:
    """Return the records of the largest part of a class that is within the limit."""
    parts = (part for part in itertools.product(*(range(n + 1) for n in held)) if any(part))
    fits = [
        sum(part)
        for part in parts
        if distance.to_table(one_class(part), np.array([sum(part)]), column_of(table))[0]
        <= limit + 1e-12
    ]
    return max(fits, default=0)


HELD = st.lists(st.integers(0, 3), min_size=5, max_size=5).filter(any)
TABLES = st.lists(st.integers(1, 9), min_size=5, max_size=5)


@given(st.sampled_from(CONVEX), HELD, TABLES, st.floats(0.0, 0.9))
def test_no_part_is_larger_than_what_may_be_released(distance, held, table, limit):
    """A union of parts that hold is a part that holds."""
    assert sum(held) - largest_part(distance, held, table, limit) >= beyond(
        distance, held, table, limit
    )


@given(st.sampled_from(EXACT), HELD, TABLES, st.floats(0.01, 0.9))
def test_the_bound_is_that_of_the_best_part_but_for_whole_records(distance, held, table, limit):
    """With every record divided in a hundred, what may be released is what the bound leaves."""
    times = 100
    found = beyond(distance, [times * n for n in held], table, limit)
    assert found <= times * (sum(held) - largest_part(distance, held, table, limit))
    # A class within the limit loses nothing, one beyond it something.
    sizes = np.array([sum(held)])
    measured = distance.to_table(one_class(held), sizes, column_of(table))[0]
    if abs(measured - limit) > 0.02:
        assert (found > 0) == (measured > limit)


@pytest.mark.parametrize(
    ("distance", "held", "limit", "expected"),
    [
        # All have one value, whose share is 1/5: every part is 0.8 away.
        (Distance("equal"), [10, 0, 0, 0, 0], 0.5, 10),
        (Distance("equal"), [10, 0, 0, 0, 0], 0.8, 0),
        # Of a part of s records s/5 and 2 are in place, which must be 0.3 s: s <= 20.
        (Distance("equal"), [48, 2, 0, 0, 0], 0.7, 30),
        # Renormalized means are not convex, so that nothing is known.
        (Distance("kernel"), [10, 0, 0, 0, 0], 0.1, 0),
    ],
)
def test_worked_examples(distance, held, limit, expected):
    """Counted by hand, with five values that are equally frequent in the table."""
    assert beyond(distance, held, [1] * 5, limit) == expected


def test_a_convex_measure_divides_a_class_into_a_part_at_the_limit_and_one_at_the_end():
    """A share w at the greatest measure 1 and the rest at 0.5 make 0.6: w is a fifth."""
    sizes, measures = np.array([10, 10, 11]), np.array([0.6, 0.4, 0.6])
    found = beyond_greatest(sizes, measures, 0.5, np.ones(3))
    assert found.tolist() == [2, 0, 3]
