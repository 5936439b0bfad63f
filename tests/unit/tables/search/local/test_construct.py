"""The first assignment: what is tried when too many records are left."""

import dataclasses

import numpy as np

from indistinct.tables.core.protocols import Deadline, no_progress
from indistinct.tables.models import DistinctLDiversity, EntropyLDiversity, KAnonymity, TCloseness
from indistinct.tables.search.local.construct import (
    better,
    completed,
    constructed,
    costliest,
    is_tolerable,
    n_outside,
    united,
)
from indistinct.tables.search.local.forest import ClusterTrees
from indistinct.tables.search.local.local_space import OUTSIDE, Assignment, local_space
from local_problems import DISEASE, halves, problem_of, run_of


def skewed(model, suppression=0.0):
    draws = np.random.default_rng(9)
    return problem_of(
        draws.integers(0, 16, (400, 3)),
        [halves(16)] * 3,
        [KAnonymity(2), model],
        diseases=draws.choice(4, 400, p=[0.6, 0.2, 0.15, 0.05]),
        suppression=suppression,
    )


def test_strict_models_are_satisfied_for_everybody_where_one_class_would():
    for model in (TCloseness(DISEASE, 0.05), EntropyLDiversity(DISEASE, 2.7)):
        space = local_space(skewed(model))
        found = constructed(space, ClusterTrees(), run_of())
        assert n_outside(space, found) == 0
        assert space.judge(*found.members()).all()


def test_what_is_impossible_ends_with_everybody_outside():
    space = local_space(skewed(DistinctLDiversity(DISEASE, 5)))
    found = constructed(space, ClusterTrees(), run_of())
    assert n_outside(space, found) == 400


def test_better_breaks_the_policy_less_before_it_loses_less():
    problem = problem_of([[0], [0], [7], [6]], [halves(8)], [KAnonymity(2)], suppression=0.0)
    space = local_space(problem)
    partial = Assignment(np.array([0, OUTSIDE, OUTSIDE], np.int32), np.zeros((1, 1), np.int32))
    whole = Assignment(np.zeros(3, np.int32), space.items.tops[None, :])
    assert whole.total(space) > partial.total(space)
    assert better(space, partial, whole) is whole
    lenient = local_space(dataclasses.replace(problem, max_suppression=1.0))
    assert better(lenient, partial, whole) is partial
    assert is_tolerable(space, whole)
    assert not is_tolerable(lenient, partial)


def test_the_costliest_classes_make_up_a_quarter_of_the_records():
    rows = [[0]] * 6 + [[6], [7]]
    space = local_space(problem_of(rows, [halves(8)], [KAnonymity(2)]))
    state = Assignment(np.array([0, 1, 1], np.int32), np.array([[0], [1]], np.int32))
    assert costliest(space, state).tolist() == [False, True]


def test_two_assignments_of_different_items_are_put_together():
    one = Assignment(np.array([0, OUTSIDE, OUTSIDE], np.int32), np.zeros((1, 2), np.int32))
    other = Assignment(np.array([OUTSIDE, OUTSIDE, 0], np.int32), np.ones((1, 2), np.int32))
    both = united(one, other)
    assert both.labels.tolist() == [0, OUTSIDE, 1]
    assert both.nodes.tolist() == [[0, 0], [1, 1]]


def test_what_another_method_left_is_peeled_and_absorbed():
    space = local_space(problem_of([[0]] * 3 + [[7], [6], [4]], [halves(8)], [KAnonymity(3)]))
    state = Assignment(np.array([0, -1, -1, -1], np.int32), np.zeros((1, 1), np.int32))
    after = completed(space, state, Deadline.after(0), no_progress)
    assert sorted(after.sizes(space).tolist()) == [3, 3]


def test_the_first_descent_is_whole_though_no_time_is_left():
    rows = np.random.default_rng(3).integers(0, 16, (400, 3))
    space = local_space(problem_of(rows, [halves(16)] * 3, [KAnonymity(3)]))
    whole = constructed(space, ClusterTrees(), run_of())
    hurried = constructed(space, ClusterTrees(), run_of(deadline=Deadline.after(0)))
    assert hurried.total(space) == whole.total(space)
