"""Edge-private degrees: the nearest ascending sequence, and noise of just the right scale."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st

from graphs import public, seven
from indistinct.base.randomness import RandomSource
from indistinct.errors import ParameterError
from indistinct.graph.degree_noise import laplace_noise, nearest_ascending, private_degrees
from shared import examples


@pytest.mark.parametrize(
    ("values", "nearest"),
    [
        ([9, 10, 14], [9, 10, 14]),
        ([9, 14, 10], [9, 12, 12]),
        ([14, 9, 10, 15], [11, 11, 11, 15]),
    ],
)
def test_worked_examples(values, nearest):
    assert nearest_ascending(np.array(values)).tolist() == nearest


@examples(60)
@given(st.lists(st.integers(-20, 20), min_size=1, max_size=12))
def test_the_nearest_sequence_ascends_keeps_the_sum_and_is_no_further_than_sorting(values):
    found = nearest_ascending(np.array(values))
    assert (np.diff(found) >= -1e-12).all()
    assert math.isclose(found.sum(), sum(values), abs_tol=1e-9)
    gap = ((found - values) ** 2).sum()
    assert gap <= ((np.sort(values) - values) ** 2).sum() + 1e-9


def distance(samples, rate):
    """Return the chi-square statistic over -6..6 and the two tails: 14 degrees of freedom."""
    alpha = math.exp(-rate)
    share = [(1 - alpha) / (1 + alpha) * alpha ** abs(number) for number in range(-6, 7)]
    tail = (1 - sum(share)) / 2
    shares = np.array([tail, *share, tail])
    counts = np.bincount(np.clip(samples, -7, 7) + 7, minlength=15)
    return ((counts - shares * len(samples)) ** 2 / (shares * len(samples))).sum()


def test_noise_has_the_promised_scale_and_no_other():
    """False alarms below 1 in 1000 (36.1); a scale off by a tenth either way is caught."""
    samples = laplace_noise(20_000, Fraction(1, 2), RandomSource(3))
    assert distance(samples, 0.5) < 36.1
    assert distance(samples, 0.5 * 0.9) > 36.1
    assert distance(samples, 0.5 * 1.1) > 36.1


def test_little_noise_gives_the_degrees_and_much_noise_does_not():
    assert private_degrees(seven(), epsilon=200.0).tolist() == [2, 2, 2, 3, 4, 4, 5]
    degrees = np.sort(public("power").degrees)
    errors = [
        np.abs(private_degrees(public("power"), epsilon=e, seed=1) - degrees).mean()
        for e in (0.1, 1.0)
    ]
    assert errors[0] > errors[1]
    assert errors[1] < 0.5


@pytest.mark.parametrize("epsilon", [0, -1, math.nan, math.inf])
def test_a_wrong_epsilon_is_refused(epsilon):
    with pytest.raises(ParameterError):
        private_degrees(seven(), epsilon=epsilon)
