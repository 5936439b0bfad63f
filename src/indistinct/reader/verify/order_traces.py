"""Find traces of an order in a release: a reader's definition of a column that numbers the rows.

Verification uses this and nothing of what made the release. The measure is Spearman's: the
correlation of the ranks, ties in the middle of theirs. A column is at fault from 0.9 on, of either
sign, where at least nine of ten cells differ, or where ten values or more have few records each; of
ten rows in an order by chance fewer than one in a thousand reaches it, of twenty fewer than one in
a million.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from indistinct.policy.policy import Policy

FEWEST_ROWS = 10
STRONGEST = 0.9
LEAST_DISTINCT = 0.9
FEWEST_VALUES = 10
FEWEST_RECORDS = 5


def least_alike(policy: Policy) -> int:
    """Say how many records of a value, in the mean, keep a sorted column from telling places."""
    return max([FEWEST_RECORDS, *(model.least_size for model in policy.models)])


def tells_order(column: pl.Series, places: Sequence[int] | None = None, alike: int = 0) -> bool:
    """Tell whether the cells of a column nearly tell the places of their rows.

    Parameters
    ----------
    column : cells in the order of some table
    places : place of each row in another table, whose order is meant; their own where left out
    alike : records of a value, in the mean, from which on the column tells no places
    """
    if len(column) < FEWEST_ROWS:
        return False
    own = pl.Series("place", np.arange(len(column)) if places is None else np.asarray(places))
    for keys in _keys(column):
        both = pl.DataFrame({"key": keys, "place": own}).drop_nulls()
        n, n_values = both.height, both["key"].n_unique()
        if n < FEWEST_ROWS or (
            n_values < LEAST_DISTINCT * n and (n_values < FEWEST_VALUES or n >= alike * n_values)
        ):
            continue
        ranks = both.select(pl.all().rank("average")).to_numpy()
        if abs(float(np.corrcoef(ranks, rowvar=False)[0, 1])) >= STRONGEST:
            return True
    return False


def _keys(column: pl.Series) -> Iterator[pl.Series]:
    """Give the orders in which a reader may sort a column."""
    if column.dtype.is_integer() or column.dtype.is_float() or column.dtype.is_decimal():
        yield column
    elif column.dtype.is_temporal():
        yield column.to_physical()
    elif isinstance(column.dtype, pl.String | pl.Categorical | pl.Enum):
        texts = column.cast(pl.String)
        yield texts
        as_numbers = texts.cast(pl.Float64, strict=False)
        if as_numbers.null_count() == texts.null_count():
            yield as_numbers
        running = texts.str.extract(r"(\d+)").cast(pl.Int64, strict=False)
        if running.null_count() == texts.null_count():
            yield running
