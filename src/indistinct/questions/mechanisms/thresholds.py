"""From which noisy count on a group that is not known beforehand may be shown.

A person may be alone in up to g groups, which the neighbouring table does not have. Each is shown
with a probability of at most q, and all of them stay hidden with at least (1 - q)^g = 1 - delta.
The thresholds are computed here, from tails that are proven here, and taken from no library.
"""

from __future__ import annotations

import math
from statistics import NormalDist

from indistinct.questions.mechanisms.gaussian import Gaussian
from indistinct.questions.mechanisms.laplace import Laplace


def share_of_delta(delta: float, groups: int) -> float:
    """Return q with 1 - (1 - q)^g = delta, rounded down."""
    return -math.expm1(math.log1p(-delta) / groups) * (1 - 1e-12)


def threshold(noise: Laplace | Gaussian, delta: float, groups: int, min_people: int = 1) -> int:
    """Return the least noisy count that is shown.

    Parameters
    ----------
    delta : the probability with which any group of ``min_people`` people is shown, at most
    groups : of one person, at most
    min_people : smaller groups are dropped before the noise

    Notes
    -----
    Gaussian: for t >= sigma + 1/2 the density exp(-x^2 / (2 sigma^2)) is convex from t - 1/2 on, so
    the sum over whole x >= t is at most its integral from t - 1/2; and the normaliser, the sum over
    all whole x, is at least sigma sqrt(2 pi). So Pr[noise >= t] is at most
    Pr[N(0, 1) >= (t - 1/2) / sigma].
    Laplace: with a = exp(-1/b), Pr[noise >= t] = a^t / (1 + a) for t >= 1.

    A group of one person is shown if 1 + noise >= T, which is noise >= T - 1.
    """
    q = share_of_delta(delta, groups)
    if isinstance(noise, Gaussian):
        sigma = noise.scale
        upper = NormalDist().inv_cdf(q)
        farthest = max(sigma + 0.5, 0.5 - sigma * upper)
        return min_people + math.ceil(farthest * (1 + 1e-12))
    log_a = -1 / noise.scale
    reached = math.log(q * (1 + math.exp(log_a))) / log_a
    return min_people + max(1, math.ceil(reached * (1 + 1e-12)))
