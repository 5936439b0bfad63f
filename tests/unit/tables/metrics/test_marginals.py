"""Single columns and pairs of columns before and after."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from indistinct.base.hierarchy import from_levels
from indistinct.tables.core.recoding import hierarchy_cells
from indistinct.tables.metrics.marginals import correlation_difference, total_variation

LETTERS = from_levels([list("abcd"), ["ab", "ab", "cd", "cd"], ["*"] * 4])


def counts_of(domain, **cells):
    """Give so many released records per cell."""
    counts = np.zeros(len(domain.labels), np.int64)
    for label, count in cells.items():
        counts[domain.labels.index({"all": "*"}.get(label, label))] += count
    return counts


def test_a_pair_spread_evenly():
    """a 3, b 1, c 4: ab becomes 2 and 2, and the total variation 1/8."""
    weights = np.array([3, 1, 4, 0])
    domain = hierarchy_cells(LETTERS, weights)
    assert total_variation(domain, weights, counts_of(domain, ab=4, c=4), 0) == 0.125
    assert total_variation(domain, weights, counts_of(domain, a=3, b=1, c=4), 0) == 0.0


def test_suppressed_records_spread_over_everything():
    """Four of eight suppressed: half a record on each value for each two hidden."""
    weights = np.array([4, 4, 0, 0])
    domain = hierarchy_cells(LETTERS, weights)
    found = total_variation(domain, weights, counts_of(domain, a=2, b=2), 4)
    assert found == pytest.approx(1 - 2 * (2 + 1) / 8)


def test_what_never_stands_together_is_not_correlated():
    """No record, or one, has both numbers: the correlation counts as 0 on that side."""
    both = np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]])
    apart = np.array([[1.0, np.nan], [np.nan, 4.0], [3.0, 6.0]])
    assert correlation_difference(both, apart) == pytest.approx(1.0)
    assert correlation_difference(apart, apart) == 0.0


@given(st.lists(st.integers(1, 6), min_size=4, max_size=4), st.data())
def test_by_its_definition(weights, data):
    """Half the sum of absolute differences, value by value."""
    weights = np.array(weights)
    domain = hierarchy_cells(LETTERS, weights)
    n_records = int(weights.sum())
    cells = st.integers(0, len(domain.labels) - 1)
    chosen = data.draw(st.lists(cells, max_size=n_records))
    counts = np.bincount(chosen, minlength=len(domain.labels))
    guess = np.full(4, (n_records - len(chosen)) / 4)
    below = {**{x: x for x in "abcd"}, "ab": "ab", "cd": "cd", "*": "abcd"}
    for cell in chosen:
        for letter in below[domain.labels[cell]]:
            guess["abcd".index(letter)] += 1 / len(below[domain.labels[cell]])
    found = total_variation(domain, weights, counts, n_records - len(chosen))
    assert found == pytest.approx(np.abs(weights - guess).sum() / 2 / n_records)


def test_correlations():
    """A pair that falls in place of rising: 2; missing numbers take no part; one column: none."""
    rising = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [np.nan, 9.0]])
    falling = rising * [1, -1]
    assert correlation_difference(rising, falling) == pytest.approx(2.0)
    assert correlation_difference(rising, rising[:2]) == pytest.approx(0.0)
    assert correlation_difference(rising, np.ones((5, 2))) == pytest.approx(1.0)
    assert correlation_difference(rising[:, :1], rising[:, :1]) is None
