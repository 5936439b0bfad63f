"""What masking numbers cost, and what risk is left: pairs of original and masked records."""

from __future__ import annotations

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.base.compiled.kernels import compiled


def absolute_loss(original: Floats, masked: Floats) -> float:
    """Return IL1s: the mean of abs(x - x') in units of sqrt(2) standard deviations.

    Parameters
    ----------
    original, masked : (n, d), record by record

    Returns
    -------
    at least 0; columns without spread take no part

    Source: yancey2002, the measure IL1s.
    """
    spread, varies = _spreads(original)
    gaps = np.abs(masked - original)[:, varies] / (np.sqrt(2) * spread[varies])
    return float(gaps.mean()) if gaps.size else 0.0


def squared_loss(original: Floats, masked: Floats) -> float:
    """Return SSE / SST: the squared change over the squared spread, columns standardized.

    Parameters
    ----------
    original, masked : (n, d), record by record

    Returns
    -------
    in [0, 1] for means of groups; may be greater for noise. Columns without spread take no part

    Source: domingo2005, the ratio SSE / SST.
    """
    spread, varies = _spreads(original)
    gaps = (masked - original)[:, varies] / spread[varies]
    return float(np.square(gaps).mean()) if gaps.size else 0.0


def correlation_change(original: Floats, masked: Floats) -> float:
    """Return the mean absolute difference of the correlations between columns, in [0, 2].

    A column that lost its spread counts as uncorrelated.

    Source: domingo2001, information loss.
    """
    above = np.triu_indices(original.shape[1], 1)
    change = np.abs(correlations(original) - correlations(masked))[above]
    return float(change.mean()) if change.size else 0.0


def eigenvalue_change(original: Floats, masked: Floats) -> float:
    """Return the mean relative difference of the eigenvalues of the standardized covariances.

    Both covariances are in the units of the original's standard deviations; the difference of the
    sorted eigenvalues is taken relative to the sum of the original ones.

    Returns
    -------
    at least 0
    """
    spread, varies = _spreads(original)
    if not varies.any():
        return 0.0
    one, other = (
        np.linalg.eigvalsh(_covariance(points[:, varies] / spread[varies]))
        for points in (original, masked)
    )
    return float(np.abs(one - other).sum() / one.sum())


def correlations(points: Floats) -> Floats:
    """Return the correlations between columns, 0 with one that has no spread: (d, d)."""
    spread, varies = _spreads(points)
    safe = np.where(varies, spread, 1.0)
    found = _covariance(np.where(varies, (points - points.mean(axis=0)) / safe, 0.0))
    np.fill_diagonal(found, 1.0)
    return found


def record_linkage(original: Floats, masked: Floats, chosen: Ints | None = None) -> float:
    """Return the share of masked records whose nearest original record is their own.

    An intruder who has the original values links each masked record to the nearest one, by the
    Euclidean distance of columns standardized by the original. Of several nearest ones he draws.

    Parameters
    ----------
    original, masked : (n, d), record by record
    chosen : the masked records to link; all where left out

    Returns
    -------
    in [0, 1], the share in expectation

    Notes
    -----
    O(n d) for each chosen record.

    Source: domingo2001, distance-based record linkage.
    """
    spread, varies = _spreads(original)
    records = np.arange(len(original)) if chosen is None else chosen
    if not varies.any() or not len(records):
        return 1 / max(len(original), 1)
    one: Floats = np.ascontiguousarray(original[:, varies] / spread[varies])
    other: Floats = np.ascontiguousarray(masked[:, varies] / spread[varies])
    return float(np.mean(link_chances(one, other, records)))


@compiled
def link_chances(original: Floats, masked: Floats, records: Ints) -> Floats:
    """Return for each of some masked records the chance that the nearest original is its own."""
    chances = np.zeros(len(records))
    n_columns = original.shape[1]
    for number in range(len(records)):
        record = records[number]
        own = 0.0
        for column in range(n_columns):
            own += (original[record, column] - masked[record, column]) ** 2
        ties = 0
        nearer = False
        for other in range(len(original)):
            far = 0.0
            for column in range(n_columns):
                far += (original[other, column] - masked[record, column]) ** 2
                if far > own:
                    break
            if far < own:
                nearer = True
                break
            if far == own:
                ties += 1
        if not nearer:
            chances[number] = 1.0 / ties
    return chances


def interval_disclosure(original: Floats, masked: Floats, percent: float = 10.0) -> float:
    """Return the share of cells whose original lies near the masked value, by rank.

    The interval around a masked cell reaches ``percent`` of the records to both sides in the
    sorted masked column.

    Parameters
    ----------
    original, masked : (n, d), record by record
    percent : half the width of the interval, in percent of the records

    Returns
    -------
    in [0, 1]

    Source: domingo2001, interval disclosure.
    """
    reach = int(percent * len(masked) // 100)
    shares = [
        _inside(original[:, column], masked[:, column], reach)
        for column in range(original.shape[1])
    ]
    return sum(shares) / len(shares)


def _inside(original: Floats, masked: Floats, reach: int) -> float:
    ordered = np.sort(masked)
    low = np.searchsorted(ordered, masked, side="left") - reach
    high = np.searchsorted(ordered, masked, side="right") - 1 + reach
    floor = ordered[np.maximum(low, 0)]
    ceiling = ordered[np.minimum(high, len(masked) - 1)]
    return float(np.mean((floor <= original) & (original <= ceiling)))


def _spreads(points: Floats) -> tuple[Floats, Bools]:
    """Return the standard deviation of each column, and whether it is more than rounding."""
    spread: Floats = np.asarray(points.std(axis=0), dtype=np.float64)
    return spread, spread > 1e-12 * np.abs(points).max(axis=0, initial=0.0)


def _covariance(points: Floats) -> Floats:
    gaps = points - points.mean(axis=0)
    return np.asarray(gaps.T @ gaps / len(points), dtype=np.float64)
