"""One reading of every contestant: cells, and the share of each that lies in each place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from indistinct.core.arrays import Floats, Ints
from indistinct.core.brief import briefly
from indistinct.core.kernels import group_rows
from indistinct.reader.attacks.places import places_of
from indistinct.reader.attacks.places_kernels import count_places
from indistinct.reader.attacks.scene import Scene

WAYS = 3


@final
@dataclass(frozen=True, slots=True)
class Reading:
    """A table as its reader understands it.

    Parameters
    ----------
    cells : (n_distinct, n_columns), distinct rows of cells
    weights : (n_distinct,), records of each
    shares : per column, (n_cells, n_places)
    n_hidden : records that were left out, of which a reader knows only the columns' ranges
    """

    cells: Ints
    weights: Floats
    shares: Sequence[Floats]
    n_hidden: float

    __repr__ = briefly

    @property
    def n_records(self) -> float:
        """How many records there are, those left out included."""
        return float(self.weights.sum()) + self.n_hidden

    def marginal(self, columns: Sequence[int]) -> Floats:
        """Give the share of records in each combination of places of one to three columns.

        Returns
        -------
        (n_first, n_second, n_third); a column that is not asked for has one place
        """
        lacking = WAYS - len(columns)
        rows = np.zeros((len(self.cells), WAYS), np.int32)
        rows[:, : len(columns)] = self.cells[:, list(columns)]
        labels, first, _ = group_rows(rows)
        weights = np.bincount(labels, self.weights, len(first)).astype(np.float64)
        parts = [self.shares[column] for column in columns] + [np.ones((1, 1))] * lacking
        counts = count_places(rows[first].astype(np.int64), weights, *parts)
        anywhere = [np.full(part.shape[1], 1 / part.shape[1]) for part in parts]
        spread = np.einsum("i,j,k->ijk", *anywhere) * self.n_hidden
        return (counts + spread) / max(self.n_records, 1.0)

    def answer(self, columns: Sequence[int], chosen: Sequence[Floats]) -> float:
        """Count the expected records in some places of some columns.

        Parameters
        ----------
        chosen : per column, (n_places,), 1 where a place is asked for
        """
        shares, hidden = self.weights.copy(), self.n_hidden
        for column, places in zip(columns, chosen, strict=True):
            shares *= (self.shares[column] @ places)[self.cells[:, column]]
            hidden *= float(places.mean())
        return float(shares.sum()) + hidden


def read_scene(scene: Scene, names: Sequence[str], n_published: int | None) -> Reading:
    """Read the records of a scene.

    Parameters
    ----------
    names : the columns that are compared
    n_published : records that the contestant was made from; None where none is left out
    """
    columns = scene.columns(names)
    places = [places_of(column) for column in columns]
    rows = np.ascontiguousarray(np.stack([column.cells for column in columns], axis=1))
    _, first, sizes = group_rows(rows)
    hidden = 0 if n_published is None else max(0, n_published - len(rows))
    return Reading(
        rows[first].astype(np.int64),
        sizes.astype(np.float64),
        [np.ascontiguousarray(place.shares) for place in places],
        float(hidden),
    )
