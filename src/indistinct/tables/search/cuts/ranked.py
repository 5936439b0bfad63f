"""Values in an order that keeps those with the same label together.

In such an order the least and the greatest value of a set determine its lowest common label, just
as they determine the range of numbers. What a set is released as follows from the two alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import final

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.hierarchy import ROOT, GeneralizationHierarchy
from indistinct.tables.core.interval_hierarchies import number_text, plainly
from indistinct.tables.core.protocols import Problem
from indistinct.tables.core.recoding import (
    CellCosts,
    CellDomain,
    Coverage,
    cell_numbers,
    hierarchy_cells,
    inverse,
)

STEPS_IN_RANGE = 20
LEADING = (Decimal(1), Decimal(2), Decimal(5), Decimal(10))
LARGEST_WHOLE_NUMBER = 2**53  # beyond it not every whole number is a float


@dataclass(frozen=True, slots=True)
class RankedColumn(ABC):
    """A quasi-identifier in rank order.

    Parameters
    ----------
    ranks : (n_values,), rank of each value code
    keys : (n_levels, n_ranks), number of each rank's label, in rank order
    shares : (n_levels, n_ranks), share of the domain that this label stands for, in [0, 1]
    floor : lowest level that may be released
    numbers : (n_ranks,), ascending; empty where the column has labels
    width : range of the numbers; 0 where the column has labels
    """

    ranks: Codes
    keys: Codes
    shares: Floats
    floor: int
    numbers: Floats
    width: float

    @abstractmethod
    def top_keys(self, max_level: int) -> Codes:
        """Return the number of each rank's coarsest label allowed: (n_ranks,)."""

    @abstractmethod
    def is_unambiguous(self, levels: Ints, ranks: Codes) -> Bools:
        """Return whether the text of the label of a rank at a level stands for nothing else."""

    @abstractmethod
    def release(self, lows: Codes, highs: Codes, counts: Ints) -> tuple[CellDomain, Codes]:
        """Return the cells of some sets of values.

        Parameters
        ----------
        lows, highs : (n_sets,), least and greatest rank of each
        counts : (n_values,), records per value code

        Returns
        -------
        domain : the cells that the column may be released as
        cells : (n_sets,), the cell of each set
        """


@final
@dataclass(frozen=True, slots=True)
class RankedLabels(RankedColumn):
    """A column that is released in the labels of its hierarchy."""

    hierarchy: GeneralizationHierarchy

    @classmethod
    def of(cls, hierarchy: GeneralizationHierarchy, floor: int) -> RankedLabels:
        """Sort the values by their labels, the coarsest first.  O(n_values * log(n_values))."""
        order = np.lexsort(hierarchy.codes)
        codes = hierarchy.codes[:, order]
        shares = np.stack(
            [extents[labels] for extents, labels in zip(hierarchy.extents, codes, strict=True)]
        )
        return cls(
            inverse(order),
            _numbered(codes),
            shares / hierarchy.domain,
            floor,
            np.empty(0),
            0.0,
            hierarchy,
        )

    def top_keys(self, max_level: int) -> Codes:
        """Return the number of each rank's label at ``max_level``."""
        return self.keys[max_level]

    def is_unambiguous(self, levels: Ints, ranks: Codes) -> Bools:
        """Look the texts up in the hierarchy."""
        return self.hierarchy.is_unambiguous[levels, inverse(self.ranks)[ranks]]

    def label(self, low: int, high: int) -> tuple[int, int]:
        """Return level and code of the label that a set is released as."""
        level = max(int((self.keys[:, low] == self.keys[:, high]).argmax()), self.floor)
        value = int(np.flatnonzero(self.ranks == low)[0])
        return level, int(self.hierarchy.codes[level, value])

    def release(self, lows: Codes, highs: Codes, counts: Ints) -> tuple[CellDomain, Codes]:
        """Return the lowest common label of each set, at the floor or above."""
        is_common = self.keys[:, lows] == self.keys[:, highs]
        levels = np.maximum(is_common.argmax(axis=0), self.floor)
        values = inverse(self.ranks)[lows]
        return (
            hierarchy_cells(self.hierarchy, counts),
            cell_numbers(self.hierarchy)[levels, values],
        )


@final
@dataclass(frozen=True, slots=True)
class RankedNumbers(RankedColumn):
    """A numeric column that is released in ranges.

    Its three levels are the numbers, known or missing, and everything: a set that holds the
    missing value, the last rank, beside others is released as everything.

    Parameters
    ----------
    missing : text of the missing value
    texts : how the column writes each number
    rounded : whether the ends of ranges are rounded outward
    """

    missing: str
    texts: Mapping[float, str]
    rounded: bool = False

    @classmethod
    def of(cls, numbers: Floats, texts: tuple[str, ...], *, rounded: bool = False) -> RankedNumbers:
        """Sort the numbers; equal ones get one rank.  O(n_values * log(n_values))."""
        distinct, ranks = np.unique(numbers, return_inverse=True)
        is_missing = np.isnan(distinct)
        known = distinct[~is_missing]
        keys = np.stack([np.arange(len(distinct)), is_missing, np.zeros_like(is_missing)])
        return cls(
            ranks.astype(np.int32),
            keys.astype(np.int32),
            np.ones(keys.shape),
            0,
            distinct,
            float(known[-1] - known[0]) if len(known) else 0.0,
            next((texts[code] for code in np.flatnonzero(np.isnan(numbers))), ""),
            dict(zip(numbers.tolist(), texts, strict=True)),
            rounded,
        )

    def top_keys(self, max_level: int) -> Codes:
        """Return one label for everything: levels of a hierarchy mean nothing to ranges."""
        del max_level
        return self.keys[-1]

    def is_unambiguous(self, levels: Ints, ranks: Codes) -> Bools:
        """Return true: every range has its own text."""
        del levels
        return np.ones(len(ranks), np.bool_)

    def release(self, lows: Codes, highs: Codes, counts: Ints) -> tuple[CellDomain, Codes]:
        """Return the range of each set: one cell per distinct range."""
        n_ranks = len(self.numbers)
        ranges, cells = np.unique(lows.astype(np.int64) * n_ranks + highs, return_inverse=True)
        first, last = np.divmod(ranges, n_ranks)
        least, greatest = self.ends(first, last)
        is_mixed = np.isnan(greatest) & ~np.isnan(least)
        losses = np.where(is_mixed, 1.0, self._shares_of(least, greatest))
        costs = CellCosts(
            self._labels(least, greatest, is_mixed),
            losses,
            losses,
            losses,
            1.0 + losses * self.width,
            1.0,
            1.0 + self.width,
        )
        coverage = Coverage(
            self.ranks,
            np.where(is_mixed, 0, self._first_from(least)).astype(np.int32),
            np.where(is_mixed, n_ranks - 1, self._last_until(greatest)).astype(np.int32),
        )
        return costs.over(coverage, counts), cells.astype(np.int32)

    def ends(self, lows: Codes | Ints, highs: Codes | Ints) -> tuple[Floats, Floats]:
        """Return the ends that ranges are released with; NaN where the missing value is inside."""
        least, greatest = self.numbers[lows], self.numbers[highs]
        if self.rounded:
            # Where all records have one number it stays: it is nobody's extreme.
            for index in np.flatnonzero(least < greatest):
                least[index], greatest[index] = rounded_outward(
                    float(least[index]), float(greatest[index])
                )
        return least, greatest

    def _first_from(self, least: Floats) -> Ints:
        """Return the rank of the first number at or above each end."""
        return np.searchsorted(self.numbers, least)

    def _last_until(self, greatest: Floats) -> Ints:
        """Return the rank of the last number at or below each end."""
        return np.searchsorted(self.numbers, greatest, side="right") - 1

    def _shares_of(self, least: Floats, greatest: Floats) -> Floats:
        """Return the length of each range as a share of the column's; 0 for the missing value."""
        # A rounded range may be wider than the column.
        return np.minimum(np.nan_to_num((greatest - least) / (self.width or 1.0)), 1.0)

    def _labels(self, least: Floats, greatest: Floats, is_mixed: Bools) -> tuple[str, ...]:
        """Write each range with both its ends, a single number alone."""
        return tuple(
            ROOT if mixed else self._label(low, high)
            for low, high, mixed in zip(
                least.tolist(), greatest.tolist(), is_mixed.tolist(), strict=True
            )
        )

    def _label(self, low: float, high: float) -> str:
        """Write a range of numbers, or the missing value."""
        if np.isnan(low):
            return self.missing
        if low == high:
            return self._end(low)
        return f"[{self._end(low)}, {self._end(high)}]"

    def _end(self, number: float) -> str:
        """Write an end with the digits that the column has, where a double has too few."""
        text = self.texts.get(number, "") if abs(number) >= LARGEST_WHOLE_NUMBER else ""
        return plainly(Decimal(text)) if text else number_text(number)


def ranked_columns(problem: Problem) -> tuple[RankedColumn, ...]:
    """Return the values of every quasi-identifier in rank order."""
    return tuple(
        RankedLabels.of(hierarchy, floor)
        if numbers is None
        else RankedNumbers.of(numbers, hierarchy.values, rounded=problem.rounds_ends)
        for hierarchy, numbers, floor in zip(
            problem.hierarchies, problem.numbers, problem.min_levels, strict=True
        )
    )


def _numbered(codes: Codes) -> Codes:
    """Return numbers to the runs of equal codes at each level: (n_levels, n_ranks)."""
    changes = np.zeros(codes.shape, np.int32)
    np.cumsum(codes[:, 1:] != codes[:, :-1], axis=1, out=changes[:, 1:])
    return changes


def rounded_outward(low: float, high: float) -> tuple[float, float]:
    """Move both ends of a range outward to multiples of a step.

    The step is the one that belongs to the width of the result, or 5 where that is 2 and a step of
    2 gives a range that is too wide for it (and the same for their multiples by powers of ten). So
    it says nothing that the released range does not say: a reader computes it from the two ends.

    Parameters
    ----------
    low, high : low < high, finite

    Examples
    --------
    >>> rounded_outward(17.31, 88.4)
    (15.0, 90.0)
    """
    exact_low, exact_high = Decimal(repr(low)), Decimal(repr(high))
    step = public_step(exact_high - exact_low)
    while True:
        wide_low = (exact_low / step).to_integral_value(ROUND_FLOOR) * step
        wide_high = (exact_high / step).to_integral_value(ROUND_CEILING) * step
        wider = public_step(wide_high - wide_low)
        # Only from 2 to 5 can a larger step give a narrower range, as 5 is not a multiple of 2. At
        # an eighteenth of the exact width at the latest the step is large enough for its own
        # result.
        if wider <= step:
            return float(wide_low) + 0.0, float(wide_high) + 0.0
        step = wider


def public_step(width: Decimal) -> Decimal:
    """Return the least of 1, 2 and 5 times a power of ten, from a twentieth of a width on."""
    least = width / STEPS_IN_RANGE
    power = Decimal(1).scaleb(least.adjusted())
    return next(digit * power for digit in LEADING if digit * power >= least)
