"""Random perturbation: counts and degrees that must stay do stay."""

from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st

from graphs import edge_set, graphs, public
from indistinct.base.randomness import RandomSource
from indistinct.graph.perturbation import perturb, switch
from shared import examples

SHARES = st.floats(0, 1)


@examples(60)
@given(graphs(1, 9), SHARES, st.integers(0, 9))
def test_replacing_edges_keeps_their_number(graph, share, seed):
    after = perturb(graph, share, RandomSource(seed))
    assert after.n_edges == graph.n_edges
    spare = graph.n_vertices * (graph.n_vertices - 1) // 2 - graph.n_edges
    assert len(edge_set(graph) - edge_set(after)) == min(round(share * graph.n_edges), spare)


@examples(60)
@given(graphs(1, 9), SHARES, st.integers(0, 9))
def test_switching_keeps_every_degree(graph, share, seed):
    after = switch(graph, share, RandomSource(seed))
    assert np.array_equal(after.degrees, graph.degrees)


def test_a_tenth_of_the_edges_is_swapped():
    graph = public("power")
    after = switch(graph, 0.1, RandomSource(1))
    gone = len(edge_set(graph) - edge_set(after))
    assert 0.95 * 659 <= gone <= 660
    assert np.array_equal(after.degrees, graph.degrees)
