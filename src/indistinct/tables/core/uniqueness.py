"""How many records that are unique in a sample are unique in the population it was drawn from.

SciPy is imported where an estimator needs it, because most releases need none of these.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from indistinct.base.arrays import Floats, Ints

# The equation in beta may have several roots. The first change of sign on a grid of this many
# points, in the logit of beta from -20 to 20, is taken; the plain definition takes the same one.
BETA_GRID = 400
# Absolute and relative precision of a root. Estimates are then equal to about twelve digits.
PRECISION = 1e-13
# Up to this sampling fraction Dankar and others found Pitman's estimate the most accurate.
SMALL_SAMPLE = 0.1


def zayatz(sizes: Ints, population: int) -> float:
    """Estimate the population uniques by the sizes of the sample's classes as if the population's.

    Parameters
    ----------
    sizes : (n_classes,), records per class of the sample
    population : records of the population, at least as many as the sample's

    Source: zayatz1991; dankar2012, appendix.
    """
    values, counts = np.unique(sizes, return_counts=True)
    if values[0] != 1:
        return 0.0
    n_sample = int(sizes.sum())
    drawn = _drawn_once(values, n_sample, population)
    return float(counts[0] * counts[0] * drawn[0] / (counts @ drawn) * population / n_sample)


def pitman(sizes: Ints, population: int) -> float:
    """Estimate the population uniques by Pitman's sampling formula; see :func:`zayatz`.

    Source: hoshino2001; dankar2012, appendix.
    """
    n_unique = int(np.count_nonzero(sizes == 1))
    if n_unique == 0:
        return 0.0
    if n_unique == len(sizes):
        return float(population)
    theta, alpha = pitman_parameters(sizes)
    return math.exp(
        math.lgamma(theta + 1) - math.lgamma(theta + alpha) + alpha * math.log(population)
    )


def pitman_parameters(sizes: Ints) -> tuple[float, float]:
    """Maximize the likelihood of Pitman's sampling formula: theta > -alpha, 0 <= alpha < 1.

    Parameters
    ----------
    sizes : (n_classes,), records per class, some of them 1 and some not

    Notes
    -----
    For each alpha the best theta is where a decreasing function is zero; the derivative along the
    best thetas is then zero at the best alpha. Sums over records are differences of digamma
    functions.
    """
    values, counts = np.unique(sizes, return_counts=True)
    n_classes, n_records = len(sizes), int(sizes.sum())
    # The slope is negative from a theta of about n_records ** 2 on, since then nearly every record
    # is expected in a class of its own, and there are repeats. A logarithm keeps the search even.
    top = math.log(4.0 * n_records * n_records + 100)

    def best_theta(alpha: float) -> float:
        def slope(logarithm: float) -> float:
            theta = math.exp(logarithm) - alpha
            sampled = _digamma(theta + n_records) - _digamma(theta + 1)
            return _inverse_sum(theta, alpha, n_classes) - sampled

        return math.exp(_root(slope, -30.0, top)) - alpha

    def rise(alpha: float) -> float:
        theta = best_theta(alpha)
        repeats = counts @ (_digamma(values - alpha) - _digamma(1 - alpha))
        if alpha == 0:
            return n_classes * (n_classes - 1) / (2 * theta) - float(repeats)
        total = _inverse_sum(theta, alpha, n_classes)
        return (n_classes - 1 - theta * total) / alpha - float(repeats)

    # Near zero the derivative is a difference of large numbers over alpha; at one it has a pole.
    alpha = 0.0 if rise(0.0) <= 0 else _root(rise, 1e-4, 1 - 1e-9)
    return best_theta(alpha), alpha


def slide_negative_binomial(sizes: Ints, population: int) -> float:
    """Estimate the population uniques, class sizes less one being negative binomial.

    NaN where the equations have no solution; see :func:`zayatz`.

    Source: chen1998; shlosser1981 for the number of classes; dankar2012, appendix, corrected.
    """
    if not np.any(sizes == 1):
        return 0.0
    n_classes, alpha, beta = slide_negative_binomial_parameters(sizes, population)
    return n_classes * beta**alpha


def slide_negative_binomial_parameters(sizes: Ints, population: int) -> tuple[float, float, float]:
    """Solve for the population's classes, alpha and beta, given the sample's uniques and pairs.

    Parameters
    ----------
    sizes : (n_classes,), records per class of the sample
    population : records of the population

    Notes
    -----
    The ratio of both equations is quadratic in alpha with one positive root, so that one equation
    in beta is left. NaN where it has no root.
    """
    n_once, n_twice = int(np.count_nonzero(sizes == 1)), int(np.count_nonzero(sizes == 2))  # noqa: PLR2004 - pairs
    fraction = int(sizes.sum()) / population
    n_classes = shlosser(sizes, fraction)
    if n_twice == 0 or fraction >= 1:
        return n_classes, math.nan, math.nan

    def alphas(betas: Floats) -> Floats:
        q, z = 1 - betas, 1 - fraction
        rest = 1 - q * z
        ratio = 2 * n_twice / n_once * rest
        square = fraction * q * q * z
        linear = fraction * q * (2 - q * z) - ratio * q * z
        return (-linear + np.sqrt(linear**2 + 4 * square * ratio * rest)) / (2 * square)

    def excess(logits: Floats) -> Floats:
        betas = 1 / (1 + np.exp(-logits))
        found, q = alphas(betas), 1 - betas
        rest = 1 - q * (1 - fraction)
        uniques = found * np.log(betas / rest) + np.log1p(found * q * (1 - fraction) / rest)
        return uniques + math.log(n_classes * fraction / n_once)

    grid = np.linspace(-20.0, 20.0, BETA_GRID)
    signs = excess(grid) > 0
    turns = np.flatnonzero(signs[1:] != signs[:-1])
    if not len(turns):
        return n_classes, math.nan, math.nan
    first = int(turns[0])
    logit = _root(
        lambda at: float(excess(np.array([at]))[0]), float(grid[first]), float(grid[first + 1])
    )
    beta = 1 / (1 + math.exp(-logit))
    return n_classes, float(alphas(np.array([beta]))[0]), beta


def shlosser(sizes: Ints, fraction: float) -> float:
    """Estimate the number of classes in the population.

    Parameters
    ----------
    sizes : (n_classes,), records per class of the sample, some of them 1
    fraction : share of the population that is in the sample, in (0, 1]

    Source: shlosser1981; haas1995, the modified estimator.
    """
    if fraction >= 1:
        return float(len(sizes))
    values, counts = np.unique(sizes, return_counts=True)
    left, both = np.log1p(-fraction), np.log1p(-fraction * fraction)
    squares = counts @ (values * fraction**2 * np.exp((values - 1) * both))
    spread = counts @ (np.exp(values * both) - np.exp(values * left))
    missed = counts @ np.exp(values * left)
    met = counts @ (values * fraction * np.exp((values - 1) * left))
    n_once = int(counts[0]) if values[0] == 1 else 0
    return float(len(sizes) + n_once * squares / spread * (missed / met) ** 2)


def dankar(sizes: Ints, population: int) -> float:
    """Estimate the population uniques by the estimator that suits the sampling fraction.

    Source: dankar2012, section "Decision rule".
    """
    if int(sizes.sum()) <= SMALL_SAMPLE * population:
        estimate = pitman(sizes, population)
        return estimate if math.isfinite(estimate) else zayatz(sizes, population)
    upper = zayatz(sizes, population)
    estimate = slide_negative_binomial(sizes, population)
    return upper if math.isnan(estimate) else min(estimate, upper)


ESTIMATORS: dict[str, Callable[[Ints, int], float]] = {
    "dankar": dankar,
    "pitman": pitman,
    "zayatz": zayatz,
    "snb": slide_negative_binomial,
}


def population_uniqueness(sizes: Ints, population: int, estimator: str) -> float:
    """Estimate the share of the population that is unique: in [0, 1], or NaN.

    Parameters
    ----------
    sizes : (n_classes,), records per class of the sample
    population : records of the population; where the sample is no smaller, it is the population
    estimator : one of ``ESTIMATORS``
    """
    if int(sizes.sum()) >= population:
        return float(np.count_nonzero(sizes == 1)) / float(sizes.sum())
    return ESTIMATORS[estimator](sizes, population) / population


def _drawn_once(values: Ints, n_sample: int, population: int) -> Floats:
    """Return the chance that one record of a class of so many is drawn: (n_values,)."""
    others = np.arange(1, int(values[-1]))
    missed = np.maximum(1 - (n_sample - 1) / (population - others), 0.0)
    with np.errstate(divide="ignore"):
        logarithms = np.concatenate([[0.0], np.cumsum(np.log(missed))])
    return values * n_sample / population * np.exp(logarithms[values - 1])


def _inverse_sum(theta: float, alpha: float, n_classes: int) -> float:
    """Add up 1 / (theta + i * alpha) for 0 < i < n_classes."""
    if alpha == 0:
        return (n_classes - 1) / theta
    return (_digamma(theta / alpha + n_classes) - _digamma(theta / alpha + 1)) / alpha


def _digamma(x: Any) -> Any:
    """Return the derivative of the logarithm of the gamma function, for x > 0."""
    return _scipy("scipy.special").digamma(x)


@cache
def _scipy(module: str) -> Any:
    """Import a module of SciPy once: the estimators ask for it thousands of times."""
    return import_module(module)


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """Find where a function changes its sign between two points; the better of them if nowhere."""
    at_low, at_high = function(low), function(high)
    if (at_low > 0) == (at_high > 0):
        return high if abs(at_high) < abs(at_low) else low
    return float(
        _scipy("scipy.optimize").brentq(function, low, high, xtol=PRECISION, rtol=PRECISION)
    )
