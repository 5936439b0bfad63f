"""What a release costs in precision of its cells.

One definition each, used by the search and by every report. But for height and the monotone
precision, a suppressed record costs a whole cell in every column.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.base.arrays import Floats
from indistinct.tables.core.protocols import JudgedRecoding
from indistinct.tables.core.recoding import CellDomain
from indistinct.tables.metrics.aggregates import AGGREGATES, Aggregate


@dataclass(frozen=True, slots=True)
class SeparableMetric(ABC):
    """A loss per column, and an aggregate of the columns.

    Parameters
    ----------
    weights : (n_columns,), importance per column, the greatest 1
    aggregate : of the columns' weighted losses

    Notes
    -----
    Separable: were nothing suppressed, the loss of a column would depend on its level alone. That
    is a bound from below for every lattice node, since suppression never costs less.
    """

    weights: tuple[float, ...]
    aggregate: Aggregate

    name: ClassVar[str]
    suppressed_cell: ClassVar[float | None] = 1.0  # None: depends on what else is suppressed

    @abstractmethod
    def cells(self, domain: CellDomain) -> Floats:
        """Return the value of each cell of a column, to be added up over records: (n_cells,)."""

    @abstractmethod
    def column_losses(self, outcome: JudgedRecoding) -> Floats:
        """Return the loss per column: (n_columns,)."""

    @abstractmethod
    def column_floor(self, totals: Floats, domain: CellDomain, n_records: int) -> Floats:
        """Return a column's loss from the sum of its cells over all records, none suppressed."""

    @final
    def evaluate(self, outcome: JudgedRecoding) -> float:
        """Return the cost of a recoding."""
        return self.aggregate.combine(self.column_losses(outcome) * np.asarray(self.weights))

    def _sums(self, outcome: JudgedRecoding) -> Floats:
        """Add up the released cells: (n_columns,)."""
        return outcome.released_sums(self.cells)


@dataclass(frozen=True, slots=True)
class MeanCellMetric(SeparableMetric):
    """A loss per cell in [0, 1], averaged over all records; a suppressed record costs 1."""

    @final
    def column_losses(self, outcome: JudgedRecoding) -> Floats:
        """Return the mean cell per column: (n_columns,), in [0, 1]."""
        return (self._sums(outcome) + outcome.n_suppressed) / outcome.n_records

    @final
    def column_floor(self, totals: Floats, domain: CellDomain, n_records: int) -> Floats:
        """Return the mean cell, none suppressed."""
        del domain
        return totals / n_records


@final
@dataclass(frozen=True, slots=True)
class Loss(MeanCellMetric):
    """Share of the domain that a released cell leaves open.

    Source: iyengar2002, section 3 (general loss metric); suppressed cells cost 1.
    """

    aggregate: Aggregate = AGGREGATES["arithmetic-mean"]
    name: ClassVar[str] = "loss"

    def cells(self, domain: CellDomain) -> Floats:
        """Return (leaves under the cell - 1) / (leaves - 1)."""
        return domain.losses


@final
@dataclass(frozen=True, slots=True)
class CertaintyPenalty(MeanCellMetric):
    """Normalized certainty penalty of the cells.

    Source: xu2006, section 3; suppressed cells cost 1.
    """

    aggregate: Aggregate = AGGREGATES["arithmetic-mean"]
    name: ClassVar[str] = "ncp"

    def cells(self, domain: CellDomain) -> Floats:
        """Return 0 for a single value, else the share of the domain."""
        return domain.penalties


@final
@dataclass(frozen=True, slots=True)
class Precision(MeanCellMetric):
    """Height of the cells in their hierarchies: what precision loses.

    Source: sweeney2002b, section 4.4 (1 - Prec); suppressed cells cost 1.
    """

    aggregate: Aggregate = AGGREGATES["arithmetic-mean"]
    name: ClassVar[str] = "precision"

    def cells(self, domain: CellDomain) -> Floats:
        """Return level / height."""
        return domain.levels / domain.height


@dataclass(frozen=True, slots=True)
class UnsuppressedMetric(SeparableMetric):
    """A loss per cell, averaged over all records as though nothing were suppressed."""

    suppressed_cell: ClassVar[float | None] = None

    @final
    def column_losses(self, outcome: JudgedRecoding) -> Floats:
        """Return the mean cell per column, of suppressed records too."""
        suppressed = [
            outcome.cell_counts(column, released=False) @ self.cells(domain)
            for column, domain in enumerate(outcome.domains)
        ]
        return (self._sums(outcome) + np.asarray(suppressed)) / outcome.n_records

    @final
    def column_floor(self, totals: Floats, domain: CellDomain, n_records: int) -> Floats:
        """Return the mean cell."""
        del domain
        return totals / n_records


@final
@dataclass(frozen=True, slots=True)
class Height(UnsuppressedMetric):
    """Sum of the columns' levels, suppression ignored.

    Source: lefevre2005, section 2; of a local recoding the mean over records.
    """

    aggregate: Aggregate = AGGREGATES["sum"]
    name: ClassVar[str] = "height"

    def cells(self, domain: CellDomain) -> Floats:
        """Return the level."""
        return domain.levels


@final
@dataclass(frozen=True, slots=True)
class MonotonePrecision(UnsuppressedMetric):
    """Height of the cells in their hierarchies, suppression ignored.

    Source: sweeney2002b, section 4.4 (1 - Prec); it never falls when a recoding gets coarser.
    """

    aggregate: Aggregate = AGGREGATES["arithmetic-mean"]
    name: ClassVar[str] = "precision-monotone"

    def cells(self, domain: CellDomain) -> Floats:
        """Return level / height."""
        return domain.levels / domain.height
