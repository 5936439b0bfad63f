"""k-map: people counted, or estimated from the size of the population."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import poisson

from handmade import plain_from, sizes_only
from indistinct.tables.models import KMap
from indistinct.tables.models.bounded import Population
from indistinct.tables.models.k_map import estimated_size

TENTH = Population(1000, 100)


@pytest.mark.parametrize(
    ("k", "estimate", "expected"), [(5, "poisson", 4), (5, "truncated", 3), (20, "poisson", 7)]
)
def test_records_that_speak_for_k_people(k, estimate, expected):
    assert estimated_size(k, 0.1, 0.05, estimate) == expected
    assert KMap(k, 0.05, estimate).among(TENTH).bound == expected
    assert KMap(k, 0.05, estimate).among(TENTH).least_size == expected


@given(st.integers(2, 60), st.floats(0.001, 1), st.floats(0.01, 0.5))
def test_equals_the_definition_by_scipys_distribution(k, fraction, sigma):
    mean = fraction * k
    c = next(c for c in range(1000) if poisson.cdf(c, mean) >= 1 - sigma)
    assert estimated_size(k, fraction, sigma, "poisson") == min(k, 2 + c)
    empty = math.exp(-mean)
    c = next(
        c
        for c in range(1, 1000)
        if (poisson.cdf(c, mean) - empty) / (1 - empty) >= 1 - sigma - 1e-12
    )
    assert estimated_size(k, fraction, sigma, "truncated") == min(k, 1 + c)


def test_counts_people_where_they_are_known():
    classes = sizes_only([1, 2, 9], population=np.array([5, 4, 9]))
    model = KMap(5).among(Population(100, 12, is_counted=True))
    assert model.holds(classes).tolist() == [True, False, True]
    assert model.achieved(4.0) == {"k": 4}
    assert [model.measure_plainly(one) for one in plain_from(classes)] == [5, 4, 9]
    assert model.least_size == 1


def test_without_a_population_it_is_k_anonymity():
    assert KMap(3).holds(sizes_only([2, 3])).tolist() == [False, True]


def test_says_which_k_the_smallest_class_speaks_for():
    model = KMap(5).among(TENTH)
    found = model.achieved(4.0)["k"]
    assert estimated_size(found, 0.1, 0.05, "poisson") <= 4
    assert estimated_size(found + 1, 0.1, 0.05, "poisson") > 4


@given(st.lists(st.integers(1, 9), min_size=2, max_size=6), st.integers(2, 9))
def test_merging_classes_never_breaks_it(sizes, k):
    people = np.array(sizes) * 2
    model = KMap(k)
    if model.holds(sizes_only(sizes, population=people)).all():
        merged = sizes_only([sum(sizes)], population=np.array([people.sum()]))
        assert model.holds(merged).all()


def test_one_record_speaks_for_one_person_at_least():
    """A single record of a tenth of the people does not speak for two."""
    assert KMap(5).among(TENTH).achieved(1.0) == {"k": 1}
