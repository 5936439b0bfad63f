"""The files of a release: named with their hashes, nothing left over, nothing of others removed."""

from __future__ import annotations

import hashlib
import json
import stat

import networkx as nx
import pytest

from graphs import seven
from indistinct.errors import DataError, OutputError, ParameterError
from indistinct.graph.anonymization import anonymize
from indistinct.graph.assessment import assess, read_crosswalk
from indistinct.graph.graph_files import read
from indistinct.graph.worlds import grouping_of_release, sample_worlds, write_worlds


def by_groups():
    return anonymize(nx.barabasi_albert_graph(30, 2, seed=1), "grouping", k=5, seed=1)


def without_changes():
    return anonymize(nx.barabasi_albert_graph(30, 2, seed=1), "naive", seed=1)


def names(folder):
    return sorted(file.name for file in folder.iterdir())


@pytest.mark.parametrize("name", ["out.csv", "out.graph", "out.graphml", "out.txt"])
def test_the_manifest_names_every_file_with_its_hash(tmp_path, name):
    graph = nx.barabasi_albert_graph(30, 2, seed=1)
    graph.add_nodes_from([100, 101], job="cook")
    for release in (
        anonymize(graph, "grouping", k=5, seed=1),
        anonymize(graph, "naive", seed=1, keep=["job"]),
    ):
        release.write(tmp_path / name, tmp_path / "crosswalk.csv")
        manifest = json.loads((tmp_path / f"{name}.manifest.json").read_text())
        expected = {
            file.name: {"sha256": hashlib.sha256(file.read_bytes()).hexdigest()}
            for file in tmp_path.iterdir()
            if file.name not in {f"{name}.manifest.json", "crosswalk.csv"}
        }
        assert manifest["files"] == expected
        assert read(tmp_path / name).n_vertices == 32


def test_companions_of_an_older_release_go_with_it(tmp_path):
    """A naive release is not called a grouping because one stood at its path."""
    by_groups().write(tmp_path / "out.csv")
    assert "out.groups.csv" in names(tmp_path)
    without_changes().write(tmp_path / "out.csv")
    assert names(tmp_path) == ["out.csv", "out.csv.manifest.json"]
    assert assess(tmp_path / "out.csv")["levels"]["h2"] == 1


def test_an_older_manifest_goes_when_the_new_one_has_another_place(tmp_path):
    by_groups().write(tmp_path / "out.csv")
    without_changes().write(tmp_path / "out.csv", manifest=tmp_path / "m.json")
    assert names(tmp_path) == ["m.json", "out.csv"]


def test_files_of_others_are_never_removed(tmp_path):
    """A list of vertices that no release wrote stays; the release goes nowhere."""
    mine = tmp_path / "out.vertices.csv"
    mine.write_text("id\n0\n")
    with pytest.raises(OutputError, match=r"out\.vertices\.csv"):
        without_changes().write(tmp_path / "out.csv")
    assert names(tmp_path) == ["out.vertices.csv"]
    mine.unlink()
    by_groups().write(tmp_path / "out.csv")
    changed = tmp_path / "out.groups.csv"
    changed.write_text("group,size\n0,30\n")
    with pytest.raises(OutputError, match=r"out\.groups\.csv"):
        without_changes().write(tmp_path / "out.csv")
    assert changed.read_text() == "group,size\n0,30\n"


@pytest.mark.parametrize("suffix", [".groups.csv", ".superedges.csv", ".vertices.csv"])
def test_assess_refuses_what_the_manifest_does_not_name(tmp_path, suffix):
    without_changes().write(tmp_path / "out.csv")
    (tmp_path / f"out{suffix}").write_text("group,size\n0,30\n")
    with pytest.raises(DataError, match="not listed in its manifest"):
        assess(tmp_path / "out.csv")


def test_assess_refuses_groups_without_a_manifest(tmp_path):
    by_groups().write(tmp_path / "out.csv")
    (tmp_path / "out.csv.manifest.json").rename(tmp_path / "m.json")
    with pytest.raises(DataError, match="no manifest lists it"):
        assess(tmp_path / "out.csv")
    assert assess(tmp_path / "out.csv", manifest=tmp_path / "m.json", worlds=2)["certain_edges"]
    with pytest.raises(DataError, match="does not exist"):
        assess(tmp_path / "out.csv", manifest=tmp_path / "n.json")


@pytest.mark.parametrize("name", ["out.csv", "out.groups.csv", "out.superedges.csv"])
def test_assess_refuses_changed_and_missing_files(tmp_path, name):
    by_groups().write(tmp_path / "out.csv")
    file = tmp_path / name
    file.write_bytes(file.read_bytes() + b"\n")
    with pytest.raises(DataError, match="hash"):
        grouping_of_release(tmp_path / "out.csv")
    file.unlink()
    with pytest.raises(DataError, match="is not beside it"):
        grouping_of_release(tmp_path / "out.csv")


@pytest.mark.parametrize("text", ["{", "[]", '{"files": 3}', '{"files": {"out.csv": 1}}'])
def test_a_damaged_manifest_is_refused_in_words(tmp_path, text):
    by_groups().write(tmp_path / "out.csv")
    (tmp_path / "out.csv.manifest.json").write_text(text)
    with pytest.raises(DataError):
        grouping_of_release(tmp_path / "out.csv")


def test_the_manifest_does_not_tell_which_world_was_drawn(tmp_path):
    """All worlds are equally likely only if nobody learns how many of the edges are real."""
    release = by_groups()
    release.write(tmp_path / "out.csv")
    manifest = json.loads((tmp_path / "out.csv.manifest.json").read_text())
    assert set(manifest["edges"]) == {"input", "output"}
    assert not {"cleaning", "left_out", "seconds"} & set(manifest)
    assert {"kept", "added", "removed"} <= set(release.document["edges"])


def test_only_the_owner_may_read_the_crosswalk(tmp_path):
    """Also where a file that everybody could read stood at its path."""
    (tmp_path / "old.csv").write_text("x")
    (tmp_path / "old.csv").chmod(0o644)
    for name in ("new.csv", "old.csv"):
        by_groups().write(tmp_path / "out.csv", tmp_path / name)
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "out.csv").stat().st_mode) & 0o044
    assert len(read_crosswalk(tmp_path / "new.csv")) == 30


def test_no_name_is_in_the_representation():
    """Neither of the release nor of a graph, which may hold names and attributes."""
    graph = nx.relabel_nodes(nx.path_graph(4), lambda node: f"marker{node}")
    nx.set_node_attributes(graph, "marker", "job")
    release = anonymize(graph, "naive", keep=["job"])
    assert "marker" not in repr(release)
    assert "marker" not in repr(release.graph)
    assert "marker" not in repr(read_graph := seven())
    assert "'A'" not in repr(read_graph)


def test_worlds_are_written_and_repeatable(tmp_path):
    release = by_groups()
    release.write(tmp_path / "out.csv")
    worlds = sample_worlds(tmp_path / "out.csv", worlds=3, seed=1)
    files = write_worlds(worlds, tmp_path / "worlds")
    assert [file.name for file in files] == ["world-01.csv", "world-02.csv", "world-03.csv"]
    for file in files:
        again = read(file)
        assert (again.n_vertices, again.n_edges) == (30, release.graph.n_edges)
    first = [file.read_bytes() for file in files]
    assert len(set(first)) == 3
    again = write_worlds(sample_worlds(release, worlds=3, seed=1), tmp_path / "again")
    assert [file.read_bytes() for file in again] == first
    fresh = write_worlds(sample_worlds(release.grouping, worlds=3), tmp_path / "fresh")
    assert fresh[0].read_bytes() != first[0]


def test_worlds_of_another_run_are_not_mixed_in(tmp_path):
    worlds = sample_worlds(by_groups(), worlds=3, seed=1)
    write_worlds(worlds, tmp_path / "worlds")
    with pytest.raises(OutputError, match="files of another run"):
        write_worlds(worlds[:2], tmp_path / "worlds")
    with pytest.raises(OutputError):
        write_worlds(worlds, tmp_path / "no" / "folder")


def test_only_a_grouping_has_worlds(tmp_path):
    without_changes().write(tmp_path / "out.csv")
    for release in (tmp_path / "out.csv", without_changes()):
        with pytest.raises(ParameterError, match="grouping"):
            sample_worlds(release)
    with pytest.raises(ParameterError):
        sample_worlds(by_groups(), worlds=0)
    with pytest.raises(ParameterError):
        sample_worlds(by_groups(), worlds=2, seed=-1)
