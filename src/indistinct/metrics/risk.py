"""What an attacker may hope for, by the sizes of the classes alone."""

from __future__ import annotations

from indistinct.core.arrays import Ints


def prosecutor_risk(sizes: Ints) -> float:
    """Give the chance to re-identify the least protected record, known to be in the table.

    Parameters
    ----------
    sizes : (n_classes,), records per released class

    Source: dankar2010, section 2: 1 / smallest class; 0 when nothing is released.
    """
    return 1.0 / float(sizes.min()) if len(sizes) else 0.0


def marketer_risk(sizes: Ints) -> float:
    """Give the share of records that one guess per record re-identifies, on average.

    Parameters
    ----------
    sizes : (n_classes,), records per released class, the table being the whole population

    Source: dankar2010, section 2: classes / records; 0 when nothing is released.
    """
    return len(sizes) / float(sizes.sum()) if len(sizes) else 0.0
