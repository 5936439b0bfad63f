"""The re-identification risk, by the sizes of the classes alone."""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Ints


def prosecutor_risk(sizes: Ints) -> float:
    """Return the chance to re-identify the least protected record, known to be in the table.

    Parameters
    ----------
    sizes : (n_classes,), records per released class

    Source: dankar2010, section 2: 1 / smallest class; 0 when nothing is released.
    """
    return 1.0 / float(sizes.min()) if len(sizes) else 0.0


def journalist_risk(sizes: Ints, population: Ints) -> float:
    """Return the chance to re-identify the least protected record, not known to be in the table.

    Parameters
    ----------
    sizes : (n_classes,), records per released class
    population : (n_classes,), people that look like it

    Source: dankar2010, section 2: 1 / fewest people; 0 when nothing is released.
    """
    return 1.0 / float(np.maximum(sizes, population).min()) if len(sizes) else 0.0


def marketer_risk(sizes: Ints, population: Ints | None = None) -> float:
    """Return the share of records that one guess per record re-identifies, on average.

    Parameters
    ----------
    sizes : (n_classes,), records per released class
    population : (n_classes,), people that look like it; the table's own where left out

    Source: dankar2010, section 2: mean of size / people; 0 when nothing is released.
    """
    if not len(sizes):
        return 0.0
    people = sizes if population is None else np.maximum(sizes, population)
    return float(np.sum(sizes / people)) / float(sizes.sum())


def mean_prosecutor_risk(sizes: Ints) -> float:
    """Return the share of records that are re-identified when all people in them are looked for.

    Parameters
    ----------
    sizes : (n_classes,), records per released class

    Source: dankar2010, section 2: classes / records; 0 when nothing is released.
    """
    return len(sizes) / float(sizes.sum()) if len(sizes) else 0.0


def mean_journalist_risk(sizes: Ints, population: Ints) -> float:
    """Return the chance of a re-identification from people to records, or back if that is greater.

    Parameters
    ----------
    sizes : (n_classes,), records per released class
    population : (n_classes,), people that look like it

    Source: dankar2010, section 2: the greater of classes / people and the marketer's risk; 0 when
    nothing is released.
    """
    if not len(sizes):
        return 0.0
    people = np.maximum(sizes, population)
    return max(len(sizes) / float(people.sum()), marketer_risk(sizes, population))
