"""Top-down specialization: begin with everything hidden, and tell apart what informs most."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from indistinct.base.arrays import Floats, Ints
from indistinct.base.coded_text import sentence
from indistinct.errors import NoSolutionError
from indistinct.tables.core.classes import EquivalenceClasses, count_values
from indistinct.tables.core.protocols import Deadline, Problem, Progress
from indistinct.tables.core.recoding import Recoding, hierarchy_cells
from indistinct.tables.search.adaptive.levels import Levels
from indistinct.tables.search.algorithm import SearchResult, check_sensitive
from indistinct.tables.search.lattice.feasibility import no_solution


def find_cut(problem: Problem, deadline: Deadline, progress: Progress) -> SearchResult:
    """Specialize until no label may be replaced, or until the deadline.

    Raises
    ------
    PolicyError
        when there is no sensitive column to gain information of
    NoSolutionError
        when the most general release fails a model
    """
    check_sensitive(
        problem, '"top-down-specialization" goes by the information on a sensitive column'
    )
    cut = Cut.of(problem)
    if not problem.holds(cut.classes(np.arange(problem.table.n_tuples), cut.labels)).all():
        raise NoSolutionError(no_solution(problem))
    steps = 0
    while not deadline.passed and cut.specialized():
        steps += 1
        progress(
            steps / (steps + len(cut.nodes)),
            sentence("labels", "{number} labels replaced", number=steps),
        )
    return SearchResult(cut.recoding(), "the best cut found needs", {"specializations": steps})


@dataclass(frozen=True, slots=True)
class CutNode:
    """A label that may be replaced by its children.

    Parameters
    ----------
    column : where it stands
    level : of its children
    members : (n_members,), tuples that have it
    children : (n_members,), number of the child that each of them would get
    gain : information gained on the sensitive column, in bits
    """

    column: int
    level: int
    members: Ints
    children: Ints
    gain: float


@dataclass(slots=True)
class Cut:
    """Where each hierarchy is cut, and the classes that this makes.

    Parameters
    ----------
    problem : what was asked
    space : the levels allowed
    levels : (n_tuples, n_columns), level each tuple is released at
    labels : (n_tuples,), class of each tuple
    sizes : records per class number; endless where the class is no more
    nodes : the labels that may be replaced
    """

    problem: Problem
    space: Levels
    levels: Ints
    labels: Ints
    sizes: Floats
    nodes: list[CutNode] = field(default_factory=list[CutNode])

    @classmethod
    def of(cls, problem: Problem) -> Cut:
        """Begin with the most general labels allowed."""
        space, table = Levels.of(problem), problem.table
        levels = np.tile(space.highest, (table.n_tuples, 1))
        _, labels = np.unique(space.cells(table.codes, levels), axis=0, return_inverse=True)
        labels = labels.reshape(-1).astype(np.int64)
        cut = cls(problem, space, levels, labels, np.bincount(labels, table.weights).astype(float))
        everyone = np.arange(table.n_tuples)
        for column in range(table.n_columns):
            cut.nodes += cut.nodes_in(column, everyone, int(space.highest[column]))
        return cut

    def nodes_in(self, column: int, members: Ints, level: int) -> Iterator[CutNode]:
        """Yield the labels that some tuples have at a level and that may be replaced."""
        if level <= self.space.lowest[column]:
            return
        numbers, table = self.space.numbers[column], self.problem.table
        cells = numbers[level, table.codes[members, column]]
        for cell in np.unique(cells):
            under = members[cells == cell]
            below = numbers[level - 1, table.codes[under, column]]
            _, children = np.unique(below, return_inverse=True)
            yield CutNode(column, level - 1, under, children, self._gain(under, children))

    def _gain(self, members: Ints, children: Ints) -> float:
        """Return the information that children have on the first sensitive column."""
        table = self.problem.table
        name, column = next(iter(table.sensitive_in_file.items()))
        shape = (int(children.max()) + 1, column.n_values)
        places = children * column.n_values + table.sensitive_codes[name][members]
        counts = np.bincount(places, table.weights[members], shape[0] * shape[1])
        return information_gain(counts.reshape(shape))

    def specialized(self) -> bool:
        """Replace the best label that may be replaced; tell whether there was one."""
        least = self.problem.least_size
        # Parts only get smaller as the cut goes down: a label with too small a part never returns.
        parts = [self._smallest_part(node) for node in self.nodes]
        allowed = [place for place, part in enumerate(parts) if part >= least]
        self.nodes, parts = [self.nodes[p] for p in allowed], [parts[p] for p in allowed]
        smallest = float(self.sizes.min())
        scores = [
            score(node.gain, max(smallest - part, 0))
            for node, part in zip(self.nodes, parts, strict=True)
        ]
        for place in sorted(range(len(scores)), key=lambda place: (-scores[place], place)):
            if self._may_replace(self.nodes[place]):
                self._replace(self.nodes.pop(place))
                return True
        return False

    def _parts(self, node: CutNode) -> tuple[Ints, Ints]:
        """Return the class that each tuple under a label would be in, and the records of each."""
        pairs = self.labels[node.members] * (int(node.children.max()) + 1) + node.children
        _, parts = np.unique(pairs, return_inverse=True)
        return parts, np.bincount(parts, self.problem.table.weights[node.members])

    def _smallest_part(self, node: CutNode) -> float:
        """Return the records of the smallest class that replacing a label would make."""
        return float(self._parts(node)[1].min())

    def _may_replace(self, node: CutNode) -> bool:
        """Return whether the classes that replacing a label would make satisfy the models."""
        parts, _ = self._parts(node)
        return bool(self.problem.holds(self.classes(node.members, parts)).all())

    def _replace(self, node: CutNode) -> None:
        """Replace a label by its children."""
        parts, sizes = self._parts(node)
        # The divided classes are no more; endless ones are never taken for the smallest.
        self.sizes[np.unique(self.labels[node.members])] = np.inf
        self.labels[node.members] = parts + len(self.sizes)
        self.sizes = np.concatenate([self.sizes, sizes.astype(np.float64)])
        self.levels[node.members, node.column] = node.level
        self.nodes += self.nodes_in(node.column, node.members, node.level)

    def classes(self, members: Ints, labels: Ints) -> EquivalenceClasses:
        """Count the classes that labels make of some tuples."""
        table, n_classes = self.problem.table, int(labels.max()) + 1
        weights = table.weights[members]
        sizes = np.bincount(labels, weights, n_classes).astype(np.int64)
        numbers = labels.astype(np.int32)
        counts = {
            name: count_values(
                numbers, codes[members], weights, n_classes, table.sensitive[name].n_values
            )
            for name, codes in table.sensitive_codes.items()
        }
        return EquivalenceClasses(sizes, counts, table.sensitive)

    def recoding(self) -> Recoding:
        """Write the cut as a recoding."""
        table, hierarchies = self.problem.table, self.space.hierarchies
        _, first, labels = np.unique(self.labels, return_index=True, return_inverse=True)
        return Recoding(
            np.arange(table.n_tuples, dtype=np.int32),
            labels.astype(np.int32),
            table.weights,
            self.space.cells(table.codes[first], self.levels[first]),
            np.ones(len(first), np.bool_),
            tuple(
                hierarchy_cells(hierarchy, table.value_weights(column))
                for column, hierarchy in enumerate(hierarchies)
            ),
        )


def information_gain(counts: Floats | Ints) -> float:
    """Return the fall of the entropy by a division, in bits.

    Parameters
    ----------
    counts : (n_parts, n_values), records per value in each part

    Source: fung2005, equation 2: H(all) - sum over parts of share * H(part).
    """
    sizes = counts.sum(axis=1)
    whole = float(_entropies(counts.sum(axis=0)[None, :])[0])
    return whole - float(sizes @ _entropies(counts)) / float(sizes.sum())


def score(gain: float, anonymity_loss: float) -> float:
    """Return the information gained per record of anonymity lost.

    Parameters
    ----------
    gain : bits
    anonymity_loss : fall of the size of the smallest class

    Source: fung2005, equation 1.
    """
    return gain / (anonymity_loss + 1)


def _entropies(counts: Floats | Ints) -> Floats:
    """Return the entropy of each row, in bits: (n_rows,)."""
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return -(shares * np.log2(np.where(shares > 0, shares, 1.0))).sum(axis=1)
