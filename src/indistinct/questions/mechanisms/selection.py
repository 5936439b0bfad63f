"""The exponential mechanism: draw a candidate, the better the likelier."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, final

from indistinct.base.billionths import BILLION, billionths_up
from indistinct.questions.mechanisms import measurements
from indistinct.questions.mechanisms.accountant import Accounting
from indistinct.questions.mechanisms.calibration import check_budget, check_sensitivity, least_scale
from indistinct.questions.mechanisms.measurements import Divergence

DIVERGENCES = {Accounting.PURE: Divergence.MAX, Accounting.ZCDP: Divergence.CONCENTRATED}


@final
@dataclass(frozen=True, slots=True)
class Selection:
    """Draw the index of a candidate whose integer score is close to the highest.

    Make one with :func:`calibrate`.

    Parameters
    ----------
    sensitivity : most that one person moves any single score, at least 1
    scale : in the unit of the scores, greater than 0
    accounting : what the charge is counted in

    Notes
    -----
    Source: mcsherry2007, definition 1; mckenna2020, algorithm 1.
    """

    sensitivity: int
    scale: float
    accounting: Accounting

    name: ClassVar[str] = "selection"

    def choose(self, scores: Sequence[int]) -> int:
        """Draw the index of one of the scores."""
        measurement = measurements.noisy_max(self.scale, DIVERGENCES[self.accounting])
        return measurements.select(measurement, scores)

    def charge(self) -> int:
        """Return what the measurement's own map says, in billionths, rounded up."""
        return billionths_up(self.loss(self.scale))

    def loss(self, scale: float) -> float:
        """Return the cost of another scale at this sensitivity."""
        measurement = measurements.noisy_max(scale, DIVERGENCES[self.accounting])
        return measurements.loss(measurement, self.sensitivity)

    def slack(self, n_candidates: int, risk: float) -> int:
        """Return how far below the best the drawn score lies at most, but for ``risk``.

        Source: mckenna2020, theorem 2, with theorem 3.11 of dwork2014.
        """
        return math.ceil(self.scale * math.log(n_candidates / risk))


def calibrate(sensitivity: int, budget: int, accounting: Accounting) -> Selection:
    """Return the selection of least scale that costs at most ``budget`` billionths."""
    start = Selection(check_sensitivity(sensitivity), 1.0, accounting)
    share = check_budget(budget) / BILLION
    # A choice of epsilon costs epsilon**2 / 8 of rho, since the losses of all candidates lie within
    # a range of epsilon.
    strength = share if accounting is Accounting.PURE else math.sqrt(8 * share)
    guess = 2 * sensitivity / strength
    return Selection(sensitivity, least_scale(guess, budget, start.loss), accounting)
