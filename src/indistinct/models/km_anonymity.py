"""km-anonymity: whoever knows a few items of a person finds at least k candidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

from indistinct.core.arrays import Floats
from indistinct.core.classes import EquivalenceClasses
from indistinct.core.parameters import parameter
from indistinct.core.protocols import Monotonicity, PlainClass
from indistinct.models.bounded import BoundedModel

ALL = "all"


@final
@dataclass(frozen=True, slots=True)
class KmAnonymity(BoundedModel):
    """Every set of at most ``m`` labels of a record is part of at least ``k`` records of its class.

    Sets are made after the classes. What is measured of a class here is its size, since a class of
    fewer than k records can show no label; the supports are counted in what is published.

    Source: terrovitis2008, definition 1; poulis2013 for sets inside of classes.
    """

    column: str = parameter(str, help="the column of sets")
    k: int = parameter(int, at_least=2, help="least records that share any m labels")
    m: int | str = parameter(
        int, at_least=1, word=ALL, help="items of a person that an attacker may know"
    )

    name: ClassVar[str] = "km-anonymity"
    promise: ClassVar[str] = (
        "Somebody who knows up to {m} items of a person in {column} finds at least {k} "
        "records that have them all, among the records with the same values in the other "
        "columns that others may know."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        (
            "Somebody who knows more than {m} items of a person, items that the person does not "
            "have, or how many items the person has, may find fewer records."
        ),
        ("If all records with the known items share a further item, that item is disclosed."),
        (
            "Rare items are left out first, and nothing is proved about an attacker who "
            "repeats that choice to infer them."
        ),
    )
    letter: ClassVar[str] = "k"
    monotone: ClassVar[Monotonicity] = Monotonicity.NEVER
    is_whole: ClassVar[bool] = False

    @property
    def least_size(self) -> int:
        """A label needs k records."""
        return self.k

    @property
    def known_items(self) -> int | None:
        """The items that somebody may know; None for any number."""
        return None if isinstance(self.m, str) else self.m

    def achieved(self, worst: float) -> dict[str, Any]:
        """Give the least support."""
        return {"k": int(worst)}

    def measure(self, classes: EquivalenceClasses) -> Floats:
        """Give the size of each class."""
        return classes.sizes.astype(float)

    def measure_plainly(self, one: PlainClass) -> float:
        """Give the size of one class."""
        return one.size
