"""Counting compatible records: two ways, against the plain definition."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as arrays

from indistinct.tables.core.compatible import by_comparison, by_projection, count_compatible
from indistinct.tables.verification.wildcards import group_sizes


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
    codes, hidden, weights = rows
    expected = plainly(*rows)
    patterns, pattern_of = np.unique(hidden, axis=0, return_inverse=True)
    joined = by_projection(codes, hidden, weights, patterns, pattern_of.reshape(-1))
    assert joined.tolist() == expected
    assert by_comparison(codes, hidden, weights).tolist() == expected


@pytest.mark.parametrize("n_values", [4, 100_000])
@pytest.mark.parametrize("n_patterns", [2, 60])
def test_the_way_of_counting_does_not_change_the_counts(n_values, n_patterns):
    """Few or many patterns, short keys or keys beyond a word: the same definition."""
    draws = np.random.default_rng(1)
    codes = draws.integers(0, n_values, (300, 9)).astype(np.int32)
    codes[1::2] = codes[::2]
    patterns = draws.random((n_patterns, 9)) < 0.6
    hidden = patterns[draws.integers(0, n_patterns, 300)]
    weights = draws.integers(1, 4, 300)
    assert count_compatible(codes, hidden, weights).tolist() == plainly(codes, hidden, weights)


def test_a_star_in_either_record_makes_them_compatible():
    """Three records: the first two fit the third, not each other."""
    rows = pl.DataFrame({"age": ["30", "40", "*"], "sex": ["f", "f", "f"]})
    assert group_sizes(rows, [1, 1, 1]) == [2, 2, 3]


def test_nothing_is_compatible_with_nothing():
    """An empty release has no groups."""
    assert group_sizes(pl.DataFrame({"age": []}, schema={"age": pl.String}), []) == []
