"""What a recoding does: the class of every tuple, and the released cell of every class."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from indistinct.core.arrays import Bools, Codes, Floats, Ints
from indistinct.core.classes import Region
from indistinct.core.hierarchy import GeneralizationHierarchy


@dataclass(frozen=True, slots=True)
class CellDomain:
    """Every cell a column may be released as.

    Parameters
    ----------
    labels : (n_cells,), texts
    levels : (n_cells,), level a cell stands at, 0 <= level <= height
    losses : (n_cells,), Iyengar's loss, in [0, 1]
    penalties : (n_cells,), normalized certainty penalty, in [0, 1]
    counts : (n_cells,), records of the original table whose value a cell covers
    height : highest level, at least 1
    value_bits : sum over records of log2(records with the same value)
    """

    labels: tuple[str, ...]
    levels: Floats
    losses: Floats
    penalties: Floats
    counts: Ints
    height: float
    value_bits: float


def cell_losses(domain: CellDomain) -> Floats:
    """Give Iyengar's loss of each cell: (n_cells,), in [0, 1]."""
    return domain.losses


def hierarchy_cells(hierarchy: GeneralizationHierarchy, value_weights: Ints) -> CellDomain:
    """List the cells of a hierarchy, level after level.

    Parameters
    ----------
    hierarchy : over the values of the data
    value_weights : (n_values,), records per value
    """
    levels = range(hierarchy.n_levels)
    return CellDomain(
        tuple(label for level in levels for label in hierarchy.labels[level]),
        np.concatenate([np.full(len(hierarchy.labels[level]), float(level)) for level in levels]),
        np.concatenate([hierarchy.cell_loss(level) for level in levels]),
        np.concatenate([hierarchy.certainty_penalty(level) for level in levels]),
        np.concatenate(
            [
                np.bincount(hierarchy.codes[level], value_weights, len(hierarchy.labels[level]))
                for level in levels
            ]
        ).astype(np.int64),
        float(max(hierarchy.height, 1)),
        value_bits(value_weights),
    )


def value_bits(value_weights: Ints) -> float:
    """Give the sum over records of log2(records with the same value).

    Parameters
    ----------
    value_weights : (n_values,), records per value, at least 0
    """
    counts = value_weights[value_weights > 0]
    return float(counts @ np.log2(counts))


def cell_numbers(hierarchy: GeneralizationHierarchy) -> Codes:
    """Give the number of each cell as :func:`hierarchy_cells` lists them: (n_levels, n_values)."""
    sizes = [len(labels) for labels in hierarchy.labels]
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    return (hierarchy.codes + first[:, None]).astype(np.int32)


@dataclass(frozen=True, slots=True)
class Recoding:
    """The decision of an algorithm: which class each record joins, and how it is released.

    Parameters
    ----------
    tuples : (n_items,), distinct tuple of each item; a tuple may be split over several items
    labels : (n_items,), class of each item
    weights : (n_items,), records of each item
    cells : (n_classes, n_columns), released cell of each class, an index into ``domains``
    released : (n_classes,), False where the class is suppressed
    domains : per column, the cells it may be released as
    transformation : level per column where the recoding is full-domain, else None
    regions : gives natural supersets of the classes, where the algorithm knows of any
    people : (n_classes,), people of the population that look like each class, where it counted them
    """

    tuples: Codes
    labels: Codes
    weights: Ints
    cells: Codes
    released: Bools
    domains: tuple[CellDomain, ...]
    transformation: tuple[int, ...] | None = None
    regions: Callable[[], Iterator[Region]] | None = None
    people: Ints | None = None

    @property
    def n_classes(self) -> int:
        """Number of classes, suppressed ones included."""
        return len(self.released)

    @property
    def sizes(self) -> Ints:
        """Records per class: (n_classes,)."""
        return np.bincount(self.labels, self.weights, self.n_classes).astype(np.int64)

    @property
    def n_suppressed(self) -> int:
        """Records that are not released."""
        return int(self.weights[~self.released[self.labels]].sum())

    @property
    def n_records(self) -> int:
        """Records, suppressed ones included."""
        return int(self.weights.sum())

    def cell_counts(self, column: int, *, released: bool) -> Ints:
        """Give the released, or the suppressed, records per cell of a column: (n_cells,)."""
        chosen = self.released == released
        return np.bincount(
            self.cells[chosen, column], self.sizes[chosen], len(self.domains[column].labels)
        ).astype(np.int64)

    def released_sums(self, cells: Callable[[CellDomain], Floats]) -> Floats:
        """Add up a value per cell over the released records: (n_columns,)."""
        return np.array(
            [
                self.cell_counts(column, released=True) @ cells(domain)
                for column, domain in enumerate(self.domains)
            ],
            dtype=np.float64,
        )
