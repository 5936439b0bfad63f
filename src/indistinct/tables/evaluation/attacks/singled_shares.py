"""Shares of predicates that single somebody out of two groups of equally many people."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from indistinct.base.advantage import Advantage
from indistinct.base.arrays import Ints
from indistinct.base.success import SuccessRate, success_rate

PARTS = 50
ENOUGH = 2  # people of one part whom a predicate describes: more make no difference

# Counts how many of some people, by their rows, each predicate describes.
Count = Callable[[Ints, int], Ints]


def singled_shares(one: Count, other: Count, n_people: int, confidence: float) -> Advantage:
    """Compare the shares of the same predicates that describe exactly one person of each group.

    Parameters
    ----------
    one, other : counts among people who stand in random order
    n_people : how many of each group are looked at, so that neither has more chances

    Notes
    -----
    One person decides about many predicates, so their number says little about how much a share
    varies. Each group is divided into parts. How much more the number of hits varies from part to
    part than it would if the predicates hit independently is taken for the number of predicates
    that are as good as one attempt.

    Source: korn1998, exact limits with an effective number of attempts.
    """
    return Advantage(*(_rate(count, n_people, confidence) for count in (one, other)))


def _rate(count: Count, n_people: int, confidence: float) -> SuccessRate:
    """Return the share in one group, as that of independent attempts."""
    parts = np.array_split(np.arange(n_people), min(PARTS, n_people))
    counts = np.stack([count(rows, ENOUGH) for rows in parts])
    n_predicates = counts.shape[1]
    if not n_predicates:
        return success_rate(0, 0, confidence)
    hits = counts == 1
    together, apart = float(hits.sum(axis=1).var()), float(hits.var(axis=0).sum())
    alike = max(1.0, together / apart) if apart else 1.0
    independent = max(1, int(n_predicates / alike))
    share = float((counts.sum(axis=0) == 1).mean())
    return success_rate(share * independent, independent, confidence)
