"""The partition of a coarser node of the lattice, as a region around finer classes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Bools, Codes, Ints, Words
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.protocols import Problem
from indistinct.tables.search.lattice.nodes import Node, SortedClasses


@dataclass(frozen=True, slots=True)
class CoarserNode:
    """The partition of a coarser node, as a region around finer classes.

    Parameters
    ----------
    representatives : (n_classes,), a tuple of each finer class
    counted : the classes of the coarser node
    keys : gives the keys of some tuples at a node
    """

    problem: Problem
    representatives: Codes
    counted: SortedClasses
    keys: Callable[[Codes, Node], Words]

    @property
    def parts(self) -> EquivalenceClasses:
        """The classes of the coarser node."""
        return self.counted.classes

    def part_of(self, classes: Ints) -> Ints:
        """Return the coarser class of some finer ones; -1 where its cells read as more than it."""
        tuples = self.representatives[classes]
        keys = self.keys(tuples, self.counted.node)
        places = self.counted.order[np.searchsorted(self.counted.keys, keys)]
        return np.where(self._is_read_alone(tuples), places, -1)

    def _is_read_alone(self, tuples: Codes) -> Bools:
        """Return whether a reader of the cells above some tuples finds no other values in them."""
        is_alone = np.ones(len(tuples), np.bool_)
        hierarchies = self.problem.hierarchies
        for column, (hierarchy, level) in enumerate(
            zip(hierarchies, self.counted.node, strict=True)
        ):
            values = self.problem.table.codes[tuples, column]
            is_alone &= hierarchy.is_unambiguous[level, values]
        return is_alone
