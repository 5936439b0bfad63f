"""The lower bound: never above the optimum, and better with more passes."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from indistinct.base.randomness import RandomSource
from indistinct.tables.core.protocols import Deadline, no_progress
from indistinct.tables.models import KAnonymity
from indistinct.tables.search.finish import solve
from indistinct.tables.search.local.dual_kernels import walk, workspace_for
from indistinct.tables.search.local.local import Local
from indistinct.tables.search.local.local_space import local_space
from indistinct.tables.search.local.lower_bound import NOT_COMPUTED, affordable_bound, lower_bound
from local_problems import (
    SIZED,
    best_loss,
    groups_at_every_node,
    halves,
    prices_of_records,
    problem_of,
    problems,
)
from shared import examples


def plain_slack(space, prices):
    """Return the least slack of the groups around each item, node by node, group by group."""
    best = np.full(space.n_items, np.inf)
    for cells, members in groups_at_every_node(space):
        owned = prices_of_records(space, prices, members)
        if len(owned) >= space.least:
            slack = space.items.costs[list(cells)].sum() - np.mean(owned[: space.least])
            best[members] = np.minimum(best[members], slack)
    return best


def cheapest_groups(problem):
    """Return the mean over records of the cheapest lattice group with k records around each."""
    space = local_space(problem)
    items = space.items
    best = np.full(space.n_items, space.price)
    for node in itertools.product(*(range(top + 1) for top in items.tops)):
        groups = {}
        cells = [
            items.cells[items.offsets[column, level] + items.codes[:, column]]
            for column, level in enumerate(node)
        ]
        for item, key in enumerate(zip(*(column.tolist() for column in cells), strict=True)):
            groups.setdefault(key, []).append(item)
        for key, members in groups.items():
            if items.weights[members].sum() >= space.least:
                best[members] = np.minimum(best[members], items.costs[list(key)].sum())
    return float(best @ items.weights) / items.weights.sum()


@examples(40)
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
    assert affordable_bound(space, 0) == NOT_COMPUTED
    assert affordable_bound(space, 1000).kind == "dual"
    assert affordable_bound(space, 1000, Deadline.after(0.0)) == NOT_COMPUTED


@settings(deadline=None, max_examples=15)
@given(problems(models=SIZED, max_records=8, max_columns=2))
def test_small_steps_never_exceed_the_optimum(problem):
    """Whatever the work allowed, and nearly all of it where one class is all there is."""
    space = local_space(problem)
    optimum = best_loss(problem)
    values = [affordable_bound(space, work).value or 0.0 for work in (5, 50, 500, 10**6)]
    assert values == sorted(values)
    assert values[-1] <= optimum
    if problem.table.n_records < 2 * space.least:
        assert values[-1] >= 0.7 * optimum


@settings(deadline=None, max_examples=15)
@given(problems(models=SIZED, max_columns=3), st.floats(0.01, 0.5), st.data())
def test_a_walk_finds_the_least_slack_around_every_item(problem, cap, data):
    """Against every group of every node, whatever the prices; larger slack may be cut off."""
    space = local_space(problem)
    drawn = st.lists(st.floats(0, 1), min_size=space.n_items, max_size=space.n_items)
    prices = np.array(data.draw(drawn))
    words = RandomSource(0).words(len(space.items.costs))
    room = workspace_for(space.items, words, space.least)
    walk(prices, cap, 10**9, room)
    expected = np.minimum(plain_slack(space, prices), cap)
    assert room.slack == pytest.approx(expected, abs=1e-9)


def test_the_bound_comes_close_on_a_table_of_some_size():
    """Within a fifth of what a long search reaches, at once; the work given decides."""
    draws = np.random.default_rng(1)
    rows = np.minimum(draws.geometric(0.3, (400, 3)) - 1, 15)
    problem = problem_of(rows, [halves(16)] * 3, [KAnonymity(4)])
    found = solve(Local(bound="certified"), problem, Deadline(), no_progress)
    loss = problem.objective.evaluate(found.recoding)
    bound = found.facts["lower_bound"]
    assert bound["kind"] == "dual"
    assert 0.8 * loss <= bound["value"] <= loss


def test_where_nothing_has_to_be_lost_one_pass_says_so():
    """Prices that cannot rise are not tried again."""
    space = local_space(problem_of([[0], [1], [2]], [halves(4)], []))
    assert affordable_bound(space, 10**12) == NOT_COMPUTED
