"""How many sensitive values a release gives away."""

from __future__ import annotations

import numpy as np

from indistinct.core.arrays import Floats
from indistinct.core.classes import EquivalenceClasses, known_values

# A reader who is nine times in ten right about a value is taken to know it.
CERTAIN = 0.9


def greatest_shares(classes: EquivalenceClasses, column: str) -> Floats:
    """Give the share of the commonest sensitive value in each class: (n_classes,), in (0, 1]."""
    found = classes.value_counts[column]
    return np.maximum.reduceat(found.counts, found.starts[:-1]) / classes.sizes


def private_information_disclosure(
    classes: EquivalenceClasses, column: str, certain: float = CERTAIN
) -> float:
    """Give the share of records whose class has one sensitive value in at least ``certain`` of it.

    Of the records with a known value, where some have none.

    Parameters
    ----------
    classes : the released classes
    column : the sensitive column
    certain : share from which on a value counts as known, in (0, 1]

    Notes
    -----
    0 where nothing is released, or no value is known.

    Source: majeed2017, section 5.
    """
    described = classes.sensitive.get(column)
    if described is not None and described.has_missing:
        classes = known_values(classes, column)[0]
    if classes.n_classes == 0:
        return 0.0
    is_known = greatest_shares(classes, column) >= certain - 1e-12
    return float(classes.sizes[is_known].sum() / classes.sizes.sum())
