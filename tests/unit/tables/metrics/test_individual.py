"""Risks of single records: closed forms, series and sums, each in full."""

from math import comb

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.stats import hypergeom

from indistinct.errors import ParameterError
from indistinct.tables.metrics.individual import records_at_risk, uniform_prior_risk, weighted_risk


def series(size, share, terms=30_000):
    """Add up E[1/F] term by term."""
    term, total = share**size, 0.0
    for people in range(size, size + terms):
        total += term / people
        term *= people / (people - size + 1) * (1 - share)
    return total


def weighted(sizes, share):
    """Return the risk of classes of these sizes whose weights are all 1 / share."""
    labels = np.repeat(np.arange(len(sizes)), sizes).astype(np.int32)
    return weighted_risk(labels, np.full(len(labels), 1.0 / share))


def test_the_worked_examples():
    """One to three records per class, each standing for ten people."""
    assert weighted([1, 2, 3], 0.1) == pytest.approx([0.25584279, 0.08268413, 0.04636843], abs=5e-9)


def test_a_class_that_is_the_population_has_the_risk_of_its_size():
    assert weighted([1, 2, 4, 9], 1.0) == pytest.approx([1, 1 / 2, 1 / 4, 1 / 9])


@pytest.mark.parametrize(("threshold", "share"), [(0.2, 1), (0.25, 0.2), (0.5, 0)])
def test_a_risk_at_the_threshold_does_not_exceed_it(threshold, share):
    """Classes of 2, 4 and 4 records: risks 1/2 and 1/4."""
    assert records_at_risk(np.array([2, 4, 4]), threshold) == pytest.approx(share)


def test_records_that_stand_for_nobody_stand_for_themselves():
    """A weight may be 0: the people are at least the records."""
    assert weighted_risk(np.array([0, 0, 1]), np.zeros(3)).tolist() == [0.5, 1.0]


@given(st.integers(1, 60), st.floats(0.02, 0.9999))
def test_as_by_the_series(size, share):
    assert weighted([size], share)[0] == pytest.approx(series(size, share), rel=1e-9)


def test_the_worked_examples_of_the_uniform_prior():
    found = uniform_prior_risk(np.array([1, 2, 7]), 20)
    assert found[:2] == pytest.approx([0.523810, 0.261905], abs=5e-7)


@given(st.lists(st.integers(1, 6), min_size=1, max_size=5), st.integers(0, 30))
def test_the_uniform_prior_as_by_its_sums(sizes, others):
    """Sums of hypergeometric chances over every number of people."""
    n_records = sum(sizes)
    n_people = n_records + others
    found = uniform_prior_risk(np.array(sizes), n_people)
    for size, risk in zip(sizes, found, strict=True):
        people = np.arange(size, n_people - (n_records - size) + 1)
        chances = hypergeom.pmf(size, n_people, people, n_records)
        assert risk == pytest.approx(float((chances / people).sum() / chances.sum()))


def test_negative_weights_are_refused():
    with pytest.raises(ParameterError):
        weighted_risk(np.zeros(2, np.int32), np.array([-0.5, 3.0]))


def test_a_population_below_the_sample_is_refused():
    with pytest.raises(ParameterError):
        uniform_prior_risk(np.array([3, 4]), 6)


def test_records_at_risk_are_those_above_the_threshold():
    sizes = np.array([1, 2, 5, 12])
    assert records_at_risk(sizes, 0.2) == 3 / 20
    assert records_at_risk(sizes, 0.5) == 1 / 20
    assert records_at_risk(sizes, 0.0) == 1.0
    assert records_at_risk(sizes[:0], 0.2) == 0.0


def test_a_negative_binomial_adds_up():
    """The series is over a distribution: without 1/F it sums to 1."""
    assert sum(comb(h - 1, 2) * 0.1**3 * 0.9 ** (h - 3) for h in range(3, 400)) == pytest.approx(1)
