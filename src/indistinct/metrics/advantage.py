"""How well an attacker tells two groups of people apart, with intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from indistinct.core.arrays import Bools, Floats
from indistinct.metrics.success import CONFIDENCE, SuccessRate, success_rate


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
        """Lower and upper end, with the confidence of the two rates.

        Source: newcombe1998, method 10: Wilson's intervals of both rates put together.
        """
        (low, high), (other_low, other_high) = self.one.interval, self.other.interval
        below = math.hypot(self.one.rate - low, other_high - self.other.rate)
        above = math.hypot(high - self.one.rate, self.other.rate - other_low)
        return max(-1.0, self.difference - below), min(1.0, self.difference + above)


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
