"""Confident k-anonymity: nobody stands alone, neither by the class nor by a noisy value."""

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
class ConfidentKAnonymity(BoundedModel):
    """Every class holds at least ``k`` records, of which each may stand for ``k`` or for none.

    The search sees the first half. The second is about columns with noise: the records that come
    to lie where 1 to ``k`` - 1 originals of their class can have come from are suppressed when the
    noise is drawn, and then the classes that this makes too small.

    Source: holohan2017, section V-C.
    """

    k: int = parameter(int, at_least=2, help="least records per class, and per noisy value")

    name: ClassVar[str] = "confident-k-anonymity"
    promise: ClassVar[str] = (
        "Every released record belongs to a group of at least {k} records with the same "
        "values, and its noisy numbers fit at least {k} people of the group or none of "
        "them."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        ("Some links between a person and a record remain likely, although none is certain."),
        "It does not protect a sensitive value that all records of a group share.",
    )
    letter: ClassVar[str] = "k"
    suppresses_later: ClassVar[bool] = True
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
