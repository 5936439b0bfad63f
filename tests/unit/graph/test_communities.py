"""Communities: modularity of the seven people, known partitions, scikit-learn as the judge."""

from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from graphs import graphs, named, partition, public, seven
from indistinct.base.randomness import RandomSource
from indistinct.graph.communities import (
    adjusted_rand,
    communities,
    compare_communities,
    modularity,
    mutual_information,
    precision,
)
from shared import examples

PARTITIONS = st.integers(2, 30).flatmap(
    lambda size: st.tuples(
        *[st.lists(st.integers(0, 4), min_size=size, max_size=size) for _ in range(2)]
    )
)


def coded(labels):
    return np.array(labels, np.int32)


@pytest.mark.parametrize(("graph", "value"), [(seven(), 0.210744), (seven("AD"), 0.152778)])
def test_the_seven_in_two_communities(graph, value):
    """{A, B, E} and {C, D, F, G}."""
    labels = coded([0, 0, 1, 1, 0, 1, 1])
    assert math.isclose(modularity(graph, labels), value, abs_tol=1e-6)


@examples(60)
@given(graphs(1, 9), st.data())
def test_modularity_is_networkx_modularity(graph, data):
    size = graph.n_vertices
    labels = coded(data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size)))
    expected = 0.0
    if graph.n_edges:
        expected = nx.community.modularity(graph.to_networkx(), partition(labels.tolist()))
    assert math.isclose(modularity(graph, labels), expected, abs_tol=1e-12)


def test_karate_gets_its_best_known_communities():
    """The greatest modularity of any partition is 0.4198 (by exhaustive methods)."""
    graph = public("karate")
    best = max(modularity(graph, communities(graph, RandomSource(seed))) for seed in range(10))
    assert math.isclose(best, 0.4198, abs_tol=1e-4)


@pytest.mark.parametrize("name", ["jazz", "email-Eu-core", "power"])
def test_communities_are_as_good_as_those_of_networkx(name):
    graph = public(name)
    ours = modularity(graph, communities(graph, RandomSource(1)))
    whole = graph.to_networkx()
    theirs = nx.community.modularity(whole, nx.community.louvain_communities(whole, seed=1))
    assert ours >= theirs - 0.02


def test_separate_cliques_are_the_communities():
    graph = named(nx.disjoint_union_all([nx.complete_graph(size) for size in (3, 4, 5, 6)]))
    found = communities(graph, RandomSource(1))
    expected = [0] * 3 + [1] * 4 + [2] * 5 + [3] * 6
    assert partition(found.tolist()) == partition(expected)


def test_isolated_vertices_stay_alone():
    graph = named(nx.empty_graph(4))
    assert sorted(communities(graph, RandomSource(1)).tolist()) == [0, 1, 2, 3]


@examples(60)
@given(PARTITIONS)
def test_likeness_is_scikit_learns(pair):
    judge = pytest.importorskip("sklearn.metrics")
    one, other = pair
    found = mutual_information(coded(one), coded(other))
    assert math.isclose(found, judge.normalized_mutual_info_score(one, other), abs_tol=1e-9)
    found = adjusted_rand(coded(one), coded(other))
    assert math.isclose(found, judge.adjusted_rand_score(one, other), abs_tol=1e-9)


@examples(60)
@given(PARTITIONS)
def test_precision_is_its_definition(pair):
    one, other = pair
    right = 0
    for label in set(other):
        mine = [a for a, b in zip(one, other, strict=True) if b == label]
        right += max(mine.count(value) for value in mine)
    assert math.isclose(precision(coded(one), coded(other)), right / len(one))


def test_a_graph_is_like_itself_up_to_the_baseline_and_unlike_noise():
    graph = public("jazz")
    same = compare_communities(graph, graph, RandomSource(1))
    assert {name: same[name] for name in ("nmi", "ari", "precision")} == same["baseline"]
    assert same["modularity"]["original"] == same["modularity"]["release"]
    noise = named(nx.gnm_random_graph(graph.n_vertices, graph.n_edges, seed=1))
    other = compare_communities(graph, noise, RandomSource(1))
    assert other["ari"] < 0.1 < same["ari"]
    assert other["modularity"]["release"] < 0.1 < other["modularity"]["original"]
