"""Columns cut into a few places each: what share of every cell lies in which place."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.tables.evaluation.attacks.known import KnownColumn
from indistinct.tables.release.column_cells import ColumnCells, ColumnScale, cells_on

MOST_PLACES = 41


@final
@dataclass(frozen=True, slots=True)
class ColumnPlaces:
    """The places of a column.

    Parameters
    ----------
    name : of the column
    shares : (n_cells, n_places), of each released cell, spread evenly over what it covers; a cell
        that the column does not know has none
    of_values : (n_values,), place of each value of people
    """

    name: str
    shares: Floats
    of_values: Ints

    __repr__ = short_repr

    @property
    def n_places(self) -> int:
        """How many there are; the last one is that of missing numbers."""
        return int(self.shares.shape[1])


def places_of(column: KnownColumn, most: int = MOST_PLACES) -> ColumnPlaces:
    """Cut a column into places of equal length, or single values where these are few enough.

    Parameters
    ----------
    most : places at most, besides that of missing numbers
    """
    edges = _edges(column.line, most)
    values = cells_on(column.line, column.values.texts)
    return ColumnPlaces(
        column.name,
        _shares(column.line, column.book, edges),
        _shares(column.line, values, edges).argmax(axis=1).astype(np.int64),
    )


def _edges(line: ColumnScale, most: int) -> Floats:
    """Return where the places of a line begin, and where the last one ends."""
    low, high = line.whole
    if line.is_continuous:
        return np.linspace(low, high, most + 1)
    step = max(1, math.ceil((high - low) / most))
    return np.append(np.arange(low, high, step), high)


def _shares(line: ColumnScale, book: ColumnCells, edges: Floats) -> Floats:
    """Spread cells evenly over the places: (n_cells, n_places), rows add up to 1 or are empty."""
    low, high = line.whole
    least = math.ulp(high) if line.is_continuous else 1.0
    # People outside of the range that is known are taken for those at its ends.
    starts = np.clip(book.starts, low, high - least)
    ends = np.maximum(np.clip(book.ends, low + least, high), starts + least)
    overlap = np.minimum(ends[:, None], edges[1:]) - np.maximum(starts[:, None], edges[:-1])
    shares = np.zeros((len(book.texts), len(edges)))
    shares[:, :-1] = np.nan_to_num(np.maximum(overlap, 0.0))
    if book.missing >= 0 and line.order is None:
        shares[book.missing] = 0.0
        shares[book.missing, -1] = 1.0
    total = shares.sum(axis=1, keepdims=True)
    return shares / np.where(total > 0, total, 1.0)
