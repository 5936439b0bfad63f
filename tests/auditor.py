"""An audit of a mechanism from outside: what its draws alone prove about epsilon.

Two samples, one from each of two neighbouring tables. If some event is too much likelier under one
of them than a claimed epsilon allows, the claim is refuted, at a stated false-alarm rate.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.special import betaincinv

from indistinct.base.arrays import Floats

Sampler = Callable[[int], Sequence[float]]
PILOT_SHARE = 0.1
FALSE_ALARM = 2e-4
RARE_SIDE = 0.99


@final
@dataclass(frozen=True, slots=True)
class Audit:
    """What two samples prove.

    Parameters
    ----------
    claimed : the epsilon that was promised
    proven : lower bound on the true epsilon, holding but for ``false_alarm``
    draws : from each table
    """

    claimed: float
    proven: float
    draws: int
    false_alarm: float

    @property
    def holds(self) -> bool:
        """True where the samples do not contradict the claim."""
        return self.proven <= self.claimed


def audit(
    one: Sampler,
    other: Sampler,
    epsilon: float,
    draws: int = 100_000,
    false_alarm: float = FALSE_ALARM,
) -> Audit:
    """Bound the true epsilon of a mechanism from below.

    A tenth of the draws choose one threshold per tail; the rest test them with exact binomial
    bounds.

    Parameters
    ----------
    one, other : draw that many answers on two neighbouring tables
    epsilon : claimed
    draws : from each table
    false_alarm : probability that a mechanism that keeps its promise is refuted

    Notes
    -----
    After Ding and others 2018, "Detecting violations of differential privacy", section 4; the
    bounds are Clopper and Pearson's (1934).
    """
    samples = np.asarray(one(draws), dtype=float), np.asarray(other(draws), dtype=float)
    pilot = max(1, int(draws * PILOT_SHARE))
    bounds = [
        tail_bound(first[:pilot], second[:pilot], first[pilot:], second[pilot:], false_alarm / 4)
        for sign in (1.0, -1.0)
        for first, second in (
            (sign * samples[0], sign * samples[1]),
            (sign * samples[1], sign * samples[0]),
        )
    ]
    return Audit(epsilon, max(0.0, *bounds), draws, false_alarm)


def tail_bound(
    pilot_one: Floats, pilot_other: Floats, one: Floats, other: Floats, risk: float
) -> float:
    """Bound log(Pr_one[x >= t] / Pr_other[x >= t]) from below, t chosen by the pilots.

    The pilots choose at the same risk: a higher one takes a rare event for the best one too often.
    """
    thresholds = np.unique(np.concatenate([pilot_one, pilot_other]))
    if thresholds.size > 200:
        thresholds = np.quantile(thresholds, np.linspace(0, 1, 200))
    chosen = max(thresholds, key=lambda limit: log_ratio_bound(pilot_one, pilot_other, limit, risk))
    return log_ratio_bound(one, other, chosen, risk)


def log_ratio_bound(one: Floats, other: Floats, limit: float, risk: float) -> float:
    """Bound the log-ratio of one event's probabilities from below, but for ``risk``."""
    least = lower_bound(int((one >= limit).sum()), one.size, (1 - RARE_SIDE) * risk)
    most = upper_bound(int((other >= limit).sum()), other.size, RARE_SIDE * risk)
    return math.log(least / most) if least > 0 else -math.inf


def upper_bound(successes: int, trials: int, risk: float) -> float:
    """Give Clopper and Pearson's upper bound on a probability."""
    return 1 - lower_bound(trials - successes, trials, risk)


def lower_bound(successes: int, trials: int, risk: float) -> float:
    """Give Clopper and Pearson's lower bound on a probability."""
    return float(betaincinv(successes, trials - successes + 1, risk)) if successes else 0.0
