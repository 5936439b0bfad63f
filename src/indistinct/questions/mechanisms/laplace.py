"""The Laplace mechanism: sensitivity and budget in, noise out; exact on integers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

from indistinct.base.billionths import BILLION, billionths_up
from indistinct.questions.mechanisms import measurements
from indistinct.questions.mechanisms.calibration import check_budget, check_sensitivity, least_scale


@final
@dataclass(frozen=True, slots=True)
class Laplace:
    """Independent discrete Laplace noise on each of a vector of integers.

    Pr[noise = x] is proportional to exp(-abs(x)/scale). Make one with :func:`calibrate`.

    Parameters
    ----------
    sensitivity : most that one person moves the vector, summed over its parts (L1), at least 1
    scale : in the unit of the integers, greater than 0

    Notes
    -----
    Time and memory grow with the length of the vector.

    Source: dwork2006, theorem 1; ghosh2009, definition 2.1; canonne2020, algorithm 2.
    """

    sensitivity: int
    scale: float

    name: ClassVar[str] = "laplace"

    def sample(self, exact: Sequence[int]) -> list[int]:
        """Add noise to integers of less than 2**63 in size."""
        return measurements.release(measurements.laplace(self.scale), exact)

    def charge(self) -> int:
        """Return what the measurement's own map says, in billionths of epsilon, rounded up."""
        return billionths_up(self.loss(self.scale))

    def loss(self, scale: float) -> float:
        """Return the epsilon of another scale at this sensitivity."""
        return measurements.loss(measurements.laplace(scale), self.sensitivity)

    def half_width(self, confidence: float) -> int:
        """Return the least w with Pr[abs(noise) <= w] >= confidence.

        Pr[abs(noise) > w] = 2 a**(w+1) / (1+a) with a = exp(-1/scale).
        """
        log_ratio = -1 / self.scale
        tail = math.log((1 - confidence) * (1 + math.exp(log_ratio)) / 2)
        return max(0, math.ceil(tail / log_ratio) - 1)


def calibrate(sensitivity: int, budget: int) -> Laplace:
    """Return the Laplace mechanism of least scale that costs at most ``budget``.

    Parameters
    ----------
    sensitivity : whole, from 1 to 2**53
    budget : billionths of epsilon, at least 1

    Raises
    ------
    ParameterError
        If either is out of its range: a missing bound never means no noise.
    """
    start = Laplace(check_sensitivity(sensitivity), 1.0)
    guess = sensitivity * BILLION / check_budget(budget)
    return Laplace(sensitivity, least_scale(guess, budget, start.loss))
