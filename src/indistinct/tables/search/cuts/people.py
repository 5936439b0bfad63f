"""The people of a population whose values lie in boxes of ranges and labels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

import numpy as np

from indistinct.base.arrays import Bools, Codes, Ints
from indistinct.base.hierarchy import GeneralizationHierarchy
from indistinct.tables.core.frequencies import PopulationTable
from indistinct.tables.search.cuts.ranked import RankedColumn, RankedLabels, RankedNumbers

MOST_KEPT = 1_000_000  # boxes whose count is remembered


@final
@dataclass(slots=True)
class Labelled:
    """A population, by the labels that its values have.

    Parameters
    ----------
    population : its distinct tuples
    """

    population: PopulationTable
    _known: dict[tuple[int, int, int], Bools] = field(
        default_factory=dict[tuple[int, int, int], Bools]
    )

    def below(self, column: int, level: int, code: int) -> Bools:
        """Return who has a value below a label: (n_people,); looked up once."""
        known = self._known.get((column, level, code))
        if known is None:
            has_label = self.population.labels[column][level] == code
            known = has_label[self.population.codes[:, column]]
            self._known[column, level, code] = known
        return known


@final
@dataclass(slots=True)
class PeopleInBoxes:
    """A population, to be counted in the boxes that sets of a table's records are released as.

    Parameters
    ----------
    labelled : who has which label
    ranked : the table's quasi-identifiers in rank order

    Notes
    -----
    O(n_columns * people's distinct tuples) per box. A person may lie in several boxes, where these
    overlap.
    """

    labelled: Labelled
    ranked: tuple[RankedColumn, ...]

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
        inside = np.ones(len(self.labelled.population.weights), np.bool_)
        for column, ranked in enumerate(self.ranked):
            if isinstance(ranked, RankedNumbers):
                inside &= self._between(column, ranked, lows[column], highs[column])
            elif isinstance(ranked, RankedLabels):
                inside &= self.labelled.below(column, *ranked.label(lows[column], highs[column]))
        return int(self.labelled.population.weights[inside].sum())

    def _between(self, column: int, ranked: RankedNumbers, low: int, high: int) -> Bools:
        """Return who has a number in a range, or is missing one where the range is that."""
        (least,), (greatest,) = ranked.ends(np.array([low]), np.array([high]))
        numbers = self.labelled.population.numbers[column]
        if numbers is None or (np.isnan(greatest) and not np.isnan(least)):
            return np.ones(len(self.labelled.population.weights), np.bool_)
        if np.isnan(least):
            return np.isnan(numbers)[self.labelled.population.codes[:, column]]
        return ((numbers >= least) & (numbers <= greatest))[
            self.labelled.population.codes[:, column]
        ]


@final
@dataclass(slots=True)
class PeopleAtLevels:
    """A population, to be counted in boxes of labels.

    Parameters
    ----------
    labelled : who has which label
    hierarchies : per quasi-identifier; a level above the last one is everything

    Notes
    -----
    O(n_columns * people's distinct tuples) per box, once per box while there is room.
    """

    labelled: Labelled
    hierarchies: tuple[GeneralizationHierarchy, ...]
    _boxes: dict[tuple[int, ...], int] = field(default_factory=dict[tuple[int, ...], int])

    def count(self, levels: Codes, values: Codes) -> Ints:
        """Count the people in each of some boxes: (n_boxes,).

        Parameters
        ----------
        levels, values : (n_boxes, n_columns), level of each cell, and code of a value below it
        """
        codes = np.full(levels.shape, -1, np.int64)
        for column, hierarchy in enumerate(self.hierarchies):
            is_label = levels[:, column] < hierarchy.n_levels
            at = levels[is_label, column], values[is_label, column]
            codes[is_label, column] = hierarchy.codes[at]
        boxes = np.concatenate([levels, codes], axis=1).tolist()
        return np.array([self._counted(tuple(box)) for box in boxes], np.int64)

    def _counted(self, box: tuple[int, ...]) -> int:
        """Count the people in one box, once."""
        known = self._boxes.get(box)
        if known is None:
            known = self._inside(box)
            if len(self._boxes) < MOST_KEPT:
                self._boxes[box] = known
        return known

    def _inside(self, box: tuple[int, ...]) -> int:
        """Count the people in one box: levels, then codes."""
        inside = np.ones(len(self.labelled.population.weights), np.bool_)
        n_columns = len(self.hierarchies)
        for column in range(n_columns):
            if box[n_columns + column] >= 0:
                inside &= self.labelled.below(column, box[column], box[n_columns + column])
        return int(self.labelled.population.weights[inside].sum())
