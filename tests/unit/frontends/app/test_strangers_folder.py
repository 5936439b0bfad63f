"""A folder, a project or a declaration of somebody else reads, writes and reaches nothing else."""

import json
import os
import socket
import threading

import pytest

from app_visits import patients, visiting
from indistinct.errors import UsageError
from indistinct.frontends.app.pages import questions
from indistinct.frontends.app.server import AccessCheck, app_state_of
from indistinct.frontends.app.sources import tables

SECRET = "SECRET-LINE"
DECLARATION = """
[dataset]
name = "n"
data = "{data}"
table = "t"
person = "id"
ledger = "{ledger}"
[budget]
epsilon = 1
[columns.age]
type = "number"
"""


@pytest.fixture
def folders(tmp_path):
    """Return the start folder with a table, and a folder that nothing may lead to."""
    outside, start = tmp_path / "outside", tmp_path / "start"
    outside.mkdir()
    start.mkdir()
    (outside / "secret.csv").write_text(f"a;{SECRET}\n", encoding="utf-8")
    (outside / "policy.toml").write_text(f'[columns.{SECRET}]\nrole = "identifier"\n')
    (outside / "key").write_text("0" * 64, encoding="utf-8")
    (start / "table.csv").write_text("age,city\n" + "1,a\n2,a\n" * 20, encoding="utf-8")
    return start, outside


@pytest.fixture
def server(monkeypatch):
    """Return the place of a server, and who has connected to it."""
    monkeypatch.setenv("PGPASSWORD", SECRET)
    seen = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(10)

        def listen():
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                seen.append(connection.recv(100))
                connection.close()

        thread = threading.Thread(target=listen, daemon=True)
        thread.start()
        yield f"127.0.0.1:{listening.getsockname()[1]}", seen


POLICIES = {
    "a hierarchy": 'hierarchy = {{ csv = "{outside}/secret.csv" }}',
    "a hierarchy by a link": 'hierarchy = {{ csv = "link.csv" }}',
    "a hierarchy above": 'hierarchy = {{ csv = "../outside/secret.csv" }}',
    "a key": 'protect = {{ name = "pseudonym", key = "../outside/key" }}',
    "a key that is not there": 'protect = {{ name = "pseudonym", key = "../outside/new" }}',
    "a population": '\n[population]\ndata = "../outside/secret.csv"',
}


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_that_names_a_file_outside_is_not_opened(folders, name):
    start, outside = folders
    (start / "link.csv").symlink_to(outside / "secret.csv")
    role = "identifier" if "key" in name else "quasi-identifier"
    said = POLICIES[name].format(outside=outside)
    (start / "p.toml").write_text(
        f'[columns.age]\nrole = "quasi-identifier"\n[columns.city]\nrole = "{role}"\n{said}\n'
        '[[models]]\nname = "k-anonymity"\nk = 2\n',
        encoding="utf-8",
    )
    with pytest.raises(UsageError, match="leads out of the folder"):
        app_state_of(str(start / "p.toml"), AccessCheck(1))
    copies = [path for path in start.rglob("*") if path.is_file() and not path.is_symlink()]
    assert all(SECRET not in path.read_text() for path in copies)
    assert not (outside / "new").exists()


@pytest.mark.parametrize("file", ["project.toml", "policy.toml", "history/0001.toml", "history"])
def test_a_project_with_links_is_not_opened(folders, file):
    start, outside = folders
    with visiting(start, start / "table.csv") as visitor:
        project = visitor.app_state.project.folder
    linked = project / file
    moved = outside / linked.name
    linked.rename(moved)
    linked.symlink_to(moved)
    with visiting(start) as visitor:
        answer = visitor.post("/data/project", folder=project.name)
        assert answer.status_code == 422
        assert visitor.app_state.project is None


@pytest.mark.parametrize("place", ["runs", "releases"])
def test_nothing_is_written_through_a_link(folders, place):
    start, outside = folders
    with visiting(start, start / "table.csv") as visitor:
        app_state = visitor.app_state
        (app_state.project.folder / place).symlink_to(outside)
        with pytest.raises(UsageError, match="leads out"):
            app_state.start.next_number(app_state.project.folder / place)
        assert app_state.start.numbers(app_state.project.folder / place) == []


def test_links_in_releases_and_runs_are_neither_listed_nor_given(folders):
    start, outside = folders
    with visiting(start, start / "table.csv") as visitor:
        project = visitor.app_state.project.folder
        for number, kind in enumerate(("keep", "give-away"), start=1):
            (project / f"releases/000{number}").mkdir(parents=True)
            (project / f"releases/000{number}/{kind}").symlink_to(outside)
        (project / "releases/0003/give-away").mkdir(parents=True)
        (project / "releases/0003/give-away/secret.csv").symlink_to(outside / "secret.csv")
        (project / "releases/0003/give-away/own.csv").write_text("own")
        (project / "releases/0004").symlink_to(outside)
        (project / "releases/1x").mkdir()
        for number in range(1, 5):
            for kind in ("keep", "give-away", "..", "%2e%2e"):
                answer = visitor.get(f"/release/{number}/{kind}/secret.csv")
                assert answer.status_code == 404
                assert SECRET not in answer.text
        assert visitor.get("/release/3/give-away/own.csv").text == "own"
        page = visitor.get("/release").text
        assert "own.csv" in page
        assert "secret.csv" not in page


@pytest.mark.parametrize("release", ["../../../../outside/secret.csv", "secret.csv"])
def test_a_run_whose_files_lie_elsewhere_is_none(folders, release):
    start, outside = folders
    with visiting(start, start / "table.csv") as visitor:
        place = visitor.app_state.project.folder / "runs/0001"
        place.mkdir(parents=True)
        (place / "run.json").write_text(json.dumps({"release": release, "fingerprint": "x"}))
        (place / "secret.csv").symlink_to(outside / "secret.csv")
        assert visitor.app_state.runs() == []
        assert visitor.get("/release").status_code == 200


def test_no_server_is_reached_before_its_name_was_typed(folders, server):
    start, _ = folders
    place, seen = server
    address = f"postgresql://victim@{place}/x?sslmode=disable"
    for name, data, ledger in (
        ("a.toml", "table.csv", address),
        ("b.toml", address, "l.ledger"),
        ("c.toml", "table.csv", f"postgresql://localhost/x?host=127.0.0.1&{place[10:]}"),
    ):
        (start / name).write_text(DECLARATION.format(data=data, ledger=ledger))
    with visiting(start) as visitor:
        for name in ("a.toml", "b.toml", "c.toml"):
            page = visitor.get(f"/questions?file={name}")
            assert "Name of the server" in page.text
            form = {"file": name, "question": "SELECT COUNT(*) FROM t", "epsilon": "1"}
            assert visitor.post("/questions/ask", **form).status_code == 422
            wrong = visitor.post("/questions/server", file=name, server="localhost:5432/x")
            assert wrong.status_code == 422
        assert seen == []
        assert f"{place}/x" in visitor.get("/questions?file=a.toml").text
        visitor.post("/questions/server", file="a.toml", server=f"{place}/x")
        visitor.get("/questions?file=a.toml")
        assert len(seen) == 1


@pytest.mark.parametrize(
    ("data", "ledger"),
    [
        ("../outside/secret.csv", "l"), ("table.csv", "../outside/new"), ("link.csv", "l"),
        ("s3://bucket/x", "l"), ("table.csv", "POSTGRESQL://127.0.0.1/x"), ("pipe", "l"),
        ("table.csv", "pipe"), ("duckdb:///../outside/x.duckdb?table=t", "l"),
    ],
)  # fmt: skip
def test_a_declaration_leads_nowhere_else(folders, data, ledger):
    start, outside = folders
    (start / "link.csv").symlink_to(outside / "secret.csv")
    os.mkfifo(start / "pipe")
    (start / "q.toml").write_text(DECLARATION.format(data=data, ledger=ledger))
    with visiting(start) as visitor:
        assert visitor.get("/questions?file=q.toml").status_code == 422
        with pytest.raises(UsageError):
            questions._check_places(visitor.app_state, "q.toml")
    assert not (outside / "new").exists()


def test_a_folder_of_strange_files_is_listed_at_once(folders):
    start, _ = folders
    for name in ("a.csv", "b.xlsx", "c.toml", "d.duckdb"):
        os.mkfifo(start / name)
    (start / "e.csv").mkdir()
    (start / "f.xlsx").write_bytes(b"PK\3\4" + bytes(50))
    (start / "g.toml").symlink_to("/dev/zero")
    patients(start, 20)
    with visiting(start) as visitor:
        assert tables(visitor.app_state.start) == ["f.xlsx", "patients.csv", "table.csv"]
        for page in ("/data", "/questions", "/graph"):
            assert visitor.get(page).status_code == 200


def test_the_list_of_a_policy_of_the_folder_is_brought_along(folders):
    start, _ = folders
    (start / "cities.csv").write_text("a,south,*\nb,north,*\n", encoding="utf-8")
    (start / "p.toml").write_text(
        '[columns.age]\nrole = "quasi-identifier"\n[columns.city]\nrole = "quasi-identifier"\n'
        'hierarchy = { csv = "cities.csv", separator = "," }\n'
        '[[models]]\nname = "k-anonymity"\nk = 2\n',
        encoding="utf-8",
    )
    with visiting(start, start / "p.toml") as visitor:
        project = visitor.app_state.project
        said = project.words["columns"]["city"]["hierarchy"]["csv"]
        assert said == "hierarchies/column-1-1.csv"
        assert (project.folder / said).read_text("utf-8") == "a,south,*\nb,north,*\n"
