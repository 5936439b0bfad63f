"""Neighborhood codes: networkx's isomorphism as the judge, and codes one can check by hand."""

from __future__ import annotations

import itertools

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from graphs import PEOPLE, graphs, lettered, named, partition, public, seven
from indistinct.errors import NoSolutionError
from indistinct.graph.fingerprints import neighborhood_fingerprints
from indistinct.graph.neighborhood_codes import component_code, neighborhood_code
from shared import examples


def code_of(graph, labels=None):
    """Return the code of a connected networkx graph whose nodes are 0..n-1."""
    links = {one: frozenset(graph[one]) for one in graph}
    names = [""] * len(graph) if labels is None else labels
    return component_code(frozenset(graph), links, names)


def plain(edges):
    return tuple((*edge, "", "") for edge in edges)


@pytest.mark.parametrize(
    ("graph", "edges"),
    [
        (nx.path_graph(2), [(0, 1)]),
        (nx.path_graph(4), [(0, 1), (1, 2), (2, 3)]),
        (nx.complete_graph(3), [(0, 1), (1, 2), (2, 0)]),
        (nx.star_graph(3), [(0, 1), (1, 2), (1, 3)]),
        (nx.cycle_graph(4), [(0, 1), (1, 2), (2, 3), (3, 0)]),
        (nx.complete_graph(4), [(0, 1), (1, 2), (2, 0), (2, 3), (3, 0), (3, 1)]),
    ],
)
def test_codes_by_hand(graph, edges):
    assert code_of(graph) == (len(graph), len(edges), plain(edges))


def test_labels_begin_the_code():
    """Of a path x - y - x the code begins at an x, of y - x - x at the x whose neighbor is an x."""
    assert code_of(nx.path_graph(3), ["x", "y", "x"])[2] == ((0, 1, "x", "y"), (1, 2, "y", "x"))
    assert code_of(nx.path_graph(3), ["y", "x", "x"])[2] == ((0, 1, "x", "x"), (1, 2, "x", "y"))


def least_of_all_traversals(graph):
    """Return the least code over all depth-first traversals, walked one by one."""

    def walks(order, path, used, code):
        if len(used) == graph.number_of_edges():
            yield tuple(code)
            return
        last = path[-1]
        back = [
            (order.index(other))
            for other in graph[order[last]]
            if other in order and frozenset((other, order[last])) not in used
        ]
        if back:
            place = min(back)
            edge = frozenset((order[place], order[last]))
            yield from walks(order, path, used | {edge}, [*code, (last, place)])
            return
        fresh = [other for other in graph[order[last]] if other not in order]
        if not fresh:
            yield from walks(order, path[:-1], used, code)
            return
        for other in fresh:
            edge = frozenset((other, order[last]))
            yield from walks(
                [*order, other], [*path, len(order)], used | {edge}, [*code, (last, len(order))]
            )

    def rank(code):
        return [(0, b) if a > b else (1, -a) for a, b in code]

    found = itertools.chain.from_iterable(walks([one], [0], frozenset(), []) for one in graph)
    return min(found, key=rank)


@examples(60)
@given(graphs(2, 6))
def test_the_code_is_the_least_of_all_traversals(graph):
    whole = graph.to_networkx()
    part = nx.convert_node_labels_to_integers(
        whole.subgraph(max(nx.connected_components(whole), key=len))
    )
    if part.number_of_edges():
        assert code_of(part)[2] == plain(least_of_all_traversals(part))


@examples(60)
@given(graphs(1, 8), st.booleans())
def test_codes_are_equal_just_for_isomorphic_neighborhoods(graph, labeled):
    labels = [vertex % 2 if labeled else 0 for vertex in range(graph.n_vertices)]
    codes = [neighborhood_code(graph, vertex, labels) for vertex in range(graph.n_vertices)]
    whole = graph.to_networkx()
    nx.set_node_attributes(whole, dict(enumerate(labels)), "label")
    same = nx.isomorphism.categorical_node_match("label", 0)
    for one, other in itertools.combinations(range(graph.n_vertices), 2):
        parts = (whole.subgraph(whole[vertex]) for vertex in (one, other))
        equal = labels[one] == labels[other] and nx.is_isomorphic(*parts, node_match=same)
        assert equal == (codes[one] == codes[other])


@settings(max_examples=30, deadline=None)
@given(graphs(2, 7), st.randoms(use_true_random=False))
def test_new_numbers_leave_the_code(graph, chance):
    order = list(range(graph.n_vertices))
    chance.shuffle(order)
    other = graph.relabeled(np.array(order, np.int64))
    for vertex in range(graph.n_vertices):
        assert neighborhood_code(graph, vertex) == neighborhood_code(other, order[vertex])


def test_codes_of_the_seven():
    """Ed, Fred and Grace each have two friends who are friends."""
    graph = seven()
    codes = {one: neighborhood_code(graph, vertex)[1] for vertex, one in enumerate(PEOPLE)}
    assert codes["E"] == ((2, 1, plain([(0, 1)])),)
    assert codes["A"] == ((3, 2, plain([(0, 1), (1, 2)])),)
    assert lettered(codes.values()) == {"A", "B", "C", "D", "EFG"}


@pytest.mark.parametrize("name", ["karate", "power"])
def test_codes_and_fingerprints_agree_on_public_networks(name):
    """On all vertices with at most 8 neighbors."""
    graph = public(name)
    members = [vertex for vertex in range(graph.n_vertices) if graph.degrees[vertex] <= 8]
    codes = neighborhood_fingerprints(graph).codes[members].tolist()
    assert partition(codes) == partition([neighborhood_code(graph, one) for one in members])


def test_too_many_equal_traversals_are_refused():
    with pytest.raises(NoSolutionError, match="12 neighbors"):
        neighborhood_code(named(nx.complete_graph(13)), 0)
