"""k-degree anonymity: the level is reached with few edges, in each mode."""

from __future__ import annotations

import itertools

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from graphs import PEOPLE, edge_set, graphs, level, named, public, seven
from indistinct.base.randomness import RandomSource
from indistinct.errors import NoSolutionError, ParameterError
from indistinct.graph.degree_sequence import DegreeTargets, cheapest_cost
from indistinct.graph.k_degree import DegreeTask, anonymize_degrees, realize
from shared import examples

MODES = ("add", "delete", "mixed")


def test_one_edge_hides_everyone_among_the_seven():
    """The unique optimum is the edge between Alice and Diane."""
    result = anonymize_degrees(seven(), 2, "add", RandomSource(1))
    assert edge_set(result.graph) == edge_set(seven("AD"))
    assert (result.cost, result.lower_bound) == (2, 1)


@pytest.mark.parametrize(("k", "edges"), [(2, 1), (3, 5), (7, 10)])
def test_additions_among_the_seven_are_the_fewest(k, edges):
    result = anonymize_degrees(seven(), k, "add", RandomSource(1))
    assert result.graph.n_edges == 11 + edges
    assert level(result.graph.degrees) >= k


@examples(120)
@given(graphs(2, 9), st.data(), st.sampled_from(MODES), st.integers(0, 3))
def test_the_level_is_reached_and_the_mode_is_kept(graph, data, mode, seed):
    k = data.draw(st.integers(2, graph.n_vertices))
    try:
        result = anonymize_degrees(graph, k, mode, RandomSource(seed))
    except NoSolutionError:
        assume(False)
    before, after = edge_set(graph), edge_set(result.graph)
    assert level(result.graph.degrees) >= k
    assert result.graph.n_vertices == graph.n_vertices
    assert mode != "add" or before <= after
    assert mode != "delete" or after <= before
    change = int(np.abs(result.graph.degrees - graph.degrees).sum())
    assert change >= result.cost == cheapest_cost(graph.degrees, k, mode)
    assert len(before ^ after) >= result.lower_bound


@examples(60)
@given(graphs(2, 8), st.data())
def test_adding_always_ends(graph, data):
    """The complete graph is anonymous, so adding edges never fails."""
    k = data.draw(st.integers(2, graph.n_vertices))
    assert level(anonymize_degrees(graph, k, "add", RandomSource(1)).graph.degrees) >= k


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "graph",
    [
        nx.star_graph(9),
        nx.complete_graph(6),
        nx.cycle_graph(8),
        nx.empty_graph(5),
        nx.path_graph(9),
    ],
    ids=["star", "complete", "regular", "empty", "path"],
)
def test_special_graphs(graph, mode):
    given_graph = named(graph)
    result = anonymize_degrees(given_graph, 3, mode, RandomSource(1))
    assert level(result.graph.degrees) >= 3


@pytest.mark.parametrize("mode", MODES)
def test_an_anonymous_graph_stays_as_it_is(mode):
    graph = named(nx.cycle_graph(12))
    result = anonymize_degrees(graph, 5, mode, RandomSource(1))
    assert result.graph is graph
    assert result.cost == result.lower_bound == 0


def test_the_same_seed_gives_the_same_graph():
    graph = named(nx.gnm_random_graph(60, 150, seed=2))
    one, two = (anonymize_degrees(graph, 5, "mixed", RandomSource(7)).graph for _ in range(2))
    assert edge_set(one) == edge_set(two)


def test_a_k_above_the_number_of_vertices_is_refused():
    with pytest.raises(ParameterError, match="7 vertices"):
        anonymize_degrees(seven(), 8, "add", RandomSource(1))


@pytest.mark.parametrize(
    ("name", "mode", "k"),
    [*itertools.product(["power", "FB"], ["add", "mixed"], [5, 100]), ("jazz", "add", 10)],
)
def test_public_networks_reach_the_level(name, mode, k):
    graph = public(name)
    result = anonymize_degrees(graph, k, mode, RandomSource(1))
    assert level(result.graph.degrees) >= k


def test_the_mail_network_keeps_its_edges():
    """At k=5 at least 99.7 % of the edges stay."""
    graph = public("email-enron")
    result = anonymize_degrees(graph, 5, "mixed", RandomSource(1))
    sources, targets = graph.edges()
    assert result.graph.has_edges(sources, targets).mean() >= 0.997
    assert level(result.graph.degrees) >= 5


def test_greedy_targets_reach_the_level_too():
    graph = public("power")
    result = anonymize_degrees(graph, 25, "add", RandomSource(1), greedy=True)
    assert level(result.graph.degrees) >= 25
    assert edge_set(graph) <= edge_set(result.graph)


REALIZATIONS = ("supergraph", "probing", "construct", "priority")


@examples(60)
@given(graphs(2, 9), st.data(), st.sampled_from(REALIZATIONS))
def test_each_realization_reaches_the_level_or_refuses(graph, data, realization):
    """Probing never refuses; what only adds only adds."""
    k = data.draw(st.integers(2, graph.n_vertices))
    try:
        result = anonymize_degrees(graph, k, "mixed", RandomSource(1), realization=realization)
    except NoSolutionError:
        assert realization != "probing"
        return
    assert level(result.graph.degrees) >= k
    if realization in {"supergraph", "probing"}:
        assert edge_set(graph) <= edge_set(result.graph)


@pytest.mark.parametrize("realization", REALIZATIONS)
def test_each_realization_on_a_public_network(realization):
    graph = public("power")
    result = anonymize_degrees(graph, 25, "mixed", RandomSource(1), realization=realization)
    assert level(result.graph.degrees) >= 25
    sources, targets = graph.edges()
    assert result.graph.has_edges(sources, targets).mean() > 0.7


@pytest.mark.parametrize(("raised", "settled"), [("AD", True), ("AB", False)])
def test_two_who_are_friends_already_cannot_be_joined(raised, settled):
    """Alice and Diane can each get one more friend, each other; Alice and Bob cannot."""
    graph = seven()
    targets = graph.degrees.copy()
    targets[[PEOPLE.index(one) for one in raised]] += 1
    state = np.ones(1, np.uint64)
    task = DegreeTask(graph, 2, "add")
    changes = realize(task, DegreeTargets(targets, 2, 2), state, leaning=False)
    assert changes.settled == settled


def test_supergraph_refuses_a_star_and_probing_does_not():
    """Only the hub stands out, and nobody is left who could be linked to a leaf alone."""
    star = named(nx.star_graph(9))
    with pytest.raises(NoSolutionError, match="found no partner"):
        anonymize_degrees(star, 2, "add", RandomSource(1), realization="supergraph")
    result = anonymize_degrees(star, 2, "add", RandomSource(1), realization="probing")
    assert level(result.graph.degrees) >= 2


@pytest.mark.parametrize(
    ("realization", "mode"),
    [("magic", "mixed"), ("construct", "add"), ("priority", "delete"), ("supergraph", "delete")],
)
def test_a_realization_that_cannot_keep_to_the_mode_is_refused(realization, mode):
    with pytest.raises(ParameterError):
        anonymize_degrees(seven(), 2, mode, RandomSource(1), realization=realization)


@pytest.mark.parametrize(
    ("name", "k", "kept"), [("jazz", 10, 0.5), ("celegans_metabolic", 25, 0.4)]
)
def test_removal_alone_reaches_the_level_where_it_is_hard(name, k, kept):
    graph = public(name)
    result = anonymize_degrees(graph, k, "delete", RandomSource(1))
    assert level(result.graph.degrees) >= k
    assert edge_set(result.graph) <= edge_set(graph)
    assert result.graph.n_edges >= kept * graph.n_edges
    assert result.probes > 0
