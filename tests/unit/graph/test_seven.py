"""The seven people by brute force: no smaller change, no better groups."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from graphs import PEOPLE, SEVEN_EDGES, level, seven
from indistinct.graph.fingerprints import neighborhood_fingerprints
from indistinct.graph.grouping import grouping_of

MISSING = sorted({"".join(pair) for pair in itertools.combinations(PEOPLE, 2)} - set(SEVEN_EDGES))


def degree_level(graph):
    return level(graph.degrees)


def neighborhood_level(graph):
    return neighborhood_fingerprints(graph).level


def fewest_additions(measure, k):
    """Give all smallest sets of new edges that reach level k."""
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
    """Give all partitions of some positions into groups of at least ``least``."""
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
    for partition in partitions(list(range(7)), least):
        groups = np.empty(7, np.int32)
        for number, members in enumerate(partition):
            groups[list(members)] = number
        words = " ".join(sorted("".join(PEOPLE[i] for i in members) for members in partition))
        found[words] = round(math.exp(grouping_of(seven(), groups).log_worlds))
    assert len(found) == count
    assert sorted(found.values())[: len(worlds)] == worlds
    assert all(found[words] == value for words, value in best.items())
