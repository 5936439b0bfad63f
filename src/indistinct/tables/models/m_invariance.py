"""m-invariance: the same sensitive values around a person in every release."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from indistinct.base.arrays import Floats
from indistinct.base.parameters import parameter
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.protocols import Monotonicity, PlainClass
from indistinct.tables.models.of_one_column import ColumnModel


@final
@dataclass(frozen=True, slots=True)
class MInvariance(ColumnModel):
    """Every group has ``m`` different sensitive values or more, once each; a person keeps them.

    What is measured here is one release: a group is m-unique. That a person's groups show the same
    values in all releases takes the history, by which verification checks it.

    Source: xiao2007, definitions 3 and 4.
    """

    m: int = parameter(int, at_least=2, help="least records per group, all of different values")

    name: ClassVar[str] = "m-invariance"
    promise: ClassVar[str] = (
        "In every release of this table, a person stands in a group of at least {m} records whose "
        "values of {column} all differ, and around one person these are the same values each time. "
        "Whoever compares all releases is left with at least {m} values for everybody."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        (
            "Somebody who knows more about one person than about others, such as which values are "
            "impossible for that person, can rule values out."
        ),
        (
            "A person whose value of {column} changes is shown with other values from then on, so "
            "that the change itself can be seen."
        ),
        "It does not hide who is in the table, and does not protect insensitive columns.",
        "Releases that were made without the history are not taken into account.",
    )
    letter: ClassVar[str] = "m"
    monotone: ClassVar[Monotonicity] = Monotonicity.NEVER
    republishes: ClassVar[bool] = True

    @property
    def least_known(self) -> int:
        """Different values need as many records."""
        return self.m

    def achieved(self, worst: float) -> dict[str, Any]:
        """Return the fewest values of a group, 0 where a value stands twice in one."""
        return {"m": int(worst) if math.isfinite(worst) else None}

    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Return the values of each group, 0 where one stands in it twice."""
        n_values = np.diff(classes.value_counts[self.column].starts)
        return np.where(n_values == classes.sizes, n_values, 0).astype(np.float64)

    def measure_plainly(self, one: PlainClass) -> float:
        """Count the values of one group; 0 where one stands in it twice."""
        counts = one.counts[self.column].values()
        return len(counts) if all(count == 1 for count in counts) else 0
