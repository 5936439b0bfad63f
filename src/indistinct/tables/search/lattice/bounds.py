"""Bounds on the objective from below, before a node is counted."""

from __future__ import annotations

from abc import ABC, abstractmethod
from operator import getitem
from typing import NamedTuple, final

import numpy as np

from indistinct.base.arrays import Codes, Floats, Ints
from indistinct.tables.core.protocols import JudgedRecoding
from indistinct.tables.metrics import ClassSizeMetric, SeparableMetric
from indistinct.tables.metrics.loss import MeanCellMetric
from indistinct.tables.search.lattice.lattice import Lattice
from indistinct.tables.search.lattice.nodes import Node

GRID = 64


class CostLowerBound(NamedTuple):
    """What the classes of a node show of the objective of every coarser node.

    Parameters
    ----------
    cost : the least objective, whatever is suppressed
    rise : what each suppressed record adds to it at least
    """

    cost: float
    rise: float

    def at(self, n_suppressed: int) -> float:
        """Bound the objective of a coarser node that suppresses at least so many records."""
        return self.cost + self.rise * n_suppressed


NO_FLOOR = CostLowerBound(-np.inf, 0.0)


class Bound(ABC):
    """A bound on the objective from below, before a node is counted."""

    order_is_bound: bool  # True: nodes come in ascending bound, so a search may stop

    @abstractmethod
    def order(self, column: int) -> Floats:
        """Return the part of each level of a column in the order of visits: (n_levels,)."""

    merge: np.ufunc

    @abstractmethod
    def at(self, nodes: Codes, suppressed: Ints, floors: Floats, rises: Floats) -> Floats:
        """Bound the objective of nodes: (n_nodes,).

        Parameters
        ----------
        nodes : (n_nodes, n_columns), levels above the bottom
        suppressed : (n_nodes,), records that a node suppresses at least
        floors, rises : (n_nodes,), what a finer node showed: :class:`CostLowerBound`
        """

    @abstractmethod
    def at_one(self, steps: Node, suppressed: int, floor: CostLowerBound) -> float:
        """Bound the objective of one node, as :meth:`at` does of many."""

    @abstractmethod
    def floor_above(self, finer: JudgedRecoding) -> CostLowerBound:
        """Bound the objective of every coarser node by the classes of this one."""


@final
class SeparableBound(Bound):
    """The objective if nothing but what is known to be suppressed were suppressed."""

    order_is_bound = True

    def __init__(self, lattice: Lattice, metric: SeparableMetric) -> None:
        problem = lattice.problem
        self.aggregate = metric.aggregate
        self.merge = metric.aggregate.merge
        self.n_columns = problem.table.n_columns
        self.weights = metric.weights
        values = lattice.values_of(metric.cells)
        self.floors = [
            metric.column_floor(
                values.totals[column][low : high + 1], lattice.domains[column], lattice.n_records
            )
            for column, (low, high) in enumerate(zip(lattice.bottom, lattice.top, strict=True))
        ]
        # Rounded up, so that the grid reaches the budget. A number between two points counts as the
        # lower one: the bound stays a bound.
        self.step = max(1, -(-problem.budget // GRID))
        self.extras = [
            self._extras(lattice, metric, column)
            if isinstance(metric, MeanCellMetric)
            else np.zeros((len(floor), GRID + 1))
            for column, floor in enumerate(self.floors)
        ]
        prepared = [
            self.aggregate.columns((floor[:, None] + extra) * weight, self.n_columns).T.tolist()
            for floor, extra, weight in zip(self.floors, self.extras, self.weights, strict=True)
        ]
        # Per point of the grid and column, the prepared loss of each level.
        self.prepared: list[list[list[float]]] = [
            [levels[point] for levels in prepared] for point in range(GRID + 1)
        ]

    def order(self, column: int) -> Floats:
        """Return the prepared loss of each level of a column."""
        return self.aggregate.columns(self.floors[column] * self.weights[column], self.n_columns)

    def at(self, nodes: Codes, suppressed: Ints, floors: Floats, rises: Floats) -> Floats:
        """Add the least that the suppressed records can cost."""
        del floors, rises
        grid = np.minimum(suppressed // self.step, GRID)
        merged: Floats | None = None
        for column in range(self.n_columns):
            levels = nodes[:, column]
            losses = self.floors[column][levels] + self.extras[column][levels, grid]
            part = self.aggregate.columns(losses * self.weights[column], self.n_columns)
            merged = part if merged is None else self.merge(merged, part)
        return self.aggregate.finish(np.asarray(merged))

    def at_one(self, steps: Node, suppressed: int, floor: CostLowerBound) -> float:
        """Add the least that the suppressed records can cost."""
        del floor
        parts = map(getitem, self.prepared[min(suppressed // self.step, GRID)], steps)
        merged = sum(parts) if self.merge is np.add else max(parts)
        return float(self.aggregate.finish(np.asarray(merged)))

    def floor_above(self, finer: JudgedRecoding) -> CostLowerBound:
        """Classes say nothing that the levels do not."""
        del finer
        return NO_FLOOR

    def _extras(self, lattice: Lattice, metric: SeparableMetric, column: int) -> Floats:
        """Return the least mean extra loss when so many records are suppressed.

        (n_levels, GRID + 1): a suppressed record costs 1 instead of its cell, and it costs least
        when the records of the dearest cells are suppressed.
        """
        domain = lattice.domains[column]
        losses = metric.cells(domain)
        suppressed = np.arange(GRID + 1) * self.step
        extras: list[Floats] = []
        for level in range(lattice.bottom[column], lattice.top[column] + 1):
            of_level = np.unique(lattice.cells[column][level])
            dearest = of_level[np.argsort(-losses[of_level], kind="stable")]
            counts = np.concatenate([[0], np.cumsum(domain.counts[dearest])])
            costs = np.concatenate(
                [[0.0], np.cumsum(domain.counts[dearest] * (1.0 - losses[dearest]))]
            )
            extras.append(np.interp(suppressed, counts, costs) / lattice.n_records)
        return np.array(extras)


@final
class ClassSizeBound(Bound):
    """What finer nodes showed; visited by the chance that two records agree in every column."""

    order_is_bound = False
    merge = np.add

    def __init__(self, lattice: Lattice, metric: ClassSizeMetric) -> None:
        self.lattice = lattice
        self.metric = metric

    def order(self, column: int) -> Floats:
        """Return the log of the chance that two records agree in a column."""
        low, high = self.lattice.bottom[column], self.lattice.top[column]
        counts = self.lattice.domains[column].counts / self.lattice.n_records
        cells = self.lattice.cells[column]
        return np.array(
            [np.log(np.sum(counts[np.unique(cells[level])] ** 2)) for level in range(low, high + 1)]
        )

    def at(self, nodes: Codes, suppressed: Ints, floors: Floats, rises: Floats) -> Floats:
        """Return what finer nodes showed, and what the suppressed records add."""
        del nodes
        return floors + rises * suppressed

    def at_one(self, steps: Node, suppressed: int, floor: CostLowerBound) -> float:
        """Return what finer nodes showed, and what the suppressed records add."""
        del steps
        return floor.at(suppressed)

    def floor_above(self, finer: JudgedRecoding) -> CostLowerBound:
        """Ask the metric."""
        return CostLowerBound(self.metric.floor_above(finer), self.metric.rise_above(finer))
