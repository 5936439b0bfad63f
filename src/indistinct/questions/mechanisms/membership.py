"""What a proof says of everybody who guesses who is in the data."""

from __future__ import annotations

import math


def membership_bound(epsilon: float, rho: float, delta: float) -> float:
    """Return the most by which any attacker's true positive rate exceeds the false positive one.

    Parameters
    ----------
    epsilon, delta, rho : that one mechanism keeps, whichever says more

    Source: the inequality of Pinsker at a divergence of rho (tsybakov2009, lemma 2.5); or the
    definition of (epsilon, delta).
    """
    # (e**x - 1 + 2 d) / (e**x + 1), written so that a large epsilon does not overflow.
    fading = math.exp(-epsilon)
    by_epsilon = (1 - fading + 2 * delta * fading) / (1 + fading)
    return min(math.sqrt(rho / 2), by_epsilon, 1.0)
