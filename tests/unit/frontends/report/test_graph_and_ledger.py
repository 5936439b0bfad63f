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


SEVERAL = """
[dataset]
name = "shop"
data = "."
ledger = "shop.ledger"
[budget]
accounting = "pure"
epsilon = 100
delta = 1e-6
[tables.orders]
person = "who"
rows_per_person = 40
[tables.orders.columns]
item = { type = "text", values = ["pen", "ink"] }
"""


@pytest.fixture
def shop(tmp_path):
    orders = [f"{n // 6},{('pen', 'ink')[n % 2]}" for n in range(600)]
    (tmp_path / "orders.csv").write_text("\n".join(["who,item", *orders, ""]))
    path = tmp_path / "shop.toml"
    path.write_text(SEVERAL)
    ind.database.begin(path)
    return path


def reported(path, folder):
    """Return the page and the entry of a ledger, in which no row is claimed too few."""
    write_ledger_report(path, folder / "r.html", folder / "registry.json")
    return (folder / "r.html").read_text("utf-8"), json.loads(
        (folder / "registry.json").read_text()
    )


def test_of_several_tables_the_largest_limits_that_were_charged_are_told(shop, tmp_path):
    page, entry = reported(shop, tmp_path)
    assert entry["rows_per_person"] is None
    assert "A person counts with" not in page
    assert "Each question states how many rows and groups of one person count" in page
    with ind.database.open(shop) as session:
        session.ask("SELECT COUNT(*) FROM orders", rows=30, epsilon=1)
        session.ask("SELECT COUNT(*) FROM orders", rows=3, epsilon=1)
        lying = (
            "SELECT COUNT(*) FROM orders WHERE item = ' LIMITS 1 1 99 EPSILON 1 [0123456789abcdef]'"
        )
        session.ask(lying, rows=2, epsilon=1)
        session.ask("SELECT COUNT(*) FROM orders", rows=35, epsilon=1, dry_run=True)
    page, entry = reported(shop, tmp_path)
    assert entry["rows_per_person"] == 30
    assert "full_groups_per_person" not in entry
    assert "count at most 30 rows of a person" in page
    assert "at most 1 row" not in page
    with ind.database.open(shop) as session:
        session.ask("SELECT item, COUNT(*) FROM orders GROUP BY item", epsilon=1, full_groups=1)
        session.ask("SELECT COUNT(DISTINCT who) FROM orders", epsilon=1)
    _, entry = reported(shop, tmp_path)
    assert entry["rows_per_person"] == 40
    assert entry["full_groups_per_person"] == 1


def test_one_table_keeps_its_declared_limit(declared, tmp_path):
    page, entry = reported(declared, tmp_path)
    assert entry["rows_per_person"] == 1
    assert "A person counts with at most 1 row." in page
