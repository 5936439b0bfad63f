"""Classes of similar records: greedily, block by block where there are many."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.tables.core.protocols import Problem
from indistinct.tables.search.adaptive.adaptive_kernels import similar_classes

LARGEST_WHOLE = 20_000  # records up to which every pair is compared
BLOCK = 4_000


@dataclass(frozen=True, slots=True)
class RecordSimilarity:
    """How alike two records are: a weighted mean of the likeness of their values, in [0, 1].

    Numbers without a hierarchy: 1 - difference / range. Other values: 1 - level of the lowest
    common ancestor / height, which is equality where the height is 1.

    By cosine: the cosine of the angle between two vectors, numbers without a hierarchy scaled to
    [0, 1], each other value one-hot, each column times the square root of its weight.

    Parameters
    ----------
    paths : (n_columns, n_levels, n_values), label code of each value at each level
    heights : (n_columns,), highest level; 0 where numbers are compared
    ranks : (n_columns, n_values), each number's place in the range, in [0, 1]
    weights : (n_columns,), sum 1
    measure : one of ``MEASURES`` of the algorithm

    Source: majeed2017, section 3.
    """

    paths: Codes
    heights: Ints
    ranks: Floats
    weights: Floats
    measure: str = "hierarchy"

    def classes(self, codes: Codes, size: int) -> Codes:
        """Group records into classes of at least ``size``: (n_records,), class of each.

        Parameters
        ----------
        codes : (n_records, n_columns), at least ``size`` of them
        size : k
        """
        compared = (self.paths, self.heights, self.ranks, self.weights)
        return similar_classes(codes, *compared, size, self.measure == "cosine")

    def classes_by_blocks(self, codes: Codes, size: int, block: int = BLOCK) -> Codes:
        """Group records inside blocks of similar ones: (n_records,), class of each.

        Notes
        -----
        Blocks are halves of halves, each cut in the middle of the column that spreads most there:
        O(n_records * (log n_records + block / k) * n_columns).
        """
        blocks = list(blocks_of(self.places(codes), np.arange(len(codes)), max(block, 2 * size)))

        def grouped(members: Ints) -> Codes:
            return self.classes(np.ascontiguousarray(codes[members]), size)

        labels = np.empty(len(codes), np.int32)
        n_classes = 0
        with ThreadPoolExecutor() as pool:
            for members, found in zip(blocks, pool.map(grouped, blocks), strict=True):
                labels[members] = found + n_classes
                n_classes += int(found.max()) + 1
        return labels

    def places(self, codes: Codes) -> Floats:
        """Return a weighted place on a line for each value: (n_records, n_columns).

        Values of one branch of a hierarchy stand side by side.
        """
        columns: list[Floats] = []
        for column, weight in enumerate(self.weights):
            if self.heights[column] == 0:
                places = self.ranks[column]
            else:
                order = np.lexsort(tuple(self.paths[column, : self.heights[column] + 1]))
                places = np.argsort(order, kind="stable") / max(len(order) - 1, 1)
            columns.append(places[codes[:, column]] * weight)
        return np.stack(columns, axis=1)


def similarity_of(
    problem: Problem, weights: Floats, measure: str = "hierarchy"
) -> RecordSimilarity:
    """Lay out how the records of a problem are compared.

    Parameters
    ----------
    weights : (n_columns,), sum 1
    measure : one of ``MEASURES`` of the algorithm
    """
    hierarchies = [hierarchy.with_root() for hierarchy in problem.hierarchies]
    n_levels = max(hierarchy.n_levels for hierarchy in hierarchies)
    n_values = max(len(hierarchy.values) for hierarchy in hierarchies)
    paths = np.zeros((len(hierarchies), n_levels, n_values), np.int32)
    ranks = np.zeros((len(hierarchies), n_values))
    heights = np.zeros(len(hierarchies), np.int64)
    for column, (hierarchy, numbers) in enumerate(zip(hierarchies, problem.numbers, strict=True)):
        width = len(hierarchy.values)
        paths[column, : hierarchy.n_levels, :width] = hierarchy.codes
        paths[column, hierarchy.n_levels :, :width] = hierarchy.codes[-1]
        if numbers is None:
            heights[column] = max(hierarchy.height, 1)
        else:
            ranks[column, :width] = _in_range(numbers)
    return RecordSimilarity(paths, heights, ranks, weights, measure)


def _in_range(numbers: Floats) -> Floats:
    """Scale numbers to [0, 1]; a missing one stands in the middle."""
    if np.isnan(numbers).all():
        return np.full(len(numbers), 0.5)
    low, high = np.nanmin(numbers), np.nanmax(numbers)
    return np.nan_to_num((numbers - low) / max(high - low, np.finfo(float).tiny), nan=0.5)


def blocks_of(places: Floats, members: Ints, block: int) -> Iterator[Ints]:
    """Halve the records until no block is larger than ``block``, in ascending order each."""
    if len(members) <= block:
        yield np.sort(members)
        return
    chosen = places[members]
    column = int(chosen.std(axis=0).argmax())
    order = np.argsort(chosen[:, column], kind="stable")
    middle = len(members) // 2
    yield from blocks_of(places, members[order[:middle]], block)
    yield from blocks_of(places, members[order[middle:]], block)
