"""k-anonymity: nobody stands alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

from indistinct.core.arrays import Floats
from indistinct.core.classes import EquivalenceClasses
from indistinct.core.parameters import parameter
from indistinct.core.protocols import Monotonicity, PlainClass
from indistinct.models.bounded import BoundedModel


@final
@dataclass(frozen=True, slots=True)
class KAnonymity(BoundedModel):
    """Every equivalence class holds at least ``k`` records.

    Source: sweeney2002, definition 3.
    """

    k: int = parameter(int, at_least=2, help="least records per equivalence class")

    name: ClassVar[str] = "k-anonymity"
    promise: ClassVar[str] = (
        "Every released record belongs to a group of at least {k} records with the same "
        "values in all columns that others may know. Somebody who looks for a person's "
        "record can only guess among at least {k} records."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        (
            "It does not protect sensitive values: if all records of a group have the same "
            "sensitive value, everybody who knows that a person is in the group learns it."
        ),
    )
    letter: ClassVar[str] = "k"
    monotone: ClassVar[Monotonicity] = Monotonicity.ALWAYS

    @property
    def least_size(self) -> int:
        """A class needs k records."""
        return self.k

    def achieved(self, worst: float) -> dict[str, Any]:
        """Give the size of the smallest class."""
        return {"k": int(worst)}

    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Give the size of each class."""
        return classes.sizes.astype(float)

    def measure_plainly(self, one: PlainClass) -> float:
        """Give the size of one class."""
        return one.size
