"""Ranks: networkx and SciPy as judges of centralities and correlations."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from graphs import graphs, named, public, seven
from indistinct.base.randomness import RandomSource
from indistinct.graph.ranks import (
    betweenness,
    centralities,
    compare_ranks,
    eigenvector,
    kendall,
    sampled_roots,
    spearman,
    top_overlap,
)
from shared import examples

PAIRS = st.integers(2, 25).flatmap(
    lambda size: st.tuples(
        *[st.lists(st.integers(0, 6), min_size=size, max_size=size) for _ in range(2)]
    )
)


def floats(values):
    return np.array(values, np.float64)


@examples(40)
@given(graphs(2, 9))
def test_networkx_agrees_on_centralities(graph):
    found = centralities(graph, np.arange(graph.n_vertices))
    whole = graph.to_networkx()
    ranks = nx.pagerank(whole, tol=1e-12, max_iter=1000)
    assert np.allclose(found["pagerank"], list(ranks.values()), atol=1e-6)
    between = nx.betweenness_centrality(whole, normalized=False)
    assert np.allclose(found["betweenness"], 2 * floats(list(between.values())))


def test_the_leading_eigenvector_is_that_of_the_matrix():
    graph = public("jazz")
    vector = np.linalg.eigh(nx.to_numpy_array(graph.to_networkx()))[1][:, -1]
    assert np.allclose(eigenvector(graph), np.abs(vector), atol=1e-6)


def test_sampled_betweenness_is_near_the_whole():
    """The correlation with exact values; 200 of 4941 beginnings, fixed seed."""
    graph = public("power")
    whole = betweenness(graph, np.arange(graph.n_vertices))
    part = betweenness(graph, sampled_roots(graph, RandomSource(1)))
    assert np.corrcoef(whole, part)[0, 1] > 0.95
    assert 0.8 < part.sum() / whole.sum() < 1.25


@examples(80)
@given(PAIRS)
def test_scipy_agrees_on_correlations(pair):
    one, other = map(floats, pair)
    if len(set(pair[0])) == 1 or len(set(pair[1])) == 1:
        return
    assert np.isclose(spearman(one, other), stats.spearmanr(one, other).statistic)
    assert np.isclose(kendall(one, other), stats.kendalltau(one, other).statistic)


def test_what_does_not_vary_correlates_with_itself_only():
    flat, steep = floats([1, 1, 1]), floats([1, 2, 3])
    assert spearman(flat, flat) == kendall(flat, flat) == 1.0
    assert spearman(flat, steep) == kendall(flat, steep) == 0.0


@pytest.mark.parametrize(
    ("one", "other", "count", "share"),
    [
        ([4, 3, 2, 1], [4, 3, 2, 1], 2, 1.0),
        ([4, 3, 2, 1], [1, 2, 3, 4], 2, 0.0),
        ([4, 3, 2, 1], [4, 2, 3, 1], 2, 0.5),
        ([4, 3, 3, 1], [4, 3, 2, 1], 2, 2 / 3),
        ([4, 3], [3, 4], 100, 1.0),
    ],
)
def test_top_overlap(one, other, count, share):
    assert np.isclose(top_overlap(floats(one), floats(other), count), share)


def test_a_graph_ranks_like_itself_and_unlike_noise():
    graph = public("jazz")
    for measures in compare_ranks(graph, graph, RandomSource(1)).values():
        assert np.allclose(list(measures.values()), 1.0)
    noise = named(nx.gnm_random_graph(graph.n_vertices, graph.n_edges, seed=1))
    for measures in compare_ranks(graph, noise, RandomSource(1)).values():
        assert abs(measures["spearman"]) < 0.3
        assert abs(measures["kendall"]) < 0.3


def test_the_seven_by_rank():
    """One edge between Alice and Diane moves them past Bob and level with Cathy."""
    found = compare_ranks(seven(), seven("AD"), RandomSource(1))
    expected = stats.kendalltau([3, 4, 5, 4, 2, 2, 2], [4, 4, 5, 5, 2, 2, 2]).statistic
    assert np.isclose(found["degree"]["kendall"], expected)
