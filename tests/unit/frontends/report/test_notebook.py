"""Results show themselves: in a line on a terminal, and as a small page in a notebook."""

import networkx as nx
import pytest

import indistinct as ind

PATIENTS = ind.sample("patients", rows=300).select("name", "birth_date", "sex", "diagnosis")
POLICY = ind.Policy(
    columns={
        "name": {"role": "identifier"},
        "birth_date": {"role": "quasi-identifier", "hierarchy": {"dates": ["year", "decade"]}},
        "sex": {"role": "quasi-identifier"},
        "diagnosis": {"role": "sensitive"},
    },
    models=[{"name": "k-anonymity", "k": 3}],
    method={"algorithm": "local"},
)


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    folder = tmp_path_factory.mktemp("notebook")
    release = ind.anonymize(PATIENTS, POLICY, seed=1)
    register = PATIENTS.select("name", "birth_date", "sex")
    PATIENTS.write_csv(folder / "p.csv")
    declared = folder / "d.toml"
    ind.database.init(str(folder / "p.csv"), person="name", epsilon="2", out=declared, bounds={})
    with ind.database.open(declared) as session:
        reply = session.ask("SELECT COUNT(*) FROM p", epsilon="0.5")
        priced = session.ask(
            "SELECT COUNT(*) FROM p WHERE sex = 'male'", epsilon="0.5", dry_run=True
        )
    return {
        "release": release,
        "verification": ind.verify(release.frame, POLICY, manifest=release.manifest),
        "broken": ind.verify(PATIENTS.drop("name"), POLICY),
        "assessment": ind.assess(release.frame, POLICY, original=PATIENTS),
        "inspection": ind.inspect(PATIENTS),
        "sweep": ind.sweep(PATIENTS, POLICY, vary={"k": [2, 3, 400]}),
        "attack": ind.attack(release.frame, POLICY, register=register, seed=1),
        "graph": ind.graph.anonymize(nx.karate_club_graph(), model="k-degree", k=3, seed=1),
        "reply": reply,
        "priced": priced,
        "policy": POLICY,
    }


SAID = {
    "release": ("<Release of 300 records: k-anonymity (k=3); verified>", "The promise holds."),
    "verification": ("<Verification: holds, 300 records: k-anonymity (k=3)>", "The promise holds."),
    "broken": ("<Verification: does not hold", "The promise is not held."),
    "assessment": ("k = 3; 1 of 1 models hold>", "Highest re-identification risk"),
    "inspection": ("quasi-identifiers: birth_date, sex>", "Suggested role"),
    "sweep": ("<Sweep of 3 combinations; recommended: k = ", "no solution"),
    "attack": ("<Attack by prosecutor: ", "prosecutor-linkage"),
    "graph": ("<GraphRelease by k-degree: 34 vertices", "is shared by at least 3 members"),
    "reply": ("charged 0.5, left 1.5 epsilon>", "With 95% between"),
    "priced": ("<Reply: would cost 0.5 epsilon; left 1.5>", "Would cost"),
    "policy": ("<Policy of 4 columns: k-anonymity (k=3); by local>", "at least 3 records"),
}


@pytest.mark.parametrize("name", SAID)
def test_a_result_shows_its_answer(shown, name):
    line, page = repr(shown[name]), shown[name]._repr_html_()
    assert SAID[name][0] in line
    assert "\n" not in line
    assert len(line) < 160
    assert SAID[name][1] in page
    assert page.lstrip().startswith('<div class="indistinct">')
    assert "<script" not in page
    assert "<html" not in page


def test_a_release_shows_its_first_rows(shown):
    page = shown["release"]._repr_html_()
    for cell in shown["release"].frame.row(0):
        assert f">{cell}<" in page
    assert page.count('<dd class="value">') == 4


@pytest.mark.parametrize("name", [name for name in SAID if name != "release"])
def test_nothing_else_shows_a_cell(shown, name):
    page = shown[name]._repr_html_()
    for value in PATIENTS["name"].head(40):
        assert value not in page
