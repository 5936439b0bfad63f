"""(alpha,k)-anonymity: nobody stands alone, and no sensitive value rules a class."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.base.parameters import parameter
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.frequencies import SensitiveColumn
from indistinct.tables.core.penalties import Penalty, limits_penalty
from indistinct.tables.core.protocols import Monotonicity, PlainClass
from indistinct.tables.models.of_one_column import SensitiveModel


@final
@dataclass(frozen=True, slots=True)
class AlphaKAnonymity(SensitiveModel):
    """Every class holds at least ``k`` records, and no value more than the share ``alpha`` of it.

    Measured is the share of the commonest value; infinite for a class that is too small, since no
    alpha would do.

    Source: wong2006, definition 3, for every sensitive value alike.
    """

    alpha: float = parameter(float, above=0, at_most=1, help="greatest share of a value in a class")
    k: int = parameter(int, at_least=1, help="least records per equivalence class")

    name: ClassVar[str] = "alpha-k-anonymity"
    promise: ClassVar[str] = (
        "Every released record belongs to a group of at least {k} records that look alike, "
        "and no value of the column {column} takes more than {alpha:.0%} of a group."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        (
            "A value of {column} that is rare in the table may be frequent in a group, as long as"
            " it stays within {alpha:.0%}."
        ),
        "It does not consider that different values of {column} may mean almost the same.",
    )
    letter: ClassVar[str] = "alpha"
    monotone: ClassVar[Monotonicity] = Monotonicity.WITHOUT_SUPPRESSION
    grows: ClassVar[bool] = False

    @property
    def least_size(self) -> int:
        """A class needs k records, whether their values are known or not."""
        return self.k if self.meets_missing else self.least_known

    @property
    def least_known(self) -> int:
        """A class needs k records, and 1 / alpha for each record of its commonest value."""
        return max(self.k, math.ceil(1 / self.alpha - 1e-9))

    def measure_unknown(self, sizes: Ints) -> Floats:
        """Return 0 where no value is known, infinity where the class is too small."""
        return np.where(sizes < self.k, np.inf, 0.0)

    def penalty(self, sensitive: Mapping[str, SensitiveColumn]) -> Penalty | None:
        """Return what a search prices; None where the model divides classes."""
        if self.divides_by(sensitive):
            return None
        column = sensitive[self.column]
        limits = np.full(column.n_values, self.alpha)
        return limits_penalty(
            column, np.zeros_like(limits), limits, missing_counts=self.missing_counts
        )

    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Return the share of the commonest value per class, in (0, 1] or infinite."""
        found = classes.value_counts[self.column]
        commonest = np.maximum.reduceat(found.counts, found.starts[:-1]) / classes.sizes
        sizes = classes.sizes if classes.whole_sizes is None else classes.whole_sizes
        return np.where(sizes < self.k, np.inf, commonest)

    def measure_plainly(self, one: PlainClass) -> float:
        """Divide the records of the commonest value by those of the class, if they suffice."""
        if max(one.size, one.whole_size) < self.k:
            return math.inf
        return max(one.counts[self.column].values()) / one.size
