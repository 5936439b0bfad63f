"""The relaxation: what the groups choose, and that no assignment costs less than its value."""

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from indistinct.tables.core.protocols import Deadline
from indistinct.tables.models import KAnonymity
from indistinct.tables.search.local import relaxation
from indistinct.tables.search.local.local_space import local_space
from indistinct.tables.search.local.near_groups import near_groups
from indistinct.tables.search.local.relaxation import relaxed
from indistinct.tables.search.local.relaxation_kernels import Choice, PricedGroups, choose
from indistinct.tables.search.local.rounded_beginning import TRIALS, claimed_by, rounded
from local_problems import SIZED, halves, problem_of, problems, run_of
from shared import examples


def groups_of(problem, seed):
    """Return a space, the groups near to random prices or None, and these prices."""
    space = local_space(problem)
    prices = np.random.default_rng(seed).uniform(0, space.price, space.n_items)
    groups = near_groups(space, prices, run_of())
    return space, groups, prices


def plain_choice(space, groups, prices):
    """Return the least cost less prices of each group, over all sets of enough records, or 0."""
    values = []
    for number, loss in enumerate(groups.losses.tolist()):
        members = groups.members[groups.starts[number] : groups.starts[number + 1]].tolist()
        gains = sorted(loss - prices[item] for item in members for _ in range(weight(space, item)))
        sizes = range(space.least, len(gains) + 1)
        values.append(min(0.0, *(sum(gains[:size]) for size in sizes)))
    return values


def weight(space, item):
    return int(space.items.weights[item])


@examples(60)
@given(problems(models=SIZED, max_columns=3), st.integers(0, 100))
def test_groups_choose_as_a_plain_search_over_their_records_does(problem, seed):
    space, groups, _ = groups_of(problem, seed)
    assume(groups is not None)
    prices = np.random.default_rng(seed + 1).uniform(0, space.price / 2, space.n_items)
    weights = space.items.weights.astype(np.int64)
    pool = PricedGroups(groups.starts, groups.members, groups.losses, weights, space.least)
    choice = Choice(
        np.zeros(space.n_items, np.int64),
        np.full(groups.n_groups, 0.5),
        np.zeros(len(groups.members)),
        np.empty(space.least),
        np.empty(space.least, np.int64),
    )
    value = choose(pool, prices, 0.25, True, choice)
    expected = plain_choice(space, groups, prices)
    assert value == pytest.approx(sum(expected), abs=1e-9)
    is_open = choice.often > 0.5
    assert np.all((choice.often == 0.625) | (choice.often == 0.375))
    covered, paid = np.zeros(space.n_items), 0.0
    for number, least_value in enumerate(expected):
        places = slice(groups.starts[number], groups.starts[number + 1])
        members, taken = groups.members[places], choice.taken[places]
        assert is_open[number] or not taken.any()
        assert is_open[number] or least_value >= -1e-12
        assert np.all(taken <= weights[members])
        assert not is_open[number] or taken.sum() >= space.least
        covered[members] += taken
        paid += float((taken * (groups.losses[number] - prices[members])).sum())
    assert np.array_equal(covered, choice.covered)
    assert paid == pytest.approx(value, abs=1e-9)


@examples(40)
@given(problems(models=SIZED, max_columns=3), st.integers(0, 100))
def test_no_assignment_to_these_groups_costs_less_than_the_value(problem, seed):
    space, groups, prices = groups_of(problem, seed)
    assume(groups is not None)
    solution = relaxed(space, groups, prices, run_of())
    whole = space.expanded()
    turns = np.argsort(-solution.often, kind="stable")
    for enough, _ in TRIALS:
        found = claimed_by(whole, groups, solution, turns, enough)
        assert solution.value <= found.total(whole) + 1e-9
    assert np.all((solution.often >= -1e-12) & (solution.often <= 1 + 1e-12))
    assert np.all((solution.prices >= 0) & (solution.prices <= space.price))


@examples(40)
@given(problems(models=SIZED, max_columns=3), st.integers(0, 100))
def test_a_rounding_is_a_valid_assignment(problem, seed):
    space, groups, prices = groups_of(problem, seed)
    assume(groups is not None)
    solution, whole = relaxed(space, groups, prices, run_of()), space.expanded()
    found = rounded(whole, groups, solution, run_of(seed))
    if found is None:
        return
    assert len(found.outside()) <= problem.budget
    members, starts = found.members()
    if found.n_classes:
        assert whole.judge(members, starts).all()
    assert len(np.unique(members)) == len(members) == whole.n_items - len(found.outside())
    items = whole.items
    for number, node in enumerate(found.nodes):
        inside = members[starts[number] : starts[number + 1]]
        assert len(inside) >= space.least
        for column, level in enumerate(node):
            cells = items.cells[items.offsets[column, level] + items.codes[inside, column]]
            assert len(set(cells.tolist())) == 1
    again = rounded(whole, groups, solution, run_of(seed))
    assert np.array_equal(found.labels, again.labels)


def random_problem():
    rows = np.random.default_rng(0).integers(0, 16, (300, 3))
    return problem_of(rows, [halves(16)] * 3, [KAnonymity(3)])


def test_a_passed_deadline_ends_the_steps_and_the_trials():
    space, groups, prices = groups_of(random_problem(), 0)
    late = run_of(deadline=Deadline.after(0))
    assert relaxed(space, groups, prices, late) is None
    solution = relaxed(space, groups, prices, run_of())
    assert rounded(space.expanded(), groups, solution, late) is None


def test_more_steps_bring_a_better_value_and_the_work_is_limited(monkeypatch):
    space, groups, prices = groups_of(random_problem(), 0)
    values = []
    for steps in (50, 200, 800):
        monkeypatch.setattr(relaxation, "MOST_STEPS", steps)
        values.append(relaxed(space, groups, prices, run_of()).value)
    assert values[0] < values[1] < values[2]
    monkeypatch.setattr(relaxation, "MOST_WORK", 200 * len(groups.members))
    assert relaxed(space, groups, prices, run_of()).value == values[1]
