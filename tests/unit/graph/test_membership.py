"""Membership in a network: what is measured, by plain loops, and who is told from whom."""

import math
from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from graphs import seven
from indistinct.errors import ParameterError
from indistinct.graph.edges import from_networkx
from indistinct.graph.red_team import attack, distances, links_of


def plain_links(graph):
    """Describe each vertex by loops over sets of neighbors."""
    found = []
    for vertex in sorted(graph):
        friends = set(graph[vertex])
        around = sum(len(set(graph[friend])) for friend in friends)
        closed = sum(one in set(graph[other]) for one, other in combinations(friends, 2))
        found.append([math.log1p(number) for number in (len(friends), around, closed)])
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_links_and_distances_are_those_of_plain_loops(seed):
    graphs = [nx.gnp_random_graph(n, 0.3, seed=seed) for n in (9, 12)]
    targets, known = (np.array(plain_links(graph)) for graph in graphs)
    found = [links_of(from_networkx(graph)) for graph in graphs]
    assert np.allclose(found[0], targets)
    assert np.allclose(found[1], known)
    expected = [min(math.dist(one, other) for other in known) for one in targets]
    assert distances(found[0], found[1]) == pytest.approx(expected)


def test_a_vertex_without_links_has_zeros():
    graph = nx.path_graph(3)
    graph.add_node(3)
    assert links_of(from_networkx(graph))[3].tolist() == [0, 0, 0]


def test_members_of_a_naive_release_are_found_exactly_and_others_are_not():
    """Everybody's links differ from everybody else's: half of the people are in the release."""
    graph = from_networkx(nx.gnp_random_graph(200, 0.2, seed=3))
    found = attack(graph, attack="membership", trials=3, seed=1)
    assert found["true_positive_rate"] == 1
    assert found["false_positive_rate"] < 0.3
    assert found["auc"] > 0.9
    assert found["attempts"] == 3 * 100
    assert found["successes"] > 0.85 * found["attempts"]


def test_nobody_is_told_apart_where_all_have_the_same_links():
    """Nobody has a link, inside or outside."""
    found = attack(from_networkx(nx.empty_graph(40)), attack="membership", trials=2, seed=1)
    assert found["advantage"] == 0
    assert found["auc"] == 0.5
    assert found["rate"] == 0.5


def test_groups_tell_less_of_membership_than_a_naive_release():
    graph = from_networkx(nx.gnp_random_graph(120, 0.2, seed=3))
    naive = attack(graph, attack="membership", trials=2, seed=1)
    grouped = attack(graph, attack="membership", model="grouping", k=10, trials=2, seed=1)
    assert grouped["advantage"] < naive["advantage"] / 2


def test_a_run_repeats_with_its_seed():
    graph = from_networkx(nx.gnp_random_graph(40, 0.2, seed=3))
    assert attack(graph, attack="membership", trials=2, seed=4) == attack(
        graph, attack="membership", trials=2, seed=4
    )


def test_too_few_people_are_refused():
    with pytest.raises(ParameterError, match="fewer than 8"):
        attack(seven(), attack="membership", trials=1)
