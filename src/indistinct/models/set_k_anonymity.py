"""k-anonymity of a column of sets: every published set is that of at least k records."""

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
class SetKAnonymity(BoundedModel):
    """Every whole set of a class, the empty one too, is published for at least ``k`` records of it.

    It implies km-anonymity for every m, and holds against somebody who knows which items a person
    lacks, or how many items the person has.

    Source: he2009, section 2.
    """

    column: str = parameter(str, help="the column of sets")
    k: int = parameter(int, at_least=2, help="least records with the same set")

    name: ClassVar[str] = "set-k-anonymity"
    promise: ClassVar[str] = (
        "Somebody who knows the whole set of a person in {column}, with the items that the person "
        "lacks, finds at least {k} records with the same set, among the records with the same "
        "values in the other columns that others may know."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        ("What all records with the same set have in common is disclosed."),
    )
    letter: ClassVar[str] = "k"
    monotone: ClassVar[Monotonicity] = Monotonicity.NEVER
    known_items: ClassVar[None] = None
    is_whole: ClassVar[bool] = True

    @property
    def least_size(self) -> int:
        """A set needs k records."""
        return self.k

    def achieved(self, worst: float) -> dict[str, Any]:
        """Give the records of the rarest set."""
        return {"k": int(worst)}

    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Give the size of each class; sets are made after the classes."""
        return classes.sizes.astype(float)

    def measure_plainly(self, one: PlainClass) -> float:
        """Give the size of one class."""
        return one.size
