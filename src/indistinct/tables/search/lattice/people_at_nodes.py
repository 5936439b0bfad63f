"""The people of a population who look alike at a node of the lattice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Ints, Words
from indistinct.base.hierarchy import GeneralizationHierarchy
from indistinct.tables.core.frequencies import PopulationTable
from indistinct.tables.search.lattice.label_words import words_of_labels
from indistinct.tables.search.lattice.nodes import Node


@dataclass(frozen=True, slots=True)
class PeopleAtNodes:
    """A population, to be counted at any node.

    Parameters
    ----------
    population : its distinct tuples
    words : per column, (n_levels, n_values), the word of the label above each of its values
    """

    population: PopulationTable
    words: tuple[Words, ...]

    @classmethod
    def of(
        cls,
        population: PopulationTable,
        hierarchies: tuple[GeneralizationHierarchy, ...],
        offsets: list[list[int]],
        words: Words,
    ) -> PeopleAtNodes:
        """Find the words of the population's labels among those of the table's values."""
        return cls(
            population,
            tuple(
                np.stack(
                    [
                        words_of_labels(hierarchy.codes[level], words, offset)[labels[level]]
                        for level, offset in enumerate(starts)
                    ]
                )
                for hierarchy, starts, labels in zip(
                    hierarchies, offsets, population.labels, strict=True
                )
            ),
        )

    def count(self, node: Node, keys: Words) -> Ints:
        """Count the people whose labels at a node add up to each of some keys: (n_keys,)."""
        codes = self.population.codes
        met = np.ones(len(codes), np.bool_)
        own = np.zeros(len(codes), np.uint64)
        for column, level in enumerate(node):
            met &= self.population.labels[column][level][codes[:, column]] >= 0
            own += self.words[column][level][codes[:, column]]
        distinct, inverse = np.unique(own[met], return_inverse=True)
        counts = np.bincount(inverse, self.population.weights[met], len(distinct))
        if not len(distinct):
            return np.zeros(len(keys), np.int64)
        at = np.minimum(np.searchsorted(distinct, keys), len(distinct) - 1)
        return np.where(distinct[at] == keys, counts[at], 0).astype(np.int64)
