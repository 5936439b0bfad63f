"""Fingerprints: classes of the seven people, of public networks, and against plain definitions."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, strategies as st

from graphs import graphs, lettered, named, partition, public, seven
from indistinct.errors import ParameterError
from indistinct.graph.fingerprints import (
    degree_fingerprints,
    fingerprints,
    levels,
    neighborhood_fingerprints,
    refined_fingerprints,
    stable_fingerprints,
)
from shared import examples

CLASSES = {
    "karate": ((11, 27, 27, 27), (17.65, 67.65, 67.65, 67.65), 20, 47.06, 70.59),
    "lesmis": ((18, 52, 52, 52), (7.79, 54.55, 54.55, 54.55), 36, 35.06, 46.75),
    "jazz": ((62, 191, 191, 191), (6.57, 92.93, 92.93, 92.93), 182, 85.86, 97.47),
    "celegans_metabolic": ((40, 378, 400, 405), (3.97, 73.51, 80.57, 82.34), 172, 28.92, 41.5),
    "email-Eu-core": ((140, 948, 962, 962), (4.77, 93.61, 95.84, 95.84), 786, 76.98, 81.34),
    "polblogs": ((145, 1147, 1167, 1167), (2.82, 74.56, 76.78, 76.78), 831, 53.02, 57.72),
    "FB": ((227, 3853, 3865, 3865), (0.74, 93.19, 93.71, 93.71), 3385, 81.23, 85.84),
    "power": ((16, 1010, 3451, 4307), (0.04, 13.76, 59.68, 78.77), 150, 1.78, 3.18),
    "ca-GrQc": ((65, 2353, 3318, 3381), (0.32, 35.62, 51.0, 52.43), 856, 13.13, 18.36),
    "hep-th": ((40, 3275, 5068, 5206), (0.08, 32.39, 50.95, 52.72), 1085, 10.5, 14.1),
    "email-enron": ((334, 19024, 20393, 20417), (0.35, 43.97, 46.44, 46.52), 7393, 18.71, 21.11),
}


def test_the_seven_people_by_degree_and_refinement():
    graph = seven()
    assert graph.degrees.tolist() == [3, 4, 5, 4, 2, 2, 2]
    assert lettered(degree_fingerprints(graph).codes) == {"A", "BD", "C", "EFG"}
    for rounds in (2, 3, 4):
        codes = refined_fingerprints(graph, rounds).codes
        assert lettered(codes) == {"A", "B", "C", "D", "E", "FG"}
    assert lettered(stable_fingerprints(graph).codes) == {"A", "B", "C", "D", "E", "FG"}
    assert lettered(neighborhood_fingerprints(graph).codes) == {"A", "B", "C", "D", "EFG"}


def test_one_more_edge_leaves_ed_alone_against_two_rounds():
    graph = seven("AD")
    assert lettered(refined_fingerprints(graph, 2).codes) == {"AB", "CD", "E", "FG"}
    assert levels(graph) == {"degree": 2, "h2": 1, "h3": 1, "neighborhood": 2}


@pytest.mark.parametrize("name", CLASSES)
def test_public_networks_have_the_published_classes(name):
    graph = public(name)
    counts, unique, neighborhoods, alone, small = CLASSES[name]
    refined = [refined_fingerprints(graph, rounds) for rounds in (1, 2, 3, 4)]
    assert tuple(one.n_classes for one in refined) == counts
    assert tuple(round(100 * one.unique_share, 2) for one in refined) == unique
    found = neighborhood_fingerprints(graph)
    assert found.undecided == 0
    assert found.n_classes == neighborhoods
    assert round(100 * found.unique_share, 2) == alone
    assert round(100 * found.below(5) / graph.n_vertices, 2) == small


def plain_refinement(graph, rounds):
    colors = [()] * graph.n_vertices
    for _ in range(rounds):
        colors = [
            tuple(sorted(colors[other] for other in graph.row(vertex)))
            for vertex in range(graph.n_vertices)
        ]
    return colors


@examples(80)
@given(graphs(1, 9))
def test_refinement_is_its_definition_and_only_ever_splits(graph):
    coarser = 0
    for rounds in range(4):
        found = refined_fingerprints(graph, rounds)
        assert partition(found.codes) == partition(plain_refinement(graph, rounds))
        assert found.n_classes >= coarser
        coarser = found.n_classes


@examples(60)
@given(graphs(1, 9), st.booleans())
def test_neighborhood_classes_are_isomorphism_classes(graph, labeled):
    labels = [vertex % 2 if labeled else 0 for vertex in range(graph.n_vertices)]
    codes = neighborhood_fingerprints(graph, labels).codes
    whole = graph.to_networkx()
    nx.set_node_attributes(whole, dict(enumerate(labels)), "label")
    same_label = nx.isomorphism.categorical_node_match("label", 0)
    for one in range(graph.n_vertices):
        for other in range(one):
            parts = (whole.subgraph(whole[vertex]) for vertex in (one, other))
            equal = labels[one] == labels[other] and nx.is_isomorphic(*parts, node_match=same_label)
            assert equal == (codes[one] == codes[other])


@pytest.mark.parametrize(
    "pair",
    [
        (nx.cycle_graph(6), nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))),
        (nx.circular_ladder_graph(4), nx.moebius_kantor_graph().subgraph(range(8)).copy()),
        (nx.line_graph(nx.complete_bipartite_graph(4, 4)), nx.Graph([(0, 1)])),
    ],
)
def test_neighborhoods_that_refinement_confuses_are_told_apart(pair):
    """Two hubs over regular graphs of one size have neighborhoods that only matching separates."""
    graph = nx.Graph()
    for side, inner in enumerate(pair):
        graph.add_edges_from(((side, a), (side, b)) for a, b in inner.edges)
        graph.add_edges_from(((side, "hub"), (side, a)) for a in inner)
    found = named(graph)
    hubs = [found.ids.index((side, "hub")) for side in (0, 1)]
    codes = neighborhood_fingerprints(found).codes
    assert (codes[hubs[0]] == codes[hubs[1]]) == nx.is_isomorphic(*pair)


def test_rook_and_shrikhande_neighborhoods_differ():
    """Strongly regular graphs with equal parameters: refinement sees no difference at all."""
    rook = nx.line_graph(nx.complete_bipartite_graph(4, 4))
    steps = [(0, 1), (1, 0), (1, 1)]
    torus = [(i, j) for i in range(4) for j in range(4)]
    shrikhande = nx.Graph(((i, j), ((i + a) % 4, (j + b) % 4)) for i, j in torus for a, b in steps)
    graph = nx.disjoint_union(rook, shrikhande)
    graph.add_edges_from((32, vertex) for vertex in range(16))
    graph.add_edges_from((33, vertex) for vertex in range(16, 32))
    codes = neighborhood_fingerprints(named(graph)).codes
    assert codes[32] != codes[33]


def test_labels_split_classes():
    found = neighborhood_fingerprints(seven(), list("xxxxyxx"))
    assert lettered(found.codes) == {"A", "B", "C", "D", "E", "FG"}


def test_a_comparison_that_takes_too_long_counts_as_different_and_is_told():
    graph = named(nx.disjoint_union(nx.wheel_graph(12), nx.wheel_graph(12)))
    found = neighborhood_fingerprints(graph, most_pairs=3)
    assert found.undecided > 0
    assert found.level == 1


def test_unknown_knowledge_is_refused():
    with pytest.raises(ParameterError):
        fingerprints(seven(), "gossip")


def test_expected_success_is_classes_per_vertex():
    assert np.isclose(degree_fingerprints(seven()).expected_success, 4 / 7)


@examples(60)
@given(graphs(1, 9))
def test_levels_found_early_are_the_levels(graph):
    found = levels(graph)
    assert found["neighborhood"] == neighborhood_fingerprints(graph).level
    assert found["h3"] == refined_fingerprints(graph, 3).level


def test_candidates_of_the_seven_by_degree():
    """Alice and Cathy stand alone; Bob and Diane have two candidates, the others three."""
    assert degree_fingerprints(seven()).histogram() == {"1": 2, "2-4": 5}


@examples(60)
@given(graphs(1, 12))
def test_every_vertex_has_its_place_in_the_histogram(graph):
    found = degree_fingerprints(graph)
    sizes = found.sizes[found.codes]
    counts = found.histogram()
    assert sum(counts.values()) == graph.n_vertices
    assert counts.get("1", 0) == (sizes == 1).sum()
    assert counts.get("5-9", 0) == ((sizes >= 5) & (sizes <= 9)).sum()
