"""The cells of a column that has no hierarchy in the policy, and those of numbers as midpoints.

With the input at hand a reader builds the same hierarchy again: a cell is one of the input's
values, a label above one, or a range whose ends are such values.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import final

import polars as pl

from indistinct.policy.policy import Policy
from indistinct.reader.verify.cells import (
    CLOSED,
    HALF_OPEN,
    HIDDEN,
    MOST_LEVELS,
    Cells,
    Intervals,
    Listed,
    MadeFromData,
    Masks,
    is_number,
    is_range,
    step_of_ends,
)
from indistinct.reader.verify.intervals import number_label
from indistinct.reader.verify.number_texts import are_equal
from indistinct.reader.verify.policy_cells import cells_by
from indistinct.reader.verify.suggestion import suggested_rule

ROUNDING = 1e-9
EXPONENT = re.compile(r"e(?:[+]|(-))0?")  # 1e+16 and 6e-06, which Polars writes as 1e16 and 6e-6


def suggested_cells(policy: Policy, column: pl.Series) -> Cells | None:
    """Give the cells of the rule that the input's values suggest for a column without one.

    Parameters
    ----------
    column : the input's, missing values as null
    """
    rule = suggested_rule(column)
    return None if rule is None else cells_by(rule, {"", *policy.data.missing})


@final
@dataclass(frozen=True, slots=True)
class FromValues(Cells):
    """The cells of a column whose hierarchy was made from the input, which is at hand.

    Parameters
    ----------
    forms : the cells by their form alone
    rule : the cells of the rule that the values suggest; None where a value is kept or hidden
    values : texts of the input's values, each in every way that a release may write it
    labels : the labels that the rule gives them
    numbers : the numbers among the values, ascending
    has_words : whether some values are no numbers, so that each text is a value of its own
    """

    forms: MadeFromData
    rule: Cells | None
    values: frozenset[str]
    labels: frozenset[str]
    numbers: Sequence[Decimal] = ()
    has_words: bool = False

    @classmethod
    def of(
        cls, forms: MadeFromData, rule: Cells | None, texts: Sequence[str], missing: str = ""
    ) -> FromValues:
        """Collect the values and their labels.

        Parameters
        ----------
        texts : the distinct values, missing ones left out
        missing : the word for a missing value that has labels, too; empty where none has
        """
        labelled = [*texts, missing] if missing else texts
        labels = {label for text in labelled for label in (rule.above(text) if rule else ())}
        if isinstance(rule, Masks):
            # A star that is hidden is a star again: such a value is its own label.
            labels.update(text for text in texts if text.endswith(HIDDEN))
        written = {way for text in texts for way in ways_of_writing(text)}
        are_numbers = (text for text in texts if is_number(text) and text != "NaN")
        numbers = sorted(map(Decimal, are_numbers)) if forms.rounded_ends else ()
        has_words = not all(map(is_number, texts))
        return cls(forms, rule, frozenset(written), frozenset(labels), numbers, has_words)

    def levels(self, cell: str) -> Sequence[int]:
        """Look the cell up among the values, their labels and their ranges."""
        if cell in self.forms.missing:
            return range(MOST_LEVELS)
        if cell == HIDDEN:
            return range(0 if cell in self.values else 1, MOST_LEVELS)
        found: set[int] = set()
        if cell in self.values:
            is_free = not self.forms.numbers_have_levels and is_number(cell)
            found.update(range(MOST_LEVELS) if is_free else (0,))
        if self.rule is not None and cell in self.labels:
            found.update(self.rule.levels(cell))
        closed = CLOSED.match(cell)
        if closed is not None and is_range(cell) and self._has_ends(cell, closed[1], closed[2]):
            found.update(range(1, MOST_LEVELS))
        return sorted(found)

    def _has_ends(self, cell: str, low: str, high: str) -> bool:
        """Tell whether a range ends at values, or else at the round numbers next to two values."""
        if not self.forms.rounded_ends:
            return {low, high} <= self.values
        step = step_of_ends(cell)
        if step is None:
            return False
        least, greatest = Decimal(low), Decimal(high)
        first = bisect_left(self.numbers, least)
        last = bisect_right(self.numbers, greatest) - 1
        return first <= last and (
            self.numbers[first] < least + step and self.numbers[last] > greatest - step
        )

    def covers(self, cell: str, value: str) -> bool:
        """Compare as whatever the cell looks like, unless it is a value and no label of the rule.

        The value ``2020s`` of a column of words is no decade, and ``1`` is not ``01`` there.
        """
        is_value = cell in self.values and cell not in self.labels and cell != HIDDEN
        if is_value and (self.has_words or not (is_number(cell) and is_number(value))):
            return cell == value or are_equal(cell, value)
        return self.forms.covers(cell, value)

    def above(self, cell: str) -> Sequence[str]:
        """Follow the rule that the values suggest."""
        return self.forms.above(cell) if self.rule is None else self.rule.above(cell)


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
        elif isinstance(cells, FromValues):
            found = _levels_from_values(cells, number)
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
    """Give the levels whose intervals have a number in the middle."""
    found: set[int] = set()
    for level, width in enumerate(widths, start=1):
        steps = number / width - 0.5
        if abs(steps - round(steps)) <= ROUNDING * max(1.0, abs(steps)):
            found.add(level)
    return found


def _listed_levels(paths: Mapping[str, Sequence[str]], number: float) -> set[int]:
    """Give the levels of the labels that are this number, or an interval around it."""
    return {
        level
        for path in paths.values()
        for level, label in enumerate(path)
        if _middle(label) == number
    }


def _middle(label: str) -> float | None:
    """Give the number that a label is, or the middle of the interval that it is."""
    ends = HALF_OPEN.match(label) or CLOSED.match(label)
    if ends is not None:
        return (float(ends[1]) + float(ends[2])) / 2
    return float(label) if is_number(label) else None


def _levels_from_values(cells: FromValues, number: float) -> set[int]:
    """Give the levels at which a number is a value, the middle of two, or of a label."""
    if cells.forms.rounded_ends:
        # Between two round numbers any number may be in the middle.
        return set(range(MOST_LEVELS))
    found: set[int] = set()
    are_ranges = not cells.forms.numbers_have_levels
    # NaN is a word here: among numbers it would leave them in no order.
    known = {float(value) for value in cells.values if is_number(value)}
    numbers = sorted(one for one in known if not math.isnan(one))
    if _is_among(number, numbers):
        found.update(range(MOST_LEVELS) if are_ranges else (0,))
    if are_ranges and any(_is_among(2 * number - one, numbers) for one in numbers):
        found.update(range(MOST_LEVELS))
    for label in cells.labels:
        if _middle(label) == number and cells.rule is not None:
            found.update(cells.rule.levels(label))
    return found


def _is_among(number: float, numbers: Sequence[float]) -> bool:
    """Tell whether a number that was halved and doubled again is one of some others, ascending."""
    place = bisect_left(numbers, number)
    return any(
        math.isclose(number, one, rel_tol=ROUNDING, abs_tol=ROUNDING)
        for one in numbers[max(place - 1, 0) : place + 1]
    )


def ways_of_writing(text: str) -> tuple[str, ...]:
    """Give the texts that a release may have for a value.

    A number may lose its ``.0``, and it may be written with an exponent or without: in Polars that
    depends on whether it has 32 bits or 64.
    """
    if not is_number(text) or text == "NaN":
        return (text,)
    number = float(text) + 0.0  # a zero below zero is released as zero
    with_exponent = repr(number)
    return (
        text,
        number_label(number),
        with_exponent,
        EXPONENT.sub(r"e\1", with_exponent),
        format(Decimal(text), "f"),
    )
