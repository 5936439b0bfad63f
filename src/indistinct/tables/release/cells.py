"""The cells of a released column, and what each covers: the one place that knows how they read.

Verification has its own definition in :mod:`indistinct.tables.verification.rendering`, on purpose;
a property test holds the two against each other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.brief import short_repr

# Every pattern ends with \Z: $ would let a line end follow, and with it whatever it says.
NUMBER = re.compile(r"(?:[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|NaN)\Z")
END = r"(-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)"
RANGE = re.compile(rf"\[{END}, {END}([\])])\Z")


@final
@dataclass(frozen=True, slots=True)
class Ends:
    """Both ends of cells that are numbers or ranges of numbers.

    Parameters
    ----------
    lows, highs : (n_cells,), as they are written, equal for a number; NaN for any other cell
    is_open : (n_cells,), True for a range without its higher end
    """

    lows: Floats
    highs: Floats
    is_open: Bools

    @property
    def are_written(self) -> Bools:
        """Return which cells are numbers or ranges: (n_cells,)."""
        return ~np.isnan(self.lows)

    @property
    def after(self) -> Floats:
        """The least number above all that a cell covers: (n_cells,)."""
        return np.where(self.is_open, self.highs, np.nextafter(self.highs, np.inf))


def read_ends(texts: Sequence[str]) -> Ends:
    """Read numbers and ranges, half-open ``[20, 30)`` and closed ``[20, 30]``.

    Parameters
    ----------
    texts : (n_cells,), any cells
    """
    if all(map(NUMBER.match, texts)):
        numbers = np.array(texts, np.float64)
        return Ends(numbers, numbers, np.zeros(len(texts), np.bool_))
    lows, highs = np.full(len(texts), np.nan), np.full(len(texts), np.nan)
    is_open = np.zeros(len(texts), np.bool_)
    for cell, text in enumerate(texts):
        if (ends := RANGE.match(text)) is not None:
            lows[cell], highs[cell] = float(ends[1]), float(ends[2])
            is_open[cell] = ends[3] == ")" and lows[cell] < highs[cell]
        elif is_number(text):
            lows[cell] = highs[cell] = float(text)
    return Ends(lows, highs, is_open)


def is_range(text: str) -> bool:
    """Return whether a text is a range of numbers."""
    return RANGE.match(text) is not None


def is_number(text: str) -> bool:
    """Return whether a text is a number in ASCII digits, or the NaN that Polars writes."""
    return NUMBER.match(text) is not None


@final
@dataclass(frozen=True, slots=True)
class CellCoverage:
    """The values that each cell of a column may stand for, as runs of value codes.

    Parameters
    ----------
    starts : (n_cells + 1,), where each cell's runs begin
    lows, highs : (n_runs,), first code of a run, and one after its last
    """

    starts: Ints
    lows: Codes
    highs: Codes

    @classmethod
    def of(cls, codes: Sequence[Ints]) -> CellCoverage:
        """Join the codes under each cell to runs.

        Parameters
        ----------
        codes : per cell, ascending
        """
        lengths = np.array([len(under) for under in codes], np.int64)
        owners = np.repeat(np.arange(len(codes)), lengths)
        joined = np.concatenate([np.zeros(0, np.int64), *codes])
        begins = np.ones(len(joined), np.bool_)
        begins[1:] = (np.diff(joined) != 1) | (np.diff(owners) != 0)
        first = np.flatnonzero(begins)
        last = np.append(first[1:], len(joined))[: len(first)] - 1
        counts = np.bincount(owners[first], minlength=len(codes))
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return cls(starts, joined[first].astype(np.int32), joined[last].astype(np.int32) + 1)

    @property
    def sizes(self) -> Ints:
        """Values under each cell: (n_cells,)."""
        owners = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        lengths = self.highs - self.lows
        return np.bincount(owners, lengths, len(self.starts) - 1).astype(np.int64)


@final
@dataclass(frozen=True, slots=True)
class ColumnCodebook:
    """The cells that stand in one released column, and what each of them covers.

    Parameters
    ----------
    name : of the column
    texts : (n_cells,), as released
    levels : (n_cells, n_levels), the levels at which each may stand; none for a range that was made
        from the data, and for a text that is no cell of the column
    starts, ends : (n_cells,), half-open span on the column's line; the whole line for a hidden
        cell, NaN for what lies nowhere: a missing number, and a text that is no cell of the column
    written : ends of those that are numbers or ranges
    cover : the values of the data that each may stand for
    are_cells : (n_cells,), False for a text that is no cell of the column
    hidden, missing : which of them is the hidden cell, and which the missing value; -1 for none
    """

    name: str
    texts: tuple[str, ...]
    levels: Bools
    starts: Floats
    ends: Floats
    written: Ends
    cover: CellCoverage
    are_cells: Bools
    hidden: int
    missing: int

    __repr__ = short_repr

    @property
    def lengths(self) -> Floats:
        """How much of the line each cell covers: (n_cells,)."""
        return self.ends - self.starts

    @property
    def middles(self) -> Floats:
        """Middle of each cell: (n_cells,)."""
        return (self.starts + self.ends) / 2
