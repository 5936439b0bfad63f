"""Rounding of a column to multiples of a base."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar, final

import numpy as np

from indistinct.base.arrays import Bools, Floats
from indistinct.base.parameters import parameter
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault
from indistinct.tables.core.schema import NOT_RELEASED, Role
from indistinct.tables.frames.cell_numbers import (
    has_single_floats,
    like,
    released_numbers,
    to_numbers,
    with_present,
)
from indistinct.tables.frames.frame import Column, Frame
from indistinct.tables.frames.texts import cell_texts
from indistinct.tables.masks.numbers import change_facts, only_finite, summed
from indistinct.tables.masks.protection import Masked, Protection

CLOSE = 1e-9


@final
@dataclass(frozen=True, slots=True)
class RoundingProtection(Protection):
    """Numbers are rounded to the nearest multiple of a base; halves are rounded up.

    Source: hundepool2012, chapter 3.
    """

    base: float = parameter(float, above=0, help="all released numbers are multiples of it")

    name: ClassVar[str] = "round"
    promise: ClassVar[str] = (
        "The numbers of {column} were rounded, so that exact amounts are not recognized."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        ("Somebody who knows a number roughly, or a number far from all others, still finds it."),
    )
    roles: ClassVar[frozenset[Role]] = frozenset(Role) - NOT_RELEASED
    in_classes: ClassVar[bool] = True
    computes: ClassVar[bool] = True
    follows_from_value = True

    @property
    def is_by_record(self) -> bool:
        """A number is rounded without a look at others."""
        return True

    def facts_of_parts(self, parts: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """Add up the records; the losses would need all of them at once."""
        return summed(parts, ("records",))

    def faults(self, columns: Frame) -> Iterator[Fault]:
        """Find columns without numbers, and whole numbers to be rounded to fractions."""
        for column in columns:
            place = f"columns.{column.name}.protect"
            if not column.dtype.is_numeric():
                yield Fault(place, "needs a column of numbers", "Give dates a hierarchy instead.")
            elif column.dtype.is_integer() and self.base != int(self.base):
                yield Fault(
                    place, "would turn whole numbers into fractions", "Choose a whole base."
                )
            elif self._is_lost_in(column):
                yield Fault(
                    place,
                    f"has numbers whose multiples of {self.base:g} its type cannot hold",
                    "Hand the column in as numbers of eight bytes, or choose another base.",
                )
            yield from only_finite(column)

    def _is_lost_in(self, column: Column) -> bool:
        """Return whether a multiple is none any more in the column's type: 300 in one byte."""
        if not (column.dtype.is_integer() or has_single_floats(column)):
            return False
        present = column.drop_nulls()
        present = present.filter(present.is_finite()).unique()
        rounded = like(to_multiples(to_numbers(present), self.base), present)
        is_single = has_single_floats(column)
        # A single float reads as its shortest text says.
        numbers = released_numbers(cell_texts(rounded)) if is_single else to_numbers(rounded)
        return bool(self._strays(numbers).any())

    def _strays(self, numbers: Floats) -> Bools:
        """Return which numbers are no multiples: (n,)."""
        steps = numbers / self.base
        room = CLOSE * np.maximum(np.abs(steps), 1)
        return np.asarray(np.abs(steps - np.rint(steps)) > room, dtype=np.bool_)

    def mask(self, columns: Frame, source: RandomSource) -> Masked:
        """Round one column; no chance takes part."""
        del source
        column = columns.to_series()
        present = column.drop_nulls()
        rounded = like(to_multiples(to_numbers(present), self.base), present)
        masked = with_present(column, rounded).to_frame()
        return Masked(masked, change_facts(columns, masked))

    def check_release(self, released: Frame, facts: Mapping[str, Any] | None) -> Iterator[Fault]:
        """Find numbers that are no multiples."""
        del facts
        column = released.to_series()
        numbers = released_numbers(column)
        n_wrong = int(self._strays(numbers[~np.isnan(numbers)]).sum())
        if n_wrong:
            yield Fault(
                f"columns.{column.name}",
                f"{n_wrong:,} numbers are not multiples of {self.base:g}",
                "Do not publish this file.",
            )

    def check_against(
        self, released: Frame, original: Frame, rows: Sequence[int] | None
    ) -> Iterator[Fault]:
        """Find numbers further than half a base from those of their records."""
        if rows is None:
            return
        column = original.to_series()
        own = to_numbers(column)[np.asarray(rows)]
        found = released_numbers(released.to_series(), column)
        room = self.base * (0.5 + CLOSE) + CLOSE * np.abs(own)
        if has_single_floats(column):  # which holds the number nearest to a multiple
            room += np.spacing(np.abs(own).astype(np.float32)).astype(np.float64)
        if (np.abs(own - found) > room).any():
            yield Fault(
                f"columns.{column.name}",
                "is not the original rounded",
                "Take the release, the crosswalk and the original of one run.",
            )


def to_multiples(values: Floats, base: float) -> Floats:
    """Return the nearest multiples, halves up, with as many decimals as the base has: (n,)."""
    exponent = Decimal(str(base)).normalize().as_tuple().exponent
    decimals = max(0, -int(exponent))
    multiples = np.floor(values / base + 0.5) * base
    return np.asarray(np.round(multiples, decimals), dtype=np.float64)
