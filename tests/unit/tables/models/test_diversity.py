"""Simpson's index, with the numbers of the specification."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from indistinct.tables.core.frequencies import ValueCounts
from indistinct.tables.models.diversity import diversity_of

WORKED = [
    # counts, concentration, D, evenness, gini, unbiased
    ([3, 1], 0.625, 1.6, 0.8, 0.375, 0.5),
    ([2, 2], 0.5, 2, 1, 0.5, 2 / 3),
    ([4], 1, 1, 1, 0, 0),
    ([2, 1, 1], 0.375, 8 / 3, 8 / 9, 0.625, 5 / 6),
    ([99, 1], 0.9802, 1.0202, 0.5101, 0.0198, 0.02),
]


def measured(*classes):
    """Measure classes given as lists of counts."""
    starts = np.cumsum([0, *map(len, classes)])
    values = np.concatenate([np.arange(len(counts)) for counts in classes]).astype(np.int32)
    found = ValueCounts(starts, values, np.concatenate(classes).astype(np.int64))
    return diversity_of(found, np.array([sum(counts) for counts in classes]))


def test_the_worked_examples():
    found = measured(*(counts for counts, *_ in WORKED))
    for index, (_, concentration, inverse, evenness, gini, unbiased) in enumerate(WORKED):
        tolerance = 5e-5
        assert found.concentration[index] == pytest.approx(concentration, abs=tolerance)
        assert found.inverse[index] == pytest.approx(inverse, abs=tolerance)
        assert found.evenness[index] == pytest.approx(evenness, abs=tolerance)
        assert found.gini[index] == pytest.approx(gini, abs=tolerance)
        assert found.unbiased[index] == pytest.approx(unbiased, abs=tolerance)


def test_a_class_of_one_record_has_no_pairs():
    assert measured([1]).unbiased.tolist() == [0.0]


@given(st.lists(st.integers(1, 50), min_size=1, max_size=6))
def test_the_index_agrees_with_exact_fractions(counts):
    found = measured(counts)
    size = sum(counts)
    concentration = sum(Fraction(count, size) ** 2 for count in counts)
    assert found.inverse[0] == pytest.approx(float(1 / concentration))
    assert 1 - 1e-12 <= found.inverse[0] <= len(counts) + 1e-9
    assert found.in_form("gini")[0] == pytest.approx(float(1 - concentration))


@given(
    st.lists(st.integers(0, 20), min_size=4, max_size=4).filter(any),
    st.lists(st.integers(0, 20), min_size=4, max_size=4).filter(any),
)
def test_a_union_is_at_least_as_diverse_as_its_worse_part(one, other):
    both = [a + b for a, b in zip(one, other, strict=True)]
    parts = [[count for count in counts if count] for counts in (one, other, both)]
    first, second, union = measured(*parts).inverse
    assert union >= min(first, second) - 1e-9
