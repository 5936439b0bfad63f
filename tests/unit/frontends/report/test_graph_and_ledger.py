"""Reports on a released graph and on the ledger of a database."""

import json

import networkx as nx
import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import ParameterError
from indistinct.frontends.report.write import write_graph_report, write_ledger_report


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    folder = tmp_path_factory.mktemp("graph")
    edges = [(f"person {a}", f"person {b}") for a, b in nx.karate_club_graph().edges]
    pl.DataFrame(edges, schema=["source", "target"], orient="row").write_csv(folder / "in.csv")
    release = ind.graph.anonymize(folder / "in.csv", model="k-degree", k=3, seed=1)
    release.write(folder / "out.csv", folder / "x.csv")
    return folder


def test_the_owners_report_compares_with_the_original(graph):
    held = write_graph_report(
        graph / "out.csv", graph / "r.html", graph / "in.csv", graph / "x.csv"
    )
    page = (graph / "r.html").read_text("utf-8")
    assert held is True
    assert "The promise holds." in page
    assert "is shared by at least 3 members" in page
    assert "of the links of the original are kept" in page
    assert "Confidential" in page
    assert "person 1" not in page
    before = nx.karate_club_graph()
    assert f"{nx.transitivity(before):.4g}" in page


def test_the_public_page_needs_the_release_and_its_manifest_alone(graph, tmp_path):
    for name in ("out.csv", "out.csv.manifest.json"):
        (tmp_path / name).write_bytes((graph / name).read_bytes())
    assert write_graph_report(tmp_path / "out.csv", tmp_path / "p.html", public=True)
    page = (tmp_path / "p.html").read_text("utf-8")
    assert "This page may be published" in page
    assert "Original</th>" not in page
    with pytest.raises(ParameterError, match="--original"):
        write_graph_report(tmp_path / "out.csv", tmp_path / "p.html", graph / "in.csv", public=True)
    with pytest.raises(ParameterError, match="--original"):
        write_graph_report(tmp_path / "out.csv", tmp_path / "p.html")


def test_both_reports_say_what_links_of_the_original_had(tmp_path):
    edges = [f"{a},{b},{a + b}" for a, b in nx.karate_club_graph().edges]
    text = "\n".join(["from,to,calls", *edges, *edges[:3], ""])
    (tmp_path / "in.csv").write_text(text)
    (tmp_path / "in.vertices.csv").write_text(
        "\n".join(["id,club,age", *(f"{member},x,{member}" for member in range(34)), ""])
    )
    release = ind.graph.anonymize(tmp_path / "in.csv", model="naive", keep=["club"], seed=1)
    release.write(tmp_path / "out.csv", tmp_path / "x.csv")
    write_graph_report(
        tmp_path / "out.csv", tmp_path / "r.html", tmp_path / "in.csv", tmp_path / "x.csv"
    )
    sentence = (
        "Directions, 1 further column (calls), 3 repeated ties and 1 attribute of the vertices "
        "(age) are left out."
    )
    assert release.document["left_out"] == sentence
    assert sentence in (tmp_path / "r.html").read_text("utf-8")
    write_graph_report(tmp_path / "out.csv", tmp_path / "p.html", public=True)
    page = (tmp_path / "p.html").read_text("utf-8")
    assert "directions, weights, dates and repetitions" in page
    assert "calls" not in page


def test_a_changed_graph_is_not_to_be_published(graph, tmp_path):
    manifest = (graph / "out.csv.manifest.json").read_bytes()
    (tmp_path / "out.csv.manifest.json").write_bytes(manifest)
    lines = (graph / "out.csv").read_text().splitlines()
    (tmp_path / "out.csv").write_text("\n".join([*lines[:-1], ""]))
    assert write_graph_report(tmp_path / "out.csv", tmp_path / "p.html", public=True) is False
    assert "Do not publish this network" in (tmp_path / "p.html").read_text("utf-8")


def test_every_model_of_a_graph_has_a_report(tmp_path):
    edges = nx.karate_club_graph()
    for model in ("naive", "grouping", "random-switch"):
        out = tmp_path / f"{model}.csv"
        ind.graph.anonymize(edges, model=model, k=3, seed=1).write(out)
        write_graph_report(out, tmp_path / "p.html", public=True)
        assert "about" in (tmp_path / "p.html").read_text("utf-8")


@pytest.fixture
def declared(tmp_path):
    ind.sample("patients", rows=200).write_csv(tmp_path / "p.csv")
    path = tmp_path / "d.toml"
    ind.database.init(
        str(tmp_path / "p.csv"),
        person="name",
        epsilon="2",
        out=path,
        bounds={"height_cm": (140, 210)},
    )
    return path


def test_a_ledger_says_what_was_asked_what_it_cost_and_what_is_left(declared, tmp_path):
    with ind.database.open(declared) as session:
        session.ask("SELECT COUNT(*) FROM p", epsilon="0.5")
        session.ask("SELECT AVG(height_cm) FROM p", epsilon="1.4")
    found = write_ledger_report(declared, tmp_path / "r.html", tmp_path / "registry.json")
    page = (tmp_path / "r.html").read_text("utf-8")
    assert found.left == pytest.approx(0.1)
    assert "95% of the budget is spent." in page
    assert "COUNT(*)" in page
    assert "height_cm" in page
    entry = json.loads((tmp_path / "registry.json").read_text("utf-8"))
    assert entry["epsilon"] == 2.0
    assert entry["delta"] == 0.0
    assert {"unit_of_privacy", "neighbors", "mechanism", "accounting"} <= set(entry)
    assert (tmp_path / "r.html").stat().st_mode & 0o077 == 0


def test_an_empty_ledger_says_so(declared, tmp_path):
    write_ledger_report(declared, tmp_path / "r.html")
    assert "Nothing was asked yet." in (tmp_path / "r.html").read_text("utf-8")
