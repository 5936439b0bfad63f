"""Distances between the distribution of a class and that of a larger set of records.

Two families: the earth mover's distance over a ground distance between values, and the
Jensen-Shannon divergence of distributions that were smoothed over the ground distance first. Each
is there twice: of many classes to the whole table, from sparse counts, and of pairs of dense
distributions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.compiled.kernels import (
    hierarchical_distances,
    ordered_distances,
    smoothed_divergences,
)
from indistinct.tables.core.frequencies import SensitiveColumn, ValueCounts
from indistinct.tables.core.partitions import beyond_distance, beyond_greatest

KINDS = ("equal", "ordered", "hierarchical", "kernel")
GROUNDS = ("rank", "value", "tree")
SMOOTHINGS = ("nw", "mass")
MOST_VALUES = 500  # up to here every value is looked at for each class
# A quarter of the greatest ground distance: a value hands its share on to near values only.
BANDWIDTH = 0.25


@final
@dataclass(frozen=True, slots=True)
class Distance:
    """A distance between two distributions of a sensitive column, in [0, 1].

    Parameters
    ----------
    kind : ``equal``, ``ordered`` or ``hierarchical`` for the earth mover's distance; ``kernel`` for
        the divergence after smoothing
    ground : distance of two values, of ``ordered`` and ``kernel``: by ``rank``, by ``value``, or
        along the ``tree`` of the column's hierarchy
    bandwidth : of ``kernel``: how far smoothing reaches, in ground distance; above 0
    smoothing : of ``kernel``: ``nw``, weighted means renormalized, or ``mass``, which hands every
        value's share on to its neighbours and keeps the sum

    Source: li2010, sections 4 (earth mover's) and 5 (kernel smoothing and its desiderata).
    """

    kind: str = "equal"
    ground: str = "rank"
    bandwidth: float = BANDWIDTH
    smoothing: str = "nw"

    @property
    def reads_tree(self) -> bool:
        """Return whether the column must have a hierarchy."""
        return self.kind == "hierarchical" or (self.kind == "kernel" and self.ground == "tree")

    @property
    def reads_numbers(self) -> bool:
        """Return whether the column's values must be numbers."""
        return self.kind in {"ordered", "kernel"} and self.ground == "value"

    @property
    def is_convex(self) -> bool:
        """Return whether no mixture of distributions is farther away than the farthest of them.

        Renormalizing weighted means breaks this; all else is linear, followed by a convex function.
        """
        return self.kind != "kernel" or self.smoothing == "mass"

    def to_table(self, found: ValueCounts, sizes: Ints, column: SensitiveColumn) -> Floats:
        """Return the distance of each class to the whole table: (n_classes,)."""
        match self.kind:
            case "equal":
                return equal_distance(found, sizes, column)
            case "ordered":
                return ordered_distance(found, sizes, column, self.ground)
            case "hierarchical":
                return hierarchical_distance(found, sizes, column)
            case _:
                return kernel_distance(found, sizes, column, self)

    def beyond(
        self, found: ValueCounts, sizes: Ints, column: SensitiveColumn, limit: float
    ) -> Ints:
        """Bound the records of each class that every partition leaves in parts beyond a limit.

        0 where nothing is known: see :mod:`indistinct.tables.core.partitions`.

        Returns
        -------
        (n_classes,), at most the size of each class
        """
        if not self.is_convex:
            return np.zeros(len(sizes), np.int64)
        if self.kind in {"equal", "hierarchical"} and column.n_values <= MOST_VALUES:
            tree = rooted(column) if self.kind == "hierarchical" else without_levels(column)
            return beyond_distance(
                found.starts, found.values, found.counts, sizes, column.shares, tree, limit
            )
        # A convex measure is greatest where all records have one value.
        alone = np.arange(column.n_values + 1, dtype=np.int64)
        single = ValueCounts(alone, alone[:-1].astype(np.int32), np.ones_like(alone[:-1]))
        ends = self.to_table(single, single.counts, column)
        greatest = np.maximum.reduceat(ends[found.values], found.starts[:-1])
        return beyond_greatest(sizes, self.to_table(found, sizes, column), limit, greatest)

    def between(self, first: Floats, second: Floats, column: SensitiveColumn) -> Floats:
        """Return the distance of each pair of distributions: (n_pairs,).

        Parameters
        ----------
        first, second : (n_pairs, n_values), rows sum to 1
        column : what is known of the values
        """
        match self.kind:
            case "equal":
                return np.abs(first - second).sum(axis=1) / 2
            case "ordered":
                carried = np.cumsum(first - second, axis=1)[:, :-1]
                return np.abs(carried) @ np.diff(positions(column, self.ground))
            case "hierarchical":
                return _moved_up(first - second, rooted(column))
            case _:
                spread = contributions(column, self)
                return divergence(self.smoothed(first, spread), self.smoothed(second, spread))

    def smoothed(self, shares: Floats, spread: Floats) -> Floats:
        """Smooth distributions: (n_pairs, n_values)."""
        found = shares @ spread
        return found / found.sum(axis=1, keepdims=True)


def equal_distance(found: ValueCounts, sizes: Ints, column: SensitiveColumn) -> Floats:
    """Return half the sum of absolute differences: (n_classes,), in [0, 1].

    Values that a class lacks add nothing to the positive part, so no dense matrix is needed.

    Source: li2010, section 4.2 (equal ground distance).
    """
    owners = found.owners
    excess = np.maximum(found.counts / sizes[owners] - column.shares[found.values], 0.0)
    return np.bincount(owners, excess, len(sizes)).astype(np.float64)


def ordered_distance(
    found: ValueCounts, sizes: Ints, column: SensitiveColumn, ground: str = "rank"
) -> Floats:
    """Return the earth mover's distance on a line of values: (n_classes,), in [0, 1].

    Source: li2010, section 4.1 (ordered ground distance).
    """
    gaps = np.append(np.diff(positions(column, ground)), 0.0)
    return ordered_distances(found.starts, found.values, found.counts, sizes, column.shares, gaps)


def hierarchical_distance(found: ValueCounts, sizes: Ints, column: SensitiveColumn) -> Floats:
    """Return the earth mover's distance over the column's hierarchy: (n_classes,), in [0, 1].

    Source: li2010, section 4.2 (hierarchical ground distance).
    """
    return hierarchical_distances(
        found.starts, found.values, found.counts, sizes, column.shares, rooted(column)
    )


def kernel_distance(
    found: ValueCounts, sizes: Ints, column: SensitiveColumn, distance: Distance
) -> Floats:
    """Return the Jensen-Shannon divergence of smoothed distributions: (n_classes,), in [0, 1].

    Notes
    -----
    Base 2. O(n_values**2) memory; O(n_values) time per value that a class holds.

    Source: li2010, section 5 (kernel smoothing, Epanechnikov kernel).
    """
    spread = contributions(column, distance)
    return smoothed_divergences(
        found.starts,
        found.values,
        found.counts,
        sizes,
        spread,
        distance.smoothed(column.shares[None, :], spread)[0],
    )


def positions(column: SensitiveColumn, ground: str) -> Floats:
    """Place the values on a line from 0 to 1, by rank or by number: (n_values,).

    A missing value stands last, one mean step behind the greatest number.

    Raises
    ------
    ValueError
        when the values are to be placed by number and have none
    """
    ranks = np.arange(column.n_values) / max(column.n_values - 1, 1)
    if ground != "value":
        return ranks
    if column.numbers is None:
        message = f"the values of column {column.name} are not numbers"
        raise ValueError(message)
    known = column.numbers[~np.isnan(column.numbers)]
    if len(known) <= 1:
        return ranks
    low, high = float(known[0]), float(known[-1])
    step = (high - low) / (len(known) - 1)
    filled = np.where(np.isnan(column.numbers), high + step, column.numbers)
    return (filled - low) / (filled[-1] - low)


def ground_distances(column: SensitiveColumn, ground: str) -> Floats:
    """Return the distance of any two values: (n_values, n_values), in [0, 1]."""
    if ground != "tree":
        line = positions(column, ground)
        return np.abs(line[:, None] - line[None, :])
    nodes = rooted(column)
    height = max(len(nodes) - 1, 1)
    differs = [level[:, None] != level[None, :] for level in nodes]
    return np.sum(differs, axis=0) / height


def contributions(column: SensitiveColumn, distance: Distance) -> Floats:
    """Return what each value's share adds to the smoothed share of the others.

    (n_values, n_values), from row to column.
    """
    reach = ground_distances(column, distance.ground) / distance.bandwidth
    kernel = np.where(reach < 1, 1 - reach**2, 0.0)
    if distance.smoothing == "mass":
        return kernel / kernel.sum(axis=1, keepdims=True)
    return kernel / kernel.sum(axis=0, keepdims=True)


def divergence(first: Floats, second: Floats) -> Floats:
    """Return the Jensen-Shannon divergence of pairs, base 2: (n_pairs,), in [0, 1]."""
    middle = (first + second) / 2
    return np.maximum((_relative(first, middle) + _relative(second, middle)) / 2, 0.0)


def rooted(column: SensitiveColumn) -> Codes:
    """Return the nodes of a column's hierarchy, with one root: (n_levels, n_values).

    Raises
    ------
    ValueError
        when it has none
    """
    if column.hierarchy is None:
        message = f"column {column.name} has no hierarchy"
        raise ValueError(message)
    return column.hierarchy.tree


def without_levels(column: SensitiveColumn) -> Codes:
    """Return the tree in which all values are equally far from each other: (2, n_values)."""
    own = np.arange(column.n_values, dtype=np.int32)
    return np.vstack([own, np.zeros_like(own)])


def _relative(first: Floats, second: Floats) -> Floats:
    """Return the Kullback-Leibler divergence of pairs, base 2, 0 * log(0) being 0: (n_pairs,)."""
    ratios = np.divide(first, second, out=np.ones_like(first), where=first > 0)
    return np.sum(first * np.log2(ratios), axis=1)


def _moved_up(extras: Floats, nodes: Codes) -> Floats:
    """Settle surpluses under each node of a tree and carry the rest upwards: (n_pairs,).

    Parameters
    ----------
    extras : (n_pairs, n_values), share in the first distribution less that in the second
    nodes : (n_levels, n_values), dense numbers of the nodes above each value
    """
    height = len(nodes) - 1
    costs = np.zeros(len(extras))
    for level in range(1, height + 1):
        parents = np.zeros(int(nodes[level - 1].max()) + 1, np.int64)
        parents[nodes[level - 1]] = nodes[level]
        below = np.zeros((len(parents), int(parents.max()) + 1))
        below[np.arange(len(parents)), parents] = 1.0
        surplus, lack = np.maximum(extras, 0) @ below, np.maximum(-extras, 0) @ below
        costs += level / height * np.minimum(surplus, lack).sum(axis=1)
        extras = surplus - lack
    return costs
