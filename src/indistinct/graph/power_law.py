"""Power law of degrees: the exponent of the tail, by maximum likelihood."""

from __future__ import annotations

from typing import Any

import numpy as np

from indistinct.core.arrays import Ints
from indistinct.graph.power_law_kernels import fit

# A tail of fewer vertices fits any exponent.
FEWEST = 10


def power_law(degrees: Ints) -> dict[str, Any]:
    """Fit a discrete power law to the tail of degrees that it fits best.

    Parameters
    ----------
    degrees : (n_vertices,), at least 0

    Returns
    -------
    ``exponent``, between 1.01 and 12, ``least`` (the degree the tail begins at) and ``distance``
    (Kolmogorov-Smirnov, of the tail); None for a tail of fewer than 10 vertices or one degree

    Notes
    -----
    That it is fitted does not say that it fits: see the distance. O(n_distinct ** 2).

    Source: clauset2009, sections 3.1 and 3.3.
    """
    values, counts = np.unique(degrees[degrees > 0], return_counts=True)
    exponent, least, distance = fit(values.astype(np.int64), counts.astype(np.int64), FEWEST)
    if least == 0:
        return {"exponent": None, "least": None, "distance": None}
    return {"exponent": float(exponent), "least": int(least), "distance": float(distance)}
