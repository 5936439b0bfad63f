"""The seven people: every number that is told of them, and no smaller change or better groups."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from graphs import PEOPLE, SEVEN_EDGES, edge_set, lettered, level, partition, seven
from indistinct.graph.fingerprints import (
    degree_fingerprints,
    fingerprints,
    neighborhood_fingerprints,
    refined_fingerprints,
)
from indistinct.graph.grouping import grouping_of

MISSING = sorted({"".join(pair) for pair in itertools.combinations(PEOPLE, 2)} - set(SEVEN_EDGES))

# The degrees of each one's neighbors.
MULTISETS = {
    "A": (2, 4, 5),
    "B": (2, 3, 4, 5),
    "C": (2, 2, 3, 4, 4),
    "D": (2, 2, 4, 5),
    "E": (3, 4),
    "F": (4, 5),
    "G": (4, 5),
}
# Edges among each one's neighbors.
AMONG = {
    "A": {"BC", "BE"},
    "B": {"AC", "AE", "CD"},
    "C": {"AB", "BD", "DF", "DG"},
    "D": {"BC", "CF", "CG"},
    "E": {"AB"},
    "F": {"CD"},
    "G": {"CD"},
}
# Edges and vertex pairs between classes of equal degree; no others have any edge.
BETWEEN = {
    ("A", "BD"): (1, 2),
    ("A", "C"): (1, 1),
    ("A", "EFG"): (1, 3),
    ("BD", "BD"): (1, 1),
    ("BD", "C"): (2, 2),
    ("BD", "EFG"): (3, 6),
    ("C", "EFG"): (2, 3),
}
BETWEEN_GROWN = {
    ("AB", "AB"): (1, 1),
    ("AB", "CD"): (4, 4),
    ("CD", "CD"): (1, 1),
    ("AB", "EFG"): (2, 6),
    ("CD", "EFG"): (4, 6),
}


def words(edges):
    return {PEOPLE[one] + PEOPLE[other] for one, other in edges}


def in_groups(graph, groups):
    codes = np.array([[one in members for members in groups].index(True) for one in PEOPLE])
    return grouping_of(graph, codes.astype(np.int32))


def test_the_sentences_that_define_them():
    """Three and five friends are rare, two are not; Bob links Alice and Cathy."""
    graph = seven()
    assert graph.degrees.tolist() == [3, 4, 5, 4, 2, 2, 2]
    assert graph.degrees.sum() == 22
    friends = {one: {PEOPLE[i] for i in graph.row(PEOPLE.index(one)).tolist()} for one in PEOPLE}
    assert friends["A"] == {"B", "C", "E"}
    assert friends["A"] & friends["C"] == {"B"}
    assert "E" in friends["B"]


def test_degrees_of_neighbors():
    graph = seven()
    for vertex, one in enumerate(PEOPLE):
        assert tuple(sorted(graph.degrees[graph.row(vertex)].tolist())) == MULTISETS[one]
    equal = partition([MULTISETS[one] for one in PEOPLE])
    assert partition(refined_fingerprints(graph, 2).codes.tolist()) == equal


def test_edges_among_neighbors():
    graph = seven()
    for vertex, one in enumerate(PEOPLE):
        near = set(graph.row(vertex).tolist())
        assert words(e for e in edge_set(graph) if set(e) <= near) == AMONG[one]


def test_the_two_automorphisms_exchange_fred_and_grace():
    edges = edge_set(seven())
    found = [
        order
        for order in itertools.permutations(range(7))
        if all(tuple(sorted((order[a], order[b]))) in edges for a, b in edges)
    ]
    assert ["".join(PEOPLE[i] for i in order) for order in found] == ["ABCDEFG", "ABCDEGF"]
    orbits = [frozenset(order[i] for order in found) for i in range(7)]
    assert {"".join(PEOPLE[i] for i in sorted(one)) for one in orbits} == {
        *"ABCDE",
        "FG",
    }
    assert lettered(fingerprints(seven(), "h*").codes) == {*"ABCDE", "FG"}


@pytest.mark.parametrize(("graph", "between"), [(seven(), BETWEEN), (seven("AD"), BETWEEN_GROWN)])
def test_edges_between_classes_of_equal_degree(graph, between):
    codes = degree_fingerprints(graph).codes
    names = ["".join(PEOPLE[i] for i in np.flatnonzero(codes == c)) for c in range(codes.max() + 1)]
    linked = grouping_of(graph, codes)
    columns = linked.ones, linked.others, linked.counts, linked.places
    found = {
        tuple(sorted((names[one], names[other]))): (count, pairs)
        for one, other, count, pairs in zip(*map(np.ndarray.tolist, columns), strict=True)
    }
    assert found == between


def test_one_more_edge_gives_degrees_in_twos():
    assert seven("AD").degrees.tolist() == [4, 4, 5, 5, 2, 2, 2]


@pytest.mark.parametrize(
    ("groups", "worlds"),
    [
        (["ABCDEFG"], 352_716),
        (["A", "C", "BD", "EFG"], 360),
        (["ABE", "CD", "FG"], 20),
        (["AE", "BFG", "CD"], 60),
        (["ABE", "CDFG"], 1320),
    ],
)
def test_worlds_of_groups(groups, worlds):
    assert math.isclose(in_groups(seven(), groups).log_worlds, math.log(worlds))


def test_structural_loss_of_two_groups():
    """Nothing is open inside {A, B, E}; 5/3 inside {C, D, F, G}, 4.5 between."""
    grouping = in_groups(seven(), ["ABE", "CDFG"])
    assert np.allclose(sorted(grouping.structural_losses()), [0, 5 / 3, 4.5])
    assert math.isclose(grouping.structural_losses().sum(), 6.1667, abs_tol=1e-4)
    assert math.isclose(grouping.normalized_structural_loss, 0.5873, abs_tol=1e-4)


def degree_level(graph):
    return level(graph.degrees)


def neighborhood_level(graph):
    return neighborhood_fingerprints(graph).level


def fewest_additions(measure, k):
    """Return all smallest sets of new edges that reach level k."""
    for count in range(len(MISSING) + 1):
        found = [
            added for added in itertools.combinations(MISSING, count) if measure(seven(*added)) >= k
        ]
        if found:
            return found
    return []


@pytest.mark.parametrize(
    ("measure", "k", "edges", "ways"),
    [
        (degree_level, 2, 1, 1),
        (degree_level, 3, 5, 26),
        (degree_level, 7, 10, 1),
        (neighborhood_level, 2, 1, 1),
        (neighborhood_level, 3, 5, 1),
    ],
)
def test_fewest_additions(measure, k, edges, ways):
    found = fewest_additions(measure, k)
    assert len(found[0]) == edges
    assert len(found) == ways


def test_which_additions_they_are():
    assert fewest_additions(degree_level, 2) == [("AD",)]
    assert fewest_additions(neighborhood_level, 2) == [("AD",)]
    assert fewest_additions(neighborhood_level, 3) == [("AF", "AG", "DE", "EF", "EG")]


def partitions(members, least):
    """Return all partitions of some positions into groups of at least ``least``."""
    if not members:
        yield []
        return
    first, rest = members[0], members[1:]
    for size in range(least - 1, len(rest) + 1):
        for others in itertools.combinations(rest, size):
            left = [one for one in rest if one not in others]
            for more in partitions(left, least):
                yield [(first, *others), *more]


@pytest.mark.parametrize(
    ("least", "count", "best", "worlds"),
    [
        (2, 162, {"ABE CD FG": 20, "AE BFG CD": 60}, [20, 60]),
        (3, 36, {"ABE CDFG": 1320}, [1320]),
    ],
)
def test_the_best_of_all_groupings(least, count, best, worlds):
    found = {}
    for grouped in partitions(list(range(7)), least):
        groups = np.empty(7, np.int32)
        for number, members in enumerate(grouped):
            groups[list(members)] = number
        named = " ".join(sorted("".join(PEOPLE[i] for i in members) for members in grouped))
        found[named] = round(math.exp(grouping_of(seven(), groups).log_worlds))
    assert len(found) == count
    assert sorted(found.values())[: len(worlds)] == worlds
    assert all(found[named] == value for named, value in best.items())
