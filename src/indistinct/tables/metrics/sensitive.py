"""What a release says of a sensitive column: how well it can be predicted, and how wide it is."""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.base.hierarchy import GeneralizationHierarchy
from indistinct.base.hierarchy_builders import flat
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.grouping import DENSE
from indistinct.tables.core.recoding import CellDomain


def classification_metric(classes: EquivalenceClasses, name: str, n_suppressed: int) -> float:
    """Return the share of records that do not have the commonest value of their class.

    Parameters
    ----------
    classes : the released classes
    name : of the sensitive column
    n_suppressed : records that are not released; each counts 1

    Returns
    -------
    in [0, 1]; at most 1 - 1 / values where nothing is suppressed

    Source: iyengar2002, section 3 (classification metric).
    """
    found = classes.value_counts[name]
    n_records = int(classes.sizes.sum()) + n_suppressed
    if n_records == 0:
        return 0.0
    commonest = 0
    if classes.n_classes:
        commonest = int(np.maximum.reduceat(found.counts, found.starts[:-1]).sum())
    return 1.0 - commonest / n_records


def granularity_of_sensitive(classes: EquivalenceClasses, name: str, n_suppressed: int) -> float:
    """Return how much of its domain the sensitive values of a record's class spread over.

    Of numbers the range of the class / the range of the column; of others (leaves under the lowest
    common node - 1) / (leaves - 1), along the column's hierarchy or under one root.

    Parameters
    ----------
    classes : the released classes
    name : of the sensitive column
    n_suppressed : records that are not released; each counts 1

    Returns
    -------
    mean over records, in [0, 1]

    Source: iyengar2002, section 3, the general loss metric's two ratios, on the sensitive column.
    """
    n_records = int(classes.sizes.sum()) + n_suppressed
    if n_records == 0:
        return 0.0
    found, column = classes.value_counts[name], classes.sensitive[name]
    spreads = np.zeros(0)
    if classes.n_classes:
        if column.numbers is not None and column.hierarchy is None:
            spreads = _ranges(column.numbers[found.values], found.starts, column.numbers)
        else:
            hierarchy = column.hierarchy or flat(column.values)
            spreads = _common_shares(hierarchy.with_root(), found.values, found.starts)
    return float(classes.sizes @ spreads + n_suppressed) / n_records


def private_probabilities(
    domain: CellDomain, values: Codes, secrets: Codes, cells: Codes, released_values: Codes
) -> Floats:
    """Return, per pair of a cell and a sensitive value, its share under the cell: (n_pairs,).

    Pr(Y = told | X in cell), over the original records.

    Parameters
    ----------
    domain : cells of the quasi-identifier X
    values, secrets : (n_records,), original value of X and of the sensitive column Y
    cells, told : (n_pairs,), a cell of X and a value of Y

    Notes
    -----
    O(n_records) where the values have few pairs, else O(n_records * log(n_records)).

    Source: goldberger2010, private mutual information; the probability behind it.
    """
    n_ranks = int(domain.coverage.ranks.max(initial=0)) + 1
    keys = secrets.astype(np.int64) * n_ranks + domain.coverage.ranks[values]
    base = released_values.astype(np.int64) * n_ranks
    low, after = base + domain.coverage.first[cells], base + domain.coverage.last[cells] + 1
    n_keys = max(int(part.max(initial=0)) for part in (keys, low, after)) + 1
    if n_keys <= DENSE * len(keys):
        below = np.concatenate([[0], np.cumsum(np.bincount(keys, minlength=n_keys))])
        found = below[after] - below[low]
    else:
        keys.sort()
        found = np.searchsorted(keys, after) - np.searchsorted(keys, low)
    return found / np.maximum(domain.counts[cells], 1)


def _ranges(numbers: Floats, starts: Ints, column: Floats) -> Floats:
    """Return the range of each class's numbers as a share of the column's; 1 if some are missing.

    Classes that hold the missing value only have none.
    """
    spread = float(np.nanmax(column) - np.nanmin(column)) if not np.isnan(column).all() else 0.0
    is_missing = np.isnan(numbers)
    low = np.minimum.reduceat(np.where(is_missing, np.inf, numbers), starts[:-1])
    high = np.maximum.reduceat(np.where(is_missing, -np.inf, numbers), starts[:-1])
    n_missing = np.add.reduceat(is_missing.astype(np.int64), starts[:-1])
    is_mixed = (n_missing > 0) & (n_missing < np.diff(starts))
    known = np.isfinite(low)
    lengths = np.where(known, high, 0.0) - np.where(known, low, 0.0)
    return np.where(is_mixed, 1.0, lengths / (spread or 1.0))


def _common_shares(hierarchy: GeneralizationHierarchy, values: Codes, starts: Ints) -> Floats:
    """Return the loss of the lowest node above all values of each class: (n_classes,)."""
    shares = np.full(len(starts) - 1, np.nan)
    for level in range(hierarchy.n_levels):
        codes = hierarchy.codes[level][values]
        low = np.minimum.reduceat(codes, starts[:-1])
        is_common = np.isnan(shares) & (low == np.maximum.reduceat(codes, starts[:-1]))
        shares[is_common] = hierarchy.cell_loss(level)[low[is_common]]
    return shares
