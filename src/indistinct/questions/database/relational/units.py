"""Numbers in whole steps within public bounds, as they are added up."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import final

from indistinct.questions.database.preparation import double
from indistinct.questions.database.relational.tree import Call
from indistinct.questions.database.relational.typed import Value, wrong

WIDEST = 2**31  # so that a square of the range fits into 62 bits
FINE = 2**20


@final
@dataclass(frozen=True, slots=True)
class Units:
    """Bounds of a number in whole steps."""

    step: Fraction
    low: int
    high: int

    @property
    def farthest(self) -> int:
        """Return what one row adds to a sum at most."""
        return max(abs(self.low), abs(self.high), 1)

    @property
    def middle(self) -> int:
        """Return the unit from which means are measured, so that rows add as little as can be."""
        return (self.low + self.high) // 2

    @property
    def radius(self) -> int:
        """Return what one row adds to a sum measured from the middle, at most."""
        return max(self.high - self.middle, self.middle - self.low, 1)

    @property
    def half_square(self) -> int:
        """Return what is taken off squares, so that rows add as little as can be."""
        return self.radius**2 // 2

    def sql(self, number: str) -> str:
        """Write a number in steps, moved into the bounds; a missing one is null."""
        low, high = double(self.low * self.step), double(self.high * self.step)
        within = f"greatest({low}, least({high}, {number}))"
        steps = f"CAST(floor({within} / {double(self.step)} + 0.5) AS BIGINT)"
        clamped = f"greatest({self.low}, least({self.high}, {steps}))"
        return f"CASE WHEN {number} IS NULL THEN NULL ELSE {clamped} END"


NO_UNITS = Units(Fraction(1), 0, 0)  # of what counts rows


def units_of(value: Value, call: Call) -> Units:
    """Return the whole steps of a number that is to be added up; refuse one without bounds."""
    bounds = value.interval
    if bounds is None:
        (inner,) = call.arguments[:1]
        raise wrong(
            call, "has no public bounds",
            f"Write {call.name}(CLAMP({inner}, low, high)), or the owner declares bounds.",
        )  # fmt: skip
    return units_between(*bounds, value.step)


def units_between(low: Fraction, high: Fraction, step: Fraction | None) -> Units:
    """Return whole steps between two ends; fine ones where none are known, or they are too many."""
    if step is None or (high - low) / step > WIDEST or max(abs(low), abs(high)) / step > 2**53:
        width = max(high - low, max(abs(low), abs(high)) / 2**32, Fraction(1, 10**9))
        step = Fraction(2) ** math.floor(math.log2(width / FINE))
    return Units(step, math.ceil(low / step), max(math.floor(high / step), math.ceil(low / step)))
