"""Verification of graph releases: honest ones hold, and every lie that was thought of does not."""

from __future__ import annotations

import json

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

import indistinct.graph as door
from graphs import edge_set, graphs, public
from indistinct.errors import DataError
from indistinct.graph.fingerprints import levels
from indistinct.graph.verification import verify
from indistinct.graph.verification.levels import (
    Level,
    degree_levels,
    isomorphic,
    neighborhood_level,
)
from indistinct.graph.verification.order import clusters, follows
from published import Published
from shared import examples

MODELS = ["naive", "k-degree", "k-neighborhood", "grouping", "random-perturbation", "random-switch"]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", ["out.csv", "out.graph", "out.graphml"])
def test_honest_releases_hold(tmp_path, model, name):
    """From the file alone; a grouping with the original and the crosswalk."""
    published = Published(tmp_path, model, name)
    alone, fully = published.verify(), published.verify(fully=True)
    assert not alone.faults
    assert not fully.faults
    assert alone.holds is (None if model == "grouping" else True)
    assert fully.holds is True
    assert fully.document()["verdict"] == "holds"
    assert fully.document()["vertices"] == 64


@pytest.mark.parametrize("mode", ["add", "delete", "mixed"])
def test_honest_modes_hold(tmp_path, mode):
    assert Published(tmp_path, mode=mode).verify(fully=True).holds is True


def test_attributes_and_labels_hold(tmp_path):
    published = Published(
        tmp_path, "k-neighborhood", k=2, labels="job", keep=["job"], max_loss=20.0, mode="delete"
    )
    result = published.verify(fully=True)
    assert result.holds is True
    assert any("attributes" in note for note in result.notes)


def test_a_bounded_grouping_holds(tmp_path):
    graph = nx.relaxed_caveman_graph(10, 5, 0.1, seed=1)
    published = Published(tmp_path, "grouping", graph=graph, max_certain=0.01)
    result = published.verify(fully=True)
    assert result.holds is True
    assert result.found["certain_edges"]["share"] <= 0.01


@settings(max_examples=25, deadline=None)
@given(graph=graphs(2, 9))
def test_small_honest_releases_hold(tmp_path_factory, graph):
    for model in ("naive", "grouping", "k-degree"):
        folder = tmp_path_factory.mktemp("small")
        published = Published(folder, model, graph=graph, k=2)
        assert published.verify(fully=True).holds is True


@examples(80)
@given(graphs(1, 8))
def test_levels_are_those_of_the_maker(graph):
    """Two codes that share nothing agree on every small graph."""
    rows = [set(graph.row(vertex).tolist()) for vertex in range(graph.n_vertices)]
    found = {**degree_levels(rows), "neighborhood": neighborhood_level(rows).exact}
    assert found == levels(graph)


def test_neighborhoods_of_equal_colors_are_told_apart():
    """Two triangles and a ring of six look alike to refinement; only the search tells them."""
    rings = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
    graph = nx.Graph()
    for number, inner in enumerate([rings, nx.cycle_graph(6), nx.cycle_graph(6)]):
        named = nx.relabel_nodes(inner, lambda node, number=number: (number, node))
        graph.add_edges_from(named.edges)
        graph.add_edges_from(((number, "hub"), node) for node in named)
    names = {node: place for place, node in enumerate(graph)}
    rows = [{names[near] for near in graph[node]} for node in graph]
    assert neighborhood_level(rows) == Level(1, 1)
    assert isomorphic({}, {}, {}, {})


def test_levels_of_public_networks():
    for name in ("karate", "lesmis", "power"):
        graph = public(name)
        rows = [set(graph.row(vertex).tolist()) for vertex in range(graph.n_vertices)]
        assert {**degree_levels(rows), "neighborhood": neighborhood_level(rows).exact} == levels(
            graph
        )


def test_a_naive_release_beside_groups_of_another_does_not_hold(tmp_path):
    """The reproduced hole: companions of a grouping, and an edge list that hides nothing."""
    Published(tmp_path, "grouping")
    kept = {f: (tmp_path / f"out{f}").read_bytes() for f in (".groups.csv", ".superedges.csv")}
    published = Published(tmp_path, "naive")
    for suffix, content in kept.items():
        published.file(suffix).write_bytes(content)
    result = published.verify()
    assert result.holds is False
    assert {fault.place for fault in result.faults} == {"out.groups.csv", "out.superedges.csv"}


def test_an_original_that_is_called_a_drawn_world_does_not_hold(tmp_path):
    """From the files alone it stays undecided; the owner's side shows it."""
    graph = nx.barabasi_albert_graph(60, 3, seed=1)
    published = Published(tmp_path, "grouping", graph=graph, k=5)
    links = published.links()[1:]
    new = {int(given): int(output) for output, given, _ in links}
    pairs = sorted(tuple(sorted((new[one], new[other]))) for one, other in graph.edges)
    published.put([("source", "target"), *pairs])
    assert published.verify().holds is None
    result = published.verify(fully=True)
    assert result.holds is False
    assert any("resemble the original" in fault.problem for fault in result.faults)


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: [["from", "to"], *rows[1:]],
        lambda rows: [rows[0], *rows[1:][::-1]],
        lambda rows: [rows[0], *[row[::-1] for row in rows[1:]]],
        lambda rows: [*rows, rows[-1]],
        lambda rows: [rows[0], ["0", "0"], *rows[1:]],
        lambda rows: [rows[0], ["00", rows[1][1]], *rows[2:]],
        lambda rows: [[*rows[0], "name"], *[[*row, "ann"] for row in rows[1:]]],
        lambda rows: [*rows[:-1], [rows[-1][0], "5000"]],
        lambda rows: rows[:-1],
        lambda rows: [rows[0], *rows[1:20], ["ann", "bob"], *rows[20:]],
    ],
)
def test_edge_lists_of_another_form_do_not_hold(tmp_path, change):
    published = Published(tmp_path)
    published.put(change(published.rows()))
    assert published.verify().holds is False


@pytest.mark.parametrize(
    ("suffix", "change"),
    [
        (".groups.csv", lambda rows: [*rows[:-1], [rows[-1][0], "99"]]),
        (".groups.csv", lambda rows: [rows[0], *rows[1:][::-1]]),
        (".groups.csv", lambda rows: [*rows, [str(len(rows) - 1), "0"]]),
        (".superedges.csv", lambda rows: rows[:-1]),
        (".superedges.csv", lambda rows: [*rows[:-1], [*rows[-1][:2], "5000"]]),
        (".superedges.csv", lambda rows: [*rows, ["0", "900", "1"]]),
        (".superedges.csv", lambda rows: [rows[0], *rows[1:][::-1]]),
        (".vertices.csv", lambda rows: [rows[0], *rows[1:][::-1]]),
        (".vertices.csv", lambda rows: [["name"], *rows[1:]]),
        (".vertices.csv", lambda rows: rows[:-2]),
    ],
)
def test_companions_of_another_form_do_not_hold(tmp_path, suffix, change):
    published = Published(tmp_path, "grouping")
    if not published.file(suffix).exists():
        pytest.skip("no vertex is isolated in this world")
    published.put(change(published.rows(suffix)), suffix)
    assert published.verify().holds is False


def renumbered(published, order):
    """Return the vertices new numbers: vertex v becomes order[v]; the crosswalk follows."""
    pairs = [sorted((order[int(one)], order[int(other)])) for one, other in published.rows()[1:]]
    published.put([("source", "target"), *sorted(pairs)])
    links = published.links()
    moved = sorted((order[int(row[0])], *row[1:]) for row in links[1:])
    published.secret.write_text(
        "".join(",".join(map(str, row)) + "\n" for row in [links[0], *moved])
    )


def test_numbers_in_the_order_of_the_degrees_do_not_hold(tmp_path):
    graph = nx.barabasi_albert_graph(80, 2, seed=1)
    published = Published(tmp_path, "naive", graph=graph)
    degrees = np.zeros(80)
    for one, other in published.rows()[1:]:
        degrees[[int(one), int(other)]] += 1
    renumbered(published, np.argsort(np.argsort(degrees, kind="stable")).tolist())
    assert any("degrees" in fault.problem for fault in published.verify().faults)


def test_numbers_in_the_order_of_the_original_do_not_hold(tmp_path):
    graph = nx.gnm_random_graph(40, 200, seed=1)
    published = Published(tmp_path, "naive", graph=graph)
    links = published.links()[1:]
    renumbered(published, [int(given) for _, given in links])
    assert published.verify().holds is True
    assert any("original" in fault.problem for fault in published.verify(fully=True).faults)


def test_numbers_along_the_edges_do_not_hold():
    """A ring numbered along itself; shuffled numbers pass, in a dense part beside loners, too."""
    ring = {(min(i, (i + 1) % 2000), max(i, (i + 1) % 2000)) for i in range(2000)}
    assert clusters(ring, 2000)
    half = {(i, j) for j in range(60) for i in range(j)}
    for seed in range(200):
        order = np.random.default_rng(seed).permutation(120)
        pairs = {tuple(sorted((int(order[i]), int(order[j])))) for i, j in half}
        assert not clusters(pairs, 120)
        assert not follows(order.tolist())
    assert follows(list(range(20)))
    assert follows(list(range(20))[::-1])


def test_the_wrong_original_or_crosswalk_does_not_hold(tmp_path):
    published = Published(tmp_path)
    other = nx.relabel_nodes(nx.gnm_random_graph(64, 124, seed=9), lambda node: f"p{node}")
    assert verify(published.path, original=other).holds is False
    assert verify(published.path, original=other, crosswalk=published.secret).holds is False
    rows = published.links()
    rows[1][1] = rows[2][1]
    published.secret.write_text("".join(",".join(row) + "\n" for row in rows))
    assert published.verify(fully=True).holds is False


def test_changed_attributes_do_not_hold(tmp_path):
    published = Published(tmp_path, "naive", keep=["job"])
    assert published.verify(fully=True).holds is True
    rows = published.rows(".vertices.csv")
    published.put([rows[0], [rows[1][0], "another"], *rows[2:]], ".vertices.csv")
    assert published.verify(fully=True).holds is False


def test_a_grouping_without_the_groups_of_its_vertices_is_undecided(tmp_path):
    published = Published(tmp_path, "grouping")
    rows = published.links()
    published.secret.write_text("".join(",".join(row[:2]) + "\n" for row in rows))
    result = published.verify(fully=True)
    assert result.holds is None
    assert result.document()["holds"] is None
    assert verify(published.path, original=published.graph).holds is None


def test_groups_that_are_not_those_of_the_original_do_not_hold(tmp_path):
    published = Published(tmp_path, "grouping")
    rows = published.links()
    group = [row[2] for row in rows[1:]]
    mixed = [rows[0], *[[*row[:2], one] for row, one in zip(rows[1:], group[::-1], strict=True)]]
    published.secret.write_text("".join(",".join(row) + "\n" for row in mixed))
    assert published.verify(fully=True).holds is False


def test_what_cannot_be_read_is_refused_in_words(tmp_path):
    published = Published(tmp_path)
    with pytest.raises(DataError):
        verify(tmp_path / "nothing.csv")
    with pytest.raises(DataError, match="not a crosswalk"):
        verify(published.path, original=published.graph, crosswalk=published.path)
    published.file(".manifest.json").write_text("{")
    with pytest.raises(DataError, match="JSON"):
        published.verify()
    published.file(".manifest.json").unlink()
    with pytest.raises(DataError, match="promises"):
        published.verify()


def test_verification_is_public():
    assert door.verify is verify
    assert {"verify", "sample_worlds", "write_worlds"} <= set(door.__all__)


def test_no_id_of_the_original_is_in_a_reason(tmp_path):
    published = Published(tmp_path)
    other = nx.relabel_nodes(nx.gnm_random_graph(64, 124, seed=9), lambda node: f"marker{node}")
    document = json.dumps(
        verify(published.path, original=other, crosswalk=published.secret).document()
    )
    assert "marker" not in document
    assert "alone" not in document
    assert edge_set(door.read(published.path))
