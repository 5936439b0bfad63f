"""What local recoding searches in: weighted tuples, and the cells each may be released as."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from indistinct.base.arrays import Bools, Codes, Floats, Ints
from indistinct.base.compiled.kernels import group_rows
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.frequencies import ValueCounts
from indistinct.tables.core.protocols import Monotonicity, Problem, is_sized
from indistinct.tables.core.recoding import CellDomain, cell_numbers, hierarchy_cells
from indistinct.tables.metrics.loss import MeanCellMetric
from indistinct.tables.search.cuts.people import Labelled, PeopleAtLevels
from indistinct.tables.search.local.peel_kernels import (
    Items,
    common_levels,
    count_members,
    list_members,
)

FORBIDDEN = 1e15  # cost of a level that the policy does not allow: more than any suppression
OUTSIDE = -1  # label of an item that is in no class


@dataclass(frozen=True, slots=True)
class LocalSpace:
    """A problem as local recoding sees it.

    Parameters
    ----------
    problem : what was asked
    items : the weighted items, with their cells
    tuples : (n_items,), distinct tuple of each item
    values : per sensitive column, (n_items,), value code
    domains : per column, the cells of its hierarchy with one root on top
    numbers : (n_cells,), place of each cell of ``items`` in its column's domain
    shares : (n_cells,), share of the records that each cell contains
    price : what a suppressed record costs
    least : records that classes are grown to; every class needs them but where some have no value
    sized : True where the size of a class decides alone whether it satisfies the models
    hereditary : True where a class that fails has no part that satisfies the models
    additive : True where the union of two classes that satisfy the models does so too
    hierarchy_levels : (n_columns, most levels), the level of each in its hierarchy
    people : the population, where it is counted
    """

    problem: Problem
    items: Items
    tuples: Codes
    values: Mapping[str, Codes]
    domains: tuple[CellDomain, ...]
    numbers: Codes
    shares: Floats
    price: float
    least: int
    sized: bool
    hereditary: bool
    additive: bool
    hierarchy_levels: Codes
    people: PeopleAtLevels | None = None

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.items.weights)

    def judge(self, members: Codes, starts: Ints) -> Bools:
        """Return per class whether it satisfies every model: (n_classes,).

        Parameters
        ----------
        members : items, class after class
        starts : (n_classes + 1,), where each class begins; none is empty
        """
        sizes = np.add.reduceat(self.items.weights[members], starts[:-1])
        if self.sized:
            return sizes >= self.least
        table = self.problem.table
        counts = {
            name: ValueCounts(
                *count_members(
                    members, starts, codes, self.items.weights, table.sensitive[name].n_values
                )
            )
            for name, codes in self.values.items()
        }
        people = None if self.people is None else self._people_around(members, starts)
        return self.problem.holds(
            EquivalenceClasses(sizes, counts, table.sensitive, population=people)
        )

    def _people_around(self, members: Codes, starts: Ints) -> Ints | None:
        """Count the people in the lowest cells that the members of each class have in common."""
        if self.people is None:
            return None
        columns = np.arange(len(self.hierarchy_levels))
        levels = self.hierarchy_levels[columns, common_levels(self.items, members, starts)]
        return self.people.count(levels, self.items.codes[members[starts[:-1]]])

    def expanded(self) -> LocalSpace:
        """Return the same problem with an item per record."""
        origin = np.repeat(np.arange(self.n_items), self.items.weights)
        return self._with_items(origin, np.ones(len(origin), np.int64))

    def divided(self) -> tuple[Ints, LocalSpace]:
        """Return the same problem with each item in pieces of 1, 1, 2, 4, 8, ... records.

        A class can then be given any number of equal records, and the number of items still grows
        with that of distinct tuples, not of records.

        Returns
        -------
        counts, space : pieces of each item, (n_items,), and the space of all pieces
        """
        weights = self.items.weights
        counts = 1 + np.ceil(np.log2(weights)).astype(np.int64)
        origin = np.repeat(np.arange(self.n_items), counts)
        places = np.arange(len(origin)) - np.repeat(np.cumsum(counts) - counts, counts)
        ends = np.minimum(np.int64(1) << places, weights[origin])
        begins = np.where(places > 0, np.int64(1) << np.maximum(places - 1, 0), 0)
        return counts, self._with_items(origin, ends - begins)

    def _with_items(self, origin: Ints, weights: Ints) -> LocalSpace:
        """Return the same problem with items of other weights.

        Parameters
        ----------
        origin, weights : (n_new_items,), the item that each is a part of, and its records
        """
        items = self.items._replace(codes=self.items.codes[origin], weights=weights)
        values = {name: codes[origin] for name, codes in self.values.items()}
        return replace(self, items=items, tuples=self.tuples[origin], values=values)


def local_space(problem: Problem) -> LocalSpace:
    """Lay out a problem's cells for local recoding.

    A column pays its weight times the loss of its cell over the number of columns: the objective's
    cells where it averages cells, Iyengar's loss otherwise.
    """
    table = problem.table
    hierarchies = [hierarchy.with_root() for hierarchy in problem.hierarchies]
    domains = tuple(
        hierarchy_cells(hierarchy, table.value_weights(column))
        for column, hierarchy in enumerate(hierarchies)
    )
    own_levels = [_distinct_levels(problem, column) for column in range(table.n_columns)]
    offsets = np.zeros((table.n_columns, max(map(len, own_levels))), np.int64)
    cells: list[Codes] = []
    costs: list[Floats] = []
    numbers: list[Codes] = []
    n_cells = n_entries = 0
    for column, levels in enumerate(own_levels):
        of_level = cell_numbers(hierarchies[column])
        losses = _cell_values(problem, domains[column]) * problem.weights[column] / len(own_levels)
        for place, level in enumerate(levels):
            found, codes = np.unique(of_level[level], return_inverse=True)
            offsets[column, place] = n_entries
            cells.append((codes + n_cells).astype(np.int32))
            is_allowed = level <= problem.max_levels[column] or not problem.is_limited(column)
            costs.append(losses[found] if is_allowed else np.full(len(found), FORBIDDEN))
            numbers.append(found.astype(np.int32))
            n_cells += len(found)
            n_entries += len(codes)
    items = Items(
        np.ascontiguousarray(table.codes, dtype=np.int32),
        np.ascontiguousarray(table.weights, dtype=np.int64),
        offsets,
        np.concatenate(cells),
        np.concatenate(costs),
        np.array([len(levels) - 1 for levels in own_levels], np.int32),
    )
    return LocalSpace(
        problem,
        items,
        np.arange(table.n_tuples, dtype=np.int32),
        table.sensitive_codes,
        domains,
        np.concatenate(numbers),
        _cell_shares(items),
        float(sum(problem.weights)) / table.n_columns,
        max((model.usual_size for model in problem.models), default=1),
        all(is_sized(model) for model in problem.models),
        all(model.monotone == Monotonicity.ALWAYS for model in problem.models),
        all(model.monotone != Monotonicity.NEVER for model in problem.models),
        _hierarchy_levels(own_levels),
        None
        if problem.population is None
        else PeopleAtLevels(Labelled(problem.population), problem.hierarchies),
    )


def _hierarchy_levels(own_levels: list[list[int]]) -> Codes:
    """Return the level of each in its hierarchy: (n_columns, most levels)."""
    levels = np.zeros((len(own_levels), max(map(len, own_levels))), np.int32)
    for column, own in enumerate(own_levels):
        levels[column, : len(own)] = own
    return levels


def _cell_shares(items: Items) -> Floats:
    """Return the share of the records that each cell contains: (n_cells,)."""
    counts = np.zeros(len(items.costs))
    for column, top in enumerate(items.tops):
        for level in range(top + 1):
            cells = items.cells[items.offsets[column, level] + items.codes[:, column]]
            counts += np.bincount(cells, items.weights, len(counts))
    return counts / items.weights.sum()


def _distinct_levels(problem: Problem, column: int) -> list[int]:
    """List the levels of a column that tell values apart differently, the root last."""
    hierarchy = problem.hierarchies[column].with_root()
    first, last = problem.min_levels[column], problem.max_levels[column]
    levels = list(range(first, last + 1))
    if last < hierarchy.height:
        levels.append(hierarchy.height)
    n_labels = [len(np.unique(hierarchy.codes[level])) for level in levels]
    return [
        level
        for position, level in enumerate(levels)
        if position == 0 or n_labels[position] < n_labels[position - 1]
    ]


def _cell_values(problem: Problem, domain: CellDomain) -> Floats:
    """Return what the objective charges for each cell of a column, in [0, 1]."""
    objective = problem.objective
    return objective.cells(domain) if isinstance(objective, MeanCellMetric) else domain.losses


@dataclass(frozen=True, slots=True)
class Assignment:
    """Which class each item is in, and the levels each class is released at.

    Parameters
    ----------
    labels : (n_items,), class of each item; ``OUTSIDE`` for none
    nodes : (n_classes, n_columns), level per column; no class is empty
    """

    labels: Codes
    nodes: Codes

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.nodes)

    def outside(self) -> Codes:
        """List the items that are in no class."""
        return np.flatnonzero(self.labels == OUTSIDE).astype(np.int32)

    def members(self) -> tuple[Codes, Ints]:
        """List the items class after class, and where each class begins: (n_classes + 1,)."""
        return list_members(self.labels, self.n_classes)

    def sizes(self, space: LocalSpace) -> Ints:
        """Return the records per class: (n_classes,)."""
        inside = self.labels != OUTSIDE
        return np.bincount(self.labels[inside], space.items.weights[inside], self.n_classes).astype(
            np.int64
        )

    def cells(self, space: LocalSpace) -> Codes:
        """Return the cell of each class per column: (n_classes, n_columns)."""
        return node_cells(space, self.nodes, self.representatives())

    def representatives(self) -> Codes:
        """Return one item of each class: (n_classes,)."""
        found = np.zeros(self.n_classes, np.int32)
        inside = np.flatnonzero(self.labels != OUTSIDE)
        found[self.labels[inside]] = inside
        return found

    def losses(self, space: LocalSpace) -> Floats:
        """Return what a record of each class pays: (n_classes,)."""
        return space.items.costs[self.cells(space)].sum(axis=1)

    def total(self, space: LocalSpace) -> float:
        """Return the mean a record pays, suppressed ones included."""
        return self.total_of(space, self.sizes(space), self.losses(space))

    def total_of(self, space: LocalSpace, sizes: Ints, losses: Floats) -> float:
        """Return the mean a record pays by the sizes and losses of the classes."""
        weights = space.items.weights
        paid = float(sizes @ losses)
        return (paid + space.price * float(weights[self.outside()].sum())) / float(weights.sum())


def node_cells(space: LocalSpace, nodes: Codes, items: Codes) -> Codes:
    """Return the cells of ``items`` at ``nodes``, both (n_classes, ...): (n_classes, n_columns)."""
    columns = np.arange(nodes.shape[1], dtype=np.int64)
    offsets = space.items.offsets[columns, nodes]
    return space.items.cells[offsets + space.items.codes[items]]


def merged(space: LocalSpace, assignment: Assignment) -> Assignment:
    """Join the classes that are released in the same cells."""
    if assignment.n_classes == 0:
        return assignment
    groups, first, _ = group_rows(assignment.cells(space))
    labels = np.append(groups, np.int32(OUTSIDE))[assignment.labels]
    return Assignment(labels.astype(np.int32), np.ascontiguousarray(assignment.nodes[first]))


def without(assignment: Assignment, failing: Bools) -> Assignment:
    """Dissolve the classes marked in ``failing``: (n_classes,)."""
    numbers = np.where(failing, OUTSIDE, np.cumsum(~failing) - 1)
    labels = np.append(numbers, OUTSIDE)[assignment.labels]
    return Assignment(labels.astype(np.int32), np.ascontiguousarray(assignment.nodes[~failing]))
