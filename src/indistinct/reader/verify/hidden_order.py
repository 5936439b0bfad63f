"""Whether the rows of a class stand in the order of what the release hides of them.

A program that sorts the records by their exact values, and generalizes them afterwards, leaves the
values' order behind: whoever knows the members of a class then knows which row is whose.
Verification uses this and nothing of what made the release.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import polars as pl

from indistinct.core.arrays import Codes, Floats, Ints
from indistinct.errors import Fault
from indistinct.reader.verify.evidence import Evidence
from indistinct.reader.verify.numbered import different, numbered
from indistinct.reader.verify.order import FARTHEST_CHANCE

ENOUGH = 10_000  # records by which it is decided; whole classes of larger releases are drawn


def hidden_order_faults(evidence: Evidence) -> Iterator[Fault]:
    """Find columns of the input whose values rise or fall with the rows of each class."""
    if evidence.original is None or evidence.rows is None or evidence.weights is not None:
        return
    if not evidence.release.height:
        return
    of_row, first, _ = evidence.kinds()
    groups = of_row.to_numpy().astype(np.int64)
    hashes = _hashes(evidence, first)[groups]
    kept = np.flatnonzero(hashes % max(1, len(groups) // ENOUGH) == 0)
    rows = np.asarray(evidence.rows, np.int64)[kept]
    runs = _runs(evidence.release, kept, groups[kept])
    for column in evidence.original.iter_columns():
        if column.dtype.is_nested() or column.dtype == pl.Null:
            continue
        if column.name in evidence.policy.class_names:
            values, codes = evidence.numbered_before(column.name)
            ranks = _ranks(values, codes[rows])
        else:
            ranks = _ranks(*numbered(column.gather(rows)))
        if follows_values(*_of_runs(ranks, groups[kept], runs)):
            yield Fault(
                f"columns.{column.name}",
                "gives hidden values away: the rows of a class stand in the order of its values "
                "in the input",
                "Shuffle the rows.",
            )


def _runs(release: pl.DataFrame, kept: Ints, groups: Ints) -> Ints:
    """Give the first of the rows that are alike and stand one behind the other in their group."""
    alike = release[kept].hash_rows(seed=0).to_numpy()
    order = np.argsort(groups, kind="stable")
    is_new = np.append(True, np.diff(groups[order]) != 0)
    is_new[1:] |= alike[order][1:] != alike[order][:-1]
    first = np.empty_like(order)
    first[order] = order[np.maximum.accumulate(np.where(is_new, np.arange(len(order)), 0))]
    return first


def _of_runs(values: Floats, groups: Ints, runs: Ints) -> tuple[Floats, Ints]:
    """Take one row of each run, if the rows of every run have one value.

    A release that is sorted by a hash has rows that are alike side by side. What they show has then
    as many places as there are runs.
    """
    if (values != values[runs]).any():
        return values, groups
    starts = different(runs, len(runs))
    return values[starts], groups[starts]


def follows_values(values: Floats, groups: Ints) -> bool:
    """Tell whether values go up or down with the rows, within the groups of a release.

    Parameters
    ----------
    values : (n_rows,), what the rows may be sorted by
    groups : (n_rows,), number of the group of each row, from 0

    Notes
    -----
    In a shuffled group of n rows the correlation of values and places has mean 0 and variance
    1 / (n - 1), whatever the values are. Weighted by n - 1, the correlations of all groups add up
    to a sum whose variance is that of the weights' own sum.
    """
    centered, places = (
        _centered(one, groups) for one in (values, np.arange(len(values), dtype=np.float64))
    )
    sizes = np.bincount(groups)
    spread = np.bincount(groups, centered**2) * np.bincount(groups, places**2)
    told = spread > 0
    together = np.bincount(groups, centered * places)
    weights = sizes[told] - 1
    if not weights.sum():
        return False
    total = float((weights * together[told] / np.sqrt(spread[told])).sum())
    return abs(total) > FARTHEST_CHANCE * math.sqrt(float(weights.sum()))


def _centered(values: Floats, groups: Ints) -> Floats:
    """Take the mean of its group from each value."""
    means = np.bincount(groups, values) / np.maximum(np.bincount(groups), 1)
    return values - means[groups]


def _hashes(evidence: Evidence, first: pl.Series) -> Ints:
    """Give each class a number by its cells; two share one by a chance of 1 in 2^63."""
    names = list(evidence.policy.class_names)
    if not names:
        return np.zeros(len(first), np.int64)
    cells = pl.DataFrame([evidence.release[name].gather(first) for name in names])
    return (cells.hash_rows(seed=0).to_numpy() >> np.uint64(1)).astype(np.int64)


def _ranks(values: pl.Series, codes: Codes) -> Floats:
    """Rank the values of some rows; texts that are numbers by their numbers.

    Parameters
    ----------
    values : the distinct values of a column
    codes : (n_rows,), place of each row's value among them

    Returns
    -------
    (n_rows,), the mean of the ranks of equal ones; 0 for a missing value
    """
    present = different(codes, len(values))
    known = values.gather(present)
    if known.dtype == pl.String:
        numbers = known.cast(pl.Float64, strict=False)
        known = numbers if numbers.null_count() == known.null_count() else known
    elif known.dtype.is_temporal():
        known = known.to_physical()
    place = np.zeros(len(values), np.int64)
    place[present] = known.rank("dense").cast(pl.Int64).fill_null(0).to_numpy()
    counts = np.bincount(place[codes], minlength=1)
    counts[0] = 0
    means = np.cumsum(counts) - (counts - 1) / 2
    means[0] = 0.0
    return means[place[codes]]
