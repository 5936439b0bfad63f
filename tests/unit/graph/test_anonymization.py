"""The release: names gone, vertices numbered anew, counts and levels true of the written file."""

from __future__ import annotations

import csv
import json

import networkx as nx
import numpy as np
import pytest

import indistinct.graph as door
from graphs import seven
from indistinct.errors import OutputError, ParameterError
from indistinct.graph.anonymization import anonymize
from indistinct.graph.fingerprints import levels
from indistinct.graph.graph_files import read

MODELS = ["naive", "k-degree", "k-neighborhood", "grouping", "random-perturbation", "random-switch"]


def network():
    graph = nx.relabel_nodes(nx.barabasi_albert_graph(80, 3, seed=1), lambda node: f"p{node}")
    graph.add_nodes_from(f"alone{number}" for number in range(6))
    nx.set_node_attributes(graph, {node: f"job {len(node)}" for node in graph}, "job")
    return graph


def rows(path):
    with path.open() as file:
        return list(csv.reader(file))


@pytest.mark.parametrize("model", MODELS)
def test_every_model_writes_what_its_document_says(tmp_path, model):
    release = anonymize(network(), model, k=3, seed=1)
    release.write(tmp_path / "out.csv", tmp_path / "walk.csv")
    again = read(tmp_path / "out.csv")
    document = dict(release.document)
    manifest = json.loads((tmp_path / "out.csv.manifest.json").read_text())
    assert {name: manifest[name] for name in ("model", "levels", "vertices", "required")} == {
        name: document[name] for name in ("model", "levels", "vertices", "required")
    }
    assert rows(tmp_path / "out.csv")[0] == ["source", "target"]
    assert again.n_vertices == document["vertices"] == 86
    assert again.n_edges == document["edges"]["output"]
    counts = document["edges"]
    assert counts["output"] == counts["input"] + counts["added"] - counts["removed"]
    assert counts["kept"] == counts["input"] - counts["removed"]
    if model != "grouping":
        assert levels(again) == document["levels"]


@pytest.mark.parametrize("model", MODELS)
def test_no_name_and_no_unlisted_attribute_is_published(tmp_path, model):
    anonymize(network(), model, k=3, seed=1).write(tmp_path / "out.csv", tmp_path / "xw.csv")
    for file in tmp_path.glob("out*"):
        text = file.read_text()
        assert "alone" not in text
        assert "p1" not in text
        assert "job" not in text
    assert "alone" in (tmp_path / "xw.csv").read_text()


def test_the_naive_release_is_the_input_by_other_names(tmp_path):
    source = network()
    release = anonymize(source, "naive", seed=3, keep=["job"])
    release.write(tmp_path / "out.csv", tmp_path / "walk.csv")
    walk = {int(new): old for new, old in rows(tmp_path / "walk.csv")[1:]}
    published = {frozenset((walk[int(a)], walk[int(b)])) for a, b in rows(tmp_path / "out.csv")[1:]}
    assert published == {frozenset(edge) for edge in source.edges}
    again = read(tmp_path / "out.csv")
    for vertex in range(again.n_vertices):
        name = walk[again.id_of(vertex)]
        assert again.attributes["job"][vertex] == source.nodes[name]["job"]
    assert release.document["edges"]["overlap"] == 1.0


def test_new_numbers_are_random_and_a_seed_repeats_them():
    one, two, three = (anonymize(network(), "naive", seed=seed) for seed in (1, 1, 2))
    assert one.input_ids == two.input_ids != three.input_ids
    fresh = [anonymize(network(), "naive").input_ids for _ in range(2)]
    assert fresh[0] != fresh[1]


def test_new_numbers_are_uniform():
    """Chi-square of one vertex's number over 400 releases; false alarms below 1 in 1000."""
    counts = np.zeros(7)
    for seed in range(700):
        counts[anonymize(seven(), "naive", seed=seed).input_ids.index("C")] += 1
    assert ((counts - 100) ** 2 / 100).sum() < 22.46


@pytest.mark.parametrize("suffix", [".graph", ".graphml"])
def test_other_forms_hold_the_same_graph(tmp_path, suffix):
    release = anonymize(network(), "k-degree", k=3, seed=1, keep=["job"])
    release.write(tmp_path / f"out{suffix}")
    again = read(tmp_path / f"out{suffix}")
    assert nx.is_isomorphic(again.to_networkx(), release.graph.to_networkx())
    assert suffix == ".graph" or again.attributes == release.graph.attributes


def test_a_grouping_publishes_sizes_and_counts_only(tmp_path):
    release = anonymize(seven(), "grouping", k=3, seed=1)
    release.write(tmp_path / "out.csv")
    assert rows(tmp_path / "out.groups.csv")[0] == ["group", "size"]
    assert sum(int(size) for _, size in rows(tmp_path / "out.groups.csv")[1:]) == 7
    assert sum(int(count) for _, _, count in rows(tmp_path / "out.superedges.csv")[1:]) == 11
    assert set(release.document["levels"].values()) == {3}


@pytest.mark.parametrize(
    "wrong",
    [
        {"model": "magic"},
        {"model": "k-degree"},
        {"model": "k-degree", "k": 1},
        {"model": "k-degree", "k": 8},
        {"model": "k-degree", "k": 2, "mode": "sideways"},
        {"model": "naive", "keep": ["job"]},
        {"model": "naive", "seed": -1},
        {"k": 2, "max_loss": float("nan")},
        {"k": 2, "time_limit": -1},
        {"k": 2, "label_weight": -1},
        {"k": 2, "realization": "magic"},
        {"model": "random-switch", "share": 1.5},
        {"model": "random-perturbation", "share": float("nan")},
    ],
)
def test_wrong_words_and_numbers_are_refused(wrong):
    with pytest.raises(ParameterError):
        anonymize(seven(), **wrong)


def test_the_secret_file_is_never_the_published_one(tmp_path):
    release = anonymize(seven(), "naive")
    with pytest.raises(OutputError):
        release.write(tmp_path / "out.csv", tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())


def test_the_door_opens_lazily():
    assert set(door.__all__) <= set(dir(door))
    assert all(getattr(door, name) is not None for name in door.__all__)
    assert door.anonymize is anonymize
    with pytest.raises(AttributeError):
        _ = door.nothing
