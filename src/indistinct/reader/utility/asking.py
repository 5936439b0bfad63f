"""Parts of a column's line that somebody asks about, and how much of each cell lies in them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

import numpy as np

from indistinct.core.arrays import Floats, Ints
from indistinct.release.cells import CellBook
from indistinct.release.lines import Line, Scale, Values


class Asked(ABC):
    """A part of a line that somebody asks about."""

    @abstractmethod
    def share(self, book: CellBook) -> Floats:
        """Give the share of each cell that is asked about: (n_cells,), in [0, 1]."""


@final
@dataclass(frozen=True, slots=True)
class AskedRange(Asked):
    """Everything from ``low`` to below ``high``."""

    low: float
    high: float

    def share(self, book: CellBook) -> Floats:
        """Divide the length of the overlap by the length of the cell."""
        overlap = np.minimum(book.ends, self.high) - np.maximum(book.starts, self.low)
        return _divided(np.maximum(overlap, 0.0), book.lengths)


@final
@dataclass(frozen=True, slots=True)
class AskedValues(Asked):
    """Some of the values that stand side by side.

    Parameters
    ----------
    before : (n_values + 1,), values asked about among the first 0, 1, 2 ...
    """

    before: Ints

    @classmethod
    def among(cls, chosen: Ints, n_values: int) -> AskedValues:
        """Ask about the values at some places."""
        is_asked = np.zeros(n_values, np.int64)
        is_asked[chosen] = 1
        return cls(np.concatenate([[0], np.cumsum(is_asked)]))

    def share(self, book: CellBook) -> Floats:
        """Count the values asked about in each cell."""
        first, last = book.starts.astype(np.int64), book.ends.astype(np.int64)
        return _divided((self.before[last] - self.before[first]).astype(np.float64), book.lengths)


def ask(line: Line, share: float, chance: np.random.Generator) -> Asked:
    """Ask about a random part of a line, as large as a share of it."""
    if isinstance(line, Values):
        return _some_values(line, share, chance)
    if isinstance(line, Scale) and not line.is_whole:
        return _some_length(line, share, chance)
    low, high = line.whole
    length = max(1, round(share * (high - low)))
    start = low + int(chance.integers(0, max(1, int(high - low) - length + 1)))
    return AskedRange(start, start + length)


def _some_length(line: Line, share: float, chance: np.random.Generator) -> AskedRange:
    """Ask about a range of numbers that starts anywhere it fits."""
    low, high = line.whole
    length = share * (high - low)
    start = low + chance.random() * (high - low - length)
    return AskedRange(start, high if share == 1 else start + length)


def _some_values(line: Values, share: float, chance: np.random.Generator) -> AskedValues:
    """Ask about any of the words, or about numbers that follow each other."""
    n_values = int(line.whole[1])
    if line.numbers is None:
        length = max(1, round(share * n_values))
        return AskedValues.among(chance.choice(n_values, length, replace=False), n_values)
    ascending = np.argsort(line.numbers)[: n_values - int(np.isnan(line.numbers).sum())]
    length = max(1, round(share * len(ascending)))
    start = int(chance.integers(0, max(1, len(ascending) - length + 1)))
    return AskedValues.among(ascending[start : start + length], n_values)


def _divided(parts: Floats, wholes: Floats) -> Floats:
    """Divide; nothing, or what lies nowhere, gives 0."""
    shares = np.zeros(len(parts))
    np.divide(parts, wholes, out=shares, where=wholes > 0)
    return shares
