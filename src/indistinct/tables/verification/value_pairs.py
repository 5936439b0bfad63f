"""Which released cells stand for which values of the input, and in how many records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from indistinct.base.arrays import Ints
from indistinct.tables.verification.order_traces import Numbered
from indistinct.tables.verification.texts import text_as_read

DENSE = 4  # pairs that are possible for each record: so many are counted in a table of all


class ValuePairs(NamedTuple):
    """The pairs of a released cell and a value of the input that some record has.

    Parameters
    ----------
    cells, values : their texts; a missing one is empty
    of_cell, of_value : (n_pairs,), places in ``cells`` and ``values``
    records : (n_pairs,), of each pair
    """

    cells: Sequence[str]
    values: Sequence[str]
    of_cell: Ints
    of_value: Ints
    records: Ints

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield the cell and the value of each pair."""
        cells: list[int] = self.of_cell.tolist()
        values: list[int] = self.of_value.tolist()
        for cell, value in zip(cells, values, strict=True):
            yield self.cells[cell], self.values[value]


def value_pairs(
    released: Numbered, before: Numbered, rows: Ints, weights: pl.Series | None = None
) -> ValuePairs:
    """Count the pairs of a released cell and the value behind it.

    Parameters
    ----------
    rows : (n_released,), the row of the input behind each cell; below 0 where there is none
    weights : (n_released,), records of each row; 1 if left out
    """
    cells, values = (text_as_read(one.values).to_list() for one in (released, before))
    is_record = rows >= 0
    pairs = released.codes.astype(np.int64) * len(values)
    pairs = pairs[is_record] + before.codes[rows[is_record]]
    records = None if weights is None else weights.to_numpy()[is_record]
    n_pairs = len(cells) * len(values)
    if n_pairs <= DENSE * len(pairs):
        counts = np.bincount(pairs, records, n_pairs)
        found = np.flatnonzero(counts)
        counts = counts[found]
    else:
        found, places = np.unique(pairs, return_inverse=True)
        counts = np.bincount(places, records, len(found))
    return ValuePairs(
        cells, values, found // len(values), found % len(values), counts.astype(np.int64)
    )
