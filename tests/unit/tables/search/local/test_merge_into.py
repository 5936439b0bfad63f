"""Absorption: leftovers join the class that they cost least, or stay where that costs more."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given

from indistinct.tables.models import DistinctLDiversity, EntropyLDiversity, KAnonymity
from indistinct.tables.search.local.forest import ClusterTrees, forest_peel
from indistinct.tables.search.local.local_space import Assignment, local_space
from indistinct.tables.search.local.merge_into import merge_into
from local_problems import DISEASE, halves, problem_of, problems, run_of
from shared import examples


def test_a_leftover_joins_the_nearer_class():
    """Value 1 lies beside 0 and far from 7: the pair of zeros is raised to hold it."""
    problem = problem_of([[0], [0], [7], [7], [1]], [halves(8)], [KAnonymity(2)])
    space = local_space(problem)
    state = Assignment(np.array([0, 1, -1], np.int32), np.zeros((2, 1), np.int32))
    after = merge_into(space, state)
    assert after.labels.tolist() == [0, 1, 0]
    assert after.losses(space).tolist() == [pytest.approx(1 / 7), 0.0]


def test_a_leftover_stays_outside_where_joining_costs_more_than_suppression():
    """Ten records would go from no loss to a total one."""
    rows = [[0, 0]] * 10 + [[7, 7]]
    problem = problem_of(rows, [halves(8)] * 2, [KAnonymity(2)], suppression=0.1)
    space = local_space(problem)
    state = Assignment(np.array([0, -1], np.int32), np.zeros((1, 2), np.int32))
    assert merge_into(space, state).outside().tolist() == [1]
    strict = local_space(dataclasses.replace(problem, max_suppression=0.0))
    assert len(merge_into(strict, state).outside()) == 0


def test_nothing_joins_beyond_the_highest_level_allowed():
    problem = problem_of([[0], [0], [7]], [halves(8)], [KAnonymity(2)], max_levels=(2,))
    space = local_space(problem)
    state = Assignment(np.array([0, -1], np.int32), np.zeros((1, 1), np.int32))
    assert merge_into(space, state).outside().tolist() == [1]


def test_a_class_does_not_take_what_would_break_its_model():
    """Two values in even numbers have the entropy asked for; a third record of one does not."""
    problem = problem_of(
        [[0], [0], [1]],
        [halves(2)],
        [EntropyLDiversity(DISEASE, 1.95)],
        diseases=[0, 1, 0],
        suppression=1.0,
    )
    space = local_space(problem)
    state = Assignment(np.array([0, 0, -1], np.int32), np.zeros((1, 1), np.int32))
    assert merge_into(space, state).outside().tolist() == [2]


def test_a_skewed_column_leaves_little_after_absorption():
    draws = np.random.default_rng(0)
    problem = problem_of(
        draws.integers(0, 16, (800, 3)),
        [halves(16)] * 3,
        [KAnonymity(3), DistinctLDiversity(DISEASE, 2)],
        diseases=(draws.random(800) < 0.15).astype(np.int32),
    )
    space = local_space(problem)
    everything = np.arange(space.n_items, dtype=np.int32)
    before = forest_peel(space, everything, ClusterTrees(), run_of())
    assert len(before.outside()) > 100
    after = merge_into(space, before)
    assert len(after.outside()) == 0
    assert space.judge(*after.members()).all()


@examples(40)
@given(problems())
def test_absorption_never_breaks_a_class_nor_moves_a_placed_item(problem):
    space = local_space(problem)
    everything = np.arange(space.n_items, dtype=np.int32)
    before = forest_peel(space, everything, ClusterTrees(), run_of())
    after = merge_into(space, before)
    placed = before.labels >= 0
    assert np.array_equal(after.labels[placed], before.labels[placed])
    if after.n_classes:
        assert space.judge(*after.members()).all()
    assert after.total(space) <= before.total(space) + 1e-9
