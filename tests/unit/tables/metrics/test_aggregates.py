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


@each_aggregate
@given(LOSSES, st.data())
def test_losses_that_move_move_it_by_no_more_than_is_said(name, losses, data):
    moves = st.lists(st.floats(0, 100), min_size=len(losses), max_size=len(losses))
    moved = np.array(data.draw(moves))
    aggregate = AGGREGATES[name]
    before, after = aggregate.combine(losses), aggregate.combine(losses + moved)
    # Whichever of the two is published, the other is within the bound.
    for shown in (before, after):
        bound = aggregate.largest_move(shown, float(moved.sum()), len(losses))
        assert abs(after - before) <= bound * (1 + 1e-9) + 1e-9


def test_a_column_that_loses_much_multiplies_what_others_lose():
    """Losses 99 and 0: sqrt(100) - 1 = 9; the second loses 3 and it is 19, not 12 or less."""
    mean = AGGREGATES["geometric-mean"]
    assert mean.combine(np.array([99.0, 0.0])) == pytest.approx(9)
    assert mean.combine(np.array([99.0, 3.0])) == pytest.approx(19)
    assert mean.largest_move(9.0, 3.0, 2) == 15.0
    assert mean.largest_move(0.5, 3.0, 2) == mean.largest_move(9.0, 3.0, 1) == 3.0
    assert AGGREGATES["sum"].largest_move(9.0, 3.0, 2) == 3.0
