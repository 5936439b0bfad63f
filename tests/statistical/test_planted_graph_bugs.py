"""Planted bugs of the maker of graph releases, each caught by the verification."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

import indistinct.graph as door
from indistinct.graph import anonymization, certainty, k_degree, release
from indistinct.graph.certainty import merge_certain
from indistinct.graph.grouping import Grouping
from indistinct.graph.models.grouping import KGrouping


def network():
    return nx.relaxed_caveman_graph(16, 5, 0.2, seed=1)


def holds(folder, model, **words):
    """Publish and verify with everything that the owner has."""
    door.anonymize(network(), model, seed=1, **words).write(folder / "out.csv", folder / "x.csv")
    return door.verify(folder / "out.csv", original=network(), crosswalk=folder / "x.csv").holds


def a_release_over_another_holds(folder):
    assert holds(folder, "grouping", k=4)
    assert holds(folder, "k-degree", k=4)


def few_edges_are_certain(folder):
    assert holds(folder, "grouping", k=4, max_certain=0.01)


def every_model_holds(folder):
    for number, model in enumerate(("naive", "k-degree", "grouping")):
        (folder / str(number)).mkdir()
        assert holds(folder / str(number), model, k=4)


def same_numbers(graph, source):
    """Number the released vertices as the input does."""
    del source
    order = np.arange(graph.n_vertices)
    return graph.relabeled(order), order


def unshuffled_rows(right):
    """Write the edges the other way round."""

    def table(graph):
        header, *rows = right(graph).splitlines()
        return b"\n".join([header, *rows[::-1], b""])

    return table


def nothing_was_drawn(monkeypatch):
    """Publish the original in place of a drawn world."""
    right = KGrouping.anonymize

    def anonymize(model, graph, source):
        return replace(right(model, graph, source), graph=graph)

    monkeypatch.setattr(KGrouping, "anonymize", anonymize)


def merged_too_little(grouping, most):
    return merge_certain(grouping, 20 * most)


BUGS = {
    "numbers of the input": (
        lambda m: m.setattr(anonymization, "relabel", same_numbers),
        every_model_holds,
    ),
    "rows in another order": (
        lambda m: m.setattr(release, "edge_table", unshuffled_rows(release.edge_table)),
        every_model_holds,
    ),
    "companions left over": (
        lambda m: m.setattr(release, "left_over", lambda *_: set()),
        a_release_over_another_holds,
    ),
    "no world was drawn": (nothing_was_drawn, every_model_holds),
    "degrees as they were": (
        lambda m: m.setattr(
            k_degree,
            "anonymize_degrees",
            lambda graph, *_, **__: type(
                "Result", (), {"graph": graph, "cost": 0, "lower_bound": 0, "probes": 0}
            )(),
        ),
        every_model_holds,
    ),
    "certain edges left": (
        lambda m: m.setattr(certainty, "merge_certain", merged_too_little),
        few_edges_are_certain,
    ),
    "a size too large": (
        lambda m: m.setattr(Grouping, "smallest", property(lambda self: int(self.sizes.max()) + 1)),
        every_model_holds,
    ),
}
DETECTORS = list(dict.fromkeys(detector for _, detector in BUGS.values()))


@pytest.mark.parametrize("detector", DETECTORS, ids=lambda detector: detector.__name__)
def test_the_code_as_it_is_passes_every_detector(tmp_path, detector):
    detector(tmp_path)


@pytest.mark.parametrize("name", BUGS)
def test_every_planted_bug_is_caught(tmp_path, monkeypatch, name):
    plant, detector = BUGS[name]
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        detector(tmp_path)
