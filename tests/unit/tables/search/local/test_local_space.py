"""What local recoding searches in: levels, costs, and which models the size decides."""

import dataclasses

import numpy as np
import pytest

from indistinct.base.hierarchy_builders import from_rows
from indistinct.tables.metrics import AverageClassSize, CertaintyPenalty
from indistinct.tables.models import DistinctLDiversity, KAnonymity, TCloseness
from indistinct.tables.search.local.local_space import FORBIDDEN, local_space
from local_problems import DISEASE, halves, problem_of

K2 = [KAnonymity(2)]


def test_levels_that_tell_nothing_apart_are_left_out():
    """The labels of a ragged branch are repeated; two of four levels are the same partition."""
    ragged = from_rows([["a", "a", "ab", "*"], ["b", "b", "ab", "*"], ["c", "c", "c", "*"]])
    space = local_space(problem_of([[0], [1], [2]], [ragged], K2))
    assert space.items.tops.tolist() == [2]


def test_a_hierarchy_without_a_root_gets_one():
    space = local_space(problem_of([[0], [7]], [halves(8, height=2)], K2))
    assert space.domains[0].labels[-1] == "*"
    assert space.items.costs.max() == 1.0


def test_a_column_pays_its_weight_over_the_number_of_columns():
    problem = problem_of([[0, 0], [3, 3]], [halves(4)] * 2, K2, weights=(1.0, 0.5))
    space = local_space(problem)
    assert sorted(set(space.items.costs.tolist())) == [0.0, 0.25, 0.5]
    assert space.price == 0.75


def test_levels_beyond_the_limits_cost_too_much_or_are_gone():
    rows = [[value] for value in range(8)]
    problem = problem_of(rows, [halves(8)], K2, min_levels=(1,), max_levels=(2,))
    space = local_space(problem)
    assert space.items.tops.tolist() == [2]
    assert space.items.costs[space.items.cells[space.items.offsets[0, 2]]] == FORBIDDEN
    assert space.items.costs.min() == pytest.approx(1 / 7)


def test_the_objective_names_the_cost_of_a_cell_where_it_averages_cells():
    problem = problem_of([[0], [1]], [halves(4)], K2)
    penalty = dataclasses.replace(problem, objective=CertaintyPenalty((1.0,)))
    assert sorted(set(local_space(penalty).items.costs.tolist())) == [0.0, 0.5]
    sizes = dataclasses.replace(problem, objective=AverageClassSize())
    assert sorted(set(local_space(sizes).items.costs.tolist())) == [0.0, pytest.approx(1 / 3)]


@pytest.mark.parametrize(
    ("models", "sized", "hereditary"),
    [
        (K2, True, True),
        ([*K2, DistinctLDiversity(DISEASE, 2)], False, True),
        ([*K2, TCloseness(DISEASE, 0.5)], False, False),
    ],
)
def test_what_is_known_of_the_models(models, sized, hereditary):
    space = local_space(problem_of([[0], [1]], [halves(4)], models, diseases=[0, 1]))
    assert (space.sized, space.hereditary, space.additive) == (sized, hereditary, True)


def test_expanding_gives_an_item_per_record():
    space = local_space(problem_of([[0], [0], [1]], [halves(2)], K2)).expanded()
    assert space.tuples.tolist() == [0, 0, 1]
    assert np.all(space.items.weights == 1)
    assert space.items.codes[:, 0].tolist() == [0, 0, 1]
