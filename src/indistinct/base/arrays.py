"""Names for the array types that cross module borders."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Codes = NDArray[np.int32]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Words = NDArray[np.uint64]
RowsOfInput = Sequence[int] | Ints  # the row of the input behind each row of a release

# Sums of shares in another order differ by less than this, relative to the greater of 1 and the
# bound.
SLACK = 1e-12


def slack(threshold: float) -> float:
    """Return the tolerance of a comparison with ``threshold``, in the permissive direction.

    ``floor(exp(log 3))`` must count as 3: rounding may never turn a class that holds into one
    that does not.
    """
    return SLACK * max(1.0, abs(threshold))
