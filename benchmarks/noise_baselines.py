"""What noise per class is compared with; none of it is for publishing.

Global noise is that of :func:`class_scales` with all records in one class (`Members.together`): the
same guarantee between any two records, at the price of the table's diameter. Uniform noise of equal
error is bounded, and so tells apart what lies farther apart than its bounds.
"""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.base.randomness import RandomSource


def uniform_half_width(scales: Floats) -> Floats:
    """Return a with the mean size of uniform noise on (-a, a) that of Laplace noise: 2 * scale.

    Source: holohan2017, section III-C.
    """
    return 2 * scales


def told_apart(distance: float, half_width: float) -> float:
    """Return the probability that uniform noise shows which of two values it was added to.

    Parameters
    ----------
    distance : between the two values
    half_width : of the noise, greater than 0

    Notes
    -----
    The noisy value then lies where only one of both can have come from. Laplace noise never
    shows it.

    Source: holohan2017, section III-C.
    """
    return min(1.0, abs(distance) / (2 * half_width))


def sample_uniform(half_widths: Ints, source: RandomSource) -> Ints:
    """Draw whole numbers, each uniform from -a to a: (n,)."""
    words = source.words(len(half_widths))
    return (words % (2 * half_widths + 1).astype(np.uint64)).astype(np.int64) - half_widths
