"""The cells of a column that has no hierarchy in the policy, and those of numbers as midpoints."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import final

from indistinct.tables.frames.frame import Column
from indistinct.tables.verification.cells import (
    CLOSED,
    HALF_OPEN,
    HIDDEN,
    MOST_LEVELS,
    Cells,
    Intervals,
    Listed,
    is_number,
)
from indistinct.tables.verification.policy_cells import cells_by
from indistinct.tables.verification.suggestion import suggested_rule
from indistinct.tables.verification.texts import plain_number

ROUNDING = 1e-9


def suggested_cells(gone: Container[str], column: Column) -> Cells | None:
    """Return the cells of the rule that the input's values suggest for a column without one.

    Parameters
    ----------
    column : the input's, missing values as null
    """
    rule = suggested_rule(column)
    return None if rule is None else cells_by(rule, gone)


@final
@dataclass(frozen=True, slots=True)
class Midpoints(Cells):
    """Numbers that stand in the middle of intervals: each is one at the levels of such a grid.

    Parameters
    ----------
    cells : the cells that the midpoints stand for
    """

    cells: Cells

    def levels(self, cell: str) -> Sequence[int]:
        """Look for the intervals that have this number in the middle."""
        if cell == "":
            # An empty cell stands for what is missing, hidden whole or no number.
            return range(MOST_LEVELS)
        if cell == "NaN":
            return self.cells.levels(cell)  # a word in a column of texts, in the middle of nothing
        if not is_number(cell):
            return ()
        number, cells = float(cell), self.cells
        found: set[int] = {0}
        if isinstance(cells, Intervals):
            found |= _grids_around(number, cells.widths)
        elif isinstance(cells, Listed):
            found = _listed_levels(cells.paths, number)
        else:
            # Without the input any number may be in the middle of some interval.
            found.update(range(MOST_LEVELS))
        return sorted(found)

    def covers(self, cell: str, value: str) -> bool:
        """Accept every value: how wide the interval around a middle is, the number does not say."""
        del cell, value
        return True

    def above(self, cell: str) -> Sequence[str]:
        """Nothing is known but the root."""
        return (HIDDEN,) if cell != HIDDEN else ()


def _grids_around(number: float, widths: Sequence[float]) -> set[int]:
    """Return the levels whose intervals have a number in the middle."""
    found: set[int] = set()
    for level, width in enumerate(widths, start=1):
        steps = number / width - 0.5
        if abs(steps - round(steps)) <= ROUNDING * max(1.0, abs(steps)):
            found.add(level)
    return found


def _listed_levels(paths: Mapping[str, Sequence[str]], number: float) -> set[int]:
    """Return the levels of the labels that are this number, or an interval around it."""
    return {
        level
        for path in paths.values()
        for level, label in enumerate(path)
        if _middle(label) == number
    }


def _middle(label: str) -> float | None:
    """Return the number that a label is, or the middle of the interval that it is."""
    ends = HALF_OPEN.match(label) or CLOSED.match(label)
    if ends is not None:
        return (float(ends[1]) + float(ends[2])) / 2
    return float(label) if is_number(label) else None


def ways_of_writing(text: str) -> tuple[str, ...]:
    """Return the texts that a release may have for a value: a label has a number's plain digits."""
    if not is_number(text) or text == "NaN":
        return (text,)
    number = Decimal(text)
    return text, plain_number(number), repr(float(number) + 0.0)
