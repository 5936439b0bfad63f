"""How often an attack succeeds: rates with intervals, and the risk beyond a control group."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib import import_module
from statistics import NormalDist
from typing import Any

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class SuccessRate:
    """The rate of an attack, with a margin.

    Parameters
    ----------
    attempts : number of attempts, at least 0
    successes : how many succeeded; a sum of chances where the truth is not known
    center : middle of the interval, in [0, 1]; not the plain share of successes
    margin : half the width of the interval
    confidence : of the interval, in (0, 1)
    """

    attempts: int
    successes: float
    center: float
    margin: float
    confidence: float = CONFIDENCE

    @property
    def rate(self) -> float:
        """Share of attempts that succeeded; 0 without attempts."""
        return self.successes / self.attempts if self.attempts else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Lower and upper end, inside [0, 1]; both 0 and 1 without attempts."""
        low = max(0.0, self.center - self.margin) if self.successes > 0 else 0.0
        high = min(1.0, self.center + self.margin) if self.successes < self.attempts else 1.0
        return low, 1.0 if self.attempts == 0 else high

    @property
    def exact_limits(self) -> tuple[float, float]:
        """Lower and upper end that miss the true chance in no more than the stated share of runs.

        Of a sum of chances they are those of the beta distribution between whole numbers.

        Source: clopper1934, by the quantiles of the beta distribution.
        """
        tail = (1.0 - self.confidence) / 2.0
        failures = self.attempts - self.successes
        special: Any = import_module("scipy.special")  # takes long to import
        low = special.betaincinv(self.successes, failures + 1.0, tail) if self.successes else 0.0
        high = special.betaincinv(self.successes + 1.0, failures, 1.0 - tail) if failures else 1.0
        return float(low), float(high)


@dataclass(frozen=True, slots=True)
class ExcessRisk:
    """What an attack gains from a release, beyond what it gains on people who are not in it.

    Parameters
    ----------
    risk : in [0, 1]
    margin : half the width of its interval
    """

    risk: float
    margin: float

    @property
    def interval(self) -> tuple[float, float]:
        """Lower and upper end, inside [0, 1]."""
        return max(0.0, self.risk - self.margin), min(1.0, self.risk + self.margin)


def success_rate(successes: float, attempts: int, confidence: float = CONFIDENCE) -> SuccessRate:
    """Return the rate of an attack with Wilson's interval.

    Parameters
    ----------
    successes : 0 <= successes <= attempts. A sum of chances may stand here: the number of successes
        among independent attempts of unequal chances varies no more than among equal ones of the
        same mean, so the interval is then wider than it needs to be
    attempts : at least 0
    confidence : in (0, 1)

    Notes
    -----
    The interval covers the true chance in about ``confidence`` of all runs on average over the
    chances; near 0 and 1 single chances are covered a few percent less often.

    Source: wilson1927, page 212, as giomi2023 use it.
    """
    square = _probit(confidence) ** 2
    below = attempts + square
    spread = successes * (attempts - successes) / attempts if attempts else 0.0
    return SuccessRate(
        attempts,
        successes,
        (successes + square / 2) / below,
        math.sqrt(square) / below * math.sqrt(spread + square / 4),
        confidence,
    )


def excess_risk(attack: SuccessRate, control: SuccessRate) -> ExcessRisk | None:
    """Compare an attack with the same attack on a control group.

    Returns
    -------
    (attack - control) / (1 - control) of the intervals' centers, at least 0; None when every
    attempt on the control group succeeds

    Source: giomi2023, risk against a control group.
    """
    left = 1.0 - control.center
    if left <= 0 or control.successes >= control.attempts > 0:
        return None
    risk = (attack.center - control.center) / left
    margin = math.hypot(attack.margin / left, control.margin * (1.0 - attack.center) / left**2)
    return ExcessRisk(min(1.0, max(0.0, risk)), margin)


def _probit(confidence: float) -> float:
    """Return the two-sided normal quantile."""
    return NormalDist().inv_cdf((1.0 + confidence) / 2.0)
