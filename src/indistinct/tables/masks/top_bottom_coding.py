"""Top and bottom coding: numbers beyond public bounds are released as the bounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from indistinct.base.parameters import parameter
from indistinct.base.randomness import RandomSource
from indistinct.errors import Fault, ParameterError
from indistinct.tables.core.schema import NOT_RELEASED, Role
from indistinct.tables.frames.cell_numbers import (
    has_single_floats,
    like,
    released_numbers,
    to_numbers,
    with_present,
)
from indistinct.tables.frames.frame import Frame
from indistinct.tables.masks.numbers import change_facts, only_finite, outside, summed, whole_bounds
from indistinct.tables.masks.protection import Masked, Protection


@final
@dataclass(frozen=True, slots=True)
class TopBottomCodingProtection(Protection):
    """Numbers below ``low`` are released as ``low``, those above ``high`` as ``high``.

    Source: hundepool2012, chapter 3.
    """

    low: float | None = parameter(float, default=None, help="least number that is released")
    high: float | None = parameter(float, default=None, help="greatest number that is released")

    name: ClassVar[str] = "top-bottom"
    promise: ClassVar[str] = (
        "The numbers of {column} beyond a lower or an upper bound were replaced by the bound,"
        " so that nobody is recognized by an extreme value."
    )
    leaves_open: ClassVar[tuple[str, ...]] = (
        (
            "Everything between the bounds stays as it is, and who reaches a bound is known to be"
            " extreme."
        ),
    )
    roles: ClassVar[frozenset[Role]] = frozenset(Role) - NOT_RELEASED
    in_classes: ClassVar[bool] = True
    computes: ClassVar[bool] = True
    follows_from_value = True

    def __post_init__(self) -> None:
        Protection.__post_init__(self)
        if self.low is None and self.high is None:
            raise ParameterError("low and high: are both missing", "Give one of them, or both.")
        if self.low is not None and self.high is not None and self.low >= self.high:
            raise ParameterError("low: is not below high", "Give the lower bound as low.")

    @property
    def is_by_record(self) -> bool:
        """A number is coded without a look at others."""
        return True

    def facts_of_parts(self, parts: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """Add up the records and the coded numbers; the losses would need all of them at once."""
        return summed(parts, ("records", "coded_low", "coded_high"))

    def faults(self, columns: Frame) -> Iterator[Fault]:
        """Find columns without numbers, and bounds that a whole number cannot have."""
        for column in columns:
            yield from whole_bounds(column, self.low, self.high)
            yield from only_finite(column)

    def mask(self, columns: Frame, source: RandomSource) -> Masked:
        """Code one column; no chance takes part."""
        del source
        column = columns.to_series()
        present = column.drop_nulls()
        values = to_numbers(present)
        coded = with_present(column, like(np.clip(values, self.low, self.high), present))
        n_below = 0 if self.low is None else int((values < self.low).sum())
        n_above = 0 if self.high is None else int((values > self.high).sum())
        masked = coded.to_frame()
        facts = {**change_facts(columns, masked), "coded_low": n_below, "coded_high": n_above}
        return Masked(masked, facts)

    def check_release(self, released: Frame, facts: Mapping[str, Any] | None) -> Iterator[Fault]:
        """Find numbers beyond the bounds."""
        del facts
        yield from outside(released.to_series(), self.low, self.high)

    def check_against(
        self, released: Frame, original: Frame, rows: Sequence[int] | None
    ) -> Iterator[Fault]:
        """Find numbers that are neither those of their records nor the bound beyond them."""
        if rows is None:
            return
        column = original.to_series()
        own = np.clip(to_numbers(column)[np.asarray(rows)], self.low, self.high)
        found = released_numbers(released.to_series())
        room = 1e-6 if has_single_floats(column) else 1e-9
        if (np.abs(own - found) > room * np.maximum(np.abs(own), 1)).any():
            yield Fault(
                f"columns.{column.name}",
                "is not the original coded",
                "Take the release, the crosswalk and the original of one run.",
            )
