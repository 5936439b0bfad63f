"""An assignment of items to classes: members, sizes, losses, and what can be done with it."""

import numpy as np
import pytest

from indistinct.tables.models import KAnonymity
from indistinct.tables.search.local.local_space import (
    OUTSIDE,
    Assignment,
    local_space,
    merged,
    without,
)
from local_problems import halves, problem_of


def five():
    """Three records of value 0, one of 1, one of 7; the first two tuples in class 1 at level 1."""
    problem = problem_of([[0]] * 3 + [[1], [7]], [halves(8)], [KAnonymity(2)])
    labels = np.array([1, 1, OUTSIDE], np.int32)
    return local_space(problem), Assignment(labels, np.array([[0], [1]], np.int32))


def test_members_stand_class_after_class():
    members, starts = five()[1].members()
    assert members.tolist() == [0, 1]
    assert starts.tolist() == [0, 0, 2]


def test_sizes_count_records_and_losses_follow_the_levels():
    space, state = five()
    assert state.sizes(space).tolist() == [0, 4]
    assert state.losses(space)[1] == pytest.approx(1 / 7)
    assert state.total(space) == pytest.approx((4 / 7 + 1) / 5)


def test_dissolved_classes_leave_their_items_outside():
    _, state = five()
    left = without(state, np.array([False, True]))
    assert left.labels.tolist() == [OUTSIDE] * 3
    assert left.n_classes == 1


def test_equal_cells_make_one_class():
    space, _ = five()
    state = Assignment(np.array([0, 1, OUTSIDE], np.int32), np.array([[1], [1]], np.int32))
    assert merged(space, state).labels.tolist() == [0, 0, OUTSIDE]


def test_no_class_at_all_is_fine():
    space, _ = five()
    state = Assignment(np.full(3, OUTSIDE, np.int32), np.zeros((0, 1), np.int32))
    assert merged(space, state).n_classes == 0
    assert state.total(space) == 1.0
