"""The objective of a policy, and the weights that it gives to the columns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from indistinct.tables.core.protocols import Metric, Problem
from indistinct.tables.metrics import AGGREGATES, METRICS, SeparableMetric
from indistinct.tables.policy.column_rule import ColumnRule
from indistinct.tables.policy.sections.method import MethodPolicy

LEAST_WEIGHT = 0.01  # of a column that gives nothing away: its loss still counts for something


def objective_of(method: MethodPolicy, rules: Iterable[ColumnRule]) -> Metric:
    """Build the objective that a policy names, with its weights and aggregate."""
    return weighted_objective(method, relative_weights(rules))


def weighted_objective(method: MethodPolicy, weights: tuple[float, ...]) -> Metric:
    """Build the objective that a policy names, with these weights and its aggregate."""
    kind = METRICS[method.objective]
    if not issubclass(kind, SeparableMetric):
        return kind()
    if method.aggregate is None:
        return kind(weights)
    return kind(weights, AGGREGATES[method.aggregate])


def weighed_by_vulnerability(problem: Problem, method: MethodPolicy) -> Problem:
    """Weigh the columns by how much they give away, the policy's own weights besides."""
    from indistinct.tables.search.adaptive.tree_importance import RandomForest
    from indistinct.tables.search.adaptive.vulnerability import vulnerability_of

    found = vulnerability_of(problem, method.target, RandomForest(trees=method.trees))
    given = found.weights * problem.weights
    weights = np.maximum(given / given.max(), LEAST_WEIGHT)
    return replace(
        problem,
        weights=tuple(weights.tolist()),
        objective=weighted_objective(method, tuple(weights.tolist())),
    )


def relative_weights(rules: Iterable[ColumnRule]) -> tuple[float, ...]:
    """Return the columns' weights, the greatest 1."""
    given = [rule.words.importance_number for rule in rules]
    return tuple(weight / max(given) for weight in given)
