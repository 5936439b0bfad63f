"""Link prediction: networkx's scores, the definition of the area, and graphs that tell or not."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from graphs import graphs, named
from indistinct.base.randomness import RandomSource
from indistinct.graph.loss import above, link_prediction, scores
from shared import examples

NUMBERS = st.lists(st.integers(0, 5), min_size=1, max_size=12)


@examples(40)
@given(graphs(2, 9))
def test_scores_are_networkx_resource_allocation(graph):
    pairs = [(one, other) for one in range(graph.n_vertices) for other in range(one)]
    found = scores(graph, *(np.array(ends, np.int32) for ends in zip(*pairs, strict=True)))
    expected = [score for *_, score in nx.resource_allocation_index(graph.to_networkx(), pairs)]
    assert np.allclose(found, expected)


@examples(60)
@given(NUMBERS, NUMBERS)
def test_the_area_is_its_definition(high, low):
    wins = [(one > other) + (one == other) / 2 for one in high for other in low]
    assert np.isclose(above(np.array(high, float), np.array(low, float)), np.mean(wins))


def test_communities_tell_hidden_edges_and_chance_does_not():
    """Random graph: 2000 hidden of 20000 edges, so 1/2 within four standard errors of 0.009."""
    cliques = named(nx.disjoint_union_all([nx.complete_graph(12) for _ in range(20)]))
    assert link_prediction(cliques, RandomSource(1)) > 0.98
    noise = named(nx.gnm_random_graph(1000, 20_000, seed=1))
    assert abs(link_prediction(noise, RandomSource(1)) - 0.5) < 0.036


@pytest.mark.parametrize("graph", [nx.empty_graph(5), nx.complete_graph(5)])
def test_nothing_to_predict(graph):
    assert link_prediction(named(graph), RandomSource(1)) is None
