"""Patterns of row labels that units have, and which rows are left out so that none is rare.

A unit, such as a person, has rows; a row shows a label. A pattern asks for several different rows
of one unit. It is written as requirements: a group of rows of the unit, such as those with one
label, and how many of them there must be. An instance is a pattern that one unit has as long as its
groups have enough rows left. A pattern is rare if some but fewer than k units have it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from indistinct.base.arrays import Bools, Floats, Ints
from indistinct.base.brief import short_repr

RESTORING_PASSES = 2
NONE = -1


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of all units.

    Parameters
    ----------
    units : (n_rows,), unit of each
    groups : (n_rows,), the rows of a group are those of one unit that a pattern cannot tell apart
    parents : (n_rows,), the row that a row belongs to, before it in the order; -1 for the unit
    saved : (n_rows,), what is lost if the row is left out, above 0
    """

    units: Ints
    groups: Ints
    parents: Ints
    saved: Floats

    __repr__ = short_repr

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return int(self.groups.max(initial=-1)) + 1

    def sizes(self, kept: Bools) -> Ints:
        """Return the rows left in each group: (n_groups,)."""
        return np.bincount(self.groups[kept], minlength=self.n_groups).astype(np.int64)

    def without_orphans(self, kept: Bools) -> Bools:
        """Return which rows are left when rows take those below them along."""
        has_parent = self.parents >= 0
        while has_parent.any():
            found = kept & (~has_parent | kept[self.parents])
            if np.array_equal(found, kept):
                break
            kept = found
        return kept

    def costs(self, kept: Bools) -> Floats:
        """Return what is lost with each row and the rows below it: (n_rows,)."""
        costs = np.where(kept, self.saved, 0.0)
        depths = self.depths()
        for depth in range(int(depths.max(initial=0)), 0, -1):
            some = np.flatnonzero(depths == depth)
            np.add.at(costs, self.parents[some], costs[some])
        return costs

    def depths(self) -> Ints:
        """Return how many rows are above each row: (n_rows,)."""
        return row_depths(self.parents)


def row_depths(parents: Ints) -> Ints:
    """Return how many rows are above each row: (n_rows,)."""
    depths = np.zeros(len(parents), np.int64)
    above = parents
    while (above >= 0).any():
        depths += above >= 0
        above = np.where(above >= 0, parents[above], NONE)
    return depths


@dataclass(frozen=True, slots=True)
class Instances:
    """The patterns that units have.

    Parameters
    ----------
    patterns : (n_instances,), number of the pattern of each
    units : (n_instances,), the unit that has it
    groups : (n_instances, n_requirements), -1 where there is no further requirement
    copies : (n_instances, n_requirements), the rows that the group must have
    """

    patterns: Ints
    units: Ints
    groups: Ints
    copies: Ints

    __repr__ = short_repr

    def living(self, sizes: Ints) -> Bools:
        """Return which instances have the rows that they need: (n_instances,).

        Parameters
        ----------
        sizes : (n_groups,), the rows left in each group
        """
        found = np.ones(len(self.groups), np.bool_)
        for groups, copies in zip(self.groups.T, self.copies.T, strict=True):
            found &= (groups < 0) | (copies <= sizes[groups])
        return found

    def some(self, places: Ints) -> Instances:
        """Return some of the instances."""
        return Instances(
            self.patterns[places], self.units[places], self.groups[places], self.copies[places]
        )


@dataclass(frozen=True, slots=True)
class PatternCounts:
    """Counts how many units have each pattern; a unit with several instances counts once.

    Parameters
    ----------
    instances : of the patterns
    pairs : (n_instances,), number of the pair of pattern and unit
    of_pair, units : (n_pairs,), the pattern and the unit of each pair
    """

    instances: Instances
    pairs: Ints
    of_pair: Ints
    units: Ints

    @classmethod
    def of(cls, instances: Instances) -> PatternCounts:
        """Return the counter of some instances."""
        n_units = int(instances.units.max(initial=0)) + 1
        keys, pairs = np.unique(instances.patterns * n_units + instances.units, return_inverse=True)
        return cls(instances, pairs.astype(np.int64), keys // n_units, keys % n_units)

    def counts(self, living: Bools) -> Ints:
        """Return the units that have each pattern: (n_patterns,)."""
        n_patterns = int(self.of_pair.max(initial=-1)) + 1
        if len(self.of_pair) == len(self.pairs):  # no unit has a pattern twice
            return np.bincount(self.instances.patterns[living], minlength=n_patterns)
        has = np.bincount(self.pairs[living], minlength=len(self.of_pair)) > 0
        return np.bincount(self.of_pair[has], minlength=n_patterns)


def without_rare_patterns(
    rows: Rows,
    instances: Instances,
    k: int,
    *,
    passes: int = RESTORING_PASSES,
    kept: Bools | None = None,
) -> Bools:
    """Leave rows out until no pattern is rare, and take back what then fits: (n_rows,).

    Of the ways to break the rare patterns of a unit, that one is taken which breaks most of them
    per cost. A pattern that is rare once stays so, whatever else is left out, so that all units
    are looked at together.

    Parameters
    ----------
    passes : over the rows that are left out, to take some of them back
    kept : (n_rows,), the rows that are there; all when left out
    """
    kept = np.ones(len(rows.units), np.bool_) if kept is None else kept
    if not len(instances.patterns):
        return kept
    counter = PatternCounts.of(instances)
    while True:
        sizes = rows.sizes(kept)
        living = instances.living(sizes)
        is_rare = living & (counter.counts(living) < k)[instances.patterns]
        if not is_rare.any():
            break
        kept = rows.without_orphans(_with_less(rows, instances, kept, is_rare, sizes))
    for _ in range(passes):
        if not _take_back(rows, counter, kept, k):
            break
    return kept


def _with_less(rows: Rows, instances: Instances, kept: Bools, is_rare: Bools, sizes: Ints) -> Bools:
    """Break rare patterns of every unit that has some: (n_rows,), which rows are left."""
    most = int(instances.copies.max()) + 1
    groups, copies = instances.groups[is_rare], instances.copies[is_rare]
    has = groups >= 0
    items, votes = np.unique(groups[has] * most + copies[has], return_counts=True)
    groups, copies = items // most, items % most
    # To leave fewer rows of a group breaks what needs more of them, too.
    is_last = np.append(groups[1:] != groups[:-1], True)
    sums = np.cumsum(votes[::-1])[::-1]
    beyond = np.append(sums[1:], 0)
    ends = np.where(is_last, beyond, 0)
    votes = sums - _filled_back(ends, is_last)
    costs = rows.costs(kept)
    of_group = np.bincount(rows.groups[kept], costs[kept], len(sizes))
    excess = sizes[groups] - copies + 1
    scores = votes / (of_group[groups] * excess / sizes[groups])
    owners = np.zeros(len(sizes), np.int64)
    owners[rows.groups] = rows.units
    order = np.lexsort((-scores, owners[groups]))
    best = order[np.flatnonzero(np.diff(owners[groups][order], prepend=NONE))]
    return _without_cheapest(rows, kept, costs, groups[best], excess[best])


def _filled_back(values: Ints, is_set: Bools) -> Ints:
    """Return for each place the value at the next place that is set."""
    places = np.flatnonzero(is_set)
    return values[places[np.searchsorted(places, np.arange(len(values)))]]


def _without_cheapest(rows: Rows, kept: Bools, costs: Floats, groups: Ints, excess: Ints) -> Bools:
    """Leave out the cheapest rows of some groups.

    Parameters
    ----------
    groups, excess : groups, each once, and how many of their rows go
    """
    too_many = np.zeros(rows.n_groups, np.int64)
    too_many[groups] = excess
    left = kept.copy()
    some = np.flatnonzero(kept & (too_many[rows.groups] > 0))
    order = some[np.lexsort((costs[some], rows.groups[some]))]
    starts = np.flatnonzero(np.diff(rows.groups[order], prepend=NONE))
    lengths = np.diff(starts, append=len(order))
    ranks = np.arange(len(order)) - np.repeat(starts, lengths)
    left[order[ranks < too_many[rows.groups[order]]]] = False
    return left


def _take_back(rows: Rows, counter: PatternCounts, kept: Bools, k: int) -> bool:
    """Restore rows that make no pattern rare; return whether any was.

    Of each unit that row comes first which is above others, then the costliest one. The next rows
    of all units are looked at together, since what is restored elsewhere makes no pattern rarer.

    Parameters
    ----------
    kept : (n_rows,), changed in place
    """
    instances = counter.instances
    sizes = rows.sizes(kept)
    living = instances.living(sizes)
    of_pair = np.bincount(counter.pairs[living], minlength=len(counter.of_pair))
    counts = counter.counts(living)
    missing = np.flatnonzero(~kept)
    order = np.lexsort((-rows.saved[missing], rows.depths()[missing], rows.units[missing]))
    missing = missing[order]
    starts = np.flatnonzero(np.diff(rows.units[missing], prepend=NONE))
    rank = np.arange(len(missing)) - np.repeat(starts, np.diff(starts, append=len(missing)))
    near = _InstancesByGroup.of(instances, rows.n_groups)
    n_units = int(rows.units.max(initial=0)) + 1
    is_any = False
    for turn in range(int(rank.max(initial=-1)) + 1):
        some = missing[rank == turn]
        some = some[(rows.parents[some] < 0) | kept[rows.parents[some]]]
        groups = rows.groups[some]
        sizes[groups] += 1
        begun = near.of_groups(groups)
        begun = begun[~living[begun]]
        begun = begun[instances.some(begun).living(sizes)]
        fresh = np.unique(counter.pairs[begun])
        fresh = fresh[of_pair[fresh] == 0]
        is_refused = np.zeros(n_units, np.bool_)
        is_rare = counts[counter.of_pair[fresh]] + 1 < k
        is_refused[counter.units[fresh[is_rare]]] = True
        refused = some[is_refused[rows.units[some]]]
        sizes[rows.groups[refused]] -= 1
        begun = begun[~is_refused[instances.units[begun]]]
        fresh = fresh[~is_refused[counter.units[fresh]]]
        living[begun] = True
        np.add.at(of_pair, counter.pairs[begun], 1)
        np.add.at(counts, counter.of_pair[fresh], 1)
        taken = some[~is_refused[rows.units[some]]]
        kept[taken] = True
        is_any = is_any or len(taken) > 0
    return is_any


@dataclass(frozen=True, slots=True)
class _InstancesByGroup:
    """The instances with a requirement of each group.

    Parameters
    ----------
    instances : (n,), those of a group one after another
    starts : (n_groups + 1,), where those of each group begin
    """

    instances: Ints
    starts: Ints

    @classmethod
    def of(cls, instances: Instances, n_groups: int) -> _InstancesByGroup:
        """Return the instances by their groups."""
        places, columns = np.nonzero(instances.groups >= 0)
        groups = instances.groups[places, columns]
        order = np.argsort(groups, kind="stable")
        starts = np.searchsorted(groups[order], np.arange(n_groups + 1))
        return cls(places[order].astype(np.int64), starts.astype(np.int64))

    def of_groups(self, groups: Ints) -> Ints:
        """Return the instances of some groups, each once."""
        lengths = self.starts[groups + 1] - self.starts[groups]
        ends = np.cumsum(lengths)
        shifts = np.repeat(self.starts[groups] - (ends - lengths), lengths)
        return np.unique(self.instances[shifts + np.arange(len(shifts))])
