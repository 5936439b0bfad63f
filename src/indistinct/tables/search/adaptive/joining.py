"""Join classes of little diversity with the nearest ones, until they are diverse."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.hierarchy import GeneralizationHierarchy
from indistinct.tables.search.adaptive.adaptive_kernels import join_classes
from indistinct.tables.search.adaptive.similarity import RecordSimilarity, blocks_of

BLOCK = 2_000  # classes that are compared with one another
GROWTH = 8  # of the blocks, while some class has found no partner in its own


@dataclass(frozen=True, slots=True)
class CandidateClasses:
    """Classes that can be released.

    Parameters
    ----------
    codes : (n_classes, n_columns), value code of one record of each
    levels : (n_classes, n_columns), level each is released at
    counts : (n_classes, n_values), records per sensitive value
    """

    codes: Codes
    levels: Ints
    counts: Ints

    def diverse(self, least: float, evenness: float) -> Bools:
        """Return which are diverse and even: (n_classes,).

        Source: majeed2017, equations 3 to 6.
        """
        shares = self.counts / self.counts.sum(axis=1, keepdims=True)
        diversity = 1 / (shares**2).sum(axis=1)
        is_even = diversity / np.count_nonzero(self.counts, axis=1) >= evenness - 1e-12
        return (diversity >= least - 1e-12) & is_even

    def chosen(self, which: Ints | Bools) -> CandidateClasses:
        """Return some of the classes."""
        return CandidateClasses(self.codes[which], self.levels[which], self.counts[which])


@dataclass(frozen=True, slots=True)
class Joining:
    """How classes are joined.

    Parameters
    ----------
    similarity : where classes lie
    costs : (n_columns, n_levels, n_values), what a record loses at a level
    highest : (n_columns,), level that no class may rise above
    least, evenness : of a diverse class
    """

    similarity: RecordSimilarity
    costs: Floats
    highest: Ints
    least: float
    evenness: float

    def joined(
        self, classes: CandidateClasses, block: int = BLOCK
    ) -> tuple[Ints, CandidateClasses]:
        """Join classes: the class each one becomes a part of, (n_classes,), and those that remain.

        Notes
        -----
        Classes are compared inside blocks of near ones first; those that find no partner there, in
        larger blocks. O(n_classes * (log n_classes + block) * (n_columns + n_values)) where blocks
        are as mixed as the table.
        """
        owners = np.arange(len(classes.codes))
        while True:
            places = self.similarity.places(classes.codes)
            blocks = list(blocks_of(places, np.arange(len(places)), block))
            with ThreadPoolExecutor() as pool:
                chosen = [classes.chosen(members) for members in blocks]
                parts = list(pool.map(self._within, chosen))
            merged = np.empty(len(places), np.int64)
            for members, own in zip(blocks, parts, strict=True):
                merged[members] = members[own]
            kept, number = np.unique(merged, return_inverse=True)
            owners = number[owners]
            classes = _united(classes, blocks, chosen).chosen(kept)
            if len(blocks) == 1 or classes.diverse(self.least, self.evenness).all():
                return owners, classes
            block *= GROWTH

    def _within(self, part: CandidateClasses) -> Ints:
        """Join classes in place: the class each one becomes a part of."""
        return join_classes(
            part.codes,
            part.levels,
            part.counts,
            self.similarity.paths,
            self.costs,
            self.highest,
            self.least - 1e-12,
            self.evenness - 1e-12,
        )


def joining_costs(
    hierarchies: tuple[GeneralizationHierarchy, ...], similarity: RecordSimilarity
) -> Floats:
    """Return what a record loses at each level: (n_columns, n_levels, n_values).

    The certainty penalty of its cell, weighted as the columns are for similarity.
    """
    costs = np.zeros(similarity.paths.shape)
    for column, hierarchy in enumerate(hierarchies):
        for level, codes in enumerate(hierarchy.codes):
            penalties = hierarchy.certainty_penalty(level)[codes]
            costs[column, level, : len(codes)] = similarity.weights[column] * penalties
    return costs


def _united(
    classes: CandidateClasses, blocks: list[Ints], parts: list[CandidateClasses]
) -> CandidateClasses:
    """Return the classes of all blocks where they were."""
    levels, counts = classes.levels.copy(), classes.counts.copy()
    for members, part in zip(blocks, parts, strict=True):
        levels[members], counts[members] = part.levels, part.counts
    return CandidateClasses(classes.codes, levels, counts)
