"""Mondrian: cut the records along one column at a time, until no cut is allowed.

A partition is cut along the column in which it is widest; where a part of that cut would fail a
model, along the next. Numbers are cut at their median, labels of a hierarchy into the labels below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from indistinct.base.arrays import Bools, Codes, Ints
from indistinct.base.coded_text import sentence
from indistinct.base.compiled.kernels import merge_value_counts
from indistinct.errors import NoSolutionError
from indistinct.tables.core.classes import EquivalenceClasses, Region, classes_of
from indistinct.tables.core.frequencies import ValueCounts
from indistinct.tables.core.protocols import Deadline, Problem, Progress
from indistinct.tables.core.recoding import Recoding
from indistinct.tables.search.algorithm import SearchResult
from indistinct.tables.search.cuts.layout import coarsest, extents, fill, laid_out, room, sort
from indistinct.tables.search.cuts.leaves import Generation, Leaves, regions_above
from indistinct.tables.search.cuts.mondrian_kernels import (
    Cuts,
    MondrianColumns,
    Partitions,
    RankedItems,
    candidate_items,
    candidate_sizes,
    carry_out,
    measure,
    propose,
)
from indistinct.tables.search.cuts.people import Labelled, PeopleInBoxes
from indistinct.tables.search.cuts.ranked import RankedColumn, ranked_columns
from indistinct.tables.search.lattice.feasibility import no_solution

NO_PARENT = -1
NEEDS = "the best partition found needs"


def find_partition(
    problem: Problem, deadline: Deadline, progress: Progress, *, relaxed: bool
) -> SearchResult:
    """Cut until no cut is allowed, or until the deadline: every state satisfies the models.

    Raises
    ------
    NoSolutionError
        when the coarsest recoding allowed suppresses too many records
    """
    run = Partitioning.of(problem, relaxed=relaxed)
    while run.n_partitions and not deadline.passed:
        run.cut()
        settled = 1.0 - float(run.partitions.sizes.sum()) / problem.table.n_records
        progress(
            settled,
            sentence("classes", "{number} classes", number=run.leaves.n_classes),
        )
    run.keep_all()
    facts = {"partitions": run.leaves.n_classes, "relaxed": relaxed}
    # Without ties torn apart every class has been judged, and no other reads like it.
    needs = "classes that read alike under relaxed = true need" if relaxed else NEEDS
    return SearchResult(run.recoding(), needs, facts)


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
    columns: MondrianColumns
    least_size: int
    items: RankedItems
    spare: RankedItems
    partitions: Partitions
    released: Bools
    leaves: Leaves
    people: PeopleInBoxes | None = None
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
        columns = laid_out(ranked, problem.weights)
        table, n_columns = problem.table, len(ranked)
        least_size = problem.least_size
        capacity = table.n_tuples + relaxed * (table.n_records // least_size)
        items = room(capacity, n_columns)
        counts = fill(items, table, ranked)
        labels, n_groups = coarsest(ranked, items.ranks[:, : table.n_tuples], problem.max_levels)
        whole = classes_of(table, labels, n_groups)
        people = (
            None
            if problem.population is None
            else PeopleInBoxes(Labelled(problem.population), ranked)
        )
        if people is not None:
            everyone = np.arange(table.n_tuples, dtype=np.int32)
            ends = extents(table, ranked, labels, everyone, n_groups)
            whole = replace(whole, population=people.count(*ends))
        released = problem.holds(whole)
        if int(whole.sizes @ ~released) > problem.budget:
            raise NoSolutionError(no_solution(problem))
        if relaxed or n_groups > 1:
            sort(items, table, labels, canonical=relaxed)
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
            room(capacity, n_columns),
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
        """Store this generation, if some model asks for supersets; see :class:`Generation`."""
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
        """Return which parts hold all of their partition's records inside their own cells.

        Labels that were too few and became one part keep the label of all, a label may read like a
        larger one, and numbers that went to both sides lie in both ranges.

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
            is_label &= ranked.is_unambiguous(level - 1, lows[mine])
            # Rounded ranges may hold records of the parts beside them.
            is_apart = self._apart(owners, lows, highs)[mine] & (not self.problem.rounds_ends)
            whole[mine] = np.where((level == 1) & (ranked.width > 0), is_apart, is_label)
        return whole

    def _apart(self, owners: Codes, lows: Codes, highs: Codes) -> Bools:
        """Return which parts share no rank with the part before or behind: (n_parts,)."""
        is_free = (owners[1:] != owners[:-1]) | (highs[:-1] < lows[1:])
        return np.append(True, is_free) & np.append(is_free, True)

    def keep_all(self) -> None:
        """Store the partitions that are left as they are."""
        measure(self.columns, self.items, self.partitions, self.least_size)
        everything = np.arange(self.n_partitions, dtype=np.int32)
        self.leaves.add(self.items, self.partitions, everything, self.released)

    def recoding(self) -> Recoding:
        """Return every leaf its released cells."""
        lows, highs = np.concatenate(self.leaves.lows), np.concatenate(self.leaves.highs)
        released = [
            column.release(lows[:, j], highs[:, j], self.counts[j])
            for j, column in enumerate(self.ranked)
        ]
        return Recoding(
            *self._items(),
            np.stack([cells for _, cells in released], axis=1),
            np.concatenate(self.leaves.released),
            tuple(domain for domain, _ in released),
            regions=self._regions(),
            people=None if self.people is None else self.people.count(lows, highs),
        )

    def _regions(self) -> Callable[[], Iterator[Region]] | None:
        """Return the supersets of the leaves, where some model asks for them."""
        if not self.tree:
            return None
        generations = np.repeat(
            np.arange(len(self.leaves.places)), [len(places) for places in self.leaves.places]
        )
        return regions_above(
            self.tree, generations, np.concatenate(self.leaves.places).astype(np.int64)
        )

    def _items(self) -> tuple[Codes, Codes, Ints]:
        """Return the tuple, class and records of each item; in order where no tuple is torn."""
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
        """Return the partitions with a proposed part that fails a model."""
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
        """Return the supersets of parts of this generation's partitions: these and their ancestors.

        Source: li2010, section 5 (the algorithm for (n,t)-closeness).
        """
        if not self.tree:
            return None
        return regions_above(self.tree, np.full(len(owners), len(self.tree) - 1), owners)

    def _people_of(self, labels: Codes, tuples: Codes, n_parts: int) -> Ints | None:
        """Count the people in the boxes of proposed parts, where some model asks for them."""
        if self.people is None:
            return None
        return self.people.count(*extents(self.problem.table, self.ranked, labels, tuples, n_parts))

    def _candidates(self, cuts: Cuts, proposed: Codes, firsts: Ints) -> tuple[Codes, Codes, Ints]:
        """Return part, tuple and records of the items of proposed parts, where some model asks."""
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
