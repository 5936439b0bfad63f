"""Whether the rows of a release stand in the input's order, wholly or in part."""

from __future__ import annotations

import math

import numpy as np

from indistinct.core.arrays import Floats, Ints

SHORTEST_ORDER = 10
FARTHEST_CHANCE = 7.0  # standard deviations: a shuffled release is farther once in 4e11


def keeps_order(places: Ints) -> bool:
    """Tell whether records stand in the order of the input, or the reverse, or in runs of it.

    Parameters
    ----------
    places : (n_rows,), place in the input of each record, all different

    Notes
    -----
    In a shuffled release the number of ascents has mean (n - 1) / 2 and variance (n + 1) / 12.
    """
    n_rows = len(places)
    if n_rows < SHORTEST_ORDER:
        return False
    ascents = int((np.diff(places) > 0).sum())
    if ascents in {0, n_rows - 1}:
        return True
    far = abs(ascents - (n_rows - 1) / 2) / math.sqrt((n_rows + 1) / 12)
    return far > FARTHEST_CHANCE or follows_order(places.astype(np.float64))


def follows_order(places: Floats) -> bool:
    """Tell whether places in the input go up or down with the rows of the release.

    Parameters
    ----------
    places : (n_rows,), place of each record in the input, or the mean place of those like it

    Notes
    -----
    Whatever the places are, their correlation with the rows of a shuffled release has mean 0 and
    variance 1 / (n - 1).
    """
    n_rows = len(places)
    if n_rows < SHORTEST_ORDER or float(np.ptp(places)) == 0.0:
        return False
    correlation = float(np.corrcoef(places, np.arange(n_rows))[0, 1])
    return abs(correlation) * math.sqrt(n_rows - 1) > FARTHEST_CHANCE
