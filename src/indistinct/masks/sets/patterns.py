"""Patterns of row labels that units have, and which rows are left out so that none is rare.

A unit, such as a person, has rows; a row shows a label. A pattern asks for several different rows
of one unit. It is written as requirements: a group of rows of the unit, such as those with one
label, and how many of them there must be. An instance is a pattern that one unit has as long as its
groups have enough rows left. A pattern is rare if some but fewer than k units have it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from indistinct.core.arrays import Bools, Floats, Ints
from indistinct.core.brief import short_repr
from indistinct.errors import ParameterError

MOST_INSTANCES = 40_000_000
RESTORING_PASSES = 2
NONE = -1


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of all units.

    Parameters
    ----------
    units : (n_rows,), unit of each
    groups : (n_rows,), the rows of a group are those of one unit that a pattern cannot tell apart
    own : (n_rows,), a group of its own for a row whose key is released, else -1
    parents : (n_rows,), the row that a row belongs to, before it in the order; -1 for the unit
    saved : (n_rows,), what is lost if the row is left out, above 0
    """

    units: Ints
    groups: Ints
    own: Ints
    parents: Ints
    saved: Floats

    __repr__ = short_repr

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return int(max(self.groups.max(initial=-1), self.own.max(initial=-1))) + 1

    def sizes(self, kept: Bools) -> Ints:
        """Return the rows left in each group: (n_groups,)."""
        own = self.own[kept & (self.own >= 0)]
        found = np.bincount(self.groups[kept], minlength=self.n_groups)
        return (found + np.bincount(own, minlength=self.n_groups)).astype(np.int64)

    def without_orphans(self, kept: Bools) -> Bools:
        """Return which rows are left when rows take those below them along."""
        has_parent = self.parents >= 0
        while True:
            found = kept & (~has_parent | kept[self.parents])
            if np.array_equal(found, kept):
                return kept
            kept = found

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
        depths = np.zeros(len(self.parents), np.int64)
        above = self.parents
        while (above >= 0).any():
            depths += above >= 0
            above = np.where(above >= 0, self.parents[above], NONE)
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
        enough: Bools = (self.groups < 0) | (self.copies <= sizes[self.groups])
        return np.all(enough, axis=1)


@dataclass(frozen=True, slots=True)
class PatternCounts:
    """Counts how many units have each pattern; a unit with several instances counts once.

    Parameters
    ----------
    instances : of the patterns
    pairs : (n_instances,), number of the pair of pattern and unit
    of_pair : (n_pairs,), the pattern of each pair
    """

    instances: Instances
    pairs: Ints
    of_pair: Ints

    @classmethod
    def of(cls, instances: Instances) -> PatternCounts:
        """Return the counter of some instances."""
        n_units = int(instances.units.max(initial=0)) + 1
        keys, pairs = np.unique(instances.patterns * n_units + instances.units, return_inverse=True)
        return cls(instances, pairs.astype(np.int64), keys // n_units)

    def counts(self, living: Bools) -> Ints:
        """Return the units that have each pattern: (n_patterns,)."""
        has = np.bincount(self.pairs[living], minlength=len(self.of_pair)) > 0
        n_patterns = int(self.of_pair.max(initial=-1)) + 1
        return np.bincount(self.of_pair[has], minlength=n_patterns).astype(np.int64)


def flat_instances(rows: Rows, labels: Ints, m: int) -> Instances:
    """Return the patterns of at most ``m`` rows where no row belongs to another one.

    A pattern is then a multiset of labels, and the group of a row has its unit and its label.

    Parameters
    ----------
    labels : (n_rows,), of each row; units of different classes share none

    Raises
    ------
    ParameterError
        when there are too many
    """
    order = np.lexsort((rows.groups,))
    starts = np.flatnonzero(np.diff(rows.groups[order], prepend=NONE))
    sizes = np.diff(starts, append=len(order))
    first = order[starts]
    owners, names, groups = rows.units[first], labels[first], rows.groups[first]
    by_unit = np.lexsort((names, owners))
    owners, names, groups, sizes = (one[by_unit] for one in (owners, names, groups, sizes))
    kinds = np.unique(names, return_inverse=True)[1].astype(np.int64)
    _refuse_too_many(owners, m)
    found: list[tuple[Ints, Ints]] = []  # places of groups, copies; a row for each instance
    for shape in shapes(m):
        chosen = _combined(owners, len(shape))
        copies = np.tile(np.array(shape, np.int64), (len(chosen), 1))
        enough = (sizes[chosen] >= copies).all(axis=1)
        pad = ((0, 0), (0, m - len(shape)))
        found.append(
            (
                np.pad(chosen[enough], pad, constant_values=NONE),
                np.pad(copies[enough], pad, constant_values=0),
            )
        )
    chosen, copies = (np.concatenate(parts) for parts in zip(*found, strict=True))
    has = chosen >= 0
    base = np.int64((int(kinds.max(initial=0)) + 1) * (m + 1) + 1)
    items = np.where(has, kinds[chosen] * (m + 1) + copies + 1, 0)
    keys = np.zeros(len(chosen), np.int64)
    for column in items.T:
        keys = keys * base + column
    patterns = np.unique(keys, return_inverse=True)[1].astype(np.int64)
    units = owners[chosen[:, 0]] if len(chosen) else np.zeros(0, np.int64)
    return Instances(patterns, units, np.where(has, groups[chosen], NONE), copies)


def _refuse_too_many(owners: Ints, m: int) -> None:
    """Refuse to list more patterns than fit into memory."""
    lengths = np.bincount(owners) if len(owners) else np.zeros(1, np.int64)
    if float((lengths.astype(np.float64) ** m).sum()) > MOST_INSTANCES * m:
        raise ParameterError(
            f"the histories have too many patterns of {m} rows; the longest has "
            f"{int(lengths.max()):,} different rows",
            "Lower m, or give the columns coarser hierarchies.",
        )


def shapes(m: int) -> Iterator[tuple[int, ...]]:
    """Return how many copies of each of several different labels make at most ``m`` rows."""

    def parts(left: int) -> Iterator[tuple[int, ...]]:
        yield ()
        for copies in range(1, left + 1):
            for rest in parts(left - copies):
                yield (copies, *rest)

    yield from (shape for shape in parts(m) if shape)


def _combined(owners: Ints, size: int) -> Ints:
    """Return all sets of ``size`` different places with one owner, ascending: (n_sets, size).

    Parameters
    ----------
    owners : ascending
    """
    places = np.arange(len(owners), dtype=np.int64)
    chosen = places[:, None]
    ends = np.searchsorted(owners, owners, "right") if len(owners) else places
    for _ in range(size - 1):
        last = chosen[:, -1]
        n_more = ends[last] - last - 1
        again = np.repeat(np.arange(len(chosen)), n_more)
        starts = np.cumsum(n_more) - n_more
        step = np.arange(len(again)) - starts[again] + 1
        chosen = np.column_stack([chosen[again], last[again] + step])
    return chosen


def without_rare_patterns(
    rows: Rows, instances: Instances, k: int, *, passes: int = RESTORING_PASSES
) -> Bools:
    """Leave rows out until no pattern is rare, and take back what then fits: (n_rows,).

    Of the ways to break the rare patterns of a unit, that one is taken which breaks most of them
    per cost. A pattern that is rare once stays so, whatever else is left out, so that all units
    are looked at together.

    Parameters
    ----------
    passes : over the rows that are left out, to take some of them back
    """
    kept = np.ones(len(rows.units), np.bool_)
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
    has_own = kept & (rows.own >= 0)
    of_group += np.bincount(rows.own[has_own], costs[has_own], len(sizes))
    excess = sizes[groups] - copies + 1
    scores = votes / (of_group[groups] * excess / sizes[groups])
    owners = np.zeros(len(sizes), np.int64)
    owners[rows.groups] = rows.units
    owners[rows.own[rows.own >= 0]] = rows.units[rows.own >= 0]
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
    for membership in (rows.groups, rows.own):
        some = np.flatnonzero(kept & (membership >= 0) & (too_many[membership] > 0))
        order = some[np.lexsort((costs[some], membership[some]))]
        starts = np.flatnonzero(np.diff(membership[order], prepend=NONE))
        lengths = np.diff(starts, append=len(order))
        ranks = np.arange(len(order)) - np.repeat(starts, lengths)
        left[order[ranks < too_many[membership[order]]]] = False
    return left


def _take_back(rows: Rows, counter: PatternCounts, kept: Bools, k: int) -> bool:
    """Take rows back, the costliest first, that make no pattern rare; return whether any was.

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
    touched = np.zeros(rows.n_groups, np.bool_)
    touched[rows.groups[missing]] = True
    touched[rows.own[missing][rows.own[missing] >= 0]] = True
    by_group = _instances_by_group(instances, touched)
    is_any = False
    for row in missing[np.argsort(-rows.saved[missing], kind="stable")].tolist():
        parent = int(rows.parents[row])
        if parent >= 0 and not kept[parent]:
            continue
        own = [int(one) for one in (rows.groups[row], rows.own[row]) if one >= 0]
        sizes[own] += 1
        near = np.concatenate([by_group.get(group, np.zeros(0, np.int64)) for group in own])
        near = np.unique(near[~living[near]])
        part = Instances(
            instances.patterns[near],
            instances.units[near],
            instances.groups[near],
            instances.copies[near],
        )
        begun = near[part.living(sizes)]
        fresh = np.unique(counter.pairs[begun])
        fresh = fresh[of_pair[fresh] == 0]
        patterns = counter.of_pair[fresh]
        if (counts[patterns] + 1 < k).any():
            sizes[own] -= 1
            continue
        kept[row] = is_any = True
        living[begun] = True
        np.add.at(of_pair, counter.pairs[begun], 1)
        counts[patterns] += 1
    return is_any


def _instances_by_group(instances: Instances, touched: Bools) -> dict[int, Ints]:
    """Return the instances with a requirement of each of some groups."""
    places, columns = np.nonzero((instances.groups >= 0) & touched[instances.groups])
    groups = instances.groups[places, columns]
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups[order], prepend=NONE)).tolist()
    return {
        int(groups[order[start]]): places[order[start:end]]
        for start, end in pairwise([*starts, len(order)])
    }
