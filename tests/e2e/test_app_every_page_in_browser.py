"""Every page, for every policy and every state, in a browser: accessible, silent and narrow."""

import shutil
import socket
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest
import uvicorn

import forked
from app_visits import patients
from every_policy import every_policy, write_files
from hospitals import hospital, policy
from indistinct.errors import Fault
from indistinct.frontends.app import jobs, state as app_states
from indistinct.frontends.app.jobs import JobState
from indistinct.frontends.app.safety import AccessCheck
from indistinct.frontends.app.screen import FURTHER, STEPS
from indistinct.frontends.app.server import app_state_of, make_app

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason="there is no Chromium")
PAGES = (*STEPS, *FURTHER)
POLICIES, _ = every_policy()
NARROW, WIDE = {"width": 360, "height": 800}, {"width": 1280, "height": 900}
WAITING = "[hx-trigger*=every], [hx-trigger*=delay], [hx-trigger^=load] button, .htmx-request"


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=CHROMIUM)
        yield chromium
        chromium.close()


class Reader:
    """Somebody who opens pages, and notes what the browser says of them."""

    def __init__(self, browser, app_state, port):
        axe = pytest.importorskip("axe_playwright_python.sync_playwright")
        self.axe, self.app_state, self.home = axe.Axe(), app_state, f"http://127.0.0.1:{port}"
        self.noted = []
        self.page = browser.new_page(viewport=WIDE)
        self.page.on("console", lambda message: self.noted.append(message.text))
        self.page.on("pageerror", lambda error: self.noted.append(str(error)))
        self.page.goto(f"{self.home}/open/{app_state.gate.token}")

    def look(self, path):
        """Open a page; give what is wrong with it."""
        self.page.set_viewport_size(WIDE)
        self.page.goto(f"{self.home}/{path}")
        waiting = self.page.locator(WAITING)
        while self.app_state.jobs.current() is None and waiting.count():
            waiting.first.wait_for(state="detached")
        found = [one["id"] for one in self.axe.run(self.page).response["violations"]]
        self.page.set_viewport_size(NARROW)
        over = self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        found += [f"{over} pixels too wide"] * (over > 0) + self.noted
        self.noted.clear()
        return [f"{path}: {one}" for one in found]

    def look_at_all(self, paths=PAGES):
        """Open pages; give what is wrong with each."""
        return [fault for path in paths for fault in self.look(path)]


@contextmanager
def reading(browser, folder, given=None):
    """Serve an application from a thread of this process, and enter it by a browser."""
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    app_state = app_state_of(str(given or folder), AccessCheck(port))
    settings = uvicorn.Config(make_app(app_state), log_level="critical", lifespan="off")
    server = uvicorn.Server(settings)
    serving = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    patient = patch.object(app_states, "PATIENCE_SECONDS", 20.0)
    with patient, patch.object(jobs, "_waiting", forked.Job):
        serving.start()
        try:
            yield Reader(browser, app_state, port)
        finally:
            server.should_exit = True
            serving.join()
            app_state.close()


def run(reader, path, /, **form):
    """Send a form that orders work, and wait until it is done."""
    answer = reader.page.request.post(f"{reader.home}/{path}", form=form, headers=_own(reader))
    assert answer.status < 500, path
    while reader.app_state.jobs.current() is not None:
        time.sleep(0.05)


def _own(reader):
    """Return the headers of a form of the application's own pages."""
    return {"origin": reader.home, "sec-fetch-site": "same-origin"}


@pytest.fixture(scope="module")
def reader(browser, tmp_path_factory):
    folder = tmp_path_factory.mktemp("every")
    with reading(browser, folder, write_files(folder)) as one:
        while one.app_state.pending is not None:
            one.page.goto(f"{one.home}/data")
        yield one


def adopt(reader, names, words):
    reader.app_state.change(words, names, frozenset(words["columns"]))
    numbers = [
        place
        for place, name in enumerate(words["columns"])
        if name in reader.app_state.opened().policy().class_names
    ]
    return (*PAGES, *(f"hierarchies/{number}" for number in numbers[:1]))


@pytest.mark.slow  # test_every_page.py opens them without a browser
@pytest.mark.parametrize(("names", "words"), POLICIES)
def test_every_page_of_every_policy(reader, names, words):
    assert reader.look_at_all(adopt(reader, names, words)) == []


@pytest.mark.slow
@pytest.mark.parametrize(("names", "words"), POLICIES)
def test_every_page_of_every_result(reader, names, words):
    paths = adopt(reader, names, words)
    run(reader, "search")
    for path, form in (
        ("search/trial", {}),
        ("promise", {"then": "prices"}),
        ("compare/measure", {}),
        ("compare/attack", {"known": "0"}),
        ("explore/shape", {}),
    ):
        run(reader, path, **form)
    assert reader.look_at_all(paths) == []


@pytest.mark.slow
@pytest.mark.parametrize("state", [JobState.FAILED, JobState.CANCELLED, JobState.RUNNING])
def test_every_page_while_a_job_is_in_every_state(reader, state):
    adopt(reader, *POLICIES[0])
    run(reader, "search/trial")
    job = reader.app_state.jobs.latest
    before, job.state = job.state, state
    job.faults = [Fault("columns.age", "is wrong", "Correct it.")]
    running = patch.object(type(reader.app_state.jobs), "poll", lambda _: job)
    with running:
        found = reader.look_at_all()
    job.state = before
    assert found == []


@pytest.mark.slow
def test_every_page_from_the_first_click_to_the_signature(browser, tmp_path):
    """Before a table is open, while it is refused, before the roles are checked, and signed."""
    path = patients(tmp_path, 200)
    (tmp_path / "ragged.csv").write_text("a,b\n1,2,3\n4\n")
    with reading(browser, tmp_path) as reader:
        assert reader.look_at_all(("data", "graph", "questions")) == []
        run(reader, "data/open", path="ragged.csv")
        assert reader.look("data") == []
        run(reader, "data/open", path=path.name)
        while reader.app_state.pending is not None:
            reader.page.goto(f"{reader.home}/data")
        assert reader.look_at_all() == []
        columns = reader.app_state.project.words["columns"]
        known = {"birth_date": "quasi-identifier", "sex": "quasi-identifier", "name": "identifier"}
        roles = {f"role-{n}": known.get(name, "left-out") for n, name in enumerate(columns)}
        run(reader, "roles", all="yes", **roles)
        run(reader, "search")
        assert reader.app_state.current_run() is not None
        assert reader.look_at_all() == []
        run(reader, "release", approved_by="the office", reason="a test")
        assert reader.look_at_all() == []
        run(reader, "language", language="de", page="data")
        assert reader.look_at_all() == []
        run(reader, "data/open", path=path.name)  # which asks for the project


def test_related_tables_in_every_state(browser, tmp_path):
    (tmp_path / "hospital").mkdir()
    for name, frame in hospital(1, 40, 3).items():
        frame.write_csv(tmp_path / "hospital" / f"{name}.csv")
    with reading(browser, tmp_path) as reader:
        assert reader.look("related") == []
        press(reader, "Look at the tables")
        assert reader.look("related") == []
        reader.page.get_by_text("events:").first.click()
        assert [one["id"] for one in reader.axe.run(reader.page).response["violations"]] == []
        results = reader.app_state.jobs.results
        words = policy(2, 1, method={"max_deleted": 0.6, "max_suppression": 0.1})
        results["related-tables"] = {**results["related-tables"], "words": words}
        reader.page.goto(f"{reader.home}/related")
        press(reader, "Make a release")
        assert reader.look("related") == []
        assert "was verified in the written files" in reader.page.inner_text("main")


def press(reader, name):
    """Press a button that starts a job, and wait for its end."""
    reader.page.get_by_role("button", name=name).click()
    while reader.app_state.jobs.current() is not None:
        reader.page.wait_for_timeout(100)
