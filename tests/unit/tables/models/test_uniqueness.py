"""Models of the whole release: which classes are suppressed, and how few."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from handmade import plain_from, sizes_only
from indistinct.tables.core.uniqueness import zayatz
from indistinct.tables.models import AverageRisk, PopulationUniqueness, SampleUniqueness
from indistinct.tables.models.bounded import Population

SIZES = st.lists(st.integers(1, 9), min_size=1, max_size=8)


def test_the_average_risk_is_classes_over_records():
    assert AverageRisk(0.5).measure(sizes_only([2, 3, 5])) == pytest.approx([0.3] * 3)


def test_sample_uniqueness_counts_records_alone_in_their_class():
    assert SampleUniqueness(0.5).measure(sizes_only([1, 1, 3, 5])) == pytest.approx([0.2] * 4)


def test_population_uniqueness_is_a_share_of_the_population():
    sizes = [1] * 3 + [2] * 2 + [3]
    model = PopulationUniqueness(0.5, "zayatz").among(Population(100, 10))
    assert model.measure(sizes_only(sizes))[0] == pytest.approx(0.09875814)


def test_without_a_population_the_table_is_the_population():
    model = PopulationUniqueness(0.5, "pitman")
    assert model.measure(sizes_only([1, 1, 2]))[0] == pytest.approx(0.5)


def test_the_smallest_classes_are_suppressed_first_then_the_cheapest_then_the_first():
    classes = sizes_only([2, 1, 1, 1, 9], costs=np.array([0.1, 0.5, 0.2, 0.2, 0.3]))
    everything = np.ones(5, np.bool_)
    assert SampleUniqueness(0.1).select(classes, everything).tolist() == [1, 1, 0, 0, 1]
    assert SampleUniqueness(0.2).select(classes, everything).tolist() == [1, 1, 0, 1, 1]


def test_classes_that_are_out_already_do_not_count():
    classes = sizes_only([1, 1, 8])
    kept = np.array([False, True, True])
    assert SampleUniqueness(0.12).select(classes, kept).tolist() == [False, True, True]


def test_nothing_released_is_no_risk():
    assert not AverageRisk(0.1).select(sizes_only([2, 3]), np.ones(2, np.bool_)).any()


@given(SIZES, st.floats(0.05, 0.9))
def test_average_risk_releases_as_many_records_as_any_choice_of_classes(sizes, threshold):
    kept = AverageRisk(threshold).select(sizes_only(sizes), np.ones(len(sizes), np.bool_))
    best = max(
        (
            sum(chosen)
            for count in range(1, len(sizes) + 1)
            for chosen in combinations(sizes, count)
            if count / sum(chosen) <= threshold + 1e-12
        ),
        default=0,
    )
    assert np.array(sizes)[kept].sum() == best


@given(SIZES, st.floats(0.01, 1))
def test_what_is_left_satisfies_the_model(sizes, threshold):
    classes = sizes_only(sizes)
    models = (
        AverageRisk(threshold),
        SampleUniqueness(threshold),
        PopulationUniqueness(threshold).among(Population(200, sum(sizes))),
    )
    for model in models:
        kept = model.select(classes, np.ones(len(sizes), np.bool_))
        if kept.any():
            assert model.holds(classes.chosen(kept)).all()


@given(SIZES)
def test_equal_the_plain_definitions(sizes):
    classes = sizes_only(sizes)
    for model in (AverageRisk(0.1), SampleUniqueness(0.1), PopulationUniqueness(0.1)):
        plain = [model.measure_plainly(one) for one in plain_from(classes)]
        assert model.measure(classes) == pytest.approx(plain)


def test_an_estimator_that_fails_promises_nothing():
    """No class of two: the equations of the slide negative binomial have no solution."""
    model = PopulationUniqueness(1.0, "snb").among(Population(100, 6))
    assert not model.holds(sizes_only([1, 1, 4])).any()
    assert zayatz(np.array([1, 1, 4]), 100) > 0
