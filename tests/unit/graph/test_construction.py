"""Construction: a graph for every graphical sequence, and edges of another where it can be."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from graphs import edge_set, graphs, level, public
from indistinct.base.randomness import RandomSource
from indistinct.errors import NoSolutionError
from indistinct.graph.construction import construct, swap_towards
from indistinct.graph.degree_sequence import by_degree, targets_for
from shared import examples


@examples(80)
@given(st.lists(st.integers(0, 8), min_size=1, max_size=9))
def test_degrees_are_constructed_just_when_a_graph_has_them(degrees):
    targets = np.array(degrees, np.int64)
    if not nx.is_graphical(degrees):
        with pytest.raises(NoSolutionError):
            construct(targets)
        return
    assert construct(targets).degrees.tolist() == degrees


@examples(60)
@given(graphs(2, 9))
def test_liked_edges_and_swaps_keep_degrees_and_bring_edges_back(graph):
    plain = construct(graph.degrees)
    nearer = swap_towards(plain, graph, RandomSource(1))
    assert np.array_equal(nearer.degrees, graph.degrees)
    wanted = edge_set(graph)
    assert len(edge_set(nearer) & wanted) >= len(edge_set(plain) & wanted)


def test_priority_keeps_more_edges_than_plain_construction():
    graph = public("jazz")
    order = by_degree(graph.degrees)
    targets = targets_for(graph.degrees, 5, "add", order).targets
    wanted = edge_set(graph)
    plain, liked = construct(targets), construct(targets, graph)
    swapped = swap_towards(liked, graph, RandomSource(1))
    shares = [len(edge_set(one) & wanted) / len(wanted) for one in (plain, liked, swapped)]
    assert shares[0] < shares[1] <= shares[2]
    assert np.array_equal(swapped.degrees, targets)
    assert level(swapped.degrees) >= 5
