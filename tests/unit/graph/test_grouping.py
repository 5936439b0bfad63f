"""Grouping: the worlds of the seven people, the search, and the sampling of worlds."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from graphs import PEOPLE, edge_set, graphs, public, seven
from indistinct.base.randomness import RandomSource
from indistinct.graph.grouping import find_groups, grouping_of, induced
from indistinct.graph.grouping_kernels import group_weights
from shared import examples


def grouped(words):
    groups = np.empty(7, np.int32)
    for number, word in enumerate(words.split()):
        groups[[PEOPLE.index(letter) for letter in word]] = number
    return groups


@pytest.mark.parametrize(
    ("words", "worlds"),
    [
        ("ABCDEFG", 352716),
        ("A BD C EFG", 360),
        ("ABE CD FG", 20),
        ("AE BFG CD", 60),
        ("ABE CDFG", 1320),
    ],
)
def test_worlds_of_the_seven(words, worlds):
    grouping = grouping_of(seven(), grouped(words))
    assert math.isclose(grouping.log_worlds, math.log(worlds), abs_tol=1e-9)


@pytest.mark.parametrize(("k", "worlds"), [(2, 20), (3, 1320)])
def test_the_best_groups_of_the_seven_are_found(k, worlds):
    grouping = grouping_of(seven(), find_groups(seven(), k, RandomSource(1)))
    assert math.isclose(grouping.log_worlds, math.log(worlds), abs_tol=1e-9)


@pytest.mark.parametrize(
    ("name", "k", "most"),
    [("karate", 3, 68.0), ("karate", 5, 113.6), ("karate", 10, 165.4), ("jazz", 3, 1690.0)],
)
def test_public_networks_reach_the_published_likelihood(name, k, most):
    graph = public(name)
    grouping = grouping_of(graph, find_groups(graph, k, RandomSource(1)))
    assert grouping.log_worlds <= most
    assert grouping.smallest >= k


@examples(60)
@given(graphs(2, 9), st.data())
def test_groups_are_large_enough_and_count_every_edge(graph, data):
    k = data.draw(st.integers(2, graph.n_vertices))
    groups = find_groups(graph, k, RandomSource(1), steps=300)
    grouping = grouping_of(graph, groups)
    assert k <= grouping.smallest
    assert grouping.sizes.max() <= 2 * k - 1
    assert grouping.counts.sum() == graph.n_edges
    worlds = 1
    members = [np.flatnonzero(groups == group) for group in range(len(grouping.sizes))]
    edges = edge_set(graph)
    for one, other in itertools.combinations_with_replacement(range(len(members)), 2):
        pairs = [
            (min(a, b), max(a, b))
            for a in members[one]
            for b in members[other]
            if one != other or a < b
        ]
        worlds *= math.comb(len(pairs), sum(pair in edges for pair in pairs))
    assert math.isclose(grouping.log_worlds, math.log(worlds), rel_tol=1e-9, abs_tol=1e-9)


@examples(40)
@given(graphs(2, 9), st.integers(0, 100))
def test_every_sample_has_the_released_counts(graph, seed):
    groups = find_groups(graph, 2, RandomSource(seed), steps=100)
    grouping = grouping_of(graph, groups)
    world = grouping.sample(RandomSource(seed))
    places = np.repeat(np.arange(len(grouping.sizes)), grouping.sizes).astype(np.int32)
    again = grouping_of(world, places)
    assert np.array_equal(again.ones, grouping.ones)
    assert np.array_equal(again.others, grouping.others)
    assert np.array_equal(again.counts, grouping.counts)


def test_worlds_are_drawn_uniformly():
    """Chi-square over the 20 worlds of {ABE}{CD}{FG}; false alarms below 1 in 1000.

    A sampler that never draws one of them, or draws one twice as often, fails.
    """
    grouping = grouping_of(seven(), grouped("ABE CD FG"))
    counts: dict[frozenset, int] = {}
    for seed in range(4000):
        world = frozenset(edge_set(grouping.sample(RandomSource(seed))))
        counts[world] = counts.get(world, 0) + 1
    assert len(counts) == 20
    statistic = sum((count - 200) ** 2 / 200 for count in counts.values())
    assert statistic < 43.82


def test_expected_degrees_are_the_mean_over_samples():
    grouping = grouping_of(seven(), grouped("ABE CDFG"))
    places = np.repeat(np.arange(2), grouping.sizes)
    total = np.zeros(2)
    for seed in range(400):
        degrees = grouping.sample(RandomSource(seed)).degrees
        total += np.bincount(places, degrees) / grouping.sizes / 400
    # The mean degree of a group is the same in every world.
    ends = np.bincount(
        np.concatenate([grouping.ones, grouping.others]), np.tile(grouping.counts, 2)
    )
    assert np.allclose(total, ends / grouping.sizes)
    assert np.allclose(total, [9 / 3, 13 / 4])


def test_edge_probabilities_are_edges_per_pair():
    grouping = grouping_of(seven(), grouped("A BD C EFG"))
    table = dict(
        zip(
            zip(grouping.ones.tolist(), grouping.others.tolist(), strict=True),
            grouping.edge_probabilities().tolist(),
            strict=True,
        )
    )
    assert table == {
        (0, 1): 1 / 2,
        (0, 2): 1.0,
        (0, 3): 1 / 3,
        (1, 1): 1.0,
        (1, 2): 1.0,
        (1, 3): 3 / 6,
        (2, 3): 2 / 3,
    }


def test_large_graphs_are_grouped_in_blocks():
    graph = public("ca-GrQc")
    groups = find_groups(graph, 5, RandomSource(1), steps=20_000)
    sizes = np.bincount(groups)
    assert sizes.min() >= 5
    assert sizes.max() <= 9
    assert len(groups) == graph.n_vertices


def test_weights_and_subgraphs_are_their_definitions():
    graph = seven()
    weights = group_weights(graph.starts, graph.neighbors, grouped("ABE CDFG"), 2)
    assert weights.tolist() == [[3, 3], [3, 5]]
    inner = induced(graph, np.array([0, 1, 4]))
    assert edge_set(inner) == {(0, 1), (0, 2), (1, 2)}
