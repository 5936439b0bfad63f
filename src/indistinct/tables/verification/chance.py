"""How likely chance is to make what a release shows: bounds that hold for every size of a table.

Verification uses this and nothing of what made the release. Each bound is exact or on the safe
side, so that honest releases are refused no more often than a given share of them.
"""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

import numpy as np

from indistinct.base.arrays import Floats, Ints

FALSE_ALARM = 1e-6  # share of honest releases that the tests of one mask refuse, at most
N_OF_NORMALS = 6  # tests that :func:`normal_fault` makes


def are_too_many(counts: Ints, totals: Ints, means: Floats, share: float) -> bool:
    """Return whether any count of independent events is above what chance gives.

    Parameters
    ----------
    counts, totals, means : (n,), events that occurred, that could occur, and that are expected
    share : false alarms of all counts together, at most

    Notes
    -----
    Events of different probabilities have no heavier tail than as many of their mean probability,
    one event or more beyond the mean.

    Source: hoeffding1956, theorem 4.
    """
    tails = special().bdtrc(counts - 1, np.maximum(totals, 1), means / np.maximum(totals, 1))
    return bool(((counts - 1 >= means) & (tails <= share / max(len(counts), 1))).any())


def are_too_few(counts: Ints, totals: Ints, means: Floats, share: float) -> bool:
    """Return whether any count is below what chance gives; see :func:`are_too_many`."""
    return are_too_many(totals - counts, totals, totals - means, share)


def are_too_many_rare(count: int, mean: float, share: float) -> bool:
    """Return whether events of a small expected number occurred too often.

    Parameters
    ----------
    count : events that occurred
    mean : the sum of their probabilities, each given those before, at most

    Notes
    -----
    The probability is at most exp(count - mean) (mean / count)^count, by the bound of Chernoff,
    which holds for dependent events as well if each is as unlikely whatever happened before.
    """
    if count <= mean:
        return False
    exponent = count - mean + count * math.log(mean / count) if mean > 0 else -math.inf
    return exponent <= math.log(share)


def normal_fault(low: Floats, high: Floats, n_unknown: int, share: float) -> str | None:
    """Return how numbers differ from independent standard normal ones; None where they do not.

    Parameters
    ----------
    low, high : (n,), ends of the interval that each number lies in
    n_unknown : further numbers of the same origin, of which nothing is known
    share : false alarms, at most

    Notes
    -----
    The distribution by the bound of Dvoretzky, Kiefer and Wolfowitz with its exact constant; the
    sum of squares is chi-square, the sum normal.

    Source: massart1990, corollary 1.
    """
    n, each = len(low) + n_unknown, share / N_OF_NORMALS
    if not len(low):
        return None
    reach = math.sqrt(math.log(1 / each) / (2 * n))
    normal: Any = special().ndtr
    places = np.arange(1, len(low) + 1)
    is_low = bool((places / n - normal(np.sort(high)) > reach).any())
    is_high = bool((normal(np.sort(low)) - (places - 1 + n_unknown) / n > reach).any())
    sizes = np.abs(np.stack([low, high]))
    most = sizes.max(axis=0)
    least = np.where((low <= 0) & (high >= 0), 0.0, sizes.min(axis=0))
    if special().chdtrc(n, float((least**2).sum())) <= each:
        return "more"
    if not n_unknown:
        if special().chdtr(n, float((most**2).sum())) <= each:
            return "less"
        farthest = -float(special().ndtri(each)) * math.sqrt(n)
        is_high |= float(low.sum()) > farthest
        is_low |= float(high.sum()) < -farthest
    return "shift" if is_low or is_high else None


def special() -> Any:
    """Return the functions of distributions; SciPy has no types and takes long to import."""
    return import_module("scipy.special")
