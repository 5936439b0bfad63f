"""delta-presence: the share of those who look alike that is in the table."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from handmade import plain_from, sizes_only
from indistinct.errors import ParameterError
from indistinct.tables.core.protocols import Monotonicity
from indistinct.tables.models import DeltaPresence


def test_two_of_four_are_one_half():
    classes = sizes_only([2], population=np.array([4]))
    assert DeltaPresence(0.2, 0.8).measure(classes).tolist() == [0.5]


def test_both_bounds_belong_to_it():
    classes = sizes_only([1, 2, 3, 4], population=np.array([5, 5, 5, 5]))
    assert DeltaPresence(0.4, 0.6).holds(classes).tolist() == [False, True, True, False]


def test_says_which_bound_would_do():
    model = DeltaPresence(0.4, 0.6)
    few, many = sizes_only([1], population=np.array([5])), sizes_only([4], population=np.array([5]))
    reached = model.achieved(float(model.measure(few)[0]))
    assert reached == {"delta_min": pytest.approx(0.2), "delta_max": None}
    assert model.achieved(float(model.measure(many)[0])) == pytest.approx({"delta_max": 0.8})


def test_a_class_that_the_population_lacks_violates():
    classes = sizes_only([2], population=np.array([0]))
    assert not DeltaPresence(0.0, 1.0).holds(classes).any()


def test_bounds_in_the_wrong_order_are_refused():
    with pytest.raises(ParameterError, match="delta_min"):
        DeltaPresence(0.8, 0.2)


def test_people_who_look_like_no_record_may_break_the_lower_bound():
    """Merged with people of whom none is in the table, a class falls below delta_min."""
    assert DeltaPresence(0.3, 0.8).monotone is Monotonicity.NEVER
    assert DeltaPresence(0.0, 0.8).monotone is Monotonicity.WITHOUT_SUPPRESSION
    alone, merged = (sizes_only([2], population=np.array([n])) for n in (4, 40))
    assert DeltaPresence(0.3, 0.8).holds(alone).all()
    assert not DeltaPresence(0.3, 0.8).holds(merged).any()


@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(0, 12)), min_size=1, max_size=6),
    st.floats(0, 0.5),
    st.floats(0.5, 1),
)
def test_equals_the_plain_definition(pairs, least, most):
    sizes = [size for size, _ in pairs]
    people = [size + others for size, others in pairs]
    classes, model = sizes_only(sizes, population=np.array(people)), DeltaPresence(least, most)
    expected = [
        least - 1e-12 <= size / n <= most + 1e-12 for size, n in zip(sizes, people, strict=True)
    ]
    assert model.holds(classes).tolist() == expected
    plain = [model.measure_plainly(one) for one in plain_from(classes)]
    assert model.measure(classes) == pytest.approx(plain)
    if all(expected):
        merged = sizes_only([sum(sizes)], population=np.array([sum(people)]))
        assert model.holds(merged).all()
