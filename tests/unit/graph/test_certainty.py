"""Certain edges: counted by their definition, reported, and bounded by merging groups."""

from __future__ import annotations

import itertools
import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from graphs import PEOPLE, edge_set, graphs, public, seven
from indistinct.base.randomness import RandomSource
from indistinct.errors import NoSolutionError, ParameterError
from indistinct.graph.anonymization import anonymize
from indistinct.graph.certainty import certainty, merge_certain, supernode_classes
from indistinct.graph.edges import from_networkx
from indistinct.graph.grouping import find_groups, grouping_of
from shared import examples


def grouped(words):
    codes = [[one in word for word in words.split()].index(True) for one in PEOPLE]
    return grouping_of(seven(), np.array(codes, np.int32))


def certain_by_definition(graph, groups):
    """Count the vertex pairs whose group pair has edges on all places, or on none."""
    edges = edge_set(graph)
    full = empty = 0
    for one, other in itertools.combinations(range(graph.n_vertices), 2):
        here = {groups[one], groups[other]}
        alike = [
            pair
            for pair in itertools.combinations(range(graph.n_vertices), 2)
            if {groups[pair[0]], groups[pair[1]]} == here
        ]
        found = sum(pair in edges for pair in alike)
        full += found == len(alike)
        empty += found == 0
    return full, empty


def test_certain_edges_of_the_seven():
    """ABE is a triangle, so its three edges are certain; nothing else is."""
    assert certainty(grouped("ABE CDFG")) == {
        "count": 3,
        "share": 3 / 11,
        "full_pairs": 1,
        "empty_pairs": 0,
        "non_edges": 0,
    }
    assert certainty(grouped("ABCDEFG"))["count"] == 0
    each = certainty(grouped("A B C D E F G"))
    assert (each["count"], each["share"], each["non_edges"]) == (11, 1.0, 10)


@examples(60)
@given(graphs(1, 7), st.data())
def test_certain_edges_are_those_of_the_definition(graph, data):
    size = graph.n_vertices
    drawn = data.draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
    groups = np.unique(drawn, return_inverse=True)[1].astype(np.int32)
    found = certainty(grouping_of(graph, groups))
    assert (found["count"], found["non_edges"]) == certain_by_definition(graph, groups)


@examples(60)
@given(graphs(4, 9), st.sampled_from([0.0, 0.1, 0.5]), st.integers(0, 50))
def test_merging_bounds_the_certain_edges(graph, most, seed):
    """Counted afresh; groups only grow, and only a complete graph has no way out."""
    groups = find_groups(graph, 2, RandomSource(seed), steps=200)
    grouping = grouping_of(graph, groups)
    size = graph.n_vertices
    if graph.n_edges == size * (size - 1) // 2:
        with pytest.raises(NoSolutionError):
            merge_certain(grouping, most)
        return
    merged = grouping_of(graph, merge_certain(grouping, most)[groups])
    assert certainty(merged)["share"] <= most
    assert merged.smallest >= grouping.smallest
    assert merged.counts.sum() == graph.n_edges
    assert merged.sizes.sum() == size


def test_nothing_is_merged_where_enough_is_open():
    grouping = grouped("ABCD EFG")
    assert merge_certain(grouping, 1.0).tolist() == [0, 1]


def test_classes_of_super_nodes():
    """In a ring of four pairs all look alike; among the seven no group looks like another."""
    ring = from_networkx(nx.cycle_graph(8))
    pairs = grouping_of(ring, np.arange(8, dtype=np.int32) // 2)
    assert supernode_classes(pairs) == {"classes": 1, "unique": 0}
    assert supernode_classes(grouped("ABE CD FG")) == {"classes": 3, "unique": 3}


def test_a_release_reports_and_bounds_what_is_certain():
    graph = nx.relaxed_caveman_graph(12, 6, 0.1, seed=1)
    free = anonymize(graph, "grouping", k=3, seed=1)
    assert free.document["certain_edges"]["share"] > 0.01
    assert free.document["required"] == {"k": 3}
    bound = anonymize(graph, "grouping", k=3, seed=1, max_certain=0.01)
    share = bound.document["certain_edges"]["share"]
    assert share <= 0.01
    assert certainty(bound.grouping)["share"] == share
    assert bound.document["required"] == {"k": 3, "max_certain": 0.01}
    assert bound.document["achieved"] == {"k": bound.grouping.smallest, "max_certain": share}
    assert bound.document["grouping"]["supernodes"]["classes"] >= 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"model": "grouping", "max_certain": 1.5},
        {"model": "grouping", "max_certain": -0.1},
        {"model": "grouping", "max_certain": math.nan},
        {"model": "k-degree", "max_certain": 0.01},
    ],
)
def test_the_share_is_checked(wrong):
    with pytest.raises(ParameterError, match="max_certain"):
        anonymize(seven(), k=2, **wrong)


def test_a_public_network_is_repaired():
    """Jazz at k = 3: almost half of the edges are certain, and then one in a hundred at most."""
    graph = public("jazz")
    grouping = grouping_of(graph, groups := find_groups(graph, 3, RandomSource(1)))
    assert certainty(grouping)["share"] > 0.3
    merged = grouping_of(graph, merge_certain(grouping, 0.01)[groups])
    assert certainty(merged)["share"] <= 0.01
    assert len(merged.sizes) > 20
