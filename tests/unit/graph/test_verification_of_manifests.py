"""Verification of what a manifest says: false, missing and mangled claims end in words."""

from __future__ import annotations

import networkx as nx
import pytest

from published import Published

LIES = [
    ("levels.degree", 5),
    ("levels.h2", 7),
    ("levels.h3", 7),
    ("levels.neighborhood", 9),
    ("vertices", 63),
    ("vertices", None),
    ("edges.output", 1),
    ("edges.kept", 3),
    ("edges.added", 99),
    ("edges.overlap", 0.5),
    ("edges", {}),
    ("edges", 3),
    ("levels", None),
    ("achieved", {"k": 9}),
    ("achieved", {}),
    ("required", {}),
    ("required", {"k": 1}),
    ("required", {"k": True}),
    ("required", {"k": 60}),
    ("required", []),
    ("k", 9),
    ("gap", 1000),
    ("model", "magic"),
    ("model", "naive"),
    ("model", "grouping"),
    ("model", ["k-degree"]),
    ("mode", "delete"),
    ("files", {}),
    ("files", {"out.csv": {"sha256": "0" * 64}}),
]


@pytest.mark.parametrize(("place", "value"), LIES)
def test_false_and_missing_claims_do_not_hold(tmp_path, place, value):
    """Whatever stands in the manifest ends in words, never in a traceback."""
    published = Published(tmp_path, mode="add")
    assert published.verify().holds is True
    published.say(place, value)
    assert published.verify().holds is False


GROUP_LIES = [
    ("certain_edges.count", 0),
    ("certain_edges", None),
    ("grouping.log_worlds", 1e6),
    ("grouping.smallest", 9),
    ("grouping.supernodes", {"classes": 1, "unique": 0}),
    ("levels.degree", 9),
    ("edges.kept", 5),
    ("required", {"k": 9}),
    ("required", {"k": 3, "max_certain": 0.0}),
]


@pytest.mark.parametrize(("place", "value"), GROUP_LIES)
def test_false_claims_of_groups_do_not_hold(tmp_path, place, value):
    published = Published(tmp_path, "grouping", graph=nx.relaxed_caveman_graph(8, 4, 0.1, seed=1))
    assert published.verify().holds is None
    published.say(place, value)
    assert published.verify().holds is False


def places(document, prefix=""):
    """Name every entry of nested documents, hashes of files apart."""
    for name, value in document.items():
        yield f"{prefix}{name}"
        if isinstance(value, dict) and name != "files":
            yield from places(value, f"{prefix}{name}.")


@pytest.mark.parametrize("model", ["k-degree", "grouping"])
@pytest.mark.parametrize("value", [None, {"x": [1]}, True])
def test_no_entry_of_a_manifest_ends_in_a_traceback(tmp_path, model, value):
    """Each entry in turn is something else; what the release shows contradicts most of them."""
    published = Published(tmp_path, model)
    whole = published.file(".manifest.json").read_text()
    believed = set()
    for place in places(published.manifest()):
        published.file(".manifest.json").write_text(whole)
        published.say(place, value)
        if published.verify(fully=True).holds is not False:
            believed.add(place)
    not_recomputed = {"indistinct", "mode", "cost", "realization", "probes", "lower_bound"}
    assert believed <= not_recomputed
