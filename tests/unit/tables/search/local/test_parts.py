"""Parts of a change: loss never rises, classes stay whole, parts are independent."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from indistinct.tables.core.protocols import Deadline, no_progress
from indistinct.tables.models import DistinctLDiversity, KAnonymity, TCloseness
from indistinct.tables.search.finish import solve
from indistinct.tables.search.local import local_search
from indistinct.tables.search.local.forest import ClusterTrees, forest_peel
from indistinct.tables.search.local.local import Local
from indistinct.tables.search.local.local_space import OUTSIDE, Assignment, local_space
from indistinct.tables.search.local.merge_into import merge_into
from indistinct.tables.search.local.parts import combined, settled, tightened
from indistinct.tables.search.local.promises import annealed_in_parts, can_price
from local_problems import DISEASE, MODELS, assert_valid, halves, problem_of, problems, run_of


def peeled(space, seed=0):
    everything = np.arange(space.n_items, dtype=np.int32)
    return merge_into(space, forest_peel(space, everything, ClusterTrees(), run_of(seed)))


def assert_whole(space, assignment):
    """Every class satisfies the models, and its cells contain its members."""
    if assignment.n_classes == 0:
        return
    assert space.judge(*assignment.members()).all()
    inside = np.flatnonzero(assignment.labels != OUTSIDE)
    labels = assignment.labels[inside]
    for column in range(space.items.codes.shape[1]):
        offsets = space.items.offsets[column, assignment.nodes[labels, column]]
        cells = space.items.cells[offsets + space.items.codes[inside, column]]
        assert np.array_equal(cells, assignment.cells(space)[labels, column])


@settings(deadline=None, max_examples=25)
@given(problems(models=MODELS), st.integers(0, 100))
def test_no_round_raises_the_loss_or_breaks_a_class(problem, seed):
    space = local_space(problem).expanded()
    state = settled(space, peeled(space, seed))
    after, done = annealed_in_parts(space, state, 6 if state.n_classes else 0, run_of(seed))
    assert done in (0, 6)
    assert after.total(space) <= state.total(space) + 1e-9
    assert_whole(space, after)


def test_no_round_is_the_identity():
    problem = problem_of([[0], [1], [4], [5]], [halves(8)], [KAnonymity(2)])
    space = local_space(problem)
    state = peeled(space)
    after, done = annealed_in_parts(space, state, 0, run_of())
    assert after is state
    assert done == 0


def test_a_passed_deadline_ends_the_rounds():
    problem = problem_of([[0], [1], [4], [5]], [halves(8)], [KAnonymity(2)])
    space = local_space(problem)
    _, done = annealed_in_parts(space, peeled(space), 100, run_of(deadline=Deadline.after(0)))
    assert done == 0


def test_two_pairs_in_one_class_are_parted():
    """One class of four records that are two pairs of equal ones: the pairs are found."""
    problem = problem_of([[0], [0], [7], [7]], [halves(8)], [KAnonymity(2)])
    space = local_space(problem).expanded()
    whole = Assignment(np.zeros(4, np.int32), space.items.tops[None, :].astype(np.int32))
    after, _ = annealed_in_parts(space, whole, 30, run_of())
    assert after.total(space) == 0.0
    assert after.n_classes == 2


@pytest.mark.parametrize("distance", ["equal", "kernel"])
def test_rounds_gain_and_keep_closeness_and_diversity(distance):
    draws = np.random.default_rng(4)
    models = [KAnonymity(3), DistinctLDiversity(DISEASE, 2), TCloseness(DISEASE, 0.4, distance)]
    problem = problem_of(
        draws.integers(0, 32, (600, 3)),
        [halves(32)] * 3,
        models,
        diseases=(draws.random(600) < 0.2).astype(np.int32),
    )
    space = local_space(problem).expanded()
    assert can_price(space) == (distance == "equal")
    start = settled(space, peeled(space))
    after, _ = annealed_in_parts(space, start, 30, run_of())
    assert_whole(space, after)
    assert after.total(space) < 0.97 * start.total(space)


@settings(deadline=None, max_examples=25)
@given(problems(models=MODELS))
def test_classes_are_as_low_as_their_members_allow(problem):
    space = local_space(problem).expanded()
    state = settled(space, peeled(space))
    raised = Assignment(state.labels, np.tile(space.items.tops, (state.n_classes, 1)))
    low = tightened(space, raised)
    assert_whole(space, low)
    for index, node in enumerate(low.nodes):
        members = np.flatnonzero(low.labels == index)
        for column in np.flatnonzero(node):
            offset = space.items.offsets[column, node[column] - 1]
            below = space.items.cells[offset + space.items.codes[members, column]]
            assert len(set(below.tolist())) > 1


@settings(deadline=None, max_examples=25)
@given(problems(models=MODELS))
def test_two_assignments_combined_are_no_worse_than_the_better(problem):
    space = local_space(problem)
    one, other = peeled(space, 1), peeled(space, 2)
    both = combined(space, one, other)
    assert_whole(space, both)
    if not len(one.outside()) and not len(other.outside()):
        least = min(one.total(space), other.total(space))
        assert both.total(space) <= least + 1e-9
    assert both.total(space) <= one.total(space) + 1e-9


@pytest.mark.parametrize("labels", [[0, 0, 1, 1], [1, 1, 0, 0]])
def test_classes_with_equal_cells_are_joined(labels):
    problem = problem_of([[0], [1], [0], [1]], [halves(8)], [KAnonymity(2)])
    space = local_space(problem).expanded()
    state = Assignment(np.array(labels, np.int32), np.ones((2, 1), np.int32))
    assert settled(space, state).n_classes == 1


@settings(deadline=None, max_examples=25)
@given(problems(models=MODELS))
def test_pieces_of_equal_records_are_1_1_2_4_and_so_on_and_all_of_them(problem):
    space = local_space(problem)
    counts, pieces = space.divided()
    assert counts.sum() == pieces.n_items
    ends = np.cumsum(counts)
    for item, (start, end) in enumerate(zip(ends - counts, ends, strict=True)):
        weights = pieces.items.weights[start:end].tolist()
        assert sum(weights) == space.items.weights[item]
        assert weights[:-1] == [1, 1, 2, 4, 8, 16, 32][: len(weights) - 1]
        assert np.all(pieces.items.codes[start:end] == space.items.codes[item])
        assert set(pieces.tuples[start:end].tolist()) == {space.tuples[item]}


@settings(deadline=None, max_examples=10)
@given(problems(models=MODELS, max_records=80))
def test_a_search_that_moves_pieces_or_whole_tuples_gives_a_valid_release(problem):
    for most in (0, 30):
        with patch.object(local_search, "EXPANDED_RECORDS", most):
            found = solve(Local(), problem, Deadline(), no_progress)
        assert_valid(problem, found.recoding)
