"""The partitions that stay whole."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from indistinct.core.arrays import Bools, Codes, Ints
from indistinct.search.cuts.mondrian_kernels import Partitions, RankedItems, settle


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
