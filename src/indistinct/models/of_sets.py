"""Models of a column of sets: what they promise is counted in the sets that are published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from indistinct.core.arrays import Floats
from indistinct.core.classes import EquivalenceClasses
from indistinct.core.parameters import parameter
from indistinct.core.protocols import Monotonicity, PlainClass
from indistinct.models.bounded import BoundedModel


@dataclass(frozen=True, slots=True)
class SetModel(BoundedModel):
    """A privacy model of a column of sets.

    Sets are made after the classes. What is measured of a class here is its size, since a class of
    fewer than k records can show no label.
    """

    column: str = parameter(str, help="the column of sets")
    k: int = parameter(int, at_least=2, help="least records that are alike in their sets")

    letter: ClassVar[str] = "k"
    monotone: ClassVar[Monotonicity] = Monotonicity.NEVER
    is_whole: ClassVar[bool]  # whether whole sets are alike, and not some of their labels

    @property
    def least_size(self) -> int:
        """A label, or a set, needs k records."""
        return self.k

    @property
    def known_items(self) -> int | None:
        """The items that somebody may know; None for any number."""
        return None

    def achieved(self, worst: float) -> dict[str, Any]:
        """Give the records of the rarest labels, or of the rarest set."""
        return {"k": int(worst)}

    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Give the size of each class."""
        return classes.sizes.astype(float)

    def measure_plainly(self, one: PlainClass) -> float:
        """Give the size of one class."""
        return one.size
