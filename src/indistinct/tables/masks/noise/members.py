"""Records sorted by their equivalence class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints


@dataclass(frozen=True, slots=True)
class Members:
    """Who belongs to which class.

    Parameters
    ----------
    labels : (n,), class of each record, 0 <= label < n_classes, no class empty
    order : (n,), the records, class after class
    starts : (n_classes + 1,), where each class begins in ``order``, and the end of the last
    """

    labels: Codes
    order: Ints
    starts: Ints

    @classmethod
    def of(cls, labels: Codes) -> Members:
        """Sort records by class; classes may be numbered with gaps, and are numbered anew.

        Parameters
        ----------
        labels : (n,), any whole numbers
        """
        _, numbers, sizes = np.unique(labels, return_inverse=True, return_counts=True)
        order = np.argsort(numbers, kind="stable").astype(np.int64)
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        return cls(numbers.astype(np.int32), order, starts)

    @classmethod
    def together(cls, n_records: int) -> Members:
        """Return all records in one class: the baseline of global noise."""
        return cls.of(np.zeros(n_records, np.int32))

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.starts) - 1

    @property
    def sizes(self) -> Ints:
        """Records per class: (n_classes,)."""
        return np.diff(self.starts)

    def sums(self, numbers: Floats) -> Floats:
        """Add up a number per record over each class: (n,) -> (n_classes,)."""
        return np.bincount(self.labels, numbers, self.n_classes).astype(np.float64)

    def spreads(self, values: Floats) -> Floats:
        """Return the greatest less the least value of each class: (n, ...) -> (n_classes, ...)."""
        if self.n_classes == 0:
            return np.zeros((0, *values.shape[1:]))
        ordered, firsts = values[self.order], self.starts[:-1]
        return np.maximum.reduceat(ordered, firsts) - np.minimum.reduceat(ordered, firsts)

    def least(self, values: Floats) -> Floats:
        """Return the least value of each class, missing ones aside: (n, ...) -> (n_classes, ...).

        A class of which all values are missing has 0.
        """
        if self.n_classes == 0:
            return np.zeros((0, *values.shape[1:]))
        return np.nan_to_num(np.fmin.reduceat(values[self.order], self.starts[:-1]))

    def sorted_by(self, values: Floats) -> Ints:
        """Sort the records by class, then by value: (n,)."""
        return np.lexsort((values, self.labels)).astype(np.int64)
