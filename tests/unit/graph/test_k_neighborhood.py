"""k-neighborhood anonymity: the level is reached up to isomorphism, or refused in words."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from graphs import edge_set, graphs, named, public, seven
from indistinct.base.randomness import RandomSource
from indistinct.errors import NoSolutionError
from indistinct.graph.fingerprints import degree_fingerprints, neighborhood_fingerprints
from indistinct.graph.k_neighborhood import SearchLimits, anonymize_neighborhoods
from indistinct.graph.k_neighborhood_kernels import (
    change_edge,
    open_rows,
    quick_changes,
    write_quick_words,
)
from shared import examples

FREE = SearchLimits(max_loss=1.0, seconds=20)


def plain_level(graph):
    whole = graph.to_networkx()
    parts = [whole.subgraph(whole[vertex]) for vertex in whole]
    return min(sum(nx.is_isomorphic(one, other) for other in parts) for one in parts)


def test_one_edge_hides_everyone_among_the_seven():
    """The unique optimum of additions is the edge between Alice and Diane."""
    result = anonymize_neighborhoods(seven(), 2, "add", RandomSource(1))
    assert edge_set(result) == edge_set(seven("AD"))


@examples(40)
@given(graphs(2, 8), st.data(), st.sampled_from(["delete", "mixed"]))
def test_the_level_is_reached(graph, data, mode):
    k = data.draw(st.integers(2, graph.n_vertices))
    result = anonymize_neighborhoods(graph, k, mode, RandomSource(1), limits=FREE)
    assert plain_level(result) >= k
    assert degree_fingerprints(result).level >= k
    assert mode != "delete" or edge_set(result) <= edge_set(graph)


@settings(max_examples=30, deadline=None)
@given(graphs(2, 7), st.data())
def test_adding_only_adds_and_reaches_the_level_or_says_so(graph, data):
    k = data.draw(st.integers(2, graph.n_vertices))
    try:
        result = anonymize_neighborhoods(graph, k, "add", RandomSource(1), limits=FREE)
    except NoSolutionError:
        return
    assert edge_set(graph) <= edge_set(result)
    assert plain_level(result) >= k


def test_the_power_grid_loses_few_edges():
    graph = public("power")
    result = anonymize_neighborhoods(graph, 2, "delete", RandomSource(1))
    lost = len(edge_set(graph) - edge_set(result))
    assert lost <= 0.014 * graph.n_edges
    assert edge_set(result) <= edge_set(graph)
    assert neighborhood_fingerprints(result).level >= 2


def test_an_anonymous_graph_stays_as_it_is():
    graph = named(nx.cycle_graph(9))
    assert anonymize_neighborhoods(graph, 4, "delete", RandomSource(1)) is graph


def test_labels_are_respected():
    graph = named(nx.disjoint_union(nx.star_graph(4), nx.star_graph(4)))
    labels = ["x"] * 5 + ["y"] + ["x"] * 4
    result = anonymize_neighborhoods(
        graph, 2, "delete", RandomSource(1), labels=["x"] * 10, limits=FREE
    )
    assert result is graph
    with pytest.raises(NoSolutionError, match="reached the level 1"):
        anonymize_neighborhoods(
            graph, 2, "delete", RandomSource(1), labels=labels, limits=SearchLimits(1.0, 1)
        )


def test_a_budget_that_does_not_suffice_is_refused_with_the_level_reached():
    with pytest.raises(NoSolutionError, match="reached the level 1, not 5"):
        anonymize_neighborhoods(
            public("karate"), 5, "delete", RandomSource(1), limits=SearchLimits(0.05, 10)
        )


@examples(60)
@given(graphs(2, 9), st.data())
def test_quick_fingerprints_follow_every_change(graph, data):
    """What a change is said to do is what counting afresh finds, and undoing it undoes it."""
    labels = np.arange(graph.n_vertices, dtype=np.uint64) % np.uint64(3)
    rows = open_rows(graph.starts, graph.neighbors, labels, np.zeros_like(labels), 16)
    one = data.draw(st.integers(0, graph.n_vertices - 1))
    other = (one + data.draw(st.integers(1, graph.n_vertices - 1))) % graph.n_vertices
    sign = -1 if other in graph.row(one) else 1
    quick = rows.quick.copy()
    before, after = (np.empty(graph.n_vertices + 2, np.uint64) for _ in range(2))
    found = np.empty(graph.n_vertices + 2, np.int32)
    count = quick_changes(rows, one, other, sign, before, after)
    assert change_edge(rows, one, other, sign, found) == count
    write_quick_words(rows)
    fresh = rows.quick.copy()
    assert sorted(after[:count].tolist()) == sorted(fresh[found[:count]].tolist())
    untouched = np.setdiff1d(np.arange(graph.n_vertices), found[:count])
    assert np.array_equal(quick[untouched], fresh[untouched])
    change_edge(rows, one, other, -sign, found)
    write_quick_words(rows)
    assert np.array_equal(rows.quick, quick)


@pytest.mark.parametrize(("name", "mode"), [("power", "delete"), ("karate", "mixed")])
def test_the_seed_decides_and_not_the_clock(name, mode):
    graph = public(name)
    runs = [
        anonymize_neighborhoods(graph, 2, mode, RandomSource(3), limits=SearchLimits(1.0, seconds))
        for seconds in (60, 600)
    ]
    assert edge_set(runs[0]) == edge_set(runs[1])


def test_adding_in_vain_says_how_far_it_came():
    with pytest.raises(NoSolutionError, match=r"of 34 vertices .* are in smaller classes"):
        anonymize_neighborhoods(public("karate"), 2, "add", RandomSource(1), limits=FREE)
