"""km-anonymity: whoever knows a few items of a person finds at least k candidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from indistinct.core.parameters import parameter
from indistinct.models.of_sets import SetModel

ALL = "all"


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
