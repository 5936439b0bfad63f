"""Numbers and ranges of numbers among released cells, and which values a cell covers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.cells.plain_numbers import is_plain_number


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
    if all(map(is_number, texts)):
        numbers = np.array(texts, np.float64)
        return Ends(numbers, numbers, np.zeros(len(texts), np.bool_))
    lows, highs = np.full(len(texts), np.nan), np.full(len(texts), np.nan)
    is_open = np.zeros(len(texts), np.bool_)
    for cell, text in enumerate(texts):
        if (ends := ends_of(text)) is not None:
            lows[cell], highs[cell] = float(ends[0]), float(ends[1])
            is_open[cell] = text[-1] == ")" and lows[cell] < highs[cell]
        elif is_number(text):
            lows[cell] = highs[cell] = float(text)
    return Ends(lows, highs, is_open)


def ends_of(text: str) -> tuple[str, str] | None:
    """Return both ends of a range of numbers, as it writes them; None for other texts."""
    if text[:1] != "[" or text[-1] not in {")", "]"}:
        return None
    low, _, high = text[1:-1].partition(", ")
    return (low, high) if is_plain_number(low) and is_plain_number(high) else None


def is_range(text: str) -> bool:
    """Return whether a text is a range of numbers."""
    return ends_of(text) is not None


def is_number(text: str) -> bool:
    """Return whether a text is a number in ASCII digits, or the NaN that Polars writes."""
    return text == "NaN" or is_plain_number(text)


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
