"""Population uniques once more, from the equations of the estimators, term by term.

Verification uses this and nothing of :mod:`indistinct.tables.core.uniqueness`. Sums are written
out, and every root is found by halving.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from operator import mul

import numpy as np

HALVINGS = 100
SMALL_SAMPLE = 0.1
LOGITS = [-20 + 40 * step / 399 for step in range(400)]


def plain_share(sizes: Sequence[int], population: int, estimator: str) -> float:
    """Estimate the share of a population that is unique: in [0, 1], or NaN.

    Parameters
    ----------
    sizes : records per class of the sample
    population : people, at least as many as records; as many: the sample is the population
    estimator : ``dankar``, ``pitman``, ``zayatz`` or ``snb``
    """
    sample = sum(sizes)
    if sample >= population:
        return sizes.count(1) / sample
    if 1 not in sizes:
        return 0.0
    match estimator:
        case "zayatz":
            found = _zayatz(sizes, population)
        case "pitman":
            found = _pitman(sizes, population)
        case "snb":
            found = _slide_negative_binomial(sizes, population)
        case _:
            found = _dankar(sizes, population)
    return found / population


def _dankar(sizes: Sequence[int], population: int) -> float:
    """Choose by the share of the population that was drawn."""
    upper = _zayatz(sizes, population)
    if sum(sizes) <= SMALL_SAMPLE * population:
        found = _pitman(sizes, population)
        return found if math.isfinite(found) else upper
    found = _slide_negative_binomial(sizes, population)
    return upper if math.isnan(found) else min(found, upper)


def _zayatz(sizes: Sequence[int], population: int) -> float:
    """Return the estimate with the sample's shares of class sizes in place of the population's."""
    sample, counts, classes = sum(sizes), Counter(sizes), len(sizes)
    # Of a class of so many exactly one is drawn: one of them first, and then none of the others.
    others_missed = list(
        accumulate(
            (max(0.0, 1 - (sample - 1) / (population - i)) for i in range(1, max(sizes))),
            mul,
            initial=1.0,
        )
    )

    def drawn_once(size: int) -> float:
        return size * sample / population * others_missed[size - 1]

    met = sum(count / classes * drawn_once(size) for size, count in counts.items())
    chance = counts[1] / classes * drawn_once(1) / met
    return counts[1] * chance * population / sample


def _pitman(sizes: Sequence[int], population: int) -> float:
    """Find where both derivatives of the likelihood are zero."""
    if set(sizes) == {1}:
        return float(population)
    counts = Counter(sizes)
    classes, records = np.arange(1, len(sizes)), np.arange(1, sum(sizes))
    repeats = [(np.arange(1, size), count) for size, count in counts.items()]

    def theta_of(alpha: float) -> float:
        def slope(logarithm: float) -> float:
            theta = math.exp(logarithm) - alpha
            seen = np.sum(1 / (theta + classes * alpha))
            return float(seen - np.sum(1 / (theta + records)))

        top = math.log(4.0 * sum(sizes) ** 2 + 100)
        return math.exp(_halved(slope, -30.0, top)) - alpha

    def slope_of(alpha: float) -> float:
        theta = theta_of(alpha)
        seen = np.sum(classes / (theta + classes * alpha))
        again = sum(count * np.sum(1 / (below - alpha)) for below, count in repeats)
        return float(seen - again)

    alpha = 0.0 if slope_of(0.0) <= 0 else _halved(slope_of, 1e-4, 1 - 1e-9)
    theta = theta_of(alpha)
    uniques = math.lgamma(theta + 1) - math.lgamma(theta + alpha) + alpha * math.log(population)
    return math.exp(uniques)


def _slide_negative_binomial(sizes: Sequence[int], population: int) -> float:
    """Find the distribution that expects as many classes of one and of two records as there are."""
    counts, drawn = Counter(sizes), sum(sizes) / population
    if not counts[2]:
        return math.nan
    classes, left = _classes(sizes, drawn), 1 - drawn

    def alpha_of(beta: float) -> float:
        # The equation of pairs divided by that of uniques.
        def excess(logarithm: float) -> float:
            alpha, q = math.exp(logarithm), 1 - beta
            rest = 1 - q * left
            ratio = drawn * alpha * q * (2 - (1 - alpha) * q * left) / (2 * rest * rest)
            return ratio / (1 + alpha * q * left / rest) - counts[2] / counts[1]

        return math.exp(_halved(excess, -60.0, 60.0))

    def surplus(logit: float) -> float:
        beta = 1 / (1 + math.exp(-logit))
        alpha, q = alpha_of(beta), 1 - beta
        rest = 1 - q * left
        found = classes * drawn * (beta / rest) ** alpha * (1 + alpha * q * left / rest)
        return found - counts[1]

    for low, high in _turns(surplus):
        beta = 1 / (1 + math.exp(-_halved(surplus, low, high)))
        return classes * beta ** alpha_of(beta)
    return math.nan


def _turns(function: Callable[[float], float]) -> Iterator[tuple[float, float]]:
    """Find the steps of a grid in which a function changes its sign."""
    values = [(logit, function(logit) > 0) for logit in LOGITS]
    for (low, first), (high, second) in pairwise(values):
        if first != second:
            yield low, high


def _classes(sizes: Sequence[int], drawn: float) -> float:
    """Estimate the number of classes in the population: Shlosser's estimator, modified."""
    counts, left = Counter(sizes), 1 - drawn
    squares = sum(
        size * drawn**2 * (1 - drawn**2) ** (size - 1) * count for size, count in counts.items()
    )
    spread = sum(((1 - drawn**2) ** size - left**size) * count for size, count in counts.items())
    missed = sum(left**size * count for size, count in counts.items())
    met = sum(size * drawn * left ** (size - 1) * count for size, count in counts.items())
    return len(sizes) + counts[1] * squares / spread * (missed / met) ** 2


def _halved(function: Callable[[float], float], low: float, high: float) -> float:
    """Find where a function changes its sign by halving; the better end where it does not."""
    at_low, at_high = function(low), function(high)
    if (at_low > 0) == (at_high > 0):
        return low if abs(at_low) <= abs(at_high) else high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if middle in {low, high}:
            break
        if (function(middle) > 0) == (at_low > 0):
            low = middle
        else:
            high = middle
    return (low + high) / 2
