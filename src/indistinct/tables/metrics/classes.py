"""What a release costs by its classes: how many records share one, and how wide a region."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.tables.core.protocols import JudgedRecoding
from indistinct.tables.core.recoding import CellDomain


@dataclass(frozen=True, slots=True)
class ClassSizeMetric(ABC):
    """A cost that depends on the classes as sets: their sizes and the regions they stand for."""

    name: ClassVar[str]

    @abstractmethod
    def evaluate(self, outcome: JudgedRecoding) -> float:
        """Return the cost of a recoding."""

    @abstractmethod
    def floor_above(self, finer: JudgedRecoding) -> float:
        """Bound the cost of every recoding that only merges these classes from below."""

    def rise_above(self, finer: JudgedRecoding) -> float:
        """Return what each suppressed record of such a recoding adds to that bound at least."""
        del finer
        return 0.0


@final
@dataclass(frozen=True, slots=True)
class Discernibility(ClassSizeMetric):
    """Records that each record cannot be told from, added up; a suppressed one counts as all.

    Source: bayardo2005, equation 1.
    """

    name: ClassVar[str] = "discernibility"

    def evaluate(self, outcome: JudgedRecoding) -> float:
        """Return the sum of squares of released classes plus n per suppressed record."""
        return _squares(outcome.sizes[outcome.released]) + float(
            outcome.n_suppressed * outcome.n_records
        )

    def floor_above(self, finer: JudgedRecoding) -> float:
        """Return the sum of squares: merging never lowers it, and a suppressed record costs n."""
        return _squares(finer.sizes)

    def rise_above(self, finer: JudgedRecoding) -> float:
        """Return n, less the largest class: a record adds no more than that to the squares."""
        return float(finer.n_records - finer.sizes.max(initial=0))


@final
@dataclass(frozen=True, slots=True)
class MonotoneDiscernibility(ClassSizeMetric):
    """Sum of squares of all classes, suppressed ones as they are.

    Source: elemam2009, equation DM*.
    """

    name: ClassVar[str] = "discernibility-monotone"

    def evaluate(self, outcome: JudgedRecoding) -> float:
        """Return the sum of squares of all classes."""
        return _squares(outcome.sizes)

    def floor_above(self, finer: JudgedRecoding) -> float:
        """Return the sum of squares: merging never lowers it."""
        return _squares(finer.sizes)


@final
@dataclass(frozen=True, slots=True)
class AverageClassSize(ClassSizeMetric):
    """Records per class; all suppressed records form one class.

    Source: lefevre2006, section 3 (C_avg without the division by k).
    """

    name: ClassVar[str] = "average-class-size"

    def evaluate(self, outcome: JudgedRecoding) -> float:
        """Return n / (released classes + 1 if anything is suppressed)."""
        n_classes = int(outcome.released.sum()) + (outcome.n_suppressed > 0)
        return outcome.n_records / max(n_classes, 1)

    def floor_above(self, finer: JudgedRecoding) -> float:
        """Return the mean size: merging never adds a class."""
        return float(finer.sizes.sum()) / len(finer.sizes)


@final
@dataclass(frozen=True, slots=True)
class Ambiguity(ClassSizeMetric):
    """Tuples of values that a released record may stand for, added up over the records.

    Source: nergiz2007b, the ambiguity metric, not divided by the records; a suppressed
    record may be any tuple.
    """

    name: ClassVar[str] = "ambiguity"

    def evaluate(self, outcome: JudgedRecoding) -> float:
        """Return the sum of the regions' volumes, of the whole space for suppressed records."""
        whole = float(np.prod([domain.volume for domain in outcome.domains]))
        kept = outcome.sizes[outcome.released] @ _regions(outcome)[outcome.released]
        return float(kept) + outcome.n_suppressed * whole

    def floor_above(self, finer: JudgedRecoding) -> float:
        """Return the sum, nothing suppressed: a region that contains another is no smaller."""
        return float(finer.sizes @ _regions(finer))

    def rise_above(self, finer: JudgedRecoding) -> float:
        """Return the volume of the whole space, less the largest region."""
        whole = float(np.prod([domain.volume for domain in finer.domains]))
        return max(0.0, whole - float(_regions(finer).max(initial=0.0)))


@final
@dataclass(frozen=True, slots=True)
class KullbackLeibler(ClassSizeMetric):
    """Divergence, base 2, of the original tuples from what a reader of the release would guess.

    Such a reader spreads the records of each class evenly over the tuples of its region, and the
    suppressed records over the whole space. Where regions overlap, a record counts in its own.

    Source: kifer2006, section 4; suppressed records form one class of the widest region.
    """

    name: ClassVar[str] = "kl-divergence"

    def evaluate(self, outcome: JudgedRecoding) -> float:
        """Return the sum over original tuples of p1 * log2(p1 / p2)."""
        return _divergence(outcome, outcome.released, outcome.n_suppressed)

    def floor_above(self, finer: JudgedRecoding) -> float:
        """Return it with nothing suppressed: merging, as suppressing, only spreads further."""
        return _divergence(finer, np.ones(len(finer.sizes), np.bool_), 0)


def _divergence(outcome: JudgedRecoding, kept: Bools, n_hidden: int) -> float:
    """Add up log2(records of the tuple / records of the class * volume of its region)."""
    sizes = outcome.sizes[kept].astype(np.float64)
    spread = outcome.class_values(_log_volumes)[kept].sum(axis=1) - np.log2(sizes)
    bits = outcome.tuple_bits + float(sizes @ spread)
    if n_hidden:
        whole = sum(np.log2(domain.volume) for domain in outcome.domains)
        bits += n_hidden * float(whole - np.log2(n_hidden))
    return bits / outcome.n_records


def _regions(outcome: JudgedRecoding) -> Floats:
    """Return the volume of each class's region: (n_classes,)."""
    return np.prod(outcome.class_values(_volumes), axis=1)


def _volumes(domain: CellDomain) -> Floats:
    """Return the values that each cell stands for."""
    return domain.volumes


def _log_volumes(domain: CellDomain) -> Floats:
    """Return the bits that it takes to tell the values of each cell apart."""
    return np.log2(domain.volumes)


def _squares(sizes: Ints) -> float:
    """Add up the squares of class sizes, exactly up to 3 * 10**9 records."""
    return float(np.square(sizes).sum())
