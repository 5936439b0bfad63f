"""What a class lacks to satisfy a model, as a search prices it: counts in bins, and a bound."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from indistinct.base.arrays import Codes, Floats
from indistinct.tables.core.distances import Distance, positions, rooted
from indistinct.tables.core.frequencies import SensitiveColumn

DISTINCT, DISTANCE, LIMITS, ENTROPY, SQUARES, TAIL = range(6)
MOST_BINS = 512  # beyond it, values are counted together where that proves no less


@dataclass(frozen=True, slots=True)
class Penalty:
    """What the known values of one column must be like in every class.

    Its shortfall is measured in records: by how many a class misses it.

    Parameters
    ----------
    column : whose values are counted
    kind : DISTINCT, at least ``bound`` bins are not empty. DISTANCE, the shares of the bins differ
        from ``greatest`` by at most ``bound``, ``weights`` a bin. LIMITS, the share of each bin is
        between ``lowest`` and ``greatest``. ENTROPY, the entropy of the bins is at least ``bound``.
        SQUARES, their squared shares add up to at most ``bound``. TAIL, the fullest bin holds less
        than ``bound`` times those from the ``rank``-th fullest on
    places : (n_places, n_values), bins that a record with each value is counted in, the first of
        them its own; -1 for none
    bound, rank : see there
    carry : of DISTANCE: the share of a difference that is carried on to the next bin, 0 or 1
    is_exact : whether it is all that the model asks of a class of ``least_size`` records or more
    weights, lowest, greatest : (n_bins,), see there
    """

    column: str
    kind: int
    places: Codes
    bound: float
    weights: Floats = field(default_factory=lambda: np.zeros(0))
    lowest: Floats = field(default_factory=lambda: np.zeros(0))
    greatest: Floats = field(default_factory=lambda: np.zeros(0))
    rank: int = 1
    carry: float = 0.0
    is_exact: bool = True

    @property
    def n_bins(self) -> int:
        """Number of bins."""
        return int(self.places.max(initial=-1)) + 1


def own_bins(column: SensitiveColumn, *, missing_counts: bool) -> Codes:
    """Return a bin for each value, none for a missing one that does not count: (1, n_values)."""
    places = np.arange(column.n_values, dtype=np.int32)
    if column.has_missing and not missing_counts:
        places[-1] = -1
    return places[None, :]


def distinct_penalty(column: SensitiveColumn, least: float, *, missing_counts: bool) -> Penalty:
    """Demand so many distinct values; of a column with many, some are counted together."""
    places = own_bins(column, missing_counts=missing_counts)
    most = max(MOST_BINS, int(16 * least))
    bins = np.where(places < 0, places, places % most)
    return Penalty(column.name, DISTINCT, bins, least, is_exact=column.n_values <= most)


def limits_penalty(
    column: SensitiveColumn, lowest: Floats, greatest: Floats, *, missing_counts: bool
) -> Penalty | None:
    """Demand that the share of each known value lies between two others."""
    places = own_bins(column, missing_counts=missing_counts)
    if len(greatest) > MOST_BINS:
        return None
    return Penalty(column.name, LIMITS, places, 0.0, lowest=lowest, greatest=greatest)


def distance_penalty(
    column: SensitiveColumn, distance: Distance, bound: float, *, missing_counts: bool
) -> Penalty | None:
    """Demand that the earth mover's distance to the whole table is at most a bound.

    On a tree on which two leaves are as far apart as the level at which they meet, the distance is
    the sum of what each node has too much or too little, half a step each.
    """
    counted = column if missing_counts else column.known
    if distance.kind == "kernel" or counted.n_values > MOST_BINS:
        return None
    places = own_bins(column, missing_counts=missing_counts)
    if distance.kind == "hierarchical":
        tree = rooted(counted)
        height = max(len(tree) - 1, 1)
        ends = np.cumsum([0, *(int(level.max()) + 1 for level in tree[:height])])
        rows = np.full((height, column.n_values), -1, np.int32)
        for level in range(height):
            rows[level, : counted.n_values] = tree[level] + ends[level]
        shares = np.concatenate([np.bincount(one, counted.shares) for one in tree[:height]])
        shares = shares.astype(np.float64)
        weights = np.full(len(shares), 0.5 / height)
        return Penalty(column.name, DISTANCE, rows, bound, weights, greatest=shares)
    if distance.kind == "ordered":
        weights = np.append(np.diff(positions(counted, distance.ground)), 0.0)
        shares = counted.shares
        return Penalty(column.name, DISTANCE, places, bound, weights, greatest=shares, carry=1.0)
    weights = np.full(counted.n_values, 0.5)
    return Penalty(column.name, DISTANCE, places, bound, weights, greatest=counted.shares)
