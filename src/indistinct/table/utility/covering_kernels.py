"""Find the class that a record falls into: the one loop that has to be compiled."""

from __future__ import annotations

import numpy as np

from indistinct.core.arrays import Floats, Ints
from indistinct.core.kernels import compiled


@compiled
def first_covering(starts: Floats, ends: Floats, class_starts: Floats, class_ends: Floats) -> Ints:
    """Give the first class whose cells cover a record's, -1 where none does: (n_records,).

    Parameters
    ----------
    starts, ends : (n_records, n_columns), spans of the records' cells
    class_starts, class_ends : (n_classes, n_columns), spans of the classes' cells

    Notes
    -----
    O(n_records * n_classes) at worst; most classes are left at their first column.
    """
    n_records, n_columns = starts.shape
    found = np.full(n_records, -1, np.int64)
    for record in range(n_records):
        for candidate in range(len(class_starts)):
            column = 0
            while (
                column < n_columns
                and class_starts[candidate, column] <= starts[record, column]
                and ends[record, column] <= class_ends[candidate, column]
            ):
                column += 1
            if column == n_columns:
                found[record] = candidate
                break
    return found
