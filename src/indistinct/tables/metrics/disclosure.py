"""What is learned of a person whose class is known: attacks on the sensitive values of classes.

Each is a function of equivalence classes and one of their sensitive columns, and gives an answer
per class. None of them needs the original of a release; the whole table that :func:`skewness`
compares with is the one that ``classes.sensitive`` counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats
from indistinct.tables.core.classes import EquivalenceClasses, known_values
from indistinct.tables.core.distances import Distance
from indistinct.tables.core.frequencies import SensitiveColumn, ValueCounts

# A reader who is nine times in ten right about a value is taken to know it.
CERTAIN = 0.9


class Skewness(NamedTuple):
    """How far a value's share in a class exceeds its share in the whole table, at most.

    Parameters
    ----------
    ratio : (n_classes,), greatest share in the class / share in the table, at least 1; infinite
        where the table has no such value
    difference : (n_classes,), greatest share in the class - share in the table, in [0, 1]
    """

    ratio: Floats
    difference: Floats


def homogeneous(classes: EquivalenceClasses, column: str) -> Bools:
    """Return which classes have one known sensitive value only: (n_classes,).

    Source: machanavajjhala2007, section 2 (homogeneity attack).
    """
    return exposed_by_background(classes, column, 0)


def exposed_by_background(classes: EquivalenceClasses, column: str, excluded: int) -> Bools:
    """Return in which classes one value is left when an attacker rules others out: (n_classes,).

    A class without a known value has nothing to give away.

    Parameters
    ----------
    excluded : values that the attacker knows the person not to have, at least 0

    Source: machanavajjhala2007, section 2 (background knowledge attack).
    """
    n_values = np.diff(_known(classes, column).starts)
    return (n_values > 0) & (n_values - excluded <= 1)


def skewness(classes: EquivalenceClasses, column: str) -> Skewness:
    """Return what the class adds to the belief in the value that gains most.

    Source: li2010, section 3 (skewness attack).
    """
    found = classes.value_counts[column]
    shares = found.counts / classes.sizes[found.owners]
    overall = classes.sensitive[column].shares[found.values]
    ratios = np.divide(shares, overall, out=np.full_like(shares, np.inf), where=overall > 0)
    firsts = found.starts[:-1]
    if not len(firsts):
        return Skewness(np.zeros(0), np.zeros(0))
    # Where nothing gains, rounding may leave the greatest ratio a little below 1.
    return Skewness(
        np.maximum(np.maximum.reduceat(ratios, firsts), 1.0),
        np.maximum(np.maximum.reduceat(shares - overall, firsts), 0.0),
    )


def exposed_by_similarity(classes: EquivalenceClasses, column: str, groups: Codes) -> Bools:
    """Return which classes have known sensitive values of one meaning only: (n_classes,).

    Parameters
    ----------
    groups : (n_values,), code of the meaning of each value; see :func:`groups_at_level`

    Source: li2010, section 3 (similarity attack).
    """
    found = _known(classes, column)
    exposed = np.diff(found.starts) > 0
    firsts, meanings = found.starts[:-1][exposed], groups[found.values]
    if len(firsts):
        lowest: Codes = np.minimum.reduceat(meanings, firsts)
        exposed[exposed] = lowest == np.maximum.reduceat(meanings, firsts)
    return exposed


def _known(classes: EquivalenceClasses, column: str) -> ValueCounts:
    """Return the known values of each class, which may have none."""
    whole = classes.sensitive[column]
    return classes.value_counts[column].below(whole.n_values - whole.has_missing)


def groups_at_level(column: SensitiveColumn, level: int) -> Codes:
    """Return the code of each value's label at a level of the column's hierarchy: (n_values,).

    Parameters
    ----------
    level : 0 for the values themselves, up to the height of the hierarchy

    Raises
    ------
    ValueError
        when the column has no hierarchy
    """
    if column.hierarchy is None:
        message = f"column {column.name} has no hierarchy"
        raise ValueError(message)
    return column.hierarchy.codes[level]


def learned_information(classes: EquivalenceClasses, column: str, distance: Distance) -> float:
    """Average how far a record's class is from the whole table: in [0, 1].

    At 0 nothing can be learned of the sensitive values from the quasi-identifiers.

    Source: li2010, section 4 (the utility side of closeness).
    """
    if not classes.n_classes:
        return 0.0
    sensitive = classes.sensitive[column]
    far = distance.to_table(classes.value_counts[column], classes.sizes, sensitive)
    return float(classes.sizes @ far / classes.sizes.sum())


def greatest_shares(classes: EquivalenceClasses, column: str) -> Floats:
    """Return the share of the commonest sensitive value in each class: (n_classes,), in (0, 1]."""
    found = classes.value_counts[column]
    return np.maximum.reduceat(found.counts, found.starts[:-1]) / classes.sizes


def private_information_disclosure(
    classes: EquivalenceClasses, column: str, certain: float = CERTAIN
) -> float:
    """Return the share of records in classes with one sensitive value in ``certain`` or more of it.

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
