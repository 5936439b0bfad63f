"""Counting compatible records: two ways, against the plain definition."""

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from indistinct.table.wildcards import by_comparison, count_compatible, group_sizes


def plainly(codes, hidden, weights):
    """Count compatible records from the definition, one pair after the other."""
    return [
        sum(
            weight
            for other, stars, weight in zip(codes, hidden, weights, strict=True)
            if all(a == b or x or y for a, b, x, y in zip(row, other, own, stars, strict=True))
        )
        for row, own in zip(codes, hidden, strict=True)
    ]


@st.composite
def counted_rows(draw):
    """Draw rows of codes, which cells are stars, and weights."""
    shape = draw(st.tuples(st.integers(1, 20), st.integers(1, 5)))
    codes = draw(arrays.arrays(np.int32, shape, elements=st.integers(0, 3)))
    hidden = draw(arrays.arrays(np.bool_, shape))
    return codes, hidden, draw(arrays.arrays(np.int64, shape[0], elements=st.integers(1, 5)))


@given(counted_rows())
def test_both_ways_of_counting_are_the_definition(rows):
    """The join over projections and the comparison of all pairs give what the definition gives."""
    expected = plainly(*rows)
    assert count_compatible(*rows).tolist() == expected
    assert by_comparison(*rows).tolist() == expected


def test_many_patterns_and_long_keys_are_counted_by_comparison():
    """Neither more patterns than rows pay for nor keys beyond a word change the counts."""
    draws = np.random.default_rng(1)
    wide = draws.integers(0, 100_000, (40, 9)).astype(np.int32)
    hidden = draws.random(wide.shape) < 0.6
    weights = np.ones(40, np.int64)
    assert count_compatible(wide, hidden, weights).tolist() == plainly(wide, hidden, weights)


def test_a_star_in_either_record_makes_them_compatible():
    """Three records: the first two fit the third, not each other."""
    rows = pl.DataFrame({"age": ["30", "40", "*"], "sex": ["f", "f", "f"]})
    assert group_sizes(rows, [1, 1, 1]) == [2, 2, 3]


def test_nothing_is_compatible_with_nothing():
    """An empty release has no groups."""
    assert group_sizes(pl.DataFrame({"age": []}, schema={"age": pl.String}), []) == []
