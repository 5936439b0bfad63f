"""The lattice of full-domain recodings: the classes of a node, counted from a finer one's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints, Words
from indistinct.base.compiled.kernels import (
    merge_value_counts,
    roll_up,
    weighted_sums,
)
from indistinct.tables.core.classes import EquivalenceClasses, Region, classes_of
from indistinct.tables.core.frequencies import ValueCounts
from indistinct.tables.core.protocols import Problem, Scope
from indistinct.tables.core.recoding import (
    CellDomain,
    Recoding,
    cell_losses,
    cell_numbers,
    value_bits,
)
from indistinct.tables.search.lattice.coarser_node import CoarserNode
from indistinct.tables.search.lattice.label_words import word_table
from indistinct.tables.search.lattice.node_kernels import NodeColumns
from indistinct.tables.search.lattice.nodes import (
    WORTH_KEEPING,
    HalfWayNodes,
    Node,
    NodeClasses,
    Snapshots,
    SortedClasses,
    nodes_above,
)
from indistinct.tables.search.lattice.one_pass import OnePassNodes
from indistinct.tables.search.lattice.people_at_nodes import PeopleAtNodes
from indistinct.tables.search.lattice.suppression_bound import SuppressionBound

MOST_REGIONS = 20_000
FEW = 4_096  # tuples from which on a node half way saves work, and nodes whose offsets are kept


@dataclass(frozen=True, slots=True)
class CheckedNode:
    """What counting a node showed; also its outcome, as metrics need it.

    Parameters
    ----------
    node : level per column
    representatives : (n_classes,), a tuple of each class
    sizes : (n_classes,), records per class, suppressed classes included
    released : (n_classes,), the classes that satisfy every model
    n_suppressed : records in the other classes
    n_least_suppressed : records that are suppressed at every finer node, too
    """

    lattice: Lattice
    node: Node
    representatives: Codes
    sizes: Ints
    released: Bools
    n_suppressed: int
    n_least_suppressed: int

    @property
    def n_records(self) -> int:
        """Records, suppressed ones included."""
        return self.lattice.n_records

    @property
    def domains(self) -> tuple[CellDomain, ...]:
        """Per column, the cells it may be released as."""
        return self.lattice.domains

    def cell_counts(self, column: int, *, released: bool) -> Ints:
        """Return the released, or the suppressed, records per cell of a column: (n_cells,)."""
        chosen = self.released == released
        values = self.lattice.table.codes[self.representatives[chosen], column]
        cells = self.lattice.cells[column][self.node[column], values]
        return np.bincount(cells, self.sizes[chosen], len(self.domains[column].labels)).astype(
            np.int64
        )

    def released_sums(self, cells: Callable[[CellDomain], Floats]) -> Floats:
        """Add up a value per cell over the released records: (n_columns,).

        The sum over all records is known per column and level; only what is suppressed is
        looked at.
        """
        values = self.lattice.values_of(cells)
        sums = np.array([values.totals[j][level] for j, level in enumerate(self.node)])
        if self.n_suppressed == 0:
            return sums
        return sums - weighted_sums(
            self.lattice.table.codes,
            values.flat,
            self.lattice.offsets_of(self.node),
            self.representatives,
            self.sizes,
            self.released,
        )

    def class_values(self, cells: Callable[[CellDomain], Floats]) -> Floats:
        """Return a value per class and column: (n_classes, n_columns)."""
        flat = self.lattice.values_of(cells).flat
        codes = self.lattice.table.codes[self.representatives]
        return flat[codes + self.lattice.offsets_of(self.node)]

    @property
    def tuple_bits(self) -> float:
        """Sum over records of log2(records with the same original quasi-identifiers)."""
        return self.lattice.tuple_bits


@dataclass(frozen=True, slots=True)
class CellValues:
    """A number per cell, laid out for the lattice.

    Parameters
    ----------
    flat : per column, level and value
    totals : per column, (n_levels,), its sum over all records
    """

    flat: Floats
    totals: tuple[Floats, ...]


class Lattice:
    """Counts and judges the nodes of a problem's lattice.

    The one stateful object of a search: it remembers the nodes it has counted, so that a coarser
    one is rolled up from the cheapest of them and never from the records.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._reads_regions = problem.reads_regions
        self._reads_all_classes = problem.reads_all_classes
        self.table = problem.table
        self.n_records = problem.table.n_records
        self.bottom: Node = problem.min_levels
        self.top: Node = problem.max_levels
        self.domains = problem.domains()
        self.cells = tuple(cell_numbers(hierarchy) for hierarchy in problem.hierarchies)
        self.n_checked = 0
        self._offsets, self._words = word_table(problem.hierarchies)
        self._offsets_of: dict[Node, Ints] = {}
        self._values: dict[Callable[[CellDomain], Floats], CellValues] = {}
        self._bound = SuppressionBound.of(problem)
        self._values_by_column = np.ascontiguousarray(problem.table.codes.T)
        self._finest = self._count_finest()
        is_large = self._finest[0].classes.n_classes > FEW
        self._half_ways = HalfWayNodes.of(self.domains, self.cells) if is_large else HalfWayNodes()
        self._tuple_bits: float | None = None
        self._people = (
            None
            if problem.population is None
            else PeopleAtNodes.of(
                problem.population, problem.hierarchies, self._offsets, self._words
            )
        )
        self._sorted: dict[Node, SortedClasses] = {}

    @cached_property
    def _one_pass(self) -> OnePassNodes | None:
        """The nodes that were checked in one pass; None where the models do not allow for that."""
        n_levels = max(map(len, self._offsets), default=0)
        offsets = np.zeros((len(self._offsets), n_levels), np.int64)
        for column, starts in enumerate(self._offsets):
            offsets[column, : len(starts)] = starts
        columns = NodeColumns(self._values_by_column, self._words, offsets)
        return OnePassNodes.of(self.problem, columns, self._bound.models, *self._finest)

    @property
    def is_one_pass(self) -> bool:
        """Whether a node is checked in one pass."""
        return self._one_pass is not None

    @cached_property
    def _snapshots(self) -> Snapshots:
        """The nodes that were counted with the sensitive values of their classes."""
        finest, labels = self._finest
        classes = finest.classes
        if self.table.sensitive:
            classes = classes_of(self.table, labels, classes.n_classes)
        found = Snapshots(self.table.n_columns)
        found.add(finest.node, replace(finest, classes=classes))
        return found

    @property
    def n_nodes(self) -> int:
        """Number of nodes between the allowed levels; exact, however large."""
        count = 1
        for low, high in zip(self.bottom, self.top, strict=True):
            count *= high - low + 1
        return count

    @property
    def tuple_bits(self) -> float:
        """Sum over records of log2(records with the same original quasi-identifiers)."""
        if self._tuple_bits is None:
            self._tuple_bits = value_bits(self._finest[0].classes.sizes)
        return self._tuple_bits

    def offsets_of(self, node: Node) -> Ints:
        """Return where each column's level begins in a flat table: (n_columns,)."""
        known = self._offsets_of.get(node)
        if known is None:
            levels = zip(self._offsets, node, strict=True)
            known = np.array([offsets[level] for offsets, level in levels], np.int64)
            if len(self._offsets_of) >= FEW:
                self._offsets_of.clear()  # a huge lattice has more nodes than memory
            self._offsets_of[node] = known
        return known

    def values_of(self, cells: Callable[[CellDomain], Floats]) -> CellValues:
        """Lay a metric's cells out for the lattice, once."""
        known = self._values.get(cells)
        if known is None:
            per_column = [
                cells(domain)[numbers]
                for domain, numbers in zip(self.domains, self.cells, strict=True)
            ]
            known = CellValues(
                np.concatenate([values.ravel() for values in per_column]),
                tuple(
                    values @ self.table.value_weights(column).astype(np.float64)
                    for column, values in enumerate(per_column)
                ),
            )
            self._values[cells] = known
        return known

    def check(self, node: Node, *, is_last: bool = False) -> CheckedNode:
        """Count a node's classes and test every model on each.

        Parameters
        ----------
        is_last : whether it may be said of too few records that every finer node suppresses them
        """
        self.n_checked += 1
        if self._one_pass is not None:
            one = self._one_pass.check(
                np.array(node, np.int32), lambda: self._half_ways.to(node), is_last=is_last
            )
            return CheckedNode(
                self,
                node,
                one.representatives,
                one.sizes,
                one.released,
                one.n_suppressed,
                one.n_least_suppressed,
            )
        return self.check_plainly(node)

    def check_plainly(self, node: Node) -> CheckedNode:
        """Count a node's classes and test every model on each, one after the other."""
        found = self._count(node)
        classes = self.described(node, found.representatives, found.classes)
        released = self._released(classes)
        n_suppressed = self.n_records - int(classes.sizes @ released)
        n_least_suppressed = self._bound.n_least_suppressed(classes, released, n_suppressed)
        return CheckedNode(
            self,
            node,
            found.representatives,
            classes.sizes,
            released,
            n_suppressed,
            n_least_suppressed,
        )

    def _released(self, classes: EquivalenceClasses) -> Bools:
        """Choose the classes to release; supersets are not looked at where the node is out."""
        if self._reads_regions:
            everything = np.ones(classes.n_classes, dtype=np.bool_)
            kept = self.problem.selected(classes, everything, Scope.CLASS)
            if self.n_records - int(classes.sizes @ kept) > self.problem.budget:
                return kept
        return self.problem.released(classes)

    def recoding(self, node: Node) -> Recoding:
        """Return the recoding of a node, its classes judged."""
        found = self.labelled(node)
        representatives = np.zeros(found.n_classes, np.int32)
        representatives[found.labels] = found.tuples
        classes = classes_of(self.table, found.labels, found.n_classes)
        released = self.problem.released(self.described(node, representatives, classes))
        return replace(found, released=released)

    def labelled(self, node: Node) -> Recoding:
        """Return the recoding of a node, counted from the distinct tuples and not yet judged."""
        table = self.table
        everyone = np.arange(table.n_tuples, dtype=np.int32)
        labels, representatives, _, _ = self._merge(everyone, node)
        cells = np.stack(
            [
                self.cells[column][level, table.codes[representatives, column]]
                for column, level in enumerate(node)
            ],
            axis=1,
        )
        people = self._people
        return Recoding(
            everyone,
            labels,
            table.weights,
            cells,
            np.ones(len(representatives), np.bool_),
            self.domains,
            node,
            (lambda: self._regions(node, representatives)) if self._reads_regions else None,
            None if people is None else people.count(node, self.keys(representatives, node)),
            self.tuple_bits,
        )

    def described(
        self, node: Node, representatives: Codes, classes: EquivalenceClasses
    ) -> EquivalenceClasses:
        """Add to a node's classes what some models want to know of them.

        Parameters
        ----------
        node : level per column
        representatives : (n_classes,), a tuple of each class
        classes : some of the node's classes
        """
        if self._reads_all_classes:
            classes = replace(classes, costs=self._costs(node, representatives))
        if self._reads_regions:
            classes = replace(classes, regions=lambda: self._regions(node, representatives))
        if self._people is not None:
            keys = self.keys(representatives, node)
            classes = replace(classes, population=self._people.count(node, keys))
        return classes

    def _regions(self, node: Node, representatives: Codes) -> Iterator[Region]:
        """Yield the partitions of the coarser nodes, near ones first."""
        tops = [hierarchy.height for hierarchy in self.problem.hierarchies]
        for coarser in islice(nodes_above(node, tops), MOST_REGIONS):
            counted = self._counted(coarser)
            yield CoarserNode(self.problem, representatives, counted, self.keys)

    def _counted(self, node: Node) -> SortedClasses:
        """Count the classes of a node once, sorted by key."""
        known = self._sorted.get(node)
        if known is None:
            found = self._count(node)
            order = np.argsort(found.keys)
            known = self._sorted[node] = SortedClasses(
                node, found.classes, found.keys[order], order
            )
        return known

    def _costs(self, node: Node, representatives: Codes) -> Floats:
        """Return the mean loss of the cells of some classes: (n_classes,)."""
        if not node:  # masks protect every quasi-identifier: one class, which loses nothing
            return np.zeros(len(representatives))
        values = self.values_of(cell_losses)
        costs = np.zeros(len(representatives))
        for column, offset in enumerate(self.offsets_of(node)):
            losses = values.flat[offset + self._values_by_column[column, representatives]]
            costs += self.problem.weights[column] * losses
        return costs / len(node)

    def _count(self, node: Node) -> NodeClasses:
        """Roll a node up from the cheapest finer one, and keep it."""
        finer = self._snapshots.cheapest(node)
        finest = self._snapshots.stored[0]
        if finer is finest and (half_way := self._half_ways.to(node)) is not None:
            finer = self._rolled_up(finer, half_way)
            if finer.classes.n_classes <= WORTH_KEEPING * finest.classes.n_classes:
                self._snapshots.add(half_way, finer)
        found = self._rolled_up(finer, node)
        self._snapshots.add(node, found)
        return found

    def _rolled_up(self, finer: NodeClasses, node: Node) -> NodeClasses:
        """Roll a node up from a finer one."""
        labels, representatives, sizes, keys = roll_up(
            self._values_by_column,
            self._words,
            self.offsets_of(finer.node),
            self.offsets_of(node),
            finer.representatives,
            finer.classes.sizes,
            finer.keys,
        )
        counts = {
            name: ValueCounts(
                *merge_value_counts(
                    labels,
                    before.starts,
                    before.values,
                    before.counts,
                    len(sizes),
                    self.table.sensitive[name].n_values,
                )
            )
            for name, before in finer.classes.value_counts.items()
        }
        return NodeClasses(
            node, representatives, keys, EquivalenceClasses(sizes, counts, self.table.sensitive)
        )

    def keys(self, tuples: Codes, node: Node) -> Words:
        """Add up the words of some tuples at a node: (n_tuples,)."""
        keys = np.zeros(len(tuples), np.uint64)
        for column, offset in enumerate(self.offsets_of(node)):
            keys += self._words[offset + self._values_by_column[column, tuples]]
        return keys

    def _merge(self, tuples: Codes, node: Node) -> tuple[Codes, Codes, Ints, Words]:
        """Return the class of some tuples at a node; a tuple, the size and the key of each."""
        offsets = self.offsets_of(node)
        return roll_up(
            self._values_by_column,
            self._words,
            offsets,
            offsets,
            tuples,
            self.table.weights[tuples],
            self.keys(tuples, node),
        )

    def _count_finest(self) -> tuple[NodeClasses, Codes]:
        """Count the classes of the original values, and find the one of each tuple."""
        table = self.table
        node = (0,) * table.n_columns
        everyone = np.arange(table.n_tuples, dtype=np.int32)
        if not table.sensitive:
            # Without sensitive columns the distinct tuples are the classes.
            keys = self.keys(everyone, node)
            return NodeClasses(node, everyone, keys, EquivalenceClasses(table.weights)), everyone
        labels, representatives, sizes, keys = self._merge(everyone, node)
        found = NodeClasses(node, representatives, keys, EquivalenceClasses(sizes))
        return found, labels
