"""The compiled loop that finds the independent parts of a change."""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Codes
from indistinct.base.compiled.compiling import compiled


@compiled
def components(before: Codes, after: Codes, n_classes: int) -> Codes:
    """Join the classes that exchanged items: (n_classes,), a number shared by each component.

    Parameters
    ----------
    before, after : (n_items,), class of each item, -1 for none
    """
    parents = np.empty(n_classes, np.int32)
    for index in range(n_classes):
        parents[index] = index
    for item in range(len(before)):
        one = before[item]
        other = after[item]
        if one == other or one < 0 or other < 0:
            continue
        while parents[one] != one:
            parents[one] = parents[parents[one]]
            one = parents[one]
        while parents[other] != other:
            parents[other] = parents[parents[other]]
            other = parents[other]
        parents[max(one, other)] = min(one, other)
    # No parent is greater than its child. In ascending order a parent is therefore at its root
    # before its children look at it.
    for index in range(n_classes):
        parents[index] = parents[parents[index]]
    return parents
