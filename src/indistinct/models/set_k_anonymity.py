"""k-anonymity of a column of sets: every published set is that of at least k records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from indistinct.core.parameters import parameter
from indistinct.models.of_sets import SetModel


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
