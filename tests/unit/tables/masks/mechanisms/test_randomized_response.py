"""Randomized response, binary and k-ary."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from indistinct.base.randomness import RandomSource
from indistinct.errors import ParameterError
from indistinct.tables.masks.mechanisms.randomized_response import RandomizedResponse, calibrate

COIN_FLIP = RandomizedResponse(2, 0.5)


def test_the_slides_coin_flip():
    """Three quarters say yes given yes, one quarter given no: epsilon is ln 3."""
    assert COIN_FLIP.kept == Fraction(1, 2)
    assert COIN_FLIP.epsilon == pytest.approx(1.098612, abs=1e-6)
    assert COIN_FLIP.epsilon >= math.log(3)
    estimate = COIN_FLIP.estimate([400, 600])
    assert estimate[1] / 1000 == pytest.approx(2 * 0.6 - 0.5)


def test_the_slides_probabilities_are_drawn():
    """A hundred thousand people of each kind answer as the coins say (false alarm 1e-6)."""
    n = 100_000
    for truth, share in ((1, 0.75), (0, 0.25)):
        answers = COIN_FLIP.randomize(np.full(n, truth), RandomSource())
        assert stats.binomtest(int(answers.sum()), n, share).pvalue > 1e-6
        assert stats.binomtest(int(answers.sum()), n, share * 0.9).pvalue < 1e-6


def test_the_charge_is_the_epsilon_in_billionths_rounded_up():
    """Three categories at truth 1/2: log((1/2 + 1/6) / (1/6)) = log 4, but for the last words."""
    response = RandomizedResponse(3, 0.5)
    assert response.charge() == math.ceil(Fraction(response.epsilon) * 10**9)
    assert response.charge() == pytest.approx(math.log(4) * 1e9, abs=1)


@pytest.mark.parametrize("categories", [2, 3, 7, 1000])
@pytest.mark.parametrize("epsilon", [0.01, 1.0, math.log(3), 10.0])
def test_calibration_spends_the_epsilon_it_was_given(categories, epsilon):
    """Never more, and hardly less."""
    response = calibrate(categories, epsilon)
    assert response.epsilon <= epsilon
    assert response.epsilon == pytest.approx(epsilon, rel=1e-6)


def test_calibration_takes_as_many_steps_as_it_needs():
    """With two categories, 15.1 is passed by two steps of the last bit."""
    assert 15.1 - 1e-6 < calibrate(2, 15.1).epsilon <= 15.1


@pytest.mark.parametrize("categories", [2, 5])
@pytest.mark.parametrize("epsilon", [38.0, 40.0])
def test_the_largest_epsilons_are_calibrated_too(categories, epsilon):
    """The share of true answers would be rounded to 1, which hides nothing and is refused."""
    response = calibrate(categories, epsilon)
    assert response.truth < 1
    assert 36 < response.epsilon <= epsilon


@pytest.mark.parametrize("categories", [2, 3, 6])
def test_every_answer_has_its_probability(categories):
    """Given one truth, the answers follow p' and q' (false alarm 1e-6) and no other p."""
    response = RandomizedResponse(categories, 0.4)
    answers = response.randomize(np.full(100_000, 1), RandomSource())
    seen = np.bincount(answers, minlength=categories)

    def p_value(truth):
        expected = np.full(categories, (1 - truth) / categories)
        expected[1] += truth
        return stats.chisquare(seen, expected * seen.sum()).pvalue

    assert p_value(0.4) > 1e-6
    assert p_value(0.36) < 1e-6
    assert p_value(0.44) < 1e-6


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 50), min_size=2, max_size=6).filter(any),
    st.floats(0.05, 0.95),
)
def test_the_estimate_undoes_the_expectation(counts, truth):
    """Fed with expected answers, the estimate gives the true counts: it is unbiased."""
    response = RandomizedResponse(len(counts), truth)
    kept = float(response.kept)
    expected = kept * np.array(counts) + (1 - kept) * sum(counts) / len(counts)
    assert response.estimate(expected) == pytest.approx(counts, abs=1e-6 * sum(counts) + 1e-9)


def test_a_standard_error_by_hand():
    """Of 100 answers 50: (50 - 10) / 0.6 have it and stay by 0.7; the other 33.3 come by 0.1."""
    errors = RandomizedResponse(4, 0.6).standard_errors([50, 30, 15, 5])
    assert errors[0] == pytest.approx((200 / 3 * 0.21 + 100 / 3 * 0.09) ** 0.5 / 0.6)


def test_standard_errors_match_what_repeats_show():
    """Over 400 surveys the estimates scatter as the standard error says (to a fifth)."""
    response = RandomizedResponse(3, 0.5)
    codes = np.repeat([0, 1, 2], [500, 300, 200])
    counts = [
        np.bincount(response.randomize(codes, RandomSource()), minlength=3) for _ in range(400)
    ]
    scatter = np.std([response.estimate(seen) for seen in counts], axis=0)
    assert scatter == pytest.approx(response.standard_errors(np.mean(counts, axis=0)), rel=0.2)


@pytest.mark.parametrize(("categories", "truth"), [(1, 0.5), (2, 1.0), (2, -0.1), (2, math.nan)])
def test_parameters_that_hide_nothing_are_refused(categories, truth):
    """One category, or always the truth."""
    with pytest.raises(ParameterError):
        RandomizedResponse(categories, truth)


@pytest.mark.parametrize("epsilon", [0, -1, math.nan, math.inf])
def test_epsilon_outside_its_range_is_refused(epsilon):
    """No epsilon, no coins."""
    with pytest.raises(ParameterError):
        calibrate(2, epsilon)


def test_codes_outside_the_categories_are_refused():
    """A code that no answer stands for."""
    with pytest.raises(ParameterError):
        COIN_FLIP.randomize(np.array([0, 2]), RandomSource())


def test_without_truth_there_is_nothing_to_estimate():
    """At p = 0 the answers are free of any information."""
    blind = RandomizedResponse(2, 0.0)
    assert blind.epsilon == pytest.approx(0.0, abs=1e-12)
    with pytest.raises(ParameterError):
        blind.estimate([1, 1])


def test_nobody_is_an_answer_too():
    """An empty survey gives an empty list."""
    assert COIN_FLIP.randomize(np.array([], dtype=np.int64), RandomSource()).size == 0
