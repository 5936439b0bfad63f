"""What a recoding does: the class of every tuple, and the released cell of every class."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.brief import short_repr
from indistinct.base.hierarchy import GeneralizationHierarchy
from indistinct.tables.core.classes import Region

# What a difference of equal sums of logarithms may leave; it counts as no bits at all.
ROUNDING = 1e-12
Reading = Callable[[int, Sequence[str]], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which values each cell of a column stands for: a run of values in rank order.

    Parameters
    ----------
    ranks : (n_values,), rank of each value code
    first, last : (n_cells,), least and greatest rank that a cell covers; ``last < first`` where it
        covers none of the data's values
    """

    ranks: Codes
    first: Codes
    last: Codes

    def by_rank(self, amounts: Ints) -> Ints:
        """Add up an amount per value by rank: (n_ranks,)."""
        n_ranks = int(self.ranks.max(initial=-1)) + 1
        return np.bincount(self.ranks, amounts, n_ranks).astype(np.int64)

    def sums(self, by_rank: Ints) -> Ints:
        """Add up an amount per rank over the values of each cell: (n_cells,)."""
        below = np.concatenate([[0], np.cumsum(by_rank)])
        return (below[self.last + 1] - below[self.first]).astype(np.int64)

    def entropies(self, by_rank: Ints) -> Floats:
        """Return the entropy, in bits, of the records under each cell: (n_cells,)."""
        counts = by_rank.astype(np.longdouble)
        own = np.concatenate([[0], np.cumsum(counts * np.log2(np.maximum(counts, 1)))])
        covered = self.sums(by_rank).astype(np.longdouble)
        inside = (own[self.last + 1] - own[self.first]) / np.maximum(covered, 1)
        bits = np.maximum(np.log2(np.maximum(covered, 1)) - inside, 0).astype(np.float64)
        return np.where(self.sums((by_rank > 0).astype(np.int64)) > 1, bits, 0.0)


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
    bits : (n_cells,), entropy of the values of the records that a cell covers, base 2
    volumes : (n_cells,), values that a cell stands for, those that the data lack included
    volume : values of the whole column
    n_records : records of the original table
    coverage : the values of the data that each cell covers
    """

    labels: tuple[str, ...]
    levels: Floats
    losses: Floats
    penalties: Floats
    counts: Ints
    height: float
    value_bits: float
    bits: Floats
    volumes: Floats
    volume: float
    n_records: int
    coverage: Coverage

    __repr__ = short_repr

    @property
    def entropy(self) -> float:
        """Entropy of the column in the original table, base 2: that of a suppressed cell."""
        if self.n_records == 0:
            return 0.0
        bits = float(np.log2(self.n_records)) - self.value_bits / self.n_records
        return bits if bits > ROUNDING else 0.0


@dataclass(frozen=True, slots=True)
class CellCosts:
    """What is known of some cells before any record is counted.

    Parameters
    ----------
    labels, levels, losses, penalties, volumes : per cell, as in :class:`CellDomain`
    height, volume : of the column
    """

    labels: tuple[str, ...]
    levels: Floats
    losses: Floats
    penalties: Floats
    volumes: Floats
    height: float
    volume: float

    def over(self, coverage: Coverage, value_weights: Ints) -> CellDomain:
        """Count the records under each cell: the one place where cells meet records.

        Parameters
        ----------
        coverage : the values of the data that each cell covers
        value_weights : (n_values,), records per value
        """
        by_rank = coverage.by_rank(value_weights)
        distinct = coverage.sums(np.ones(len(by_rank), np.int64))
        return CellDomain(
            self.labels,
            self.levels,
            self.losses,
            self.penalties,
            coverage.sums(by_rank),
            self.height,
            value_bits(value_weights),
            coverage.entropies(by_rank),
            np.maximum(self.volumes, distinct),
            max(self.volume, float(len(by_rank))),
            int(value_weights.sum()),
            coverage,
        )


def cell_per_text(domain: CellDomain) -> Ints:
    """Return, per cell, the last of :func:`by_cover` that reads the same: (n_cells,)."""
    last: dict[str, int] = {}
    for cell in by_cover(domain).tolist():
        last[domain.labels[cell]] = cell
    return np.array([last[label] for label in domain.labels], np.int64)


def by_cover(domain: CellDomain) -> Codes:
    """Order the cells so that of those that read the same, the last one stands for all: (n_cells,).

    It is the costliest of them, of those the one that covers most records, and of those the lowest:
    of cells that read the same, this one covers the others. Cost alone does not tell them apart in
    a column of one number, where hiding it costs nothing. But a value that is no value under a
    label of its own name comes before this label, whatever they cost: it stands for itself alone.
    """
    keys = (-domain.levels, domain.counts, domain.losses, ~_has_namesake(domain))
    return np.lexsort(keys).astype(np.int32)


def _has_namesake(domain: CellDomain) -> Bools:
    """Return which values read like a label that does not cover them: (n_cells,)."""
    found = np.zeros(len(domain.labels), np.bool_)
    if len(set(domain.labels)) == len(domain.labels):
        return found
    first, last = domain.coverage.first, domain.coverage.last
    lowest: dict[str, int] = {}
    for cell, label in enumerate(domain.labels):
        value = lowest.setdefault(label, cell)
        is_covered = first[cell] <= first[value] and last[value] <= last[cell]
        found[value] |= domain.levels[value] == 0 and not is_covered
    return found


def cell_losses(domain: CellDomain) -> Floats:
    """Return Iyengar's loss of each cell: (n_cells,), in [0, 1]."""
    return domain.losses


def hierarchy_cells(hierarchy: GeneralizationHierarchy, value_weights: Ints) -> CellDomain:
    """List the cells of a hierarchy, level after level.

    Parameters
    ----------
    hierarchy : over the values of the data
    value_weights : (n_values,), records per value
    """
    levels = range(hierarchy.n_levels)
    volumes = _volumes(hierarchy)
    costs = CellCosts(
        tuple(label for level in levels for label in hierarchy.labels[level]),
        np.concatenate([np.full(len(hierarchy.labels[level]), float(level)) for level in levels]),
        np.concatenate([hierarchy.cell_loss(level) for level in levels]),
        np.concatenate([hierarchy.certainty_penalty(level) for level in levels]),
        np.concatenate(volumes),
        float(max(hierarchy.height, 1)),
        max(hierarchy.domain, float(volumes[-1].sum())),
    )
    return costs.over(hierarchy_coverage(hierarchy), value_weights)


def hierarchy_coverage(hierarchy: GeneralizationHierarchy) -> Coverage:
    """Sort the values by their labels, the coarsest first, so that each label is one run."""
    n_values = len(hierarchy.values)
    ranks = inverse(np.lexsort(hierarchy.codes))
    first: list[Codes] = []
    last: list[Codes] = []
    for labels, codes in zip(hierarchy.labels, hierarchy.codes, strict=True):
        low, high = np.full(len(labels), n_values, np.int32), np.full(len(labels), -1, np.int32)
        np.minimum.at(low, codes, ranks)
        np.maximum.at(high, codes, ranks)
        first.append(np.where(high < 0, 0, low).astype(np.int32))
        last.append(high)
    return Coverage(ranks, np.concatenate(first), np.concatenate(last))


def inverse(order: Codes | Ints) -> Codes:
    """Return the place of each element of a permutation."""
    places = np.empty(len(order), np.int32)
    places[order] = np.arange(len(order), dtype=np.int32)
    return places


def _volumes(hierarchy: GeneralizationHierarchy) -> list[Floats]:
    """Return the values that each label stands for, level by level.

    Never fewer than the labels below it stand for together: extents of intervals leave out the
    missing value, and those of fractions are lengths.
    """
    volumes = [np.maximum(hierarchy.extents[0], 1.0)]
    for level in range(1, hierarchy.n_levels):
        below, codes = hierarchy.codes[level - 1], hierarchy.codes[level]
        present, one = np.unique(below, return_index=True)
        sums = np.bincount(codes[one], volumes[-1][present], len(hierarchy.labels[level]))
        volumes.append(np.maximum(hierarchy.extents[level], sums))
    return volumes


def value_bits(value_weights: Ints) -> float:
    """Return the sum over records of log2(records with the same value).

    Parameters
    ----------
    value_weights : (n_values,), records per value, at least 0
    """
    counts = value_weights[value_weights > 0]
    return float(np.sum(counts * np.log2(counts)))


def cell_numbers(hierarchy: GeneralizationHierarchy) -> Codes:
    """Return the number of each cell as :func:`hierarchy_cells` lists it: (n_levels, n_values)."""
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
    tuple_bits : sum over records of log2(records with the same original tuple); NaN where nobody
        counted them
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
    tuple_bits: float = math.nan
    # Every loss adds up the same counts: records per cell, column by column, released or not.
    _counts: dict[bool, list[Ints]] = field(
        default_factory=dict[bool, list[Ints]], init=False, compare=False
    )

    __repr__ = short_repr

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
        """Return the released, or the suppressed, records per cell of a column: (n_cells,)."""
        return self._counted(released=released)[column]

    def _counted(self, *, released: bool) -> list[Ints]:
        """Count the records of the released classes, or of the others, per cell of each column."""
        if released not in self._counts:
            chosen = self.released == released
            cells, sizes = self.cells[chosen], self.sizes[chosen]
            self._counts[released] = [
                np.bincount(cells[:, at], sizes, len(domain.labels)).astype(np.int64)
                for at, domain in enumerate(self.domains)
            ]
        return self._counts[released]

    def released_sums(self, cells: Callable[[CellDomain], Floats]) -> Floats:
        """Add up a value per cell over the released records: (n_columns,)."""
        counted = zip(self._counted(released=True), self.domains, strict=True)
        return np.array([counts @ cells(domain) for counts, domain in counted], dtype=np.float64)

    def class_values(self, cells: Callable[[CellDomain], Floats]) -> Floats:
        """Return a value per class and column: (n_classes, n_columns)."""
        values = np.empty((self.n_classes, len(self.domains)))
        for column, domain in enumerate(self.domains):
            values[:, column] = cells(domain)[self.cells[:, column]]
        return values


def by_classes(recoding: Recoding) -> Recoding:
    """Return the same classes with one item each: metrics count them without the tuples."""
    n_classes = recoding.n_classes
    return replace(
        recoding,
        tuples=np.zeros(n_classes, np.int32),
        labels=np.arange(n_classes, dtype=np.int32),
        weights=recoding.sizes,
    )


"""Gives, for a column and the labels of some cells, what a reader reads: equal texts where nobody
can tell two cells apart."""


def read_as_labels(column: int, labels: Sequence[str]) -> Sequence[str]:
    """Read each cell as its own label."""
    del column
    return labels
