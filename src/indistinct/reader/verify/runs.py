"""Where the rows of a table begin to differ from those before them.

The rows of a release stand in the order of their cells, so that equal ones follow one another.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import polars as pl

from indistinct.core.arrays import Bools


def begins_run(columns: Iterable[pl.Series], n_rows: int) -> Bools:
    """Return which rows differ from the row before in some column, the first among them: (n_rows,).

    Parameters
    ----------
    columns : (n_rows,) each; lists are not compared
    """
    begins: Bools = np.zeros(n_rows, np.bool_)
    begins[:1] = True
    for column in columns:
        if not column.dtype.is_nested():
            begins[1:] |= column.tail(-1).ne_missing(column.head(-1)).to_numpy()
    return begins
