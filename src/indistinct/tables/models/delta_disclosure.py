"""delta-disclosure privacy: every value about as likely in a class as in the whole table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, final

import numpy as np

from indistinct.base.arrays import Floats
from indistinct.base.parameters import parameter
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.frequencies import SensitiveColumn
from indistinct.tables.core.penalties import Penalty, limits_penalty
from indistinct.tables.core.protocols import Monotonicity, PlainClass
from indistinct.tables.models.of_one_column import SensitiveModel


@final
@dataclass(frozen=True, slots=True)
class DeltaDisclosure(SensitiveModel):
    """``|ln(p / q)| < delta`` for the shares p in a class and q in the table of every value.

    A value of the table that a class lacks has ``ln(0)``, so it violates the model; ``absent =
    "ignore"`` looks at the values only that a class holds, as other tools do.

    Source: brickell2008, definition 6; natural logarithm.
    """

    delta: float = parameter(float, above=0, help="bound of the logarithm of both shares' ratio")
    absent: str = parameter(
        str,
        choices=("violates", "ignore"),
        default="violates",
        help="a value that does not occur in a class",
    )

    name: ClassVar[str] = "delta-disclosure"
    promise: ClassVar[str] = (
        "In every group of records that look alike, the share of each value of the column "
        "{column} is within a factor of e to the power of {delta:g} of its share in the whole"
        " table."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        "It does not consider that different values of {column} may mean almost the same.",
        "It does not hide what the whole table tells about {column}.",
    )
    letter: ClassVar[str] = "delta"
    compares_with_table: ClassVar[bool] = True
    monotone: ClassVar[Monotonicity] = Monotonicity.NEVER
    grows: ClassVar[bool] = False
    strict: ClassVar[bool] = True

    def penalty(self, sensitive: Mapping[str, SensitiveColumn]) -> Penalty | None:
        """Return what a search prices; None where the model divides classes."""
        if self.divides_by(sensitive):
            return None
        column = sensitive[self.column]
        shares = column.shares if self.missing_counts else column.known.shares
        least = shares * math.exp(-self.delta) if self.absent == "violates" else 0.0 * shares
        greatest = shares * math.exp(self.delta)
        found = limits_penalty(column, least, greatest, missing_counts=self.missing_counts)
        # A share at the very limit is beyond it.
        return None if found is None else replace(found, is_exact=False)

    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Return the greatest |ln(p / q)| per class."""
        found = classes.value_counts[self.column]
        column = classes.sensitive[self.column]
        shares = found.counts / classes.sizes[found.owners]
        overall = column.shares[found.values]
        ratios = np.divide(shares, overall, out=np.full_like(shares, np.inf), where=overall > 0)
        worst = np.maximum.reduceat(np.abs(np.log(ratios)), found.starts[:-1])
        if self.absent == "violates":
            worst[np.diff(found.starts) < np.count_nonzero(column.counts)] = np.inf
        return worst

    def measure_plainly(self, one: PlainClass) -> float:
        """Return the greatest |ln(p / q)| of one class."""
        table, held = one.table[self.column].counts, one.counts[self.column]
        records = sum(table.values())
        if self.absent == "violates" and any(not held.get(value) for value in table):
            return math.inf
        if any(not table.get(value) for value in held):
            return math.inf
        return max(
            abs(math.log(count / one.size / (table[value] / records)))
            for value, count in held.items()
        )
