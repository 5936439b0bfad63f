"""Models of a column of sets: what they promise is counted in the sets that are published."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from indistinct.base.parameters import parameter
from indistinct.tables.core.protocols import Monotonicity
from indistinct.tables.models.bounded import SizeModel

ALL = "all"


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


@final
@dataclass(frozen=True, slots=True)
class SetKAnonymity(SetModel):
    """Every whole set of a class, the empty one too, is published for at least ``k`` records of it.

    It implies km-anonymity for every m, and holds against somebody who knows which items a person
    lacks, or how many items the person has.

    Source: he2009, section 2.
    """

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
    is_whole: ClassVar[bool] = True


@final
@dataclass(frozen=True, slots=True)
class KmAnonymity(SetModel):
    """Every set of at most ``m`` labels of a record is part of at least ``k`` records of its class.

    Source: terrovitis2008, definition 1; poulis2013 for sets inside of classes.
    """

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
    is_whole: ClassVar[bool] = False

    @property
    def known_items(self) -> int | None:
        """The items that somebody may know; None for any number."""
        return None if isinstance(self.m, str) else self.m
