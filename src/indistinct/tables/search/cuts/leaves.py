"""The partitions that stay whole, and those that they were cut from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from indistinct.base.arrays import Bools, Codes, Ints
from indistinct.tables.core.classes import EquivalenceClasses, Region
from indistinct.tables.search.cuts.mondrian_kernels import Partitions, RankedItems, settle


@dataclass(slots=True)
class Leaves:
    """The partitions that stay whole, in the order in which this was found.

    Parameters
    ----------
    tuples, labels, weights : (capacity,), of which the first ``n_items`` are in use
    lows, highs, released, places : per generation, of each leaf: its least and greatest ranks,
        whether it is released, and its number in the generation
    """

    tuples: Codes
    labels: Codes
    weights: Ints
    n_items: int = 0
    n_classes: int = 0
    lows: list[Codes] = field(default_factory=list[Codes])
    highs: list[Codes] = field(default_factory=list[Codes])
    released: list[Bools] = field(default_factory=list[Bools])
    places: list[Codes] = field(default_factory=list[Codes])

    @classmethod
    def none(cls, capacity: int) -> Leaves:
        """Make room for the first."""
        return cls(
            np.empty(capacity, np.int32),
            np.empty(capacity, np.int32),
            np.empty(capacity, np.int64),
        )

    def add(
        self, items: RankedItems, partitions: Partitions, chosen: Codes, released: Bools
    ) -> None:
        """Add the chosen partitions of a generation."""
        self.n_items = settle(
            items,
            partitions,
            chosen,
            self.n_classes,
            self.n_items,
            self.tuples,
            self.labels,
            self.weights,
        )
        self.n_classes += len(chosen)
        self.lows.append(partitions.lows[chosen])
        self.highs.append(partitions.highs[chosen])
        self.released.append(released[chosen])
        self.places.append(chosen)


@dataclass(frozen=True, slots=True)
class Generation:
    """Partitions that were cut from the same generation, as supersets of what they are cut into.

    Parameters
    ----------
    parts : their records and sensitive values
    whole : (n_partitions,), True where one holds all records of the table whose values lie inside
        its cells: only then is it a region that a reader of the release can see
    parents : (n_partitions,), number in the generation before; -1 in the first
    """

    parts: EquivalenceClasses
    whole: Bools
    parents: Ints


@dataclass(frozen=True, slots=True)
class Ancestors:
    """The partitions of a generation as a region around some classes.

    Parameters
    ----------
    parts : the partitions
    of_class : (n_classes,), partition that each class was cut from; -1 for none
    """

    parts: EquivalenceClasses
    of_class: Ints

    def part_of(self, classes: Ints) -> Ints:
        """Return the partition that contains each of some classes."""
        return self.of_class[classes]


def regions_above(
    tree: Sequence[Generation], generations: Ints, places: Ints
) -> Callable[[], Iterator[Region]]:
    """Return the partitions that some classes lie in, the small ones first.

    Parameters
    ----------
    tree : the generations, the first one first
    generations, places : (n_classes,), the partition that is the first to be given for each class
    """

    def regions() -> Iterator[Region]:
        at = np.full(len(places), -1, np.int64)
        for number, generation in reversed(list(enumerate(tree))):
            at = np.where(generations == number, places, at)
            yield Ancestors(generation.parts, np.where(generation.whole[at], at, -1))
            at = np.where(at >= 0, generation.parents[at], -1)

    return regions
