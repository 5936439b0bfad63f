"""Numbers of 64 bits in place of the values of a column."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from indistinct.core.arrays import Ints

Hashes: TypeAlias = NDArray[np.uint64]


def value_hashes(values: pl.Series | Ints, seed: int) -> Hashes:
    """Give equal values, missing ones too, equal numbers, and unequal ones most likely unequal.

    Parameters
    ----------
    values : (n_rows,)
    seed : not negative; hashes of another seed have nothing to do with these

    Returns
    -------
    (n_rows,), the same in every process with the same version of Polars
    """
    # Polars takes some names for patterns.
    return pl.Series(values=values).alias("").hash(seed).to_numpy()
