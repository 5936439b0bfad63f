"""What attackers learn from a local recoding: the promise for k, and its known limits."""

import numpy as np
import pytest

from indistinct.tables.core.protocols import Deadline, no_progress
from indistinct.tables.models import DistinctLDiversity, KAnonymity
from indistinct.tables.search.finish import solve
from indistinct.tables.search.local.forest import ClusterTrees, forest_peel
from indistinct.tables.search.local.lattice_peeling import lattice_peel
from indistinct.tables.search.local.local import Local
from indistinct.tables.search.local.local_space import local_space
from local_problems import DISEASE, halves, problem_of, run_of

K = 4


def people(n_records=600, seed=0):
    """Draw ages and places that cluster, and an illness that most have."""
    draws = np.random.default_rng(seed)
    rows = np.minimum(draws.geometric(0.12, (n_records, 3)) - 1, 31)
    return rows, (draws.random(n_records) < 0.25).astype(np.int32)


def compatible(space, cells, node):
    """Mark the items that a released tuple contains."""
    inside = np.ones(space.n_items, np.bool_)
    for column, level in enumerate(node):
        offset = space.items.offsets[column, level]
        inside &= space.items.cells[offset + space.items.codes[:, column]] == cells[column]
    return inside


def test_prosecutor_who_runs_the_algorithm_again_learns_a_class_of_k_and_no_more():
    """The classes follow from the quasi-identifiers: knowing all of them gives them away whole."""
    rows, _ = people()
    problem = problem_of(rows, [halves(32)] * 3, [KAnonymity(K)])
    one, again = (solve(Local(), problem, Deadline(), no_progress).recoding for _ in range(2))
    assert np.array_equal(one.labels, again.labels)
    assert one.sizes.min() >= K


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_originals_compatible_with_a_released_tuple_are_k_even_after_deduction(seed):
    """An attacker discards those whom an earlier, cheaper class would have taken; k stay."""
    rows, _ = people(seed=seed)
    space = local_space(problem_of(rows, [halves(32)] * 3, [KAnonymity(K)]))
    found = lattice_peel(space, 0.0, Deadline(), no_progress)
    weights, cells = space.items.weights, found.cells(space)
    for index in range(found.n_classes):
        around = compatible(space, cells[index], found.nodes[index])
        members = found.labels == index
        taken_before = (found.labels >= 0) & (found.labels < index)
        left = around & ~taken_before
        assert np.all(around[members])
        assert np.all(left[members])
        assert weights[around].sum() >= weights[left].sum() >= weights[members].sum() >= K


def test_deduction_does_narrow_what_a_coarse_tuple_seems_to_say():
    """Not promised, and not so: a coarse class is known not to hold those of finer ones."""
    rows, _ = people()
    space = local_space(problem_of(rows, [halves(32)] * 3, [KAnonymity(K)]))
    everything = np.arange(space.n_items, dtype=np.int32)
    found = forest_peel(space, everything, ClusterTrees(), run_of())
    sizes, cells = found.sizes(space), found.cells(space)
    around = [
        space.items.weights[compatible(space, cells[index], node)].sum()
        for index, node in enumerate(found.nodes)
    ]
    assert np.mean(np.array(around) > sizes) > 0.2


def test_with_diversity_an_attacker_who_runs_the_algorithm_again_learns_more():
    """The minimality attack (wong2007) works, as documented: who is left over tells the illness.

    Records that the peel leaves behind under distinct l = 2 all carry the majority's value, while
    one in four of all records carries the other. With 100 of them left, no such run comes about by
    chance in 1e12.
    """
    rows, illness = people()
    problem = problem_of(
        rows,
        [halves(32)] * 3,
        [KAnonymity(K), DistinctLDiversity(DISEASE, 2)],
        diseases=illness,
    )
    space = local_space(problem)
    everything = np.arange(space.n_items, dtype=np.int32)
    held_back = forest_peel(space, everything, ClusterTrees(), run_of()).outside()
    assert space.items.weights[held_back].sum() >= 100
    assert set(space.values[DISEASE][held_back].tolist()) == {0}


def test_absorption_leaves_nobody_out_to_be_told_from_the_rest():
    rows, illness = people()
    problem = problem_of(
        rows,
        [halves(32)] * 3,
        [KAnonymity(K), DistinctLDiversity(DISEASE, 2)],
        diseases=illness,
    )
    assert solve(Local("fast"), problem, Deadline(), no_progress).recoding.n_suppressed == 0
