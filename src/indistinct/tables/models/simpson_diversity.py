"""Simpson diversity: two records of a class are likely to differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from indistinct.base.arrays import Floats
from indistinct.base.parameters import parameter
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.frequencies import SensitiveColumn
from indistinct.tables.core.penalties import SQUARES, Penalty, own_bins
from indistinct.tables.core.protocols import Monotonicity, PlainClass
from indistinct.tables.models.diversity import diversity_of
from indistinct.tables.models.of_one_column import SensitiveModel


@final
@dataclass(frozen=True, slots=True)
class SimpsonDiversity(SensitiveModel):
    """The sensitive values of every class have a Simpson diversity of at least ``d``.

    ``D = 1 / sum(p^2)`` lies between 1 and the number of values in the class. With ``evenness``
    above 0, D over that number must reach it too; a class that is less even counts as D = 0.

    Source: majeed2017, equations 3 to 6.
    """

    d: float = parameter(float, at_least=0, help="least diversity per class, in the form's unit")
    evenness: float = parameter(
        float, at_least=0, at_most=1, default=0.0, help="least evenness per class"
    )
    form: str = parameter(
        str, choices=("inverse", "gini"), default="inverse", help="1 / sum(p^2) or 1 - sum(p^2)"
    )

    name: ClassVar[str] = "simpson-diversity"
    promise: ClassVar[str] = (
        "In every group of records that look alike, the values of the column {column} "
        "have a diversity (by the index of Simpson) of at least {d:g}, so that a group "
        "does not consist of a few values only."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        (
            "With a small bound, a group is accepted in which one value is far more frequent "
            "than the others."
        ),
        "A value of {column} may be rare in the table and frequent in a group.",
    )
    letter: ClassVar[str] = "d"
    # Merging never lowers D below that of the worse part, but evenness may fall.
    monotone: ClassVar[Monotonicity] = Monotonicity.NEVER

    def penalty(self, sensitive: Mapping[str, SensitiveColumn]) -> Penalty | None:
        """Return what a search prices; None where the model divides classes."""
        if self.divides_by(sensitive):
            return None
        if self.evenness:
            return None
        column = sensitive[self.column]
        bins = own_bins(column, missing_counts=self.missing_counts)
        most = 1 - self.d if self.form == "gini" else 1 / max(self.d, 1.0)
        return Penalty(column.name, SQUARES, bins, most)

    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Return the diversity per class, 0 where the class is not even enough."""
        found = diversity_of(classes.value_counts[self.column], classes.sizes)
        is_even = found.evenness >= self.evenness - 1e-12
        return np.where(is_even, found.in_form(self.form), 0.0)

    def measure_plainly(self, one: PlainClass) -> float:
        """Return the diversity of one class, 0 where it is not even enough."""
        counts = list(one.counts[self.column].values())
        concentration = sum((count / one.size) ** 2 for count in counts)
        if 1 / concentration / len(counts) < self.evenness - 1e-12:
            return 0.0
        if self.form == "inverse":
            return 1 / concentration
        return 1 - concentration
