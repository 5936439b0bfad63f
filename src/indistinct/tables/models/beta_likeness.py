"""beta-likeness: no value may be much likelier in a class than in the whole table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.base.arrays import Floats, slack
from indistinct.base.parameters import parameter
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.frequencies import SensitiveColumn
from indistinct.tables.core.penalties import Penalty, limits_penalty
from indistinct.tables.core.protocols import Monotonicity, PlainClass
from indistinct.tables.models.of_one_column import SensitiveModel


@final
@dataclass(frozen=True, slots=True)
class BetaLikeness(SensitiveModel):
    """The share p of a value in a class exceeds its share q in the table by at most ``beta * q``.

    Enhanced, the relative gain ``(p - q) / q`` must not exceed ``-ln(q)`` either: frequent values
    may gain less. The whole table is the original one, suppressed records included.

    Source: cao2012, definitions 2 (basic) and 3 (enhanced).
    """

    beta: float = parameter(float, above=0, help="greatest relative gain of a value in a class")
    variant: str = parameter(
        str, choices=("basic", "enhanced"), default="enhanced", help="whether -ln(q) bounds as well"
    )

    name: ClassVar[str] = "beta-likeness"
    promise: ClassVar[str] = (
        "In no group of records that look alike does a value of the column {column} become "
        "more likely than in the whole table by more than {beta:g} times its share there."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        "Values of {column} may become less likely in a group, which may tell something, too.",
        "It does not consider that different values of {column} may mean almost the same.",
    )
    letter: ClassVar[str] = "beta"
    compares_with_table: ClassVar[bool] = True
    monotone: ClassVar[Monotonicity] = Monotonicity.WITHOUT_SUPPRESSION
    grows: ClassVar[bool] = False

    def penalty(self, sensitive: Mapping[str, SensitiveColumn]) -> Penalty | None:
        """Return what a search prices; None where the model divides classes."""
        if self.divides_by(sensitive):
            return None
        column = sensitive[self.column]
        shares = column.shares if self.missing_counts else column.known.shares
        gains = np.full(len(shares), self.beta)
        if self.variant == "enhanced":
            gains = np.minimum(gains, -np.log(np.maximum(shares, np.finfo(np.float64).tiny)))
        limits = shares * (1 + gains)
        return limits_penalty(
            column, np.zeros_like(limits), limits, missing_counts=self.missing_counts
        )

    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Return the smallest beta that each class satisfies; infinite where none does.

        Only values that a class holds can gain.
        """
        found = classes.value_counts[self.column]
        overall = classes.sensitive[self.column].shares[found.values]
        shares = found.counts / classes.sizes[found.owners]
        gains = np.maximum(_ratio(shares, overall) - 1, 0)
        if self.variant == "enhanced":
            # A share of zero has no logarithm; the gain of such a value is infinite anyway.
            caps = -np.log(np.maximum(overall, np.finfo(np.float64).tiny))
            gains[gains > caps + slack(1)] = np.inf
        return np.maximum.reduceat(gains, found.starts[:-1])

    def measure_plainly(self, one: PlainClass) -> float:
        """Return the greatest relative gain of a value in one class."""
        table = one.table[self.column].counts
        records = sum(table.values())
        worst = 0.0
        for value, count in one.counts[self.column].items():
            before = table.get(value, 0) / records
            if before == 0:
                return math.inf
            gain = (count / one.size - before) / before
            if self.variant == "enhanced" and gain > -math.log(before) + slack(1):
                return math.inf
            worst = max(worst, gain)
        return worst


def _ratio(shares: Floats, overall: Floats) -> Floats:
    """Divide; infinite where a value does not occur in the whole table."""
    return np.divide(shares, overall, out=np.full_like(shares, np.inf), where=overall > 0)
