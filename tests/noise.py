"""Plain distributions to hold noise against."""

from __future__ import annotations

import math

import numpy as np
from scipy import stats


def discrete_laplace(scale):
    """Give Pr[X = x] proportional to exp(-abs(x)/scale), as a function."""
    ratio = math.exp(-1 / scale)
    return lambda x: (1 - ratio) / (1 + ratio) * ratio ** np.abs(x)


def discrete_gaussian(sigma):
    """Give Pr[X = x] proportional to exp(-x**2/(2 sigma**2)), as a function."""
    reach = np.arange(-math.ceil(40 * sigma), math.ceil(40 * sigma) + 1)
    total = np.exp(-(reach**2) / (2 * sigma**2)).sum()
    return lambda x: np.exp(-np.square(np.asarray(x, dtype=float)) / (2 * sigma**2)) / total


def fit(draws, probability, reach):
    """Return the chi-square p-value of integer draws, tails beyond ``reach`` put together."""
    draws = np.asarray(draws)
    points = np.arange(-reach, reach + 1)
    inner = probability(points)
    tail = max(1 - inner.sum(), 0) / 2
    expected = np.concatenate([[tail], inner, [tail]]) * draws.size
    seen = np.bincount(np.clip(draws, -reach - 1, reach + 1) + reach + 1, minlength=expected.size)
    likely = expected >= 5
    seen = np.append(seen[likely], seen[~likely].sum())
    expected = np.append(expected[likely], expected[~likely].sum())
    kept = expected > 0
    statistic = ((seen[kept] - expected[kept]) ** 2 / expected[kept]).sum()
    return float(stats.chi2.sf(statistic, kept.sum() - 1))
