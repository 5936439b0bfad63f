"""What a release costs by the sizes of its classes alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.core.arrays import Ints
from indistinct.core.protocols import Outcome


@dataclass(frozen=True, slots=True)
class ClassSizeMetric(ABC):
    """A cost that depends on the sizes of the classes only."""

    name: ClassVar[str]

    @abstractmethod
    def evaluate(self, outcome: Outcome) -> float:
        """Give the cost of a recoding."""

    @abstractmethod
    def floor_above(self, sizes: Ints) -> float:
        """Bound the cost of every recoding that only merges these classes from below."""


@final
@dataclass(frozen=True, slots=True)
class Discernibility(ClassSizeMetric):
    """Records that each record cannot be told from, added up; a suppressed one counts as all.

    Source: bayardo2005, equation 1.
    """

    name: ClassVar[str] = "discernibility"

    def evaluate(self, outcome: Outcome) -> float:
        """Give the sum of squares of released classes plus n per suppressed record."""
        return _squares(outcome.sizes[outcome.released]) + float(
            outcome.n_suppressed * outcome.n_records
        )

    def floor_above(self, sizes: Ints) -> float:
        """Give the sum of squares: merging never lowers it, and a suppressed record costs n."""
        return _squares(sizes)


@final
@dataclass(frozen=True, slots=True)
class MonotoneDiscernibility(ClassSizeMetric):
    """Sum of squares of all classes, suppressed ones as they are.

    Source: elemam2009, equation DM*.
    """

    name: ClassVar[str] = "discernibility-monotone"

    def evaluate(self, outcome: Outcome) -> float:
        """Give the sum of squares of all classes."""
        return _squares(outcome.sizes)

    def floor_above(self, sizes: Ints) -> float:
        """Give the sum of squares: merging never lowers it."""
        return _squares(sizes)


@final
@dataclass(frozen=True, slots=True)
class AverageClassSize(ClassSizeMetric):
    """Records per class; all suppressed records form one class.

    Source: lefevre2006, section 3 (C_avg without the division by k).
    """

    name: ClassVar[str] = "average-class-size"

    def evaluate(self, outcome: Outcome) -> float:
        """Give n / (released classes + 1 if anything is suppressed)."""
        n_classes = int(outcome.released.sum()) + (outcome.n_suppressed > 0)
        return outcome.n_records / max(n_classes, 1)

    def floor_above(self, sizes: Ints) -> float:
        """Give the mean size: merging never adds a class."""
        return float(sizes.sum()) / len(sizes)


def _squares(sizes: Ints) -> float:
    """Add up the squares of class sizes."""
    wide = sizes.astype(np.float64)
    return float(wide @ wide)
