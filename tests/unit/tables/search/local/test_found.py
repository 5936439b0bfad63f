"""From an assignment to a recoding: classes as a reader counts them."""

import numpy as np
import pytest

from indistinct.base.hierarchy_builders import from_rows
from indistinct.errors import NoSolutionError
from indistinct.tables.core.recoding import read_as_labels
from indistinct.tables.models import DistinctLDiversity, KAnonymity
from indistinct.tables.search.finish import finished, joined
from indistinct.tables.search.local.found import found_of, recoding_of
from indistinct.tables.search.local.local_space import Assignment, local_space
from indistinct.tables.search.local.lower_bound import LowerBound
from local_problems import DISEASE, assert_valid, halves, problem_of, written

NONE = LowerBound(None, None)


def test_classes_that_read_the_same_are_one():
    problem = problem_of([[0], [1]] * 2, [halves(4)], [KAnonymity(2)])
    space = local_space(problem).expanded()
    state = Assignment(np.array([0, 1, 0, 1], np.int32), np.ones((2, 1), np.int32))
    recoding = joined(recoding_of(space, state), read_as_labels)
    assert recoding.sizes.tolist() == [4]
    assert recoding.labels.tolist() == [0] * 4
    assert_valid(problem, recoding)


def test_one_text_at_two_levels_is_one_class_at_the_costlier():
    """The value "x" and the group "x" read the same in the release."""
    hierarchy = from_rows([["x", "x", "*"], ["y", "x", "*"], ["z", "z", "*"]])
    problem = problem_of([[0]] * 2 + [[0], [1]] + [[2]] * 2, [hierarchy], [KAnonymity(2)])
    space = local_space(problem).expanded()
    state = Assignment(np.array([0, 0, 1, 1, 2, 2], np.int32), np.array([[0], [1], [0]], np.int32))
    recoding = joined(recoding_of(space, state), read_as_labels)
    assert sorted(recoding.sizes.tolist()) == [2, 4]
    assert problem.objective.evaluate(recoding) == pytest.approx(4 / 6 * 0.5)


def test_items_outside_are_one_suppressed_class_at_the_root():
    problem = problem_of([[0], [0], [3], [2]], [halves(4)], [KAnonymity(2)], suppression=1.0)
    space = local_space(problem)
    recoding = recoding_of(
        space, Assignment(np.array([0, -1, -1], np.int32), np.zeros((1, 1), int))
    )
    assert recoding.released.tolist() == [True, False]
    assert recoding.n_suppressed == 2
    assert [labels for _, _, labels in written(problem, recoding)].count(None) == 2
    assert recoding.domains[0].labels[recoding.cells[1, 0]] == "2:0"


def test_a_class_that_fails_after_all_is_suppressed():
    problem = problem_of(
        [[0], [0], [1], [1]],
        [halves(4)],
        [DistinctLDiversity(DISEASE, 2)],
        diseases=[0, 0, 0, 1],
        suppression=0.5,
    )
    space = local_space(problem).expanded()
    state = Assignment(np.array([0, 0, 1, 1], np.int32), np.zeros((2, 1), np.int32))
    solution = finished(problem, found_of(space, state, NONE, rounds=0))
    assert solution.recoding.n_suppressed == 2
    assert solution.facts == {"rounds": 0, "lower_bound": {"value": None, "kind": None}}


def test_too_many_outside_are_no_solution():
    problem = problem_of([[0], [0], [3]], [halves(4)], [KAnonymity(2)], suppression=0.3)
    space = local_space(problem)
    state = Assignment(np.array([0, -1], np.int32), np.zeros((1, 1), np.int32))
    with pytest.raises(NoSolutionError, match=r"1 of 3 records suppressed \(33\.33%\)"):
        finished(problem, found_of(space, state, NONE))
