"""Mondrian: cut the records along one column at a time, until no cut is allowed.

A partition is cut along the column in which it is widest; where a part of that cut would fail a
model, along the next. Numbers are cut at their median, labels of a hierarchy into the labels below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, final

import numpy as np

from indistinct.core.arrays import Bools, Codes, Ints
from indistinct.core.classes import Around, EquivalenceClasses, Region, classes_of
from indistinct.core.frequencies import FrequencyTable, ValueCounts
from indistinct.core.kernels import group_rows, merge_value_counts
from indistinct.core.protocols import Deadline, Monotonicity, Problem, Progress, Solution
from indistinct.core.recoding import Recoding
from indistinct.errors import Fault, NoSolutionError
from indistinct.search.cuts.mondrian_kernels import (
    Columns,
    Cuts,
    Items,
    Partitions,
    candidate_items,
    candidate_sizes,
    carry_out,
    measure,
    propose,
    rank_values,
    settle,
)
from indistinct.search.cuts.people import Labelled, People
from indistinct.search.cuts.ranked import RankedColumn, ranked_columns
from indistinct.search.lattice.feasibility import no_solution

NO_PARENT = -1


@final
@dataclass(frozen=True, slots=True)
class Mondrian:
    """Greedy multidimensional partitioning, strict or relaxed.

    Parameters
    ----------
    relaxed : whether records with the median may go to both sides of a cut, so that the sides are
        equal up to one record; otherwise records with equal values stay together

    Notes
    -----
    Where the source is silent:

    - Numbers are cut behind the lower median, or before it where a side would else be too small.
      Where the missing value is among them, it is cut off first.
    - Labels are cut into the labels below their lowest common one. Those with too few records
      become one part together, which keeps the common label; where this part is too small as well,
      the smallest of the others joins it.
    - Where ``max_levels`` forbid one class for the whole table, the division they force is the
      start; a class of it that fails a model is suppressed, if so many records may be.
    - Relaxed classes that are released alike become one; where that fails a model which a union
      need not keep, it is suppressed.
    - Of the partitions that a part was cut from, those count as supersets of (n,t)-closeness that
      hold all records inside their own cells: a reader of the release sees no others. Labels that
      became one part for being too few, and all that is cut from it, are none.

    About log2(n_records / k) generations of cuts, each in O(n_tuples * n_columns).

    Source: lefevre2006, the greedy partitioning algorithm for strict and relaxed recoding.
    """

    relaxed: bool = False

    name: ClassVar[str] = "mondrian"

    def search(self, problem: Problem, deadline: Deadline, progress: Progress) -> Solution:
        """Cut until no cut is allowed, or until the deadline: every state satisfies the models.

        Raises
        ------
        NoSolutionError
            when the coarsest recoding allowed suppresses too many records
        """
        run = Partitioning.of(problem, relaxed=self.relaxed)
        while run.n_partitions and not deadline.passed:
            run.cut()
            settled = 1.0 - float(run.partitions.sizes.sum()) / problem.table.n_records
            progress(settled, f"{run.leaves.n_classes} classes")
        run.keep_all()
        facts = {"partitions": run.leaves.n_classes, "relaxed": self.relaxed}
        return Solution(run.recoding(), facts)


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

    def add(self, items: Items, partitions: Partitions, chosen: Codes, released: Bools) -> None:
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


@dataclass(slots=True)
class Partitioning:
    """One run: the partitions of the present generation, and the leaves so far.

    Parameters
    ----------
    ranked : the quasi-identifiers in rank order
    counts : per quasi-identifier, records per value code
    columns : the quasi-identifiers, laid out for the kernels
    least_size : records that no class can do without
    items, spare : the records in the order of their partitions; room for the next generation
    partitions : the present generation
    released : (n_partitions,), False where a partition fails a model and is suppressed
    people : the population, where it is counted
    tree : the generations so far, this one included, where some model asks for supersets
    """

    problem: Problem
    relaxed: bool
    ranked: tuple[RankedColumn, ...]
    counts: tuple[Ints, ...]
    columns: Columns
    least_size: int
    items: Items
    spare: Items
    partitions: Partitions
    released: Bools
    leaves: Leaves
    people: People | None = None
    tree: list[Generation] = field(default_factory=list[Generation])

    @classmethod
    def of(cls, problem: Problem, *, relaxed: bool) -> Partitioning:
        """Begin with the coarsest recoding allowed.

        Raises
        ------
        NoSolutionError
            when it suppresses too many records
        """
        ranked = ranked_columns(problem)
        columns = _laid_out(ranked, problem.weights)
        table, n_columns = problem.table, len(ranked)
        least_size = max((model.least_size for model in problem.models), default=1)
        capacity = table.n_tuples + relaxed * (table.n_records // least_size)
        items = _room(capacity, n_columns)
        counts = _fill(items, table, ranked)
        labels, n_groups = _coarsest(ranked, items.ranks[:, : table.n_tuples], problem.max_levels)
        whole = classes_of(table, labels, n_groups)
        people = (
            None if problem.population is None else People(Labelled(problem.population), ranked)
        )
        if people is not None:
            everyone = np.arange(table.n_tuples, dtype=np.int32)
            ends = _extents(table, ranked, labels, everyone, n_groups)
            whole = replace(whole, population=people.count(*ends))
        released = problem.holds(whole)
        if int(whole.sizes @ ~released) > problem.budget:
            raise NoSolutionError(no_solution(problem))
        if relaxed or n_groups > 1:
            _sort(items, table, labels, canonical=relaxed)
        lows = np.zeros((n_groups, n_columns), np.int32)
        partitions = Partitions(
            np.cumsum([0, *np.bincount(labels)], dtype=np.int64),
            whole.sizes,
            lows,
            lows + (columns.n_ranks - 1).astype(np.int32),
        )
        run = cls(
            problem,
            relaxed,
            ranked,
            counts,
            columns,
            least_size,
            items,
            _room(capacity, n_columns),
            partitions,
            released,
            Leaves.none(capacity),
            people,
        )
        run.remember(np.full(n_groups, NO_PARENT), np.ones(n_groups, np.bool_))
        return run

    @property
    def n_partitions(self) -> int:
        """Partitions that may still be cut."""
        return len(self.partitions.sizes)

    def cut(self) -> None:
        """Cut every partition that can be cut, and keep the others."""
        cuts, columns = self._choose()
        uncut = np.flatnonzero(cuts.n_parts == 0).astype(np.int32)
        self.leaves.add(self.items, self.partitions, uncut, self.released)
        parts, owners = carry_out(self.items, self.partitions, cuts, self.spare)
        self.items, self.spare = self.spare, self.items
        before, self.partitions = self.partitions, parts
        self.released = np.ones(len(owners), np.bool_)
        if self.tree and len(owners):
            is_box = self._whole(before, owners, columns[owners])
            self.remember(owners, is_box & self.tree[-1].whole[owners])

    def remember(self, parents: Codes | Ints, whole: Bools) -> None:
        """Keep this generation, if some model asks for supersets; see :class:`Generation`."""
        if not self.problem.reads_regions:
            return
        starts = self.partitions.starts
        labels = np.repeat(np.arange(self.n_partitions, dtype=np.int32), np.diff(starts))
        used = slice(int(starts[-1]))
        counts = self._values(
            labels, self.items.tuples[used], self.items.weights[used], self.n_partitions
        )
        parts = EquivalenceClasses(self.partitions.sizes, counts, self.problem.table.sensitive)
        self.tree.append(Generation(parts, whole, parents.astype(np.int64)))

    def _whole(self, before: Partitions, owners: Codes, columns: Codes) -> Bools:
        """Tell which parts hold all of their partition's records inside their own cells.

        Labels that were too few and became one part keep the label of all, and numbers that went
        to both sides lie in both ranges.

        Parameters
        ----------
        before : the partitions
        owners, columns : (n_parts,), partition that each was cut from, and along which column
        """
        starts = self.partitions.starts
        of_item = np.repeat(columns, np.diff(starts))
        ranks = self.items.ranks[of_item, np.arange(len(of_item))]
        lows = np.minimum.reduceat(ranks, starts[:-1])
        highs = np.maximum.reduceat(ranks, starts[:-1])
        whole = np.zeros(len(owners), np.bool_)
        for column, ranked in enumerate(self.ranked):
            mine = np.flatnonzero(columns == column)
            low, high = before.lows[owners[mine], column], before.highs[owners[mine], column]
            level = (ranked.keys[:, low] == ranked.keys[:, high]).argmax(axis=0)
            own = ranked.keys[:, lows[mine]] == ranked.keys[:, highs[mine]]
            is_label = own[level - 1, np.arange(len(mine))]
            is_apart = self._apart(owners, lows, highs)[mine]
            whole[mine] = np.where((level == 1) & (ranked.width > 0), is_apart, is_label)
        return whole

    def _apart(self, owners: Codes, lows: Codes, highs: Codes) -> Bools:
        """Tell which parts share no rank with the part before or behind: (n_parts,)."""
        is_free = (owners[1:] != owners[:-1]) | (highs[:-1] < lows[1:])
        return np.append(True, is_free) & np.append(is_free, True)

    def keep_all(self) -> None:
        """Keep the partitions that are left as they are."""
        measure(self.columns, self.items, self.partitions, self.least_size)
        everything = np.arange(self.n_partitions, dtype=np.int32)
        self.leaves.add(self.items, self.partitions, everything, self.released)

    def recoding(self) -> Recoding:
        """Give every leaf its released cells."""
        lows, highs = np.concatenate(self.leaves.lows), np.concatenate(self.leaves.highs)
        released = [
            column.release(lows[:, j], highs[:, j], self.counts[j])
            for j, column in enumerate(self.ranked)
        ]
        recoding = Recoding(
            *self._items(),
            np.stack([cells for _, cells in released], axis=1),
            np.concatenate(self.leaves.released),
            tuple(domain for domain, _ in released),
            regions=self._regions(),
            people=None if self.people is None else self.people.count(lows, highs),
        )
        return self._checked(_without_doubles(recoding)) if self.relaxed else recoding

    def _checked(self, recoding: Recoding) -> Recoding:
        """Suppress the unions of classes released alike that fail a model, though each held it.

        Raises
        ------
        NoSolutionError
            when that suppresses too many records
        """
        problem = self.problem
        if all(model.monotone is not Monotonicity.NEVER for model in problem.models):
            return recoding
        values = self._values(
            recoding.labels, recoding.tuples, recoding.weights, recoding.n_classes
        )
        classes = EquivalenceClasses(
            recoding.sizes,
            values,
            problem.table.sensitive,
            population=recoding.people,
            regions=recoding.regions,
        )
        checked = replace(recoding, released=recoding.released & problem.holds(classes))
        if checked.n_suppressed > problem.budget:
            raise NoSolutionError(
                [
                    Fault(
                        "method.relaxed",
                        "gives classes that are released alike and fail a model together: "
                        f"{checked.n_suppressed:,} records would be suppressed",
                        "Set relaxed = false, or raise max_suppression.",
                    )
                ]
            )
        return checked

    def _regions(self) -> Callable[[], Iterator[Region]] | None:
        """Give the supersets of the leaves, where some model asks for them."""
        if not self.tree:
            return None
        generations = np.repeat(
            np.arange(len(self.leaves.places)), [len(places) for places in self.leaves.places]
        )
        return regions_above(
            self.tree, generations, np.concatenate(self.leaves.places).astype(np.int64)
        )

    def _items(self) -> tuple[Codes, Codes, Ints]:
        """Give the tuple, class and records of each item; in order where no tuple is torn."""
        used = slice(self.leaves.n_items)
        tuples, labels = self.leaves.tuples[used], self.leaves.labels[used]
        if self.relaxed:
            return tuples, labels, self.leaves.weights[used]
        table = self.problem.table
        in_order = np.empty(table.n_tuples, np.int32)
        in_order[tuples] = labels
        return np.arange(table.n_tuples, dtype=np.int32), in_order, table.weights

    def _choose(self) -> tuple[Cuts, Codes]:
        """Find each partition's first cut whose parts all satisfy every model, and its column."""
        order, n_open = measure(self.columns, self.items, self.partitions, self.least_size)
        n_open[~self.released] = 0
        cuts = Cuts(
            np.zeros(self.n_partitions, np.int32),
            np.empty(self.partitions.starts[-1], np.int32),
            np.full(self.n_partitions, -1, np.int64),
            np.zeros(self.n_partitions, np.int64),
        )
        attempts = np.zeros(self.n_partitions, np.int32)
        pending = np.flatnonzero(n_open).astype(np.int32)
        while len(pending):
            propose(
                self.columns,
                self.items,
                self.partitions,
                order,
                n_open,
                attempts,
                pending,
                self.least_size,
                self.relaxed,
                cuts,
            )
            pending = self._rejected(cuts, pending[cuts.n_parts[pending] > 0])
            cuts.n_parts[pending] = 0
        if not order.shape[1]:
            return cuts, attempts
        return cuts, order[np.arange(len(order)), np.maximum(attempts - 1, 0)]

    def _rejected(self, cuts: Cuts, proposed: Codes) -> Codes:
        """Give the partitions with a proposed part that fails a model."""
        if not len(proposed):
            return proposed
        firsts, sizes = candidate_sizes(self.items, self.partitions, cuts, proposed)
        labels, tuples, weights = self._candidates(cuts, proposed, firsts)
        counts = self._values(labels, tuples, weights, len(sizes))
        owners = np.repeat(proposed, np.diff(np.append(firsts, len(sizes)))).astype(np.int64)
        parts = EquivalenceClasses(
            sizes,
            counts,
            self.problem.table.sensitive,
            population=self._people_of(labels, tuples, len(sizes)),
            regions=self._above(owners),
        )
        return proposed[~np.logical_and.reduceat(self.problem.holds(parts), firsts)]

    def _above(self, owners: Ints) -> Callable[[], Iterator[Region]] | None:
        """Give the supersets of parts of this generation's partitions: these and their ancestors.

        Source: li2010, section 5 (the algorithm for (n,t)-closeness).
        """
        if not self.tree:
            return None
        return regions_above(self.tree, np.full(len(owners), len(self.tree) - 1), owners)

    def _people_of(self, labels: Codes, tuples: Codes, n_parts: int) -> Ints | None:
        """Count the people in the boxes of proposed parts, where some model asks for them."""
        if self.people is None:
            return None
        return self.people.count(
            *_extents(self.problem.table, self.ranked, labels, tuples, n_parts)
        )

    def _candidates(self, cuts: Cuts, proposed: Codes, firsts: Ints) -> tuple[Codes, Codes, Ints]:
        """Give part, tuple and records of the items of proposed parts, where some model asks."""
        if not self.problem.table.sensitive_codes and self.people is None:
            nothing = np.zeros(0, np.int32)
            return nothing, nothing, nothing.astype(np.int64)
        return candidate_items(self.items, self.partitions, cuts, proposed, firsts)

    def _values(
        self, labels: Codes, tuples: Codes, weights: Ints, n_parts: int
    ) -> dict[str, ValueCounts]:
        """Count the sensitive values of items by label."""
        table = self.problem.table
        each = np.arange(len(labels) + 1, dtype=np.int64)
        return {
            name: ValueCounts(
                *merge_value_counts(
                    labels, each, codes[tuples], weights, n_parts, table.sensitive[name].n_values
                )
            )
            for name, codes in table.sensitive_codes.items()
        }


def _extents(
    table: FrequencyTable,
    ranked: tuple[RankedColumn, ...],
    labels: Codes,
    tuples: Codes,
    n_parts: int,
) -> tuple[Codes, Codes]:
    """Give the least and the greatest rank of some items by label: (n_parts, n_columns) each."""
    order = np.argsort(labels, kind="stable")
    starts = np.searchsorted(labels[order], np.arange(n_parts))
    codes = table.codes[tuples[order]]
    ranks = [column.ranks[codes[:, j]] for j, column in enumerate(ranked)]
    return (
        np.stack([np.minimum.reduceat(each, starts) for each in ranks], axis=1),
        np.stack([np.maximum.reduceat(each, starts) for each in ranks], axis=1),
    )


def _laid_out(ranked: tuple[RankedColumn, ...], weights: tuple[float, ...]) -> Columns:
    """Lay the columns out for the kernels."""
    return Columns(
        np.concatenate([column.keys.ravel() for column in ranked]),
        np.concatenate([column.shares.ravel() for column in ranked]),
        _starts([column.keys.size for column in ranked]),
        np.array([column.keys.shape[1] for column in ranked], np.int64),
        np.array([column.floor for column in ranked], np.int64),
        np.concatenate([column.numbers for column in ranked]),
        _starts([len(column.numbers) for column in ranked]),
        np.array([column.width for column in ranked]),
        np.array(weights, np.float64),
    )


def _starts(sizes: list[int]) -> Ints:
    """Give where each of some runs begins, one after another."""
    return np.cumsum([0, *sizes[:-1]], dtype=np.int64)


def _room(capacity: int, n_columns: int) -> Items:
    """Make room for the items of a generation."""
    return Items(
        np.empty(capacity, np.int32),
        np.empty(capacity, np.int64),
        np.empty((n_columns, capacity), np.int32),
    )


def _fill(
    items: Items, table: FrequencyTable, ranked: tuple[RankedColumn, ...]
) -> tuple[Ints, ...]:
    """Write the tuples of the table, and count the records per column and value code."""
    starts = _starts([len(column.ranks) for column in ranked])
    items.tuples[: table.n_tuples] = np.arange(table.n_tuples)
    items.weights[: table.n_tuples] = table.weights
    ranks = np.concatenate([column.ranks for column in ranked])
    counts = rank_values(table.codes, table.weights, ranks, starts, items.ranks)
    return tuple(np.split(counts, starts[1:]))


def _coarsest(
    ranked: tuple[RankedColumn, ...], ranks: Codes, max_levels: tuple[int, ...]
) -> tuple[Codes, int]:
    """Divide the tuples by the coarsest labels allowed: (n_tuples,), and the number of groups."""
    tops = [column.top_keys(level) for column, level in zip(ranked, max_levels, strict=True)]
    dividing = [top[ranks[j]] for j, top in enumerate(tops) if top.any()]
    if not dividing:
        return np.zeros_like(ranks[0]), 1
    labels, _, sizes = group_rows(np.ascontiguousarray(np.stack(dividing, axis=1)))
    return labels, len(sizes)


def _sort(items: Items, table: FrequencyTable, labels: Codes, *, canonical: bool) -> None:
    """Sort the tuples by group; canonically: inside a group by their values alone."""
    used = slice(table.n_tuples)
    values = (*table.sensitive_codes.values(), *items.ranks[::-1, used]) if canonical else ()
    order = np.lexsort((*values, labels))
    items.tuples[used] = order
    items.weights[used] = table.weights[order]
    items.ranks[:, used] = items.ranks[:, order]


def _without_doubles(recoding: Recoding) -> Recoding:
    """Make one class of those that are released alike."""
    classes, representatives, _ = group_rows(np.ascontiguousarray(recoding.cells))

    def regions() -> Iterator[Region]:
        # A box around one of them is around all: their cells are the same.
        for region in recoding.regions() if recoding.regions is not None else ():
            yield Around(region.parts, region.part_of, representatives.astype(np.int64))

    return replace(
        recoding,
        labels=classes[recoding.labels],
        cells=recoding.cells[representatives],
        released=recoding.released[representatives],
        regions=regions if recoding.regions is not None else None,
        people=None if recoding.people is None else recoding.people[representatives],
    )
