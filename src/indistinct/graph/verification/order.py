"""Whether the numbers of released vertices tell more than chance would."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from indistinct.base.arrays import Floats

# Below so many vertices every order can be chance.
SHORTEST = 10
# In standard deviations. Random numbers exceed these once in a billion releases: the first is that
# of a rank correlation, which is close to normal. The second is that of a sum over edges, which in
# graphs with one large dense part is as wide as the square of a normal variable.
RANK_LIMIT, EDGE_LIMIT = 6.0, 30.0


def ranks(values: Sequence[float]) -> Floats:
    """Return the mean rank of each value: (n_values,)."""
    _, places, counts = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts - 1) / 2)[places.ravel()].astype(np.float64)


def follows(values: Sequence[float]) -> bool:
    """Return whether values go with their positions more than a random order would let them.

    Notes
    -----
    Fisher's transformation of Spearman's rank correlation, in units of its standard deviation.
    """
    if len(values) < SHORTEST or len(set(values)) == 1:
        return False
    found = float(np.corrcoef(ranks(values), np.arange(len(values)))[0, 1])
    # A perfect order has no finite transformation; few distinct values reach it by chance.
    if abs(found) > 1 - 1e-9:
        return len(set(values)) > len(values) // 2
    # The transformed correlation has the variance 1.06 / (n - 3) (Fieller and others, 1957).
    return abs(math.atanh(found)) * math.sqrt((len(values) - 3) / 1.06) > RANK_LIMIT


def clusters(edges: set[tuple[int, int]], n_vertices: int) -> bool:
    """Return whether linked vertices have closer numbers than random ones would.

    Notes
    -----
    Moran's I of the numbers over the edges, in units of its standard deviation under random
    permutations (Cliff and Ord's variance).
    """
    if n_vertices < SHORTEST or not edges:
        return False
    pairs = np.array(sorted(edges))
    values = np.arange(n_vertices) - (n_vertices - 1) / 2
    squares = float((values**2).sum())
    n, weight = float(n_vertices), 2.0 * len(pairs)
    index = n / weight * 2 * float((values[pairs[:, 0]] * values[pairs[:, 1]]).sum()) / squares
    degrees = np.bincount(pairs.ravel(), minlength=n_vertices).astype(float)
    s1, s2 = 2 * weight, 4 * float((degrees**2).sum())
    kurtosis = n * float((values**4).sum()) / squares**2
    first = n * ((n * n - 3 * n + 3) * s1 - n * s2 + 3 * weight**2)
    second = kurtosis * ((n * n - n) * s1 - 2 * n * s2 + 6 * weight**2)
    mean = -1 / (n - 1)
    variance = (first - second) / ((n - 1) * (n - 2) * (n - 3) * weight**2) - mean**2
    return variance > 0 and (index - mean) / math.sqrt(variance) > EDGE_LIMIT
