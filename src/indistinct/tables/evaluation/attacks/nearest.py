"""The released records nearest to what is known of a person, whatever was done to them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from indistinct.base.arrays import Ints
from indistinct.tables.evaluation.attacks.known import KnownColumn
from indistinct.tables.evaluation.attacks.matching import joined
from indistinct.tables.evaluation.attacks.nearest_kernels import nearest_records


def nearest(
    columns: Sequence[KnownColumn],
    people: str,
    chosen: Ints,
    neighbors: int,
    chance: np.random.Generator,
) -> Ints:
    """Find the nearest records of some people by Gower's distance.

    Parameters
    ----------
    columns : what is known of people and stands in the release
    people : name of the table of people
    chosen : (n_people,), rows of that table
    neighbors : how many records to find, at least 1
    chance : decides between records that are equally near

    Returns
    -------
    (n_people, neighbors), records, nearest first; -1 where there are too few

    Notes
    -----
    A cell is as far as the values under it are on average, so a wide cell is never nearer than the
    narrow cells in it are on average. O(n_people * n_records * n_columns).

    Source: gower1971, the coefficient; the distance to a cell is ours.
    """
    codes = np.stack([column.people[people][chosen] for column in columns], axis=1)
    cells = np.stack([column.cells for column in columns], axis=1)
    shape, n_people = cells.shape, len(chosen)
    numbers = np.full((n_people, len(columns)), np.nan)
    lows, highs, shares = np.full(shape, np.nan), np.full(shape, np.nan), np.ones(shape)
    spans, is_number = np.ones(len(columns)), np.zeros(len(columns), np.bool_)
    for index, column in enumerate(columns):
        shares[:, index] = (1.0 / np.maximum(column.cover.sizes, 1))[column.cells]
        if column.numbers is None or column.lows is None or column.highs is None:
            continue
        is_number[index] = True
        numbers[:, index] = column.numbers[codes[:, index]]
        lows[:, index], highs[:, index] = column.lows[column.cells], column.highs[column.cells]
        spans[index] = span_of(column)
    return nearest_records(
        np.ascontiguousarray(codes),
        numbers,
        np.ascontiguousarray(cells),
        lows,
        highs,
        shares,
        is_number,
        spans,
        joined(columns),
        neighbors,
        chance.integers(0, 2**64, n_people, dtype=np.uint64, endpoint=False),
    )


def span_of(column: KnownColumn) -> float:
    """Return the range of a column's numbers, released ones included; 1 where there is none."""
    every = np.concatenate(
        [part for part in (column.numbers, column.lows, column.highs) if part is not None]
    )
    every = every[np.isfinite(every)]
    spread = float(np.ptp(every)) if len(every) else 0.0
    return spread or 1.0
