"""How the losses of columns become one, and how far one record then moves it."""

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import gmean

from indistinct.tables.metrics import AGGREGATES

PLAIN = {
    "arithmetic-mean": np.mean,
    "geometric-mean": lambda losses: gmean(1 + losses) - 1,
    "sum": np.sum,
    "maximum": np.max,
}
LOSSES = st.lists(st.floats(0, 1e4), min_size=1, max_size=5).map(np.array)
each_aggregate = pytest.mark.parametrize("name", AGGREGATES)


@each_aggregate
def test_without_columns_nothing_is_lost(name):
    assert AGGREGATES[name].combine(np.zeros(0)) == 0.0


@each_aggregate
@given(LOSSES)
def test_it_is_the_mean_or_sum_or_maximum_of_its_name(name, losses):
    assert AGGREGATES[name].combine(losses) == pytest.approx(PLAIN[name](losses))


def test_a_column_that_loses_much_multiplies_what_others_lose():
    """Losses 99 and 0: sqrt(100) - 1 = 9; the second loses 3 and it is 19, not 12 or less."""
    mean = AGGREGATES["geometric-mean"]
    assert mean.combine(np.array([99.0, 0.0])) == pytest.approx(9)
    assert mean.combine(np.array([99.0, 3.0])) == pytest.approx(19)
