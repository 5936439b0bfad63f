"""A quantile and the ends of its interval, each drawn by the exponential mechanism.

A candidate stands for the ranks between the rows below it and the rows up to it, in units of which
one row moves a rank by at most max(num, den - num). The ends are drawn near a rank so far from the
quantile's that a candidate on its wrong side is hardly ever drawn. Where the rows are too few for
that, every candidate is about as bad as any other. So the bound is offered besides, at a score of
its own that depends on no row: it wins wherever the noise is larger than the group.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.questions.database.relational.units import Units
from indistinct.questions.mechanisms.selection import Selection

RISK_PER_END = 0.025
RISK_OF_BOUND = 0.01  # that the bound is drawn although the rows are many
FARTHEST = 2**62
# Answers that the exponential mechanism chooses among; a wider range is asked in coarser steps.
MOST_CANDIDATES = 1024


def stride(bounds: Units) -> int:
    """Return the steps between two candidates of a quantile, so that there are at most 1024."""
    return -(-(bounds.high - bounds.low + 1) // MOST_CANDIDATES)


def candidates(bounds: Units) -> range:
    """Return the candidates of a quantile, in units."""
    return range(bounds.low, bounds.high + 1, stride(bounds))


def quantile(
    noises: Sequence[Selection], share: Fraction, counts: Ints, bounds: Units
) -> tuple[int, int, int]:
    """Draw a quantile and both ends of its interval, in units.

    Parameters
    ----------
    noises : of the value, of the lower end and of the upper end
    counts : (n_candidates,), rows per candidate
    """
    numerator, denominator = share.numerator, share.denominator
    value, lower, upper = noises
    offered = candidates(bounds)
    rank = balance(counts, numerator, denominator)
    middle = offered[value.choose(_as_scores(-np.abs(rank)))]
    below, upto = ranks(counts, numerator, denominator)
    far = shift(lower, len(offered)), shift(upper, len(offered))
    low = _end(lower, np.maximum(below + far[0], -far[0] - upto))
    high = _end(upper, np.maximum(below - far[1], far[1] - upto))
    ends = (
        bounds.low if low is None else offered[low],
        bounds.high if high is None else min(offered[high] + stride(bounds) - 1, bounds.high),
    )
    return middle, min(middle, ends[0]), max(middle, ends[1])


def _end(noise: Selection, beyond: Ints) -> int | None:
    """Draw the candidate of one end, or None for the bound.

    Parameters
    ----------
    beyond : how far the wanted rank lies outside of each candidate's ranks; negative within
    """
    scores = [*_as_scores(-np.maximum(beyond, 0)), -handicap(noise)]
    drawn = noise.choose(scores)
    return None if drawn == len(beyond) else drawn


def _as_scores(scores: Ints) -> list[int]:
    return [max(-FARTHEST, int(score)) for score in scores]


def handicap(noise: Selection) -> int:
    """Return how much worse than the best candidate of many rows the bound is."""
    return math.ceil(noise.scale * math.log(1 / RISK_OF_BOUND))


def shift(noise: Selection, n_candidates: int) -> int:
    """Return how far from the quantile's rank an end is drawn.

    A candidate beyond the quantile then scores at least the slack less than the bound does, so that
    one of them is drawn with :data:`RISK_PER_END` at most.
    """
    return handicap(noise) + noise.slack(n_candidates + 1, RISK_PER_END)


def balance(counts: Ints, numerator: int, denominator: int) -> Ints:
    """Return, per candidate, (den - num) * rows below - num * rows above.

    It rises with the candidate and is zero at the quantile; one row moves it by at most
    max(num, den - num).
    """
    below = np.cumsum(counts) - counts
    above = counts.sum() - below - counts
    return (denominator - numerator) * below - numerator * above


def ranks(counts: Ints, numerator: int, denominator: int) -> tuple[Ints, Ints]:
    """Return the rank of what lies below each candidate, and of what lies up to it.

    Zero lies between both for the quantile; one row moves each by at most max(num, den - num).
    """
    upto = np.cumsum(counts)
    below = upto - counts
    total = upto[-1]
    first = (denominator - numerator) * below - numerator * (total - below)
    last = (denominator - numerator) * upto - numerator * (total - upto)
    return first, last
