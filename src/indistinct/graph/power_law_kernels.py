"""Compiled maximum likelihood for power laws over whole numbers."""

# Single numbers out of arrays stand for int here.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import math

from indistinct.base.arrays import Ints
from indistinct.base.compiled.kernels import compiled

STEEPEST = 12.0
FLATTEST = 1.01
GOLDEN_SECTION = 0.6180339887498949
TERMS = 12


@compiled
def zeta(exponent: float, least: float) -> float:
    """Sum ``(least + i) ** -exponent`` over all i >= 0, for an exponent above 1 and least >= 1.

    Notes
    -----
    Twelve terms and the Euler-Maclaurin remainder: relative error below 1e-12.
    """
    total = 0.0
    for index in range(TERMS):
        total += (least + index) ** -exponent
    end = least + TERMS
    power = end**-exponent
    total += power * end / (exponent - 1.0) + power / 2.0 + exponent * power / (12.0 * end)
    total -= exponent * (exponent + 1.0) * (exponent + 2.0) * power / (720.0 * end**3)
    return total


@compiled
def likeliest_exponent(least: int, mean_log: float) -> float:
    """Return the exponent that makes values from ``least`` on with this log mean likeliest."""
    low, high = FLATTEST, STEEPEST
    left = high - GOLDEN_SECTION * (high - low)
    right = low + GOLDEN_SECTION * (high - low)
    cost_left = left * mean_log + math.log(zeta(left, least))
    cost_right = right * mean_log + math.log(zeta(right, least))
    while high - low > 1e-7:
        if cost_left < cost_right:
            high, right, cost_right = right, left, cost_left
            left = high - GOLDEN_SECTION * (high - low)
            cost_left = left * mean_log + math.log(zeta(left, least))
        else:
            low, left, cost_left = left, right, cost_right
            right = low + GOLDEN_SECTION * (high - low)
            cost_right = right * mean_log + math.log(zeta(right, least))
    return (low + high) / 2.0


@compiled
def fit(values: Ints, counts: Ints, fewest: int) -> tuple[float, int, float]:
    """Fit a power law to the tail that it fits best.

    Parameters
    ----------
    values, counts : (n_distinct,), ascending positive numbers, and how often each occurs
    fewest : numbers that a tail must have, with at least two distinct ones

    Returns
    -------
    exponent, least, distance : of the tail, and its Kolmogorov-Smirnov distance; 0, 0, 1 for none
    """
    best, start, nearest = 0.0, 0, 1.0
    size, logs = 0, 0.0
    for first in range(len(values) - 1, -1, -1):
        size += counts[first]
        logs += counts[first] * math.log(values[first])
        if size < fewest or first > len(values) - 2:
            continue
        exponent = likeliest_exponent(values[first], logs / size)
        whole = zeta(exponent, values[first])
        distance, seen = 0.0, 0
        for index in range(first, len(values)):
            # Just before a value that occurs, and at it.
            gone = 1.0 - zeta(exponent, values[index]) / whole
            distance = max(distance, abs(gone - seen / size))
            seen += counts[index]
            gone = 1.0 - zeta(exponent, values[index] + 1) / whole
            distance = max(distance, abs(gone - seen / size))
            if distance >= nearest:
                break
        if distance < nearest:
            best, start, nearest = exponent, values[first], distance
    return best, start, nearest
