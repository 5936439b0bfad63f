"""Distances between the distribution of a class and that of the whole table."""

from __future__ import annotations

import numpy as np

from indistinct.core.arrays import Codes, Floats, Ints
from indistinct.core.frequencies import SensitiveColumn, ValueCounts
from indistinct.core.hierarchy import GeneralizationHierarchy
from indistinct.core.kernels import hierarchical_distances, ordered_distances


def equal_distance(found: ValueCounts, sizes: Ints, column: SensitiveColumn) -> Floats:
    """Give half the sum of absolute differences: (n_classes,), in [0, 1].

    Values that a class lacks add nothing to the positive part, so no dense matrix is needed.

    Source: li2010, section 4.2 (equal ground distance).
    """
    owners = found.owners
    excess = np.maximum(found.counts / sizes[owners] - column.shares[found.values], 0.0)
    return np.bincount(owners, excess, len(sizes)).astype(np.float64)


def ordered_distance(found: ValueCounts, sizes: Ints, column: SensitiveColumn) -> Floats:
    """Give the earth mover's distance between ranks: (n_classes,), in [0, 1].

    Source: li2010, section 4.1 (ordered ground distance).
    """
    steps = max(column.n_values - 1, 1)
    gaps = np.full(column.n_values, 1.0 / steps)
    gaps[-1] = 0.0
    return ordered_distances(found.starts, found.values, found.counts, sizes, column.shares, gaps)


def hierarchical_distance(found: ValueCounts, sizes: Ints, column: SensitiveColumn) -> Floats:
    """Give the earth mover's distance over the column's hierarchy: (n_classes,), in [0, 1].

    Source: li2010, section 4.2 (hierarchical ground distance).
    """
    if column.hierarchy is None:
        message = f"column {column.name} has no hierarchy"
        raise ValueError(message)
    return hierarchical_distances(
        found.starts, found.values, found.counts, sizes, column.shares, tree_nodes(column.hierarchy)
    )


def tree_nodes(hierarchy: GeneralizationHierarchy) -> Codes:
    """Give dense numbers to a hierarchy's nodes, with one root: (n_levels, n_values)."""
    codes = hierarchy.with_root().codes
    dense = [np.unique(level, return_inverse=True)[1] for level in codes]
    return np.vstack(dense).astype(np.int32)
