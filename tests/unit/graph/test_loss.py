"""Loss: the seven people before and after one more edge, and networkx as the judge."""

from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from graphs import graphs, public, seven
from indistinct.base.randomness import RandomSource
from indistinct.graph.edge_changes import edge_overlap
from indistinct.graph.fingerprints import degree_fingerprints
from indistinct.graph.loss import (
    core_distance,
    degree_distance,
    edge_disclosure,
    measure,
    two_hops,
)
from indistinct.graph.loss_kernels import core_numbers
from shared import examples

BEFORE = {
    "transitivity": 0.535714,
    "clustering": 0.723810,
    "triangles": 5,
    "path": 1.571429,
    "lambda_1": 3.448385,
    "mu_2": 1.076091,
    "diameter": 3,
    "efficiency": 0.746032,
}
AFTER = {
    "transitivity": 0.6,
    "clustering": 0.761905,
    "triangles": 7,
    "path": 1.523810,
    "lambda_1": 3.805518,
    "mu_2": 1.318669,
    "diameter": 3,
    "efficiency": 0.769841,
}


@pytest.mark.parametrize(("graph", "expected"), [(seven(), BEFORE), (seven("AD"), AFTER)])
def test_the_seven_before_and_after(graph, expected):
    found = measure(graph, RandomSource(1))
    for name, value in expected.items():
        assert math.isclose(found[name], value, abs_tol=1e-6), name


def test_degrees_and_edges_of_the_seven():
    before, after = seven(), seven("AD")
    assert math.isclose(degree_distance(before.degrees, after.degrees)["emd"], 2 / 7)
    overlap = edge_overlap(before, after)
    assert overlap["kept"] == 1
    assert math.isclose(overlap["jaccard"], 11 / 12)
    assert math.isclose(overlap["change"], 1 / 11)


def test_links_that_degrees_disclose():
    """Before: Alice and Cathy, Bob and Diane, and Cathy with both are certain."""
    found = edge_disclosure(seven(), degree_fingerprints(seven()).codes)
    assert found["largest"] == 1.0
    assert found["certain"] == 1 + 1 + 2
    grown = seven("AD")
    found = edge_disclosure(grown, degree_fingerprints(grown).codes)
    assert found["certain"] == 1 + 1 + 4


@examples(60)
@given(graphs(1, 9))
def test_networkx_agrees(graph):
    whole = graph.to_networkx()
    found = measure(graph, RandomSource(1))
    assert math.isclose(found["transitivity"], nx.transitivity(whole), abs_tol=1e-9)
    assert math.isclose(found["clustering"], nx.average_clustering(whole), abs_tol=1e-9)
    assert math.isclose(found["efficiency"], nx.global_efficiency(whole), abs_tol=1e-9)
    largest = np.linalg.eigvalsh(nx.to_numpy_array(whole))[-1] if graph.n_edges else 0.0
    assert math.isclose(found["lambda_1"], largest, abs_tol=1e-6)
    part = whole.subgraph(max(nx.connected_components(whole), key=len))
    if len(part) > 1:
        second = np.linalg.eigvalsh(nx.laplacian_matrix(part).toarray().astype(float))[1]
        assert any(
            math.isclose(
                found["mu_2"],
                np.linalg.eigvalsh(nx.laplacian_matrix(whole.subgraph(c)).toarray().astype(float))[
                    1
                ],
                abs_tol=1e-6,
            )
            for c in nx.connected_components(whole)
            if len(c) == len(part)
        ), second


def test_a_public_network_agrees_with_networkx():
    graph = public("jazz")
    whole = graph.to_networkx()
    found = measure(graph, RandomSource(1))
    assert math.isclose(found["transitivity"], nx.transitivity(whole))
    assert math.isclose(found["path"], nx.average_shortest_path_length(whole))
    assert found["diameter"] == nx.diameter(whole)
    assert math.isclose(
        found["assortativity"], nx.degree_assortativity_coefficient(whole), abs_tol=1e-9
    )


@examples(60)
@given(graphs(1, 12))
def test_cores_and_two_hops_are_their_definitions(graph):
    whole = graph.to_networkx()
    found = core_numbers(graph.starts, graph.neighbors)
    assert found.tolist() == list(nx.core_number(whole).values())
    least = sorted(graph.degrees.tolist())[-min(10, graph.n_vertices)]
    tops = [vertex for vertex in whole if whole.degree(vertex) >= least]
    near = [len(nx.single_source_shortest_path_length(whole, top, cutoff=2)) for top in tops]
    assert math.isclose(two_hops(graph), np.mean(near) / graph.n_vertices)


def test_cores_of_the_seven_and_of_a_public_network():
    """Without Alice's edge to Diane everybody lies in the 2-core, with it four in the 3-core."""
    assert core_numbers(seven().starts, seven().neighbors).tolist() == [2] * 7
    grown = core_numbers(seven("AD").starts, seven("AD").neighbors)
    assert grown.tolist() == [3, 3, 3, 3, 2, 2, 2]
    assert math.isclose(core_distance(seven(), seven("AD"))["emd"], 4 / 7)
    graph = public("FB")
    found = core_numbers(graph.starts, graph.neighbors)
    assert found.tolist() == list(nx.core_number(graph.to_networkx()).values())
