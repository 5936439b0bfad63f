"""The people of a population whose values lie in boxes of ranges and labels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

import numpy as np

from indistinct.core.arrays import Bools, Codes, Ints
from indistinct.core.frequencies import PopulationTable
from indistinct.table.algorithms.ranked import RankedColumn, RankedLabels, RankedNumbers


@final
@dataclass(slots=True)
class People:
    """A population, to be counted in the boxes that sets of a table's records are released as.

    Parameters
    ----------
    population : its distinct tuples
    ranked : the table's quasi-identifiers in rank order

    Notes
    -----
    O(n_columns * people's distinct tuples) per box. A person may lie in several boxes, where these
    overlap.
    """

    population: PopulationTable
    ranked: tuple[RankedColumn, ...]
    _known: dict[tuple[int, int, int], Bools] = field(
        default_factory=dict[tuple[int, int, int], Bools]
    )

    def count(self, lows: Codes, highs: Codes) -> Ints:
        """Count the people in each of some boxes: (n_boxes,).

        Parameters
        ----------
        lows, highs : (n_boxes, n_columns), least and greatest rank of the records in each
        """
        boxes = zip(lows.tolist(), highs.tolist(), strict=True)
        return np.array([self._inside(low, high) for low, high in boxes], np.int64)

    def _inside(self, lows: list[int], highs: list[int]) -> int:
        """Count the people in one box."""
        inside = np.ones(len(self.population.weights), np.bool_)
        for column, ranked in enumerate(self.ranked):
            if isinstance(ranked, RankedNumbers):
                inside &= self._between(column, ranked, lows[column], highs[column])
            elif isinstance(ranked, RankedLabels):
                inside &= self._below(column, *ranked.label(lows[column], highs[column]))
        return int(self.population.weights[inside].sum())

    def _below(self, column: int, level: int, code: int) -> Bools:
        """Tell who has a value below a label: (n_people,); looked up once."""
        known = self._known.get((column, level, code))
        if known is None:
            has_label = self.population.labels[column][level] == code
            known = has_label[self.population.codes[:, column]]
            self._known[column, level, code] = known
        return known

    def _between(self, column: int, ranked: RankedNumbers, low: int, high: int) -> Bools:
        """Tell who has a number in a range, or is missing one where the range is that."""
        least, greatest = ranked.numbers[low], ranked.numbers[high]
        numbers = self.population.numbers[column]
        if numbers is None or (np.isnan(greatest) and not np.isnan(least)):
            return np.ones(len(self.population.weights), np.bool_)
        if np.isnan(least):
            return np.isnan(numbers)[self.population.codes[:, column]]
        return ((numbers >= least) & (numbers <= greatest))[self.population.codes[:, column]]
