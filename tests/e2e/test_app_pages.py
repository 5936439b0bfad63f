"""Parts of the application without a browser: databases, releases so far, pairs, questions."""

import html
import json
import os
import shlex
import sqlite3
from contextlib import closing

import polars as pl
import pytest

import large_tables
from app_visits import patients, prepare, roles_of, searched, signed, visiting
from indistinct.base.statements.number_texts import figure
from indistinct.errors import UsageError
from indistinct.frontends.app import worker
from indistinct.frontends.app.pages import script
from indistinct.frontends.app.project import Project
from indistinct.frontends.cli.main import status
from indistinct.questions.database import initialize
from indistinct.tables.publish.fictitious_patients import sample
from shared import longer


@pytest.fixture
def database(tmp_path, request):
    """A folder with one table in a database file, and nothing else."""
    rows = sample("patients", rows=400, seed=1)
    if getattr(request, "param", "") == "duckdb":
        duckdb = pytest.importorskip("duckdb")
        with duckdb.connect(tmp_path / "hospital.duckdb") as connection:
            connection.register("rows", rows.to_arrow())
            connection.execute("CREATE TABLE visits AS SELECT * FROM rows")
        return tmp_path
    with closing(sqlite3.connect(tmp_path / "hospital.db")) as connection, connection:
        names = ", ".join(f'"{name}"' for name in rows.columns)
        marks = ", ".join("?" for _ in rows.columns)
        connection.execute(f"CREATE TABLE visits ({names})")
        texts = rows.with_columns(pl.all().cast(pl.String))
        connection.executemany(f"INSERT INTO visits VALUES ({marks})", texts.rows())
    connection.close()
    return tmp_path


def has_the_rows_of_its_script(visitor, written):
    """Run the commands that the page shows, and compare the rows; give them."""
    for line in script.commands(visitor.app_state.project).splitlines()[1:]:
        assert status(shlex.split(line)[1:], show_values=False) == 0, line
    ours = pl.read_csv(visitor.app_state.current_run().release, infer_schema=False)
    theirs = pl.read_csv(written, infer_schema=False)
    assert ours.height > 0
    assert ours.sort(ours.columns).equals(theirs.sort(ours.columns))
    return ours


@pytest.mark.parametrize(
    ("database", "kind"),
    longer([("sqlite", "sqlite"), ("duckdb", "duckdb")], [("duckdb", "duckdb")]),
    indirect=["database"],
)
def test_a_table_of_a_database_becomes_a_release(database, kind, monkeypatch):
    file = "hospital.duckdb" if kind == "duckdb" else "hospital.db"
    with visiting(database) as visitor:
        assert f"<option>{file}" in visitor.get("/data").text
        answer = visitor.post("/data/database", database=file, table="visits")
        assert answer.status_code == 303
        while visitor.app_state.pending is not None:
            visitor.get("/data")
        assert f"visits of {file}" in visitor.get("/data").text
        prepare(visitor, k=2)
        assert searched(visitor).document["records"]["released"] > 200
        lines = script.commands(visitor.app_state.project).splitlines()
        address = f"'{kind}:///{file}?table=visits'"
        assert f"indistinct anonymize {address} --policy visits.indistinct" in lines[1]
        monkeypatch.chdir(database)
        has_the_rows_of_its_script(visitor, "visits-release.csv")
    with visiting(database, database / "visits.indistinct") as visitor:
        assert visitor.app_state.current_run() is not None


def test_each_sheet_of_a_workbook_is_a_table(tmp_path):
    xlsxwriter = pytest.importorskip("xlsxwriter")
    with xlsxwriter.Workbook(tmp_path / "visits.xlsx") as book:
        for name, rows in (("May", 60), ("June 2", 80)):
            sample("patients", rows=rows, seed=1).write_excel(book, worksheet=name)
    with visiting(tmp_path) as visitor:
        page = visitor.get("/data").text
        assert "<option>visits.xlsx#May</option><option>visits.xlsx#June 2</option>" in page
        visitor.post("/data/open", path="visits.xlsx#June 2")
        while visitor.app_state.pending is not None:
            visitor.get("/data")
        assert "80 records" in visitor.get("/data").text
        prepare(visitor, k=2)
        records = searched(visitor).document["records"]
        assert records["released"] + records["suppressed"] == 80
        assert "anonymize 'visits.xlsx#June 2' " in script.commands(visitor.app_state.project)
        assert visitor.post("/data/open", path="../visits.xlsx#May").status_code == 422
        assert visitor.post("/data/open", path="visits.xlsx#July").status_code == 422


@pytest.mark.slow  # test_app_flow.py compares the rows of another search
def test_a_local_search_has_the_rows_of_its_script_and_shows_its_decisions(tmp_path, monkeypatch):
    with visiting(tmp_path, patients(tmp_path, 400)) as visitor:
        prepare(visitor)
        visitor.post("/search/method", algorithm="local", max_suppression="5", time_limit="")
        run = searched(visitor)
        assert run.document["method"]["algorithm"] == "local"
        monkeypatch.chdir(tmp_path)
        ours = has_the_rows_of_its_script(visitor, "patients-release.csv")
        assert "Show the levels of the groups" in visitor.get("/explore").text
        visitor.post("/explore/shape")
        assert visitor.wait().state.value == "done", visitor.app_state.jobs.latest.faults
        shape = visitor.app_state.jobs.results[f"shape {run.number}"]
        assert sum(one["records"] for one in shape["combinations"]) == ours.height
        page = visitor.get("/explore").text
        assert "The records by the levels of their columns" in page
        assert f"{shape['number']} different combinations" in page


POSTGRES = os.environ.get("INDISTINCT_POSTGRES", "")


@pytest.mark.postgres
@pytest.mark.skipif(not POSTGRES, reason="needs a server: tests/postgres.sh start")
def test_a_table_of_a_server_becomes_a_release(tmp_path, monkeypatch):
    table, _ = large_tables.PUT["server"](sample("patients", rows=300, seed=1), tmp_path)
    server, name = POSTGRES, table.partition("table=")[2]
    with visiting(tmp_path) as visitor:
        answer = visitor.post("/data/database", database="", server=server, table=name)
        assert answer.status_code == 303
        while visitor.app_state.pending is not None:
            visitor.get("/data")
        assert "300 records" in visitor.get("/data").text
        prepare(visitor, k=2)
        searched(visitor)
        monkeypatch.chdir(tmp_path)
        has_the_rows_of_its_script(visitor, f"{name}-release.csv")
    with visiting(tmp_path) as visitor:  # the project goes on when the server is named again
        visitor.post("/data/database", database="", server=server, table=name)
        assert visitor.app_state.current_run() is not None


@pytest.mark.parametrize(
    "given",
    [
        {"database": "hospital.db", "table": ""},
        {"database": "../hospital.db", "table": "visits"},
        {"database": "hospital.db", "table": "nothing"},
        {"database": "", "server": "http://127.0.0.1/x", "table": "visits"},
        {"database": "", "server": "postgresql://me:secret@127.0.0.1/x", "table": "visits"},
    ],
)
def test_a_wrong_database_is_refused_and_its_address_not_repeated(database, given):
    with visiting(database) as visitor:
        page = visitor.post("/data/database", **given)
        assert page.status_code == 422
        assert "secret" not in page.text
        assert visitor.app_state.project is None
        assert not list(database.glob("*.indistinct"))


def test_a_project_from_a_stranger_asks_no_server(tmp_path):
    """A server that the project names would be told the password of whoever opens it."""
    with visiting(tmp_path, patients(tmp_path, 200)) as visitor:
        start, folder = visitor.app_state.start, visitor.app_state.project.folder
    about = folder / "project.toml"
    address = "postgresql://127.0.0.1:1/x?table=visits"
    about.write_text(about.read_text().replace('"patients.csv"', f'"{address}"'))
    with pytest.raises(UsageError, match="only when you name it"):
        Project.load(start, folder)
    assert Project.load(start, folder, address).data == address


def test_releases_are_listed_after_the_application_has_ended(tmp_path):
    path = patients(tmp_path)
    with visiting(tmp_path, path) as visitor:
        prepare(visitor)
        searched(visitor)
        signed(visitor, approved_on="2026-02-01")
        assert visitor.wait().state.value == "done"
    with visiting(tmp_path, path) as visitor:
        page = visitor.get("/release").text
        assert "Releases of this table so far" in page
        assert "the office" in page
        assert "/release/1/keep/report.html" in page
        assert visitor.get("/release/1/give-away/release.csv").status_code == 200
        visitor.post("/promise", **{"0-k": "3"})  # also where the policy has no release yet
        assert "/release/1/give-away/release.csv" in visitor.get("/release").text


def test_two_releases_are_compared_column_by_column(tmp_path):
    with visiting(tmp_path, patients(tmp_path)) as visitor:
        prepare(visitor, k=2)
        searched(visitor)
        visitor.post("/promise", **{"0-k": "12"})
        searched(visitor)
        assert "Compare them column by column" in visitor.get("/compare?with=1").text
        visitor.post("/compare/pair", **{"with": "1"})
        assert visitor.wait().state.value == "done", visitor.app_state.jobs.latest.faults
        result = visitor.app_state.jobs.results["pair 2 1"]
        assert {"birth_date", "sex", "postcode", "diagnosis"} <= set(result["said"])
        page = visitor.get("/compare?with=1").text
        assert all(words[0] in page for words in result["said"].values())
        assert page.count("<svg") >= len(result["said"]) - 1


def test_a_policy_opens_with_the_table_that_has_its_columns(tmp_path):
    path = patients(tmp_path, 300)
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    with visiting(tmp_path, path) as visitor:
        visitor.post("/roles", all="yes", **roles_of(visitor))
        policy = tmp_path / "policy.toml"
        policy.write_text(
            visitor.app_state.project.policy_file.read_text().replace("k = 5", "k = 8")
        )
    with visiting(tmp_path, policy) as visitor:
        project = visitor.app_state.project
        assert project.data == "patients.csv"
        assert project.folder.name == "patients-2.indistinct"
        assert project.words["models"][0]["k"] == 8
        assert not project.unconfirmed()
    (tmp_path / "twin.csv").write_text(path.read_text())
    with pytest.raises(UsageError, match="fits 2 tables"), visiting(tmp_path, policy):
        pass


def test_the_search_page_saves_what_its_form_says_before_it_searches(tmp_path):
    with visiting(tmp_path, patients(tmp_path, 300)) as visitor:
        visitor.post("/roles", all="yes", **roles_of(visitor))
        given = {"algorithm": "mondrian", "max_suppression": "7", "time_limit": ""}
        visitor.post("/search/method", then="trial", **given)
        assert visitor.wait().kind == "trial"
        assert visitor.app_state.project.words["method"]["algorithm"] == "mondrian"
        assert visitor.app_state.trial()["document"]["method"]["algorithm"] == "mondrian"


def test_promises_are_saved_together_or_not_at_all(tmp_path):
    with visiting(tmp_path, patients(tmp_path, 300)) as visitor:
        answer = visitor.post("/promise", then="search", **{"0-k": "6", "1-l": "3"})
        assert answer.headers["location"] == "/search"
        models = visitor.app_state.project.words["models"]
        assert [models[0]["k"], models[1]["l"]] == [6, 3]
        assert visitor.post("/promise", **{"0-k": "7", "1-l": "none"}).status_code == 422
        assert visitor.app_state.project.words["models"] == models
        visitor.post("/promise", remove="1")
        assert [one["name"] for one in visitor.app_state.project.words["models"]] == ["k-anonymity"]


def test_a_question_is_put_together_from_choices(tmp_path, monkeypatch, capsys):
    pytest.importorskip("opendp")
    with visiting(tmp_path, patients(tmp_path, 300)) as visitor:
        page = visitor.get("/questions").text
        assert 'aria-label="Least value of height_cm"' in page
        number = list(visitor.app_state.project.words["columns"]).index
        height, sex = number("height_cm"), number("sex")
        wrong = {f"low-{height}": "100", f"high-{height}": "tall"}
        setup = {"data": "patients.csv", "person": "name", "epsilon": "1"}
        assert visitor.post("/questions/declare", **setup, **wrong).status_code == 422
        right = {f"low-{height}": "100", f"high-{height}": "220", f"values-{sex}": "female, male"}
        assert visitor.post("/questions/declare", **setup, **right).status_code == 303
        file = "patients.questions.toml"
        chosen = {"measure": "AVG", "column": "height_cm", "group": "", "only": "sex=male"}
        page = visitor.post("/questions/compose", file=file, **chosen).text
        question = "SELECT AVG(height_cm) FROM patients WHERE sex = 'male'"
        assert question.replace("'", "&#39;") in page
        answered = visitor.post("/questions/ask", file=file, question=question, epsilon="0.9")
        assert "This answer cost 0.9" in answered.text
        line = script.question_commands(
            visitor.app_state.start, file, question, "0.9"
        ).splitlines()[1]
        assert line in html.unescape(answered.text)
        monkeypatch.chdir(tmp_path)
        capsys.readouterr()
        assert status([*shlex.split(line)[1:], "--json"], show_values=False) == 0
        same = json.loads(capsys.readouterr().out)
        assert same["charged"] == 0
        assert figure(same["answer"]) in answered.text
        priced = visitor.post(
            "/questions/ask", file=file, question=question, epsilon="0.05", price="yes"
        ).text
        assert "depends on the number of rows" in priced
        assert "How far the answer may be from the exact one" not in priced
        counted = "SELECT COUNT(*) FROM patients"
        priced = visitor.post(
            "/questions/ask", file=file, question=counted, epsilon="0.05", price="yes"
        )
        assert "How far the answer may be from the exact one" in priced.text
        chosen = {"measure": "COUNT", "column": "", "group": "", "only": "sex=' OR 1=1 --"}
        assert visitor.post("/questions/compose", file=file, **chosen).status_code == 422


def test_the_commands_of_the_graph_page_make_such_a_release(tmp_path, monkeypatch):
    with visiting(tmp_path, patients(tmp_path, 100)) as visitor:
        visitor.post("/graph/example")
        visitor.post("/graph", edges="friends.csv", model="k-degree", k="4")
        assert visitor.wait().state.value == "done", visitor.app_state.jobs.latest.faults
        lines = script.graph_commands(
            visitor.app_state.start, visitor.app_state.jobs.results["graph"]
        )
        assert lines in html.unescape(visitor.get("/graph").text)
        monkeypatch.chdir(tmp_path)
        for line in lines.splitlines()[1:]:
            assert status(shlex.split(line)[1:], show_values=False) == 0, line
    for place in ("graph-releases/0001/graph.csv", "graph-release.csv"):
        edges = pl.read_csv(place)
        ends = pl.concat([edges["source"], edges["target"].alias("source")])
        degrees = ends.value_counts()["count"]
        assert degrees.value_counts(name="people")["people"].min() >= 4, place


def test_a_graph_to_try_is_made_up_once(tmp_path):
    with visiting(tmp_path, patients(tmp_path, 100)) as visitor:
        assert "friends.csv" not in visitor.get("/graph").text
        visitor.post("/graph/example")
        page = visitor.get("/graph").text
        assert "<option>friends.csv" in page
        assert "<option>patients.csv" not in page
    edges = pl.read_csv(tmp_path / "friends.csv")
    assert edges.unique().height == edges.height
    assert len(set(edges["source"]) | set(edges["target"])) > 250


def test_the_page_of_questions_reads_a_table_once_and_again_when_it_changes(tmp_path, monkeypatch):
    asked = []

    def types(data, table):
        asked.append((data, table))
        return {"name": "VARCHAR", "height_cm": "BIGINT"}

    monkeypatch.setattr(initialize, "column_types", types)
    with visiting(tmp_path, patients(tmp_path, 50)) as visitor:
        for _ in range(3):
            assert "height_cm" in visitor.get("/questions").text
        assert len(asked) == 1
        patients(tmp_path, 60)
        visitor.get("/questions")
        assert len(asked) == 2


def test_a_process_that_waits_leaves_no_file_of_its_rehearsal(tmp_path):
    worker._rehearse(str(tmp_path))
    assert list(tmp_path.iterdir()) == []
