"""Equivalence classes: their sizes, and the sensitive values in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.tables.core.frequencies import (
    TOGETHER,
    FrequencyTable,
    SensitiveColumn,
    ValueCounts,
)


class Region(Protocol):
    """A coarser partition of the records, whose parts are supersets of finer classes."""

    @property
    def parts(self) -> EquivalenceClasses:
        """The parts, counted over the whole table."""
        ...

    def part_of(self, classes: Ints) -> Ints:
        """Return the part that contains each of some finer classes; -1 where none does."""
        ...


@dataclass(frozen=True, slots=True)
class EquivalenceClasses:
    """Sets of records that look alike, as privacy models measure them.

    Parameters
    ----------
    sizes : (n_classes,), records per class, at least 1
    value_counts : per sensitive column, the values in each class
    sensitive : the sensitive columns in the whole table
    costs : (n_classes,), mean loss of a class's cells, where some model suppresses by it
    population : (n_classes,), records of the population that look like each class, if known
    regions : gives the natural supersets of the classes, one partition after another; None where
        there are none but the whole table
    known_sizes : per column, (n_classes,), records or people with a known value; left out where
        they are the sum of the counts of the known values
    whole_sizes : (n_classes,), sizes with those who have no known value, where ``sizes`` leaves
        them out
    """

    sizes: Ints
    value_counts: Mapping[str, ValueCounts] = field(default_factory=dict[str, ValueCounts])
    sensitive: Mapping[str, SensitiveColumn] = field(default_factory=dict[str, SensitiveColumn])
    costs: Floats | None = None
    population: Ints | None = None
    regions: Callable[[], Iterator[Region]] | None = None
    known_sizes: Mapping[str, Ints] = field(default_factory=dict[str, Ints])
    whole_sizes: Ints | None = None

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.sizes)

    def chosen(self, which: Bools) -> EquivalenceClasses:
        """Return some of the classes, without their supersets.

        Parameters
        ----------
        which : (n_classes,)
        """
        return EquivalenceClasses(
            self.sizes[which],
            {name: found.chosen(which) for name, found in self.value_counts.items()},
            self.sensitive,
            None if self.costs is None else self.costs[which],
            None if self.population is None else self.population[which],
            known_sizes={name: sizes[which] for name, sizes in self.known_sizes.items()},
            whole_sizes=None if self.whole_sizes is None else self.whole_sizes[which],
        )


@dataclass(frozen=True, slots=True)
class Divided:
    """Classes divided by the values of all sensitive columns but one.

    Parameters
    ----------
    parts : in the order of the classes; their nearest superset is the class itself
    owners : (n_parts,), class of each part
    firsts : (n_classes,), first part of each class
    """

    parts: EquivalenceClasses
    owners: Ints
    firsts: Ints


@dataclass(frozen=True, slots=True)
class Around:
    """A region around classes, as a region around others that lie in them.

    Parameters
    ----------
    parts : of the region
    of_class : gives the part of the region that contains each of some classes
    owners : (n_inner,), the class that each of the others lies in
    known : (n_inner,), False where it does not lie in one class alone; None: it always does
    """

    parts: EquivalenceClasses
    of_class: Callable[[Ints], Ints]
    owners: Ints
    known: Bools | None = None

    def part_of(self, classes: Ints) -> Ints:
        """Return the part of the region that contains each of some of the others."""
        found = self.of_class(self.owners[classes])
        return found if self.known is None else np.where(self.known[classes], found, -1)


def known_values(classes: EquivalenceClasses, column: str) -> tuple[EquivalenceClasses, Bools]:
    """Leave the missing values of a column out, and the classes that hold nothing else.

    Returns
    -------
    the classes that hold a known value, their sizes being the records with one; and (n_classes of
    all,) which they are
    """
    counted = _without_missing(classes, column)
    held = counted.sizes > 0
    places = np.flatnonzero(held)

    def regions() -> Iterator[Region]:
        for region in classes.regions() if classes.regions is not None else ():
            yield Around(_without_missing(region.parts, column), region.part_of, places)

    looks_around = None if classes.regions is None else regions
    return replace(counted.chosen(held), regions=looks_around), held


def _without_missing(classes: EquivalenceClasses, column: str) -> EquivalenceClasses:
    """Leave the missing values of a column out of all classes, which may then be empty."""
    whole = classes.sensitive[column]
    counts = classes.value_counts[column].below(whole.n_values - 1)
    sizes = classes.known_sizes.get(column)
    if sizes is None:
        sizes = np.bincount(counts.owners, counts.counts, classes.n_classes).astype(np.int64)
    return EquivalenceClasses(
        sizes,
        {column: counts},
        {column: whole.known},
        population=classes.population,
        whole_sizes=classes.sizes,
    )


def divided(classes: EquivalenceClasses, column: str) -> Divided:
    """Divide classes as if all sensitive columns but one were quasi-identifiers.

    Parameters
    ----------
    classes : with the combinations of sensitive values among their columns
    column : the one that is left sensitive
    """
    found, share = classes.value_counts[TOGETHER], classes.sensitive[TOGETHER].joins[column]
    n_rest = int(share.rest.max(initial=0)) + 1
    keys, labels = np.unique(
        found.owners * n_rest + share.rest[found.values].astype(np.int64), return_inverse=True
    )
    owners = keys // n_rest
    whole = classes.sensitive[column]
    counts = count_values(
        labels.astype(np.int32), share.own[found.values], found.counts, len(keys), whole.n_values
    )
    sizes = np.bincount(labels, found.counts, len(keys)).astype(np.int64)

    def regions() -> Iterator[Region]:
        yield Around(replace(classes, regions=None), lambda some: some, owners)
        for region in classes.regions() if classes.regions is not None else ():
            yield Around(region.parts, region.part_of, owners)

    parts = EquivalenceClasses(sizes, {column: counts}, {column: whole}, regions=regions)
    firsts = np.searchsorted(owners, np.arange(classes.n_classes)).astype(np.int64)
    return Divided(parts, owners, firsts)


def classes_of(table: FrequencyTable, labels: Codes, n_classes: int) -> EquivalenceClasses:
    """Count the classes that ``labels`` make of the table's tuples.

    Parameters
    ----------
    table : the distinct tuples
    labels : (n_tuples,), class of each tuple, 0 <= label < n_classes
    n_classes : number of classes, none of them empty
    """
    sizes = np.bincount(labels, table.weights, n_classes).astype(np.int64)
    counts = {
        name: count_values(labels, codes, table.weights, n_classes, table.sensitive[name].n_values)
        for name, codes in table.sensitive_codes.items()
    }
    return EquivalenceClasses(sizes, counts, table.sensitive)


def count_values(
    labels: Codes, values: Codes, weights: Ints, n_classes: int, n_values: int
) -> ValueCounts:
    """Count the values in each class.

    Parameters
    ----------
    labels, values, weights : (n_items,), class, value and records of each item
    n_classes, n_values : 0 <= label < n_classes, 0 <= value < n_values

    Notes
    -----
    Sorts the items: O(n_items * log(n_items)), whatever the product of classes and values.
    """
    pairs, inverse = np.unique(
        labels.astype(np.int64) * max(n_values, 1) + values, return_inverse=True
    )
    counts = np.bincount(inverse, weights, len(pairs)).astype(np.int64)
    owners = pairs // max(n_values, 1)
    starts = np.searchsorted(owners, np.arange(n_classes + 1)).astype(np.int64)
    return ValueCounts(starts, (pairs % max(n_values, 1)).astype(np.int32), counts)
