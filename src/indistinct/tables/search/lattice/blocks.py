"""A bound for lattices too large to walk: the optimum of some columns at a time.

Let some columns be as coarse as can be, and their cells cost nothing. What is left is the lattice
of the others, small enough for its optimum to be found. A record that is suppressed there is
suppressed at every node with the same levels in those columns, because its class only gets finer.
So at each node of the whole lattice these columns cost at least that optimum. Each column is in one
block, and what the blocks cost at least is merged as the objective merges columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from indistinct.tables.core.protocols import Monotonicity, Problem, Scope
from indistinct.tables.metrics.loss import MeanCellMetric
from indistinct.tables.search.lattice.nodes import Node

MOST_NODES = 2**16


def blocks_bound(problem: Problem, least_cost: Callable[[Problem], float]) -> float:
    """Bound the objective of every node from below; minus infinity where this cannot be done.

    Parameters
    ----------
    least_cost : what the nodes of a smaller problem cost at least
    """
    metric = problem.objective
    if not isinstance(metric, MeanCellMetric):
        return -np.inf
    # Only these fail in a finer class where they fail in a coarser one.
    models = tuple(
        model
        for model in problem.models
        if model.monotone is Monotonicity.ALWAYS and model.scope is Scope.CLASS
    )
    costs: list[float] = []
    for block in blocks_of(problem.min_levels, problem.max_levels):
        weights = tuple(
            weight if column in block else 0.0 for column, weight in enumerate(metric.weights)
        )
        finest = tuple(
            low if column in block else high
            for column, (low, high) in enumerate(
                zip(problem.min_levels, problem.max_levels, strict=True)
            )
        )
        costs.append(
            least_cost(
                replace(
                    problem,
                    min_levels=finest,
                    models=models,
                    objective=replace(metric, weights=weights),
                )
            )
        )
    return metric.aggregate.combine_sets(np.asarray(costs))


def blocks_of(bottom: Node, top: Node) -> Iterator[range]:
    """Cut the columns, in their order, into blocks whose lattices have few enough nodes."""
    begin, n_nodes = 0, 1
    for column, (low, high) in enumerate(zip(bottom, top, strict=True)):
        n_levels = high - low + 1
        if column > begin and n_nodes * n_levels > MOST_NODES:
            yield range(begin, column)
            begin, n_nodes = column, 1
        n_nodes *= n_levels
    yield range(begin, len(top))
