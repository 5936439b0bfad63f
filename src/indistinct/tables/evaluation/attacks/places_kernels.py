"""Compiled counting of places."""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.base.compiled.kernels import compiled


@compiled
def count_places(
    cells: Ints, weights: Floats, first: Floats, second: Floats, third: Floats
) -> Floats:
    """Count the records in each place of three columns.

    Parameters
    ----------
    cells : (n_rows, 3), number of the cell in each column
    weights : (n_rows,), records of each row
    first, second, third : (n_cells, n_places), shares of cells

    Returns
    -------
    (n_first, n_second, n_third), expected records; O(n_rows * covered places)
    """
    found = np.zeros((first.shape[1], second.shape[1], third.shape[1]))
    for row in range(len(cells)):
        a, b, c = cells[row, 0], cells[row, 1], cells[row, 2]
        for i in range(first.shape[1]):
            one = weights[row] * first[a, i]
            if one == 0.0:  # a cell covers few places, so that most of the cube is never visited
                continue
            for j in range(second.shape[1]):
                both = one * second[b, j]
                if both == 0.0:
                    continue
                for k in range(third.shape[1]):
                    found[i, j, k] += both * third[c, k]
    return found
