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

from indistinct.core.arrays import Floats, Ints
from indistinct.engines.tallies import columns_of
from indistinct.errors import Fault
from indistinct.reader.verify.evidence import Evidence
from indistinct.reader.verify.order import FARTHEST_CHANCE

ENOUGH = 10_000  # records by which it is decided; whole classes of larger releases are drawn


def hidden_order_faults(evidence: Evidence) -> Iterator[Fault]:
    """Find columns of the input whose values rise or fall with the rows of each class."""
    if evidence.original is None or evidence.rows is None or evidence.weights is not None:
        return
    classes = _classes(evidence)
    kept = np.flatnonzero(classes % max(1, len(classes) // ENOUGH) == 0)
    groups = np.unique(classes[kept], return_inverse=True)[1]
    rows = pl.Series(np.asarray(evidence.rows, np.int64)[kept])
    for column in evidence.original.iter_columns():
        if column.dtype.is_nested() or column.dtype == pl.Null:
            continue
        if follows_values(_ranks(column.gather(rows)), groups):
            yield Fault(
                f"columns.{column.name}",
                "gives hidden values away: the rows of a class stand in the order of its values "
                "in the input",
                "Shuffle the rows.",
            )


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


def _classes(evidence: Evidence) -> Ints:
    """Give the class of each row as a number; two classes share one by a chance of 1 in 2^64."""
    names = list(evidence.policy.class_names)
    if not names:
        return np.zeros(evidence.release.height, np.int64)
    hashes = columns_of(evidence.release, names).hash_rows(seed=0).to_numpy()
    return (hashes >> np.uint64(1)).astype(np.int64)


def _ranks(column: pl.Series) -> Floats:
    """Rank the values; texts that are numbers by their numbers."""
    if column.dtype == pl.String:
        numbers = column.cast(pl.Float64, strict=False)
        column = numbers if numbers.null_count() == column.null_count() else column
    elif isinstance(column.dtype, pl.Categorical | pl.Enum | pl.Boolean):
        column = column.cast(pl.String)
    elif column.dtype.is_temporal():
        column = column.to_physical()
    return column.rank("average").fill_null(0.0).to_numpy().astype(np.float64)
