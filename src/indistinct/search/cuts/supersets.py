"""The partitions that classes were cut from, as supersets that some models look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from indistinct.core.arrays import Bools, Ints
from indistinct.core.classes import EquivalenceClasses, Region


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
        """Give the partition that contains each of some classes."""
        return self.of_class[classes]


def regions_above(
    tree: Sequence[Generation], generations: Ints, places: Ints
) -> Callable[[], Iterator[Region]]:
    """Give the partitions that some classes lie in, the small ones first.

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
