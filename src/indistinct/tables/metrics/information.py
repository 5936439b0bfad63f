"""What a release costs in bits: how much less it says of the original values.

For a cell that stands for the values B: Pr is the distribution of the whole original table, and
H(X | B) = -sum over b in B of Pr(b | B) * log2(Pr(b | B)). Suppressed records are released as the
whole column, but for the variants of non-uniform entropy, which say what they do.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.tables.core.protocols import JudgedRecoding
from indistinct.tables.core.recoding import CellDomain
from indistinct.tables.metrics.aggregates import AGGREGATES, Aggregate
from indistinct.tables.metrics.loss import SeparableMetric


@dataclass(frozen=True, slots=True)
class EntropyMetric(SeparableMetric):
    """Bits per column that tell the original values among those their cells cover."""

    suppressed_cell: ClassVar[float | None] = None

    @final
    def cells(self, domain: CellDomain) -> Floats:
        """Return log2(records that the cell covers)."""
        return np.log2(np.maximum(domain.counts, 1))

    @final
    def column_losses(self, outcome: JudgedRecoding) -> Floats:
        """Return the bits lost per column, per record or in all, at least 0.

        A value may be in one class with a group that has its name, but not the value. The cell of
        this class covers fewer records than are in it, so that the bits that it loses are too few.
        """
        hidden = [
            self.hidden(outcome.cell_counts(column, released=False), domain)
            for column, domain in enumerate(outcome.domains)
        ]
        kept = np.array([domain.value_bits for domain in outcome.domains])
        units = np.array([self.unit(domain) for domain in outcome.domains])
        return np.maximum(self._sums(outcome) + np.asarray(hidden) - kept, 0.0) / units

    @final
    def column_floor(self, totals: Floats, domain: CellDomain, n_records: int) -> Floats:
        """Return the bits lost, none suppressed."""
        del n_records
        return (totals - domain.value_bits) / self.unit(domain)

    @abstractmethod
    def hidden(self, counts: Ints, domain: CellDomain) -> float:
        """Return the bits of the suppressed records, of which ``counts`` stand in each cell."""

    def unit(self, domain: CellDomain) -> float:
        """Return what the bits of a column are counted in."""
        del domain
        return 1.0


@final
@dataclass(frozen=True, slots=True)
class NonUniformEntropy(EntropyMetric):
    """Bits that it takes to tell each original value among those its cell covers.

    Suppressed records lose what their cell would have lost, and the cell itself: for each column,
    log2(suppressed records / suppressed records with this cell).

    Source: gionis2009, definition 4.4 (Pi_ne); suppression as in prasser2014.
    """

    aggregate: Aggregate = AGGREGATES["sum"]
    name: ClassVar[str] = "non-uniform-entropy"

    def hidden(self, counts: Ints, domain: CellDomain) -> float:
        """Return the bits of the suppressed cells, and those to tell them apart."""
        return _cell_bits(counts, domain) + _label_bits(counts)


@final
@dataclass(frozen=True, slots=True)
class NormalizedNonUniformEntropy(EntropyMetric):
    """Non-uniform entropy of each column as a share of all the bits that the column has.

    Source: gionis2009, definition 4.4; suppression and normalization as in prasser2014. A column
    may exceed 1, since suppressed records lose their cell, too.
    """

    aggregate: Aggregate = AGGREGATES["sum"]
    name: ClassVar[str] = "normalized-non-uniform-entropy"

    def hidden(self, counts: Ints, domain: CellDomain) -> float:
        """Return the bits of the suppressed cells, and those to tell them apart."""
        return _cell_bits(counts, domain) + _label_bits(counts)

    def unit(self, domain: CellDomain) -> float:
        """Return all the bits of the column; those of a constant column count as they are."""
        return _all_bits(domain)


@final
@dataclass(frozen=True, slots=True)
class MonotoneNonUniformEntropy(EntropyMetric):
    """Non-uniform entropy, suppression ignored: it never falls when a recoding gets coarser.

    Source: gionis2009, definition 4.4 (Pi_ne).
    """

    aggregate: Aggregate = AGGREGATES["sum"]
    name: ClassVar[str] = "non-uniform-entropy-monotone"

    def hidden(self, counts: Ints, domain: CellDomain) -> float:
        """Return the bits of the suppressed cells."""
        return _cell_bits(counts, domain)


@final
@dataclass(frozen=True, slots=True)
class MutualInformation(EntropyMetric):
    """Information that the cells no longer give about the values, per record and column.

    A suppressed record gives none: it loses log2(records / records with its value). The entropy
    of the columns minus this is the mutual information that is left.

    Source: gionis2009, section 4 (Pi_MI = Pi_ne / (n r)); goldberger2010.
    """

    aggregate: Aggregate = AGGREGATES["arithmetic-mean"]
    name: ClassVar[str] = "mutual-information"

    def hidden(self, counts: Ints, domain: CellDomain) -> float:
        """Return log2(records) for each suppressed one."""
        return float(counts.sum()) * float(np.log2(max(domain.n_records, 1)))

    def unit(self, domain: CellDomain) -> float:
        """Return the records."""
        return float(max(domain.n_records, 1))


@dataclass(frozen=True, slots=True)
class CellEntropyMetric(SeparableMetric):
    """An entropy per cell, added up over all records; a suppressed record's is the column's."""

    suppressed_cell: ClassVar[float | None] = None

    @final
    def column_losses(self, outcome: JudgedRecoding) -> Floats:
        """Return the bits per column."""
        entropies = np.array([domain.entropy for domain in outcome.domains])
        return self._sums(outcome) + outcome.n_suppressed * entropies

    @final
    def column_floor(self, totals: Floats, domain: CellDomain, n_records: int) -> Floats:
        """Return the bits, none suppressed."""
        del domain, n_records
        return totals


@final
@dataclass(frozen=True, slots=True)
class MonotoneEntropy(CellEntropyMetric):
    """Entropy of the values under each cell, times the chance that a value lies under it.

    Source: gionis2009, section 4 (Pi_me): the sum over records and columns of Pr(B) * H(X | B).
    """

    aggregate: Aggregate = AGGREGATES["sum"]
    name: ClassVar[str] = "monotone-entropy"

    def cells(self, domain: CellDomain) -> Floats:
        """Return Pr(B) * H(X | B)."""
        return domain.counts / max(domain.n_records, 1) * domain.bits


@final
@dataclass(frozen=True, slots=True)
class EntropyLoss(CellEntropyMetric):
    """Entropy of the values under each cell.

    A coarser cell may have less of it, so that it bounds nothing and is no objective of a search.

    Source: gionis2009, section 4 (Pi_e): the sum over records and columns of H(X | B).
    """

    aggregate: Aggregate = AGGREGATES["sum"]
    name: ClassVar[str] = "entropy"

    def cells(self, domain: CellDomain) -> Floats:
        """Return H(X | B)."""
        return domain.bits


def _cell_bits(counts: Ints, domain: CellDomain) -> float:
    """Return log2(records that its cell covers), added up over some records."""
    # No product of vectors: for long ones NumPy wakes threads, which takes longer than adding up.
    return float(np.sum(counts * np.log2(np.maximum(domain.counts, 1))))


def _label_bits(counts: Ints) -> float:
    """Return the bits that tell apart which of some records stands in which cell."""
    own = counts[counts > 0]
    return float(np.sum(own * np.log2(own.sum() / own))) if len(own) else 0.0


def _all_bits(domain: CellDomain) -> float:
    """Return all the bits of a column; 1 where it is constant."""
    return domain.n_records * domain.entropy or 1.0
