"""k-anonymity: nobody stands alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from indistinct.core.parameters import parameter
from indistinct.core.protocols import Monotonicity
from indistinct.models.bounded import SizeModel


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
