"""The lower bound: never above the optimum, and better with more passes."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings

from indistinct.models import KAnonymity
from indistinct.search.local.local_space import local_space
from indistinct.search.local.lower_bound import affordable_bound, lower_bound
from local_problems import SIZED, best_loss, halves, problem_of, problems


def cheapest_groups(problem):
    """Give the mean over records of the cheapest lattice group with k records around each."""
    space = local_space(problem)
    items = space.items
    best = np.full(space.n_items, space.price)
    for node in itertools.product(*(range(top + 1) for top in items.tops)):
        groups = {}
        cells = [
            items.cells[items.offsets[column, rung] + items.codes[:, column]]
            for column, rung in enumerate(node)
        ]
        for item, key in enumerate(zip(*(column.tolist() for column in cells), strict=True)):
            groups.setdefault(key, []).append(item)
        for key, members in groups.items():
            if items.weights[members].sum() >= space.least:
                best[members] = np.minimum(best[members], items.costs[list(key)].sum())
    return float(best @ items.weights) / items.weights.sum()


@settings(deadline=None, max_examples=40)
@given(problems(models=SIZED, max_columns=3))
def test_one_pass_prices_every_record_at_its_cheapest_group(problem):
    bound = lower_bound(problem, 1)
    assert bound.kind == "LB1"
    assert bound.value == pytest.approx(cheapest_groups(problem), abs=1e-9)


@settings(deadline=None, max_examples=25)
@given(problems(models=SIZED, max_records=8, max_columns=2))
def test_no_number_of_passes_exceeds_the_optimum(problem):
    values = [lower_bound(problem, passes).value for passes in (1, 2, 5, 12)]
    assert values == sorted(values)
    assert values[-1] <= best_loss(problem) + 1e-9


def test_more_passes_bring_the_bound_closer():
    """Three records in a row, k = 2: the first pass lets the middle one pair with both."""
    problem = problem_of([[0], [1], [2], [3], [3], [3]], [halves(4)], [KAnonymity(4)])
    one, ten = lower_bound(problem, 1), lower_bound(problem, 10)
    assert ten.kind == "dual"
    assert one.value <= ten.value


def test_the_bound_never_falls_with_k():
    draws = np.random.default_rng(0)
    rows = draws.integers(0, 16, (200, 3))
    values = [
        lower_bound(problem_of(rows, [halves(16)] * 3, [KAnonymity(k)]), 8).value
        for k in (2, 3, 5, 8, 13)
    ]
    assert values == sorted(values)


def test_a_bound_that_costs_too_much_is_not_computed():
    problem = problem_of([[0], [1], [2]], [halves(4)], [KAnonymity(2)])
    space = local_space(problem)
    assert affordable_bound(space, 0).value is None
    assert affordable_bound(space, 0).kind is None
    assert affordable_bound(space, 9).kind == "LB1"
    assert affordable_bound(space, 1000).kind == "dual"
