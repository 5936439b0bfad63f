"""k-member clustering: nearest records around far-off ones."""

import numpy as np

from indistinct.tables.core.protocols import Deadline, no_progress
from indistinct.tables.models import DistinctLDiversity, KAnonymity
from indistinct.tables.search.finish import solve
from indistinct.tables.search.local.clusters import k_member
from indistinct.tables.search.local.k_member import KMember
from indistinct.tables.search.local.k_member_kernels import furthest_item, nearest_items
from indistinct.tables.search.local.local_space import local_space
from local_problems import DISEASE, assert_valid, halves, problem_of


def space_of(values, k=2):
    problem = problem_of([[value] for value in values], [halves(8)], [KAnonymity(k)])
    return local_space(problem).expanded()


def test_the_furthest_record_shares_only_the_root():
    space = space_of([0, 1, 2, 7])
    free = np.arange(4, dtype=np.int32)
    assert furthest_item(space.items, free, 0) == 3


def test_a_cluster_grows_by_the_nearest_record():
    """From 0: first 1 (a pair), then 2 (a four), then 7 (all)."""
    space = space_of([0, 7, 2, 1])
    free = np.arange(4, dtype=np.int32)
    positions, nodes = nearest_items(space.items, free, 0, 4)
    assert positions.tolist() == [0, 3, 2, 1]
    assert nodes[:, 0].tolist() == [0, 1, 2, 3]


def test_clusters_have_k_members_and_fewer_than_k_are_left():
    draws = np.random.default_rng(0)
    space = space_of(draws.integers(0, 8, 50).tolist(), k=4)
    found = k_member(space, 0, Deadline(), no_progress)
    assert set(found.sizes(space).tolist()) == {4}
    assert len(found.outside()) == 2


def test_a_cluster_grows_until_it_is_diverse():
    problem = problem_of(
        [[0], [0], [1]],
        [halves(8)],
        [KAnonymity(2), DistinctLDiversity(DISEASE, 2)],
        diseases=[0, 0, 1],
    )
    recoding = solve(KMember(), problem, Deadline(), no_progress).recoding
    assert_valid(problem, recoding)
    assert recoding.n_suppressed == 0
