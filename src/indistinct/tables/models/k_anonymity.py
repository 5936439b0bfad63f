"""k-anonymity, and its confident form for noisy columns: nobody stands alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from indistinct.base.parameters import parameter
from indistinct.tables.core.protocols import Monotonicity
from indistinct.tables.models.bounded import SizeModel


@final
@dataclass(frozen=True, slots=True)
class KAnonymity(SizeModel):
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
    monotone: ClassVar[Monotonicity] = Monotonicity.ALWAYS


@final
@dataclass(frozen=True, slots=True)
class ConfidentKAnonymity(SizeModel):
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
    suppresses_later: ClassVar[bool] = True
    monotone: ClassVar[Monotonicity] = Monotonicity.ALWAYS
