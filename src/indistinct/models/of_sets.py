"""Models of a column of sets: what they promise is counted in the sets that are published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from indistinct.core.parameters import parameter
from indistinct.core.protocols import Monotonicity
from indistinct.models.bounded import SizeModel


@dataclass(frozen=True, slots=True)
class SetModel(SizeModel):
    """A privacy model of a column of sets.

    Sets are made after the classes. What is measured of a class here is its size, since a class of
    fewer than k records can show no label.
    """

    column: str = parameter(str, help="the column of sets")
    k: int = parameter(int, at_least=2, help="least records that are alike in their sets")

    monotone: ClassVar[Monotonicity] = Monotonicity.NEVER
    is_whole: ClassVar[bool]  # whether whole sets are alike, and not some of their labels

    @property
    def known_items(self) -> int | None:
        """The items that somebody may know; None for any number."""
        return None
