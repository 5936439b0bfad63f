"""Lattice peel: the greedy order over all groups of the lattice."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings

from indistinct.errors import ParameterError
from indistinct.tables.core.protocols import Deadline, no_progress
from indistinct.tables.models import DistinctLDiversity, KAnonymity
from indistinct.tables.search.finish import solve
from indistinct.tables.search.local.lattice_peel import LatticePeel
from indistinct.tables.search.local.lattice_peeling import lattice_peel
from indistinct.tables.search.local.local_space import local_space
from local_problems import DISEASE, SIZED, halves, problem_of, problems


def cheapest_group(space, free):
    """Return the least loss of all groups with enough free records, by trying every node."""
    items, best = space.items, np.inf
    for node in itertools.product(*(range(top + 1) for top in items.tops)):
        groups = {}
        for item in free:
            key = tuple(
                int(items.cells[items.offsets[column, level] + items.codes[item, column]])
                for column, level in enumerate(node)
            )
            groups[key] = groups.get(key, 0) + items.weights[item]
        for key, weight in groups.items():
            if weight >= space.least:
                best = min(best, items.costs[list(key)].sum())
    return best


@settings(deadline=None, max_examples=25)
@given(problems(models=SIZED, max_records=20, max_columns=2, limits=False))
def test_with_mix_1_every_class_was_the_cheapest_group_left(problem):
    space = local_space(problem)
    found = lattice_peel(space, 1.0, Deadline(), no_progress)
    losses = found.losses(space)
    for index in range(found.n_classes):
        free = np.flatnonzero((found.labels >= index) | (found.labels < 0))
        assert losses[index] == pytest.approx(cheapest_group(space, free), abs=1e-12)
    rest = found.outside()
    assert cheapest_group(space, rest) == np.inf


@settings(deadline=None, max_examples=25)
@given(problems(models=SIZED))
def test_weighted_tuples_and_single_records_give_the_same_loss(problem):
    space = local_space(problem)
    together = lattice_peel(space, 0.3, Deadline(), no_progress)
    single = space.expanded()
    apart = lattice_peel(single, 0.3, Deadline(), no_progress)
    assert together.total(space) == pytest.approx(apart.total(single), abs=1e-12)


def test_other_codes_for_the_same_tree_give_the_same_loss():
    """Codes run backwards; groups that tie aside, nothing changes."""
    draws = np.random.default_rng(3)
    rows = draws.integers(0, 16, (200, 2))
    straight = problem_of(rows, [halves(16)] * 2, [KAnonymity(4)])
    mirrored = problem_of(15 - rows, [halves(16)] * 2, [KAnonymity(4)])
    losses = [
        problem.objective.evaluate(
            solve(LatticePeel(1.0), problem, Deadline(), no_progress).recoding
        )
        for problem in (straight, mirrored)
    ]
    assert losses[0] == pytest.approx(losses[1], rel=0.05)


def test_groups_that_fail_a_model_are_passed_over():
    problem = problem_of(
        [[0], [0], [1], [1]],
        [halves(4)],
        [KAnonymity(2), DistinctLDiversity(DISEASE, 2)],
        diseases=[0, 0, 1, 1],
    )
    recoding = solve(LatticePeel(), problem, Deadline(), no_progress).recoding
    assert recoding.sizes.tolist() == [4]


def test_a_lattice_too_large_is_refused():
    problem = problem_of([[0] * 20, [1] * 20, [3] * 20], [halves(4)] * 20, [KAnonymity(2)])
    with pytest.raises(ParameterError, match="lattice nodes"):
        solve(LatticePeel(), problem, Deadline(), no_progress)
