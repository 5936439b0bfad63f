"""Assessing a release: levels, disclosure, and what changed."""

from __future__ import annotations

import pytest

from graphs import edge_set, seven
from indistinct.errors import DataError, ParameterError
from indistinct.graph.anonymization import anonymize
from indistinct.graph.assessment import aligned, assess, read_crosswalk, unmet
from indistinct.graph.graph_files import read


def test_a_written_release_is_compared_through_its_crosswalk(tmp_path):
    release = anonymize(seven(), k=2, mode="add", seed=1)
    release.write(tmp_path / "out.csv", tmp_path / "walk.csv")
    written = read(tmp_path / "out.csv")
    walk = read_crosswalk(tmp_path / "walk.csv")
    assert edge_set(aligned(written, seven(), walk)) == edge_set(seven("AD"))
    document = assess(written, original=seven(), crosswalk=walk)
    assert document["levels"] == release.document["levels"]
    assert document["edges"]["kept"] == 1.0
    assert document["original"]["triangles"] == 5
    assert document["release"]["triangles"] == 7
    assert (document["original"]["core"], document["release"]["core"]) == (2, 3)
    assert set(document["ranks"]) == {"degree", "pagerank", "betweenness", "eigenvector"}
    assert document["communities"]["nmi"] >= 0
    assert document["cores"]["emd"] > 0


def test_a_crosswalk_of_something_else_is_refused(tmp_path):
    with pytest.raises(ParameterError, match="does not fit"):
        assess(seven(), original=seven(), crosswalk=[("A", "x")])
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    with pytest.raises(DataError, match="not a crosswalk"):
        read_crosswalk(tmp_path / "x.csv")


def test_requirements_are_checked():
    levels = {"degree": 2, "h2": 1, "h3": 1, "neighborhood": 2}
    assert unmet(["k>=2", "neighborhood >= 2"], levels) == []
    assert unmet(["k>=3", "h2>=2"], levels) == ["k>=3", "h2>=2"]
    with pytest.raises(ParameterError):
        unmet(["trust me"], levels)
