"""Find the class that a record falls into: the one loop that has to be compiled."""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.base.compiled.kernels import compiled


@compiled
def first_covering(
    starts: Floats, ends: Floats, class_starts: Floats, class_ends: Floats, pivot: int
) -> Ints:
    """Return the first class whose cells cover a record's, -1 where none does: (n_records,).

    Parameters
    ----------
    starts, ends : (n_records, n_columns), spans of the records' cells
    class_starts, class_ends : (n_classes, n_columns), spans of the classes' cells
    pivot : column by which the classes are sifted, once for all records that agree in it

    Notes
    -----
    O(n_values * n_classes) for the values of the pivot, and for each record the classes that its
    value leaves.
    """
    n_records, n_columns = starts.shape
    found = np.full(n_records, -1, np.int64)
    # Invariant: ``left`` has, in order, the classes that cover the last record in the pivot.
    left = np.empty(len(class_starts), np.int64)
    n_left = 0
    before = -1
    for record in np.argsort(starts[:, pivot]):
        start, end = starts[record, pivot], ends[record, pivot]
        if before < 0 or start != starts[before, pivot] or end != ends[before, pivot]:
            n_left = 0
            for candidate in range(len(class_starts)):
                if class_starts[candidate, pivot] <= start and end <= class_ends[candidate, pivot]:
                    left[n_left] = candidate
                    n_left += 1
        before = record
        for candidate in left[:n_left]:
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
