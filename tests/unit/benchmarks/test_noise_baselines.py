"""Uniform noise of equal error, for comparison."""

import numpy as np
import pytest

from indistinct.base.randomness import RandomSource
from noise_baselines import (
    sample_uniform,
    told_apart,
    uniform_half_width,
)


def test_uniform_noise_of_equal_error_is_twice_as_wide_as_the_scale():
    """Scale 20: half width 40, mean size 20 (a million draws, 5 standard errors: 0.06)."""
    assert uniform_half_width(np.array([20.0])).tolist() == [40]
    draws = sample_uniform(np.full(1_000_000, 40), RandomSource(1))
    assert np.abs(draws).max() == 40
    assert np.abs(draws).mean() == pytest.approx(40 * 41 / 81, abs=0.06)


def test_bounded_noise_tells_values_apart():
    """Beyond twice the half width surely, closer with the share of what does not overlap."""
    assert told_apart(100, 40) == 1
    assert told_apart(20, 40) == 0.25
    values = np.full(200_000, 40)
    noisy = sample_uniform(values, RandomSource(2))
    assert (noisy < 20 - 40).mean() == pytest.approx(told_apart(20, 40.5), abs=0.006)
