"""Attacks: what is planted is found in naive releases, and knowledge names whom it should."""

from __future__ import annotations

import math

import numpy as np
import pytest

from graphs import PEOPLE, edge_set, public, seven
from indistinct.errors import ParameterError
from indistinct.graph.planted import linked_sets, plant
from indistinct.graph.red_team import attack, collusion_candidates, disclosed_edges, rated


@pytest.mark.parametrize("name", ["FB", "email-enron"])
def test_ten_planted_vertices_are_found_in_a_naive_release(name):
    """At least 95 % of 20 trials."""
    found = attack(public(name), attack="walk", trials=20, seed=1)
    assert found["rate"] >= 0.95
    assert found["targets_named"] >= 0.95


def test_heavy_perturbation_stops_the_search():
    """The counterpart: the same search fails where a third of the edges is random."""
    found = attack(
        public("FB"), attack="walk", model="random-perturbation", share=0.33, trials=5, seed=1
    )
    assert found["rate"] == 0.0


def test_grouping_stops_the_search():
    found = attack(public("jazz"), attack="walk", model="grouping", k=5, size=7, trials=2, seed=1)
    assert found["successes"] == 0


def test_planting_leaves_the_graph_and_gives_targets_their_own_sets():
    graph = public("power")
    planted, memory = plant(graph, 8, np.random.default_rng(1))
    assert edge_set(graph) <= edge_set(planted)
    assert planted.n_vertices == graph.n_vertices + 8
    assert planted.degrees[memory.vertices].tolist() == memory.degrees.tolist()
    sets = linked_sets(planted, memory.vertices)
    for chosen, target in memory.targets.items():
        assert [other for other, found in sets.items() if found == chosen] == [target]


def test_alice_and_cathy_together_find_bob_and_ed():
    graph = seven()
    alice, cathy = PEOPLE.index("A"), PEOPLE.index("C")
    found = collusion_candidates(graph, graph, np.arange(7), [alice, cathy])
    words = {PEOPLE[x]: "".join(PEOPLE[y] for y in sorted(c)) for x, c in found.items()}
    assert words == {"B": "B", "E": "E", "D": "DFG", "F": "DFG", "G": "DFG"}
    single = [next(iter(c)) for c in found.values() if len(c) == 1]
    assert disclosed_edges(graph, single) == {(PEOPLE.index("B"), PEOPLE.index("E"))}


def test_knowing_degrees_names_one_class_member_in_each_class():
    found = attack(seven(), attack="degree", trials=1, seed=1)
    assert math.isclose(found["rate"], 4 / 7)
    assert math.isclose(found["named"], 2 / 7)


def test_knowing_two_rounds_names_five_of_seven():
    found = attack(seven(), attack="refinement", trials=1, seed=1)
    assert math.isclose(found["named"], 5 / 7)


def test_one_more_edge_halves_what_degrees_tell():
    found = attack(seven(), attack="degree", model="k-degree", k=2, mode="add", trials=1, seed=1)
    assert found["named"] == 0.0


def test_a_coalition_finds_itself_in_a_naive_release():
    found = attack(public("FB"), attack="passive", trials=20, size=5, seed=1)
    assert found["successes"] > 0


def test_intervals_are_wilsons():
    assert np.allclose(rated(10, 20)["interval"], [0.2993, 0.7007], atol=1e-4)
    assert rated(0, 20)["interval"][0] == 0.0
    assert math.isclose(rated(0, 20)["interval"][1], 0.1611, abs_tol=1e-4)


def test_a_seed_repeats_an_attack():
    runs = [attack(public("karate"), attack="collusion", trials=3, seed=5) for _ in range(2)]
    assert runs[0] == runs[1]


@pytest.mark.parametrize(
    "wrong",
    [{"attack": "magic"}, {"trials": 0}, {"size": 1}, {"model": "k-degree"}],
)
def test_wrong_words_are_refused(wrong):
    with pytest.raises(ParameterError):
        attack(seven(), **wrong)


def test_a_graph_too_small_to_hide_in_is_refused():
    with pytest.raises(ParameterError, match="planted vertices need"):
        plant(seven(), 10, np.random.default_rng(1))
