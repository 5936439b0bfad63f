"""Released records that look alike to an attacker, and how far each is from a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.base.compiled.kernels import group_rows
from indistinct.tables.evaluation.attacks.known import KnownColumn
from indistinct.tables.evaluation.attacks.matching import expanded
from indistinct.tables.evaluation.attacks.nearest import nearest, span_of
from indistinct.tables.release.cells import CellCoverage


@final
@dataclass(frozen=True, slots=True)
class DistinctRecords:
    """The distinct rows of cells in the columns that an attacker knows.

    Parameters
    ----------
    columns : the known columns, with the cells of the distinct rows
    row_of : (n_records,), distinct row of each record
    """

    columns: Sequence[KnownColumn]
    row_of: Ints

    @classmethod
    def of(cls, columns: Sequence[KnownColumn]) -> DistinctRecords:
        """Return the records with those of equal cells together."""
        cells = np.ascontiguousarray(np.stack([column.cells for column in columns], axis=1))
        row_of, first, _ = group_rows(cells)
        distinct = [replace(column, cells=column.cells[first]) for column in columns]
        return cls(distinct, row_of.astype(np.int64))

    def nearest(
        self, people: str, chosen: Ints, neighbors: int, chance: np.random.Generator
    ) -> Ints:
        """Find the nearest distinct rows of some people: (n_people, neighbors), -1 for none."""
        return nearest(self.columns, people, chosen, neighbors, chance)

    def distances(self, people: str, chosen: Ints, rows: Ints) -> Floats:
        """Return Gower's distance of each person to the row beside it: (n_people,)."""
        parts = [_distances(column, people, chosen, rows) for column in self.columns]
        return np.sum(parts, axis=0)


def _distances(column: KnownColumn, people: str, chosen: Ints, rows: Ints) -> Floats:
    """Return the distance in one column: a cell is as far as the values under it are on average."""
    codes, cells = column.people[people][chosen], column.cells[rows]
    if column.numbers is None or column.lows is None or column.highs is None:
        near = 1.0 / np.maximum(column.cover.sizes, 1)[cells]
        return np.where(
            _covered(column, codes.astype(np.int64), cells.astype(np.int64)), 1 - near, 1.0
        )
    x, low, high = column.numbers[codes], column.lows[cells], column.highs[cells]
    width = np.where(high > low, high - low, 1.0)
    within = ((x - low) ** 2 + (high - x) ** 2) / (2 * width)
    to_middle = np.abs(x - (low + high) / 2)
    is_within = (low < x) & (x < high)
    far = np.minimum(1.0, np.where(is_within, within, to_middle) / span_of(column))
    both_missing = np.isnan(x) & np.isnan(low)
    return np.where(np.isnan(far), np.where(both_missing, 0.0, 1.0), far)


def _covered(column: KnownColumn, codes: Ints, cells: Ints) -> Bools:
    """Return whether each cell covers the value beside it."""
    cover = column.cover
    owners, runs = expanded(cover.starts[cells], np.diff(cover.starts)[cells])
    hit = (cover.lows[runs] <= codes[owners]) & (codes[owners] < cover.highs[runs])
    return np.bincount(owners[hit], minlength=len(cells)) > 0


def covered_codes(cover: CellCoverage, cells: Ints) -> tuple[Ints, Ints]:
    """List the values under some cells: the place of the cell, and the code of the value."""
    owners, runs = expanded(cover.starts[cells], np.diff(cover.starts)[cells])
    lows = cover.lows[runs].astype(np.int64)
    of_runs, codes = expanded(lows, cover.highs[runs] - lows)
    return owners[of_runs], codes
