"""Count the released records that fit what somebody knows: the one loop that has to be compiled."""

from __future__ import annotations

import numpy as np

from indistinct.core.arrays import Floats, Ints
from indistinct.core.kernels import compiled


@compiled
def fitting_records(
    starts: Floats, ends: Floats, class_starts: Floats, class_ends: Floats, sizes: Ints
) -> Ints:
    """Count the records in the classes whose cells cover a person's values: (n_people,).

    Parameters
    ----------
    starts, ends : (n_people, n_columns), spans of the values known of each person
    class_starts, class_ends : (n_classes, n_columns), spans of the released cells
    sizes : (n_classes,), records per class

    Notes
    -----
    O(n_people * n_classes * n_columns) at worst.
    """
    n_people, n_columns = starts.shape
    found = np.zeros(n_people, np.int64)
    for person in range(n_people):
        for candidate in range(len(sizes)):
            column = 0
            while (
                column < n_columns
                and class_starts[candidate, column] <= starts[person, column]
                and ends[person, column] <= class_ends[candidate, column]
            ):
                column += 1
            if column == n_columns:
                found[person] += sizes[candidate]
    return found
