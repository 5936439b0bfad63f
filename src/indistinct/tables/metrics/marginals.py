"""How far single columns, and pairs of them, are from the original after a release."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.tables.core.recoding import CellDomain

SMALLEST_SAMPLE = 2  # one record does not vary


def total_variation(
    domain: CellDomain, value_weights: Ints, cell_counts: Ints, n_hidden: int
) -> float:
    """Return the total variation between a column and what a reader of the release makes of it.

    The reader spreads the records of each cell evenly over the values that it stands for, and the
    suppressed records over the whole column.

    Parameters
    ----------
    domain : cells of the column
    value_weights : (n_values,), original records per value
    cell_counts : (n_cells,), released records per cell
    n_hidden : records that are not released

    Returns
    -------
    in [0, 1]: half the sum of the absolute differences of shares, over all values of the domain

    Source: tsybakov2009, section 2.4 (the distance); the even spread as in kifer2006.
    """
    n_records = int(value_weights.sum())
    own = domain.coverage.by_rank(value_weights) / n_records
    steps = np.zeros(len(own) + 1)
    masses = cell_counts / domain.volumes
    is_covering = domain.coverage.last >= domain.coverage.first
    np.add.at(steps, domain.coverage.first[is_covering], masses[is_covering])
    np.add.at(steps, domain.coverage.last[is_covering] + 1, -masses[is_covering])
    guess = (np.cumsum(steps)[:-1] + n_hidden / domain.volume) / n_records
    return float(1.0 - np.minimum(own, guess).sum())


def correlation_difference(before: Floats, after: Floats) -> float | None:
    """Return the mean absolute difference of the columns' correlations.

    Parameters
    ----------
    before, after : (n_records, n_columns), numbers, NaN where one is missing; the records of both
        need not be the same

    Returns
    -------
    mean over pairs of columns of |r - r'|, in [0, 2]; None where there is no pair

    Notes
    -----
    Pearson's correlation over the records that have both numbers; 0 where a column does not vary.
    """
    pairs = list(combinations(range(before.shape[1]), 2))
    if not pairs:
        return None
    return float(np.mean([abs(_correlation(before, *p) - _correlation(after, *p)) for p in pairs]))


def _correlation(table: Floats, first: int, second: int) -> float:
    """Return Pearson's correlation of two columns."""
    both = table[:, [first, second]]
    both = both[~np.isnan(both).any(axis=1)]
    if len(both) < SMALLEST_SAMPLE:
        return 0.0
    x, y = (both - both.mean(axis=0)).T
    scale = float(np.sqrt((x @ x) * (y @ y)))
    return float(x @ y) / scale if scale > 0 else 0.0
