"""How well an attacker tells two groups of people apart, with intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from indistinct.base.arrays import Bools, Floats
from indistinct.base.success import CONFIDENCE, SuccessRate, success_rate


@final
@dataclass(frozen=True, slots=True)
class Advantage:
    """By how much one rate exceeds another.

    Parameters
    ----------
    one, other : the rates, of independent groups
    """

    one: SuccessRate
    other: SuccessRate

    @property
    def difference(self) -> float:
        """The first rate minus the second one, in [-1, 1]."""
        return self.one.rate - self.other.rate

    @property
    def interval(self) -> tuple[float, float]:
        """Lower and upper end, with the confidence of the first rate.

        Notes
        -----
        The exact limits of both rates are put together. Where both chances are equal, the interval
        lies above 0 in at most half of the share that it may miss, for groups of any sizes; with
        Wilson's limits it does so in up to 8 % of runs where one group is forty times the other.

        Source: newcombe1998, the rule of method 10; zou2008, with limits of any kind.
        """
        return interval_of_difference(
            (self.one.rate, *self.one.exact_limits), (self.other.rate, *self.other.exact_limits)
        )


def interval_of_difference(
    one: tuple[float, float, float], other: tuple[float, float, float]
) -> tuple[float, float]:
    """Return the interval of the difference of two independent rates.

    Parameters
    ----------
    one, other : a rate with the lower and the upper end of its own interval

    Source: newcombe1998, method 10.
    """
    (rate, low, high), (other_rate, other_low, other_high) = one, other
    below = math.hypot(rate - low, other_high - other_rate)
    above = math.hypot(high - rate, other_rate - other_low)
    difference = rate - other_rate
    return max(-1.0, difference - below), min(1.0, difference + above)


@final
@dataclass(frozen=True, slots=True)
class Telling:
    """How well scores tell members from others.

    Parameters
    ----------
    tested : true and false positives at a threshold that other people were used to choose
    auc : chance that a member's score is above another's, a tie counting half, in [0, 1]
    """

    tested: Advantage
    auc: float

    @property
    def right(self) -> SuccessRate:
        """How many of the people tested were told rightly."""
        members, others = self.tested.one, self.tested.other
        hits = members.successes + others.attempts - others.successes
        return success_rate(hits, members.attempts + others.attempts)


def telling(members: Floats, others: Floats, confidence: float = CONFIDENCE) -> Telling:
    """Measure how well scores tell members from others.

    The threshold is the best one on every second member and other; the rest is tested, so that the
    choice cannot flatter the result.

    Parameters
    ----------
    members, others : scores in random order, at least two each; greater ones speak for membership
    """
    threshold = _best_threshold(members[::2], others[::2])
    found = [_above(scores[1::2], threshold, confidence) for scores in (members, others)]
    return Telling(Advantage(*found), area_under_curve(members, others))


def area_under_curve(members: Floats, others: Floats) -> float:
    """Return the chance that a member's score is above another's, a tie counting half."""
    ordered = np.sort(others)
    below = np.searchsorted(ordered, members, side="left")
    upto = np.searchsorted(ordered, members, side="right")
    return float((below + upto).mean() / 2 / len(others))


def _best_threshold(members: Floats, others: Floats) -> float:
    """Return the score from which on members exceed others the most, in shares."""
    known = np.unique(np.concatenate([members, others]))
    shares = [
        1.0 - np.searchsorted(np.sort(scores), known, side="left") / len(scores)
        for scores in (members, others)
    ]
    return float(known[np.argmax(shares[0] - shares[1])])


def _above(scores: Floats, threshold: float, confidence: float) -> SuccessRate:
    is_above: Bools = scores >= threshold
    return success_rate(float(is_above.sum()), len(scores), confidence)
