"""Forest peel: what it releases, and what it leaves."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given

from indistinct.tables.core.protocols import Deadline, no_progress
from indistinct.tables.models import DistinctLDiversity, KAnonymity
from indistinct.tables.search.local.forest import ClusterTrees, forest_peel
from indistinct.tables.search.local.local_space import FORBIDDEN, local_space
from indistinct.tables.search.local.run import LocalSearchRun
from local_problems import DISEASE, SIZED, halves, problem_of, problems, run_of
from shared import examples

FOREST = ClusterTrees()


def everything(space):
    return np.arange(space.n_items, dtype=np.int32)


@examples(60)
@given(problems(models=SIZED))
def test_classes_are_full_and_stand_at_their_least_common_generalization(problem):
    space = local_space(problem)
    found = forest_peel(space, everything(space), FOREST, run_of())
    assert np.all(found.sizes(space) >= space.least)
    members, starts = found.members()
    codes, items = space.items.codes, space.items
    for index, node in enumerate(found.nodes):
        own = codes[members[starts[index] : starts[index + 1]]]
        for column, level in enumerate(node):
            here = items.cells[items.offsets[column, level] + own[:, column]]
            assert len(set(here)) == 1
            if level > 0:
                below = items.cells[items.offsets[column, level - 1] + own[:, column]]
                assert len(set(below)) > 1


@examples(40)
@given(problems(models=SIZED, limits=False))
def test_fewer_records_than_a_class_needs_are_left(problem):
    space = local_space(problem)
    found = forest_peel(space, everything(space), FOREST, run_of())
    assert problem.table.weights[found.outside()].sum() < space.least


@examples(40)
@given(problems(limits=True))
def test_no_class_stands_above_the_highest_level_allowed(problem):
    space = local_space(problem)
    found = forest_peel(space, everything(space), FOREST, run_of())
    assert np.all(found.losses(space) < FORBIDDEN)
    if found.n_classes:
        assert space.judge(*found.members()).all()


def test_cheap_groups_leave_before_dear_ones():
    """Two pairs of equal records never share a class with the odd ones."""
    problem = problem_of([[0], [0], [7], [7], [1], [3]], [halves(8)], [KAnonymity(2)])
    space = local_space(problem)
    found = forest_peel(space, everything(space), FOREST, run_of())
    assert sorted(found.losses(space).tolist()) == [0.0, 0.0, pytest.approx(3 / 7)]


@pytest.mark.parametrize("models", [[KAnonymity(3)], [DistinctLDiversity(DISEASE, 2)]])
def test_the_number_of_threads_does_not_matter(models):
    draws = np.random.default_rng(7)
    rows = draws.integers(0, 16, (6000, 3))
    problem = problem_of(rows, [halves(16)] * 3, models, diseases=draws.integers(0, 3, 6000))
    space = local_space(problem)
    found = []
    for threads in (1, 2, 5):
        with ThreadPoolExecutor(threads) as pool:
            run = LocalSearchRun(3, pool, Deadline(), no_progress)
            found.append(forest_peel(space, everything(space), FOREST, run))
    for other in found[1:]:
        assert np.array_equal(found[0].labels, other.labels)
        assert np.array_equal(found[0].nodes, other.nodes)


def test_a_late_round_takes_all_it_can():
    draws = np.random.default_rng(1)
    problem = problem_of(draws.integers(0, 8, (500, 2)), [halves(8)] * 2, [KAnonymity(4)])
    space = local_space(problem)
    late = forest_peel(space, everything(space), FOREST, run_of(deadline=Deadline.after(0)))
    assert problem.table.weights[late.outside()].sum() < 4
    assert np.all(late.sizes(space) >= 4)


def test_weighted_tuples_leave_together():
    """Five equal records and three others: one tuple each, one class each."""
    problem = problem_of([[0]] * 5 + [[4]] * 3, [halves(8)], [KAnonymity(3)])
    space = local_space(problem)
    found = forest_peel(space, everything(space), FOREST, run_of())
    assert sorted(found.sizes(space).tolist()) == [3, 5]
    assert found.total(space) == 0.0
