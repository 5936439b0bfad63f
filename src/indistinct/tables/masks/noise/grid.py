"""The resolution of a column of numbers: whole steps in, numbers of the same resolution out."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from indistinct.base.arrays import Floats
from indistinct.tables.frames.cell_numbers import column_of_numbers, floats_of, has_whole_numbers
from indistinct.tables.frames.frame import Column

MOST_DECIMALS = 9
EXACT_STEPS = 2.0**53  # beyond which a float is no nearer to one multiple than to the next
MOST_STEPS = 2.0**50


@dataclass(frozen=True, slots=True)
class Grid:
    """Numbers that are whole multiples of a step.

    Parameters
    ----------
    step : greater than 0
    is_whole : whether the column holds whole numbers by its type
    """

    step: Fraction
    is_whole: bool

    @classmethod
    def of(cls, column: Column, resolution: float | None = None) -> Grid:
        """Return the grid with the step that was given, or else the one that a column has.

        Parameters
        ----------
        column : numbers; missing ones are null or NaN
        resolution : the step, where the policy says it

        Notes
        -----
        Columns of whole numbers have the step 1. Else it is the largest of 1, 0.1, ... 1e-9 of
        which all values are multiples; where none is, the finest that keeps 2**50 steps, and values
        are rounded to it before the noise.
        """
        whole = has_whole_numbers(column)
        if resolution is not None:
            step = Fraction(repr(float(resolution)))
            return cls(step, whole and step.denominator == 1)
        if whole:
            return cls(Fraction(1), is_whole=True)
        numbers = floats_of(column)
        known = numbers[~np.isnan(numbers)]
        return cls(Fraction(1, 10 ** _decimals(known)), is_whole=False)

    @property
    def resolution(self) -> float:
        """The step as a number."""
        return float(self.step)

    def steps(self, column: Column) -> Floats:
        """Return each number as the nearest whole number of steps, NaN where missing: (n,)."""
        return np.rint(floats_of(column) * self.step.denominator / self.step.numerator)

    def numbers(self, name: str, steps: Floats) -> Column:
        """Return whole numbers of steps as a column, each the number nearest to its decimals.

        Parameters
        ----------
        name : of the column
        steps : (n,), NaN where missing
        """
        values = steps * self.step.numerator / self.step.denominator
        return column_of_numbers(name, values, whole=self.is_whole)

    def holds(self, numbers: Floats) -> bool:
        """Return whether all numbers are whole multiples of the step.

        Strong noise may lead beyond the steps that a float tells apart: the quotient may then be
        one off, and from 2**53 steps on, every float is nearest to some multiple.
        """
        steps = np.rint(numbers * self.step.denominator / self.step.numerator)
        held = np.abs(steps) >= EXACT_STEPS
        for other in (steps - 1, steps, steps + 1):
            held |= other * self.step.numerator / self.step.denominator == numbers
        return bool(held.all())


def _decimals(numbers: Floats) -> int:
    """Return the decimals that all numbers need, at most as many as 2**50 steps allow."""
    largest = float(np.abs(numbers).max(initial=0))
    for decimals in range(MOST_DECIMALS + 1):
        if (np.round(numbers, decimals) == numbers).all():
            return decimals
        if largest * 10 ** (decimals + 1) >= MOST_STEPS:
            return decimals
    return MOST_DECIMALS
