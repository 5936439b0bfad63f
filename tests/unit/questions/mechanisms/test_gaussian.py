"""The Gaussian mechanism on integers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from indistinct.base.billionths import BILLION, billionths
from indistinct.errors import ParameterError
from indistinct.questions.mechanisms.gaussian import Gaussian, calibrate
from noise import discrete_gaussian, fit

DRAWS = 60_000
FALSE_ALARM = 1e-6


@pytest.mark.parametrize("sensitivity_squared", [1, 3, 49, 10**6])
@pytest.mark.parametrize("rho", ["0.0001", "0.5", "2"])
def test_sigma_follows_from_rho(sensitivity_squared, rho):
    """Rho is squared sensitivity over two squared sigma, and the proof says so."""
    mechanism = calibrate(sensitivity_squared, billionths(rho))
    assert mechanism.scale == pytest.approx(math.sqrt(sensitivity_squared / (2 * float(rho))))
    assert billionths(rho) - 1 <= mechanism.charge() <= billionths(rho)


@pytest.mark.parametrize("sensitivity_squared", [0, -1, 2**110])
def test_a_missing_bound_never_means_no_noise(sensitivity_squared):
    """What does not bound a person's part is refused."""
    with pytest.raises(ParameterError):
        calibrate(sensitivity_squared, BILLION)


@pytest.mark.parametrize("sigma", [0.6, 2.0, 8.0])
def test_draws_follow_the_named_distribution_and_no_other_scale(sigma):
    """The right sigma passes; a tenth less and a tenth more fail (false alarm 1e-6 each)."""
    draws = Gaussian(1, sigma).sample([0] * DRAWS)
    reach = math.ceil(6 * sigma)
    assert fit(draws, discrete_gaussian(sigma), reach) > FALSE_ALARM
    assert fit(draws, discrete_gaussian(0.9 * sigma), reach) < FALSE_ALARM
    assert fit(draws, discrete_gaussian(1.1 * sigma), reach) < FALSE_ALARM


@pytest.mark.parametrize("sigma", [0.3, 1.0, 5.0, 20.0])
def test_half_widths_reach_their_confidence(sigma):
    """The exact distribution holds at least 95 % within the width."""
    width = Gaussian(1, sigma).half_width(0.95)
    assert discrete_gaussian(sigma)(np.arange(-width, width + 1)).sum() >= 0.95
