"""Compiled recurrences for the risk of single records in a weighted sample."""

from __future__ import annotations

import math

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.base.compiled.kernels import compiled

HALF = 0.5
# Downwards, a step shrinks the error by the ratio. After this power of 1/e it is below that of a
# double, 2**-53; near one half, where that takes too many steps, 4000 make the start exact enough.
PRECISION = 37.0
FURTHEST = 4000


@compiled
def mean_inverse(sizes: Ints, shares: Floats) -> Floats:
    """Return E[1/F | f] for F - f negative binomial.

    Parameters
    ----------
    sizes : (n_classes,), f, at least 1
    shares : (n_classes,), pi, in (0, 1]

    Notes
    -----
    With I(f) = integral over w in [0, 1] of pi w^(f-1) / (pi + (1 - pi) w), the mean is I(f), and
    pi I(f) + (1 - pi) I(f+1) = pi / f. Upwards from I(1) where pi <= 1/2, downwards from far above
    otherwise: each step then shrinks the error. O(f) per class.
    """
    found = np.empty(len(sizes), np.float64)
    for index in range(len(sizes)):
        size, share = sizes[index], shares[index]
        other = 1.0 - share
        if other <= 0.0:
            found[index] = 1.0 / size
        elif share <= HALF:
            mean = -share * math.log(share) / other
            for f in range(1, size):
                mean = share / other * (1.0 / f - mean)
            found[index] = mean
        else:
            ratio = other / share
            steps = min(FURTHEST, int(PRECISION / -math.log(ratio)) + 2)
            f = size + steps
            mean = share / f * (1.0 + other / f)
            while f > size:
                f -= 1
                mean = 1.0 / f - ratio * mean
            found[index] = mean
    return found
