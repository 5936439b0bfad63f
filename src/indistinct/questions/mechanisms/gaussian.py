"""The Gaussian mechanism of zero-concentrated differential privacy, exact on integers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import ClassVar, final

from indistinct.base.billionths import BILLION, billionths_up
from indistinct.questions.mechanisms import measurements
from indistinct.questions.mechanisms.calibration import check_budget, check_sensitivity, least_scale


@final
@dataclass(frozen=True, slots=True)
class Gaussian:
    """Independent discrete Gaussian noise on each of a vector of integers.

    Pr[noise = x] is proportional to exp(-x**2 / (2 scale**2)). Make one with :func:`calibrate`.

    Parameters
    ----------
    sensitivity_squared : square of the most that one person moves the vector (L2)
    scale : sigma, in the unit of the integers, greater than 0

    Notes
    -----
    Source: bun2016, proposition 1.6; canonne2020, theorem 4.
    """

    sensitivity_squared: int
    scale: float

    name: ClassVar[str] = "gaussian"

    def sample(self, exact: Sequence[int]) -> list[int]:
        """Add noise to integers of less than 2**63 in size."""
        return measurements.release(measurements.gaussian(self.scale), exact)

    def charge(self) -> int:
        """Return what the measurement's own map says, in billionths of rho, rounded up."""
        return billionths_up(self.loss(self.scale))

    def loss(self, scale: float) -> float:
        """Return the rho of another scale at this sensitivity."""
        # A root that is rounded down would understate the loss.
        sensitivity = math.nextafter(math.sqrt(self.sensitivity_squared), math.inf)
        return measurements.loss(measurements.gaussian(scale), sensitivity)

    def half_width(self, confidence: float) -> int:
        """Return w with Pr[abs(noise) <= w] >= confidence.

        Pr[noise >= w + 1] of the discrete distribution is at most Pr[noise >= w] of the continuous.

        Source: canonne2020, proposition 25.
        """
        return math.ceil(NormalDist().inv_cdf((1 + confidence) / 2) * self.scale)


def calibrate(sensitivity_squared: int, budget: int) -> Gaussian:
    """Return the Gaussian mechanism of least scale that costs at most ``budget``.

    Parameters
    ----------
    sensitivity_squared : whole, at least 1; its root at most 2**53
    budget : billionths of rho, at least 1

    Raises
    ------
    ParameterError
        If either is out of its range.
    """
    # The root is checked, rounded up; what is not positive goes to the check as it is.
    check_sensitivity(min(sensitivity_squared, math.isqrt(max(sensitivity_squared, 0)) + 1))
    start = Gaussian(sensitivity_squared, 1.0)
    guess = math.sqrt(sensitivity_squared * BILLION / (2 * check_budget(budget)))
    return Gaussian(sensitivity_squared, least_scale(guess, budget, start.loss))
