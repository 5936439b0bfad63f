"""Ranges around the ranges of a class: found from what is released, as a reader finds them.

A column that is released in ranges made from the data has no hierarchy to climb. But the ranges of
all classes show how the records were divided: where none of them crosses a number, the records
below it and those above it are two regions. Dividing again and again, until a class is alone,
leads through every region that a partitioning by such cuts has gone through.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import le

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.tables.verification.texts import CLOSED, HIDDEN, is_number

CornerNumbers = tuple[
    float, ...
]  # per column the least number, and the greatest with its sign changed
Divisions = dict[CornerNumbers, list[tuple[CornerNumbers, Ints]]]


@dataclass(slots=True)
class Ranges:
    """The ranges of all released classes, in the columns that are released in such.

    Parameters
    ----------
    columns : which of the quasi-identifiers they are
    lows, highs : (n_classes, n_columns); a missing value is a number above all others, and a cell
        that holds it beside others has no ends
    texts : per column, how its numbers, and the missing value, are written
    """

    columns: Sequence[int]
    lows: Floats
    highs: Floats
    texts: Sequence[Mapping[float, str]]
    _known: dict[bytes, Divisions] = field(default_factory=dict[bytes, Divisions])

    @classmethod
    def of(cls, boxes: Sequence[Sequence[str]], columns: Sequence[int]) -> Ranges:
        """Read the ranges of some columns of every class."""
        lows = np.empty((len(boxes), len(columns)))
        highs = np.empty_like(lows)
        texts: list[dict[float, str]] = [{} for _ in columns]
        for place, column in enumerate(columns):
            for index, box in enumerate(boxes):
                low, high = _ends(box[column], texts[place])
                lows[index, place], highs[index, place] = low, high
        return cls(columns, lows, highs, texts)

    def around(self, one: int, inside: Bools) -> Iterator[tuple[str, ...]]:
        """Yield the ranges around a class's own, wide ones first: a cell per column.

        Parameters
        ----------
        one : the class
        inside : (n_classes,), those whose other cells lie where they are looked for
        """
        divisions = self._known.setdefault(inside.tobytes(), {})
        own = self._bounds(np.array([one]))
        members = np.flatnonzero(inside)
        reached = deque([(self._bounds(members), members)])
        seen = {reached[0][0]}
        while reached:
            bounds, members = reached.popleft()
            yield self._cells(bounds)
            if bounds not in divisions:
                divisions[bounds] = list(self._divided(members))
            for narrower, kept in divisions[bounds]:
                if narrower not in seen and all(map(le, narrower, own)):
                    seen.add(narrower)
                    reached.append((narrower, kept))

    def _bounds(self, members: Ints) -> CornerNumbers:
        """Return the ends of some classes together: those around others are less or equal."""
        least, greatest = self.lows[members].min(axis=0), self.highs[members].max(axis=0)
        return (*least.tolist(), *(-greatest).tolist())

    def _divided(self, members: Ints) -> Iterator[tuple[CornerNumbers, Ints]]:
        """Yield the parts without what is outside the first and last uncrossed number."""
        for column in range(len(self.columns)):
            lows, highs = self.lows[members, column], self.highs[members, column]
            order = np.argsort(lows, kind="stable")
            reach = np.maximum.accumulate(highs[order])
            gaps = np.flatnonzero(reach[:-1] < lows[order][1:])
            if not len(gaps):
                continue
            for kept in (members[lows > reach[gaps[0]]], members[highs <= reach[gaps[-1]]]):
                yield self._bounds(kept), kept

    def _cells(self, bounds: CornerNumbers) -> tuple[str, ...]:
        """Write ranges as a release would."""
        count = len(self.columns)
        return tuple(
            _cell(low, -high, texts)
            for low, high, texts in zip(bounds[:count], bounds[count:], self.texts, strict=True)
        )


def encloses(cell: str, text: str) -> bool:
    """Return whether a range with both its ends contains a number or another such range."""
    around, within = CLOSED.match(cell), CLOSED.match(text)
    if around is None:
        return False
    low, high = float(around[1]), float(around[2])
    if within is not None:
        return low <= float(within[1]) and float(within[2]) <= high
    return is_number(text) and low <= float(text) <= high


def _ends(cell: str, texts: dict[float, str]) -> tuple[float, float]:
    """Read the ends of a cell, and remember how they are written."""
    if cell == HIDDEN:
        return -math.inf, math.inf
    closed = CLOSED.match(cell)
    written = (closed[1], closed[2]) if closed is not None else (cell, cell)
    if not is_number(written[0]):
        texts[math.inf] = cell
        return math.inf, math.inf
    low, high = float(written[0]), float(written[1])
    texts[low], texts[high] = written
    return low, high


def _cell(low: float, high: float, texts: Mapping[float, str]) -> str:
    """Write a range; one without ends is everything."""
    if low == high:
        return texts[low]
    return HIDDEN if math.isinf(low) or math.isinf(high) else f"[{texts[low]}, {texts[high]}]"
