"""Values in rank order, and what sets of them are released as."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings, strategies as st

from indistinct.base.hierarchy import from_levels
from indistinct.tables.core.recoding import cell_numbers
from indistinct.tables.search.cuts.ranked import RankedLabels, RankedNumbers

WARDS = from_levels(
    [
        ["heart", "skin", "lung", "hair"],
        ["inner", "outer", "inner", "outer"],
        ["*", "*", "*", "*"],
    ]
)


def codes(*numbers):
    return np.array(numbers, np.int32)


def test_values_with_the_same_label_stand_together() -> None:
    """``lung`` moves beside ``heart``; keys grow with the rank at every level."""
    column = RankedLabels.of(WARDS, 0)
    assert column.ranks.tolist() == [0, 2, 1, 3]
    assert column.keys.tolist() == [[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]]
    assert column.shares[:, 0].tolist() == [0.25, 0.5, 1.0]
    assert column.top_keys(1).tolist() == [0, 0, 1, 1]


def test_sets_are_released_as_their_lowest_common_label() -> None:
    """One value as itself, two of a ward as the ward, others as everything."""
    column = RankedLabels.of(WARDS, 0)
    domain, cells = column.release(codes(0, 0, 1), codes(0, 1, 2), np.array([4, 3, 2, 1]))
    assert [domain.labels[cell] for cell in cells] == ["heart", "inner", "*"]
    assert domain.counts[cells].tolist() == [4, 6, 10]


def test_no_label_below_the_floor() -> None:
    """At floor 1 a single value is released as its ward."""
    column = RankedLabels.of(WARDS, 1)
    domain, cells = column.release(codes(0), codes(0), np.array([1, 1, 1, 1]))
    assert domain.labels[cells[0]] == "inner"


@settings(deadline=None)
@given(
    middle=st.lists(st.integers(0, 3), min_size=1, max_size=9),
    upper=st.lists(st.integers(0, 1), min_size=4, max_size=4),
    chosen=st.sets(st.integers(0, 8), min_size=1),
)
def test_the_common_label_covers_the_set_and_no_lower_one_does(middle, upper, chosen) -> None:
    """Least and greatest rank alone give the lowest label above every value of the set."""
    values = sorted({value % len(middle) for value in chosen})
    hierarchy = from_levels(
        [
            [f"v{v}" for v in range(len(middle))],
            [f"m{m}" for m in middle],
            [f"u{upper[m]}" for m in middle],
            ["*"] * len(middle),
        ]
    )
    column = RankedLabels.of(hierarchy, 0)
    ranks = column.ranks[values]
    domain, cells = column.release(
        codes(ranks.min()), codes(ranks.max()), np.ones(len(middle), np.int64)
    )
    level = int(domain.levels[cells[0]])
    assert set(cell_numbers(hierarchy)[level, values].tolist()) == {int(cells[0])}
    assert level == 0 or len(set(hierarchy.codes[level - 1, values].tolist())) > 1


def test_numbers_in_any_order_of_codes() -> None:
    """Equal numbers share a rank, and the missing one is last."""
    column = RankedNumbers.of(np.array([7.0, np.nan, 2.5, 7.0]), ("7", "?", "2.5", "7.0"))
    assert column.ranks.tolist() == [1, 2, 0, 1]
    assert column.width == 4.5
    assert column.missing == "?"
    assert column.keys.tolist() == [[0, 1, 2], [0, 0, 1], [0, 0, 0]]


def test_ranges_numbers_and_the_missing_value() -> None:
    """A range with both ends, one number, the missing value, and all of them together."""
    column = RankedNumbers.of(np.array([7.0, np.nan, 2.5, 12.5]), ("7", "?", "2.5", "12.5"))
    domain, cells = column.release(
        codes(0, 1, 3, 0, 0), codes(2, 1, 3, 3, 2), np.array([10, 20, 30, 40])
    )
    assert [domain.labels[cell] for cell in cells] == ["[2.5, 12.5]", "7", "?", "*", "[2.5, 12.5]"]
    assert domain.losses[cells].tolist() == [1.0, 0.0, 0.0, 1.0, 1.0]
    assert domain.counts[cells].tolist() == [80, 10, 20, 100, 80]
    assert cells[0] == cells[4]


def test_a_column_of_one_number_costs_nothing() -> None:
    """A range of length 0 in a column of range 0."""
    column = RankedNumbers.of(np.array([3.0]), ("3",))
    domain, cells = column.release(codes(0), codes(0), np.array([5]))
    assert domain.labels == ("3",)
    assert domain.losses[cells].tolist() == [0.0]
    assert domain.value_bits == 5 * np.log2(5)


def test_a_column_of_missing_values_only() -> None:
    """It is released as it is."""
    column = RankedNumbers.of(np.array([np.nan]), ("",))
    domain, _ = column.release(codes(0), codes(0), np.array([5]))
    assert domain.labels == ("",)
    assert column.width == 0.0
