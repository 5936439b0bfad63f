"""(alpha,k)-anonymity: nobody stands alone, and no sensitive value rules a class."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from indistinct.core.arrays import Floats
from indistinct.core.classes import EquivalenceClasses
from indistinct.core.parameters import parameter
from indistinct.core.protocols import Monotonicity, PlainClass
from indistinct.models.bounded import BoundedModel


@final
@dataclass(frozen=True, slots=True)
class AlphaKAnonymity(BoundedModel):
    """Every class holds at least ``k`` records, and no value more than the share ``alpha`` of it.

    Measured is the share of the commonest value; for a class that is too small ``2 - size / k``,
    which exceeds every share.

    Source: wong2006, definition 3, for every sensitive value alike.
    """

    column: str = parameter(str, help="the sensitive column")
    alpha: float = parameter(float, above=0, at_most=1, help="greatest share of a value in a class")
    k: int = parameter(int, at_least=1, help="least records per equivalence class")

    name: ClassVar[str] = "alpha-k-anonymity"
    letter: ClassVar[str] = "alpha"
    monotone: ClassVar[Monotonicity] = Monotonicity.WITHOUT_SUPPRESSION
    grows: ClassVar[bool] = False

    @property
    def least_size(self) -> int:
        """A class needs k records, and 1 / alpha for each record of its commonest value."""
        return max(self.k, math.ceil(1 / self.alpha - 1e-9))

    def achieved(self, worst: float) -> dict[str, Any]:
        """Give the greatest share of a value, or the size of a class that is too small."""
        return {"alpha": worst} if worst <= 1 else {"k": round(self.k * (2 - worst))}

    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Give the share of the commonest value per class, in (0, 1], or the lack of records."""
        found = classes.value_counts[self.column]
        commonest = np.maximum.reduceat(found.counts, found.starts[:-1]) / classes.sizes
        return np.where(classes.sizes < self.k, 2 - classes.sizes / self.k, commonest)

    def measure_plainly(self, one: PlainClass) -> float:
        """Divide the records of the commonest value by those of the class, if they suffice."""
        if one.size < self.k:
            return 2 - one.size / self.k
        return max(one.counts[self.column].values()) / one.size
