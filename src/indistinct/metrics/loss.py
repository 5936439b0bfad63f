"""What a release costs in precision of its cells.

One definition each, used by the search and by every report. But for height and non-uniform
entropy, a suppressed record costs a whole cell in every column.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.core.arrays import Floats, Ints
from indistinct.core.protocols import Outcome
from indistinct.core.recoding import CellDomain
from indistinct.metrics.aggregates import AGGREGATES, Aggregate


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
        """Give the value of each cell of a column, to be added up over records: (n_cells,)."""

    @abstractmethod
    def column_losses(self, outcome: Outcome) -> Floats:
        """Give the loss per column: (n_columns,)."""

    @abstractmethod
    def column_floor(self, totals: Floats, domain: CellDomain, n_records: int) -> Floats:
        """Give a column's loss from the sum of its cells over all records, none suppressed."""

    @final
    def evaluate(self, outcome: Outcome) -> float:
        """Give the cost of a recoding."""
        return self.aggregate.combine(self.column_losses(outcome) * np.asarray(self.weights))

    def _sums(self, outcome: Outcome) -> Floats:
        """Add up the released cells: (n_columns,)."""
        return outcome.released_sums(self.cells)


@dataclass(frozen=True, slots=True)
class MeanCellMetric(SeparableMetric):
    """A loss per cell in [0, 1], averaged over all records; a suppressed record costs 1."""

    @final
    def column_losses(self, outcome: Outcome) -> Floats:
        """Give the mean cell per column: (n_columns,), in [0, 1]."""
        return (self._sums(outcome) + outcome.n_suppressed) / outcome.n_records

    @final
    def column_floor(self, totals: Floats, domain: CellDomain, n_records: int) -> Floats:
        """Give the mean cell, none suppressed."""
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
        """Give (leaves under the cell - 1) / (leaves - 1)."""
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
        """Give 0 for a single value, else the share of the domain."""
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
        """Give level / height."""
        return domain.levels / domain.height


@final
@dataclass(frozen=True, slots=True)
class Height(SeparableMetric):
    """Sum of the columns' levels, suppression ignored.

    Source: lefevre2005, section 2; of a local recoding the mean over records.
    """

    aggregate: Aggregate = AGGREGATES["sum"]
    name: ClassVar[str] = "height"
    suppressed_cell: ClassVar[float | None] = None

    def cells(self, domain: CellDomain) -> Floats:
        """Give the level."""
        return domain.levels

    def column_losses(self, outcome: Outcome) -> Floats:
        """Give the mean level per column, of suppressed records too."""
        suppressed = [
            outcome.cell_counts(column, released=False) @ domain.levels
            for column, domain in enumerate(outcome.domains)
        ]
        return (self._sums(outcome) + np.asarray(suppressed)) / outcome.n_records

    def column_floor(self, totals: Floats, domain: CellDomain, n_records: int) -> Floats:
        """Give the level."""
        del domain
        return totals / n_records


@final
@dataclass(frozen=True, slots=True)
class NonUniformEntropy(SeparableMetric):
    """Bits that it takes to tell each original value among those its cell covers.

    Suppressed records lose what their cell would have lost, and the cell itself: for each column,
    log2(suppressed records / suppressed records with this cell).

    Source: gionis2009, definition 4.4 (Pi_ne); suppression as in prasser2014.
    """

    aggregate: Aggregate = AGGREGATES["sum"]
    name: ClassVar[str] = "non-uniform-entropy"
    suppressed_cell: ClassVar[float | None] = None

    def cells(self, domain: CellDomain) -> Floats:
        """Give log2(records that the cell covers)."""
        return np.log2(np.maximum(domain.counts, 1))

    def column_losses(self, outcome: Outcome) -> Floats:
        """Give the bits lost per column."""
        hidden = [
            self._suppressed_bits(outcome.cell_counts(column, released=False), domain)
            for column, domain in enumerate(outcome.domains)
        ]
        kept = np.array([domain.value_bits for domain in outcome.domains])
        return self._sums(outcome) + np.asarray(hidden) - kept

    def column_floor(self, totals: Floats, domain: CellDomain, n_records: int) -> Floats:
        """Give the bits lost, none suppressed."""
        del n_records
        return totals - domain.value_bits

    def _suppressed_bits(self, counts: Ints, domain: CellDomain) -> float:
        """Give the bits that suppression costs a column."""
        present = counts > 0
        own = counts[present]
        return float(own @ (self.cells(domain)[present] + np.log2(own.sum() / own)))
