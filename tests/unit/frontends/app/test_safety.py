"""Whoever is not the person at the keyboard does not get in, whatever is tried."""

import re
import subprocess
import sys
import threading
import time
from importlib.resources import files
from pathlib import Path
from time import monotonic
from types import SimpleNamespace
from urllib.parse import unquote, urlsplit

import httpx
import pytest

from app_visits import HOME, PORT, Visitor, commanded, on_loopback, patients, visiting
from indistinct.frontends.app import server
from indistinct.frontends.app.pages import roles
from indistinct.frontends.app.safety import CLOSED, AccessCheck
from indistinct.frontends.app.screen import STEPS
from indistinct.frontends.app.server import app_state_of

PAGES = [
    *(f"/{step}" for step in STEPS),
    *("/script", "/history", "/related", "/graph", "/questions"),
]


@pytest.fixture
def visitor(tmp_path):
    patients(tmp_path)
    with visiting(tmp_path) as one:
        yield one


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    folder = tmp_path_factory.mktemp("opened")
    with visiting(folder, patients(folder)) as one:
        yield one


@pytest.mark.parametrize(
    "host",
    ["evil.example", f"evil.example:{PORT}", "127.0.0.1", f"127.0.0.1.evil.example:{PORT}",
     f"127.0.0.1:{PORT + 1}", f"0.0.0.0:{PORT}", "", None],
)  # fmt: skip
def test_a_name_that_leads_here_by_dns_is_refused_even_with_the_cookie(visitor, host):
    answer = visitor.ask("GET", "/data", headers={"host": host or "nowhere"})
    assert answer.status_code == 421
    assert "patients" not in answer.text


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]"])
def test_the_names_of_this_computer_are_known(visitor, name):
    assert visitor.ask("GET", "/data", headers={"host": f"{name}:{PORT}"}).status_code == 200


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_page_of_the_browser_is_refused_even_with_the_cookie(visitor, method, site):
    answer = visitor.ask(method, "/data", headers={"sec-fetch-site": site})
    assert answer.status_code == 403


@pytest.mark.parametrize(
    "origin", ["null", "http://evil.example", f"http://127.0.0.1:{PORT + 1}", "https://127.0.0.1"]
)
def test_another_origin_is_refused(visitor, origin):
    for site in ("same-origin", None):
        headers = {"origin": origin, "sec-fetch-site": site}
        answer = visitor.ask("POST", "/data/sample", headers=headers, data={})
        assert answer.status_code == 403
    assert visitor.app_state.project is None


def test_a_form_that_does_not_say_where_it_comes_from_is_refused(visitor):
    answer = visitor.ask("POST", "/data/sample", headers={"sec-fetch-site": None}, data={})
    assert answer.status_code == 403
    typed = visitor.ask("POST", "/data/sample", headers={"sec-fetch-site": "none"}, data={})
    assert typed.status_code == 403


def test_a_form_of_an_old_browser_says_its_origin(visitor):
    headers = {"sec-fetch-site": None, "origin": f"http://127.0.0.1:{PORT}"}
    answer = visitor.ask("POST", "/undo", headers=headers, data={})
    assert answer.status_code != 403


def test_without_the_cookie_nothing_is_shown(visitor):
    for path in [*PAGES, "/style.css", "/static/app.js", "/job", "/nothing"]:
        answer = visitor.ask("GET", path, headers={"cookie": None})
        assert (answer.status_code, answer.text) == (403, CLOSED)
    wrong = visitor.ask("GET", "/data", headers={"cookie": f"indistinct-{PORT}=guess"})
    assert wrong.status_code == 403


def test_the_token_opens_once_and_leaves_no_trace(tmp_path):
    app_state = app_state_of(str(tmp_path), AccessCheck(PORT))
    visitor, token = Visitor(app_state), app_state.gate.token
    first = visitor.enter()
    assert first.status_code == 303
    assert first.headers["location"] == "/"
    cookie = first.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert token not in first.headers["set-cookie"]
    stranger = visitor.ask("GET", f"/open/{token}", headers={"cookie": None})
    assert stranger.status_code == 403
    assert "set-cookie" not in stranger.headers
    assert token not in visitor.get("/data").text
    assert token not in repr(app_state.gate) + repr(app_state)
    app_state.close()


def test_a_wrong_token_neither_opens_nor_spends_the_right_one(tmp_path):
    app_state = app_state_of(str(tmp_path), AccessCheck(PORT))
    visitor = Visitor(app_state)
    for guess in ("", "x", app_state.gate.token[:-1]):
        assert visitor.ask("GET", f"/open/{guess}", headers={"cookie": None}).status_code == 403
    assert visitor.enter().status_code == 303
    app_state.close()


def test_another_page_cannot_spend_the_token(tmp_path):
    app_state = app_state_of(str(tmp_path), AccessCheck(PORT))
    visitor = Visitor(app_state)
    headers = {"sec-fetch-site": "cross-site"}
    assert visitor.ask("GET", f"/open/{app_state.gate.token}", headers=headers).status_code == 403
    assert app_state.gate.token is not None
    app_state.close()


@pytest.mark.parametrize(
    "changed", [{"referer": "http://evil.example/"}, {"origin": "null"},
                {"sec-fetch-dest": "image"}, {"sec-fetch-mode": "no-cors"},
                {"sec-fetch-site": "same-site"}],
)  # fmt: skip
def test_only_a_file_leads_a_browser_to_the_address(tmp_path, changed):
    app_state = app_state_of(str(tmp_path), AccessCheck(PORT))
    visitor = Visitor(app_state)
    path = f"/open/{app_state.gate.token}"
    led = {
        "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document",
    }  # fmt: skip
    assert visitor.ask("GET", path, headers={**led, **changed}).status_code == 403
    answer = visitor.ask("GET", path, headers=led)
    assert answer.status_code == 200  # a redirection would be without the cookie
    assert 'http-equiv="refresh" content="0;url=/"' in answer.text
    assert "indistinct-" in answer.headers["set-cookie"]
    assert visitor.ask("GET", "/data", headers=led).status_code == 403
    app_state.close()


def test_each_start_has_a_name_of_its_own_which_no_other_server_has(tmp_path):
    names = {AccessCheck(PORT).name for _ in range(5)}
    assert len(names) == 5
    app_state = app_state_of(str(tmp_path), AccessCheck(PORT))
    home = {"host": f"{app_state.gate.name}:{PORT}"}
    visitor = Visitor(app_state)
    answer = visitor.ask("GET", f"/open/{app_state.gate.token}", headers=home)
    cookie = answer.headers["set-cookie"]
    assert "domain" not in cookie.lower(), "the cookie is of this one name"
    visitor.cookie = cookie.partition(";")[0]
    assert visitor.ask("GET", "/data", headers=home).status_code == 200
    for other in (names - {app_state.gate.name}) | {f"a.{app_state.gate.name}"}:
        assert visitor.ask("GET", "/data", headers={"host": f"{other}:{PORT}"}).status_code == 421
    app_state.close()


def test_no_process_is_given_the_address(tmp_path, monkeypatch):
    seen = {}

    def look(place):
        page = Path(unquote(urlsplit(place).path))
        seen.update(place=place, mode=page.stat().st_mode & 0o777, page=page, text=page.read_text())
        seen["folder"] = page.parent.stat().st_mode & 0o777

    async def nothing(made, app_state, listening, seconds):
        del made, seconds
        listening.close()
        app_state.close()

    told = []
    monkeypatch.setattr(server.webbrowser, "open", look)
    monkeypatch.setattr(server, "_until_idle", nothing)
    server.serve(str(tmp_path), tell=told.append)
    token = re.search(r"/open/(\S+)", told[0]).group(1)
    assert token not in seen["place"]
    assert f'/open/{token}"' in seen["text"]
    assert (seen["mode"], seen["folder"]) == (0o600, 0o700)
    assert not seen["page"].exists()


def test_every_answer_forbids_foreign_content(opened):
    for path in [*PAGES, "/style.css", "/static/htmx.min.js", "/nothing", "/open/x"]:
        headers = opened.get(path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'self'")
        assert "script" not in policy, "scripts fall under default-src"
        assert headers["x-frame-options"] == "DENY"
        assert headers["cache-control"] in {"no-store", "max-age=60"}


def test_no_page_has_a_script_or_style_or_address_of_its_own(opened):
    for path in PAGES:
        page = opened.get(path).text
        assert not re.search(r"<script(?![^>]*\ssrc=)", page)
        assert "<style" not in page
        assert not re.search(r"\son[a-z]+=|javascript:|hx-on|hx-vals=.js", page)
        outside = [a for a in re.findall(r"(?:src|href|action)=\"([^\"]*)\"", page)
                   if not a.startswith(("/", "#", "data:,"))]  # fmt: skip
        assert not outside


# All that an address of the application may hold: pages, numbers, files, and steps of the history.
ADDRESS = re.compile(
    r"(/[a-z]+)*(/[0-9]+)?(/[a-z]+)?(\?(with|first|second)=[0-9]+(&second=[0-9]+)?)?(#work)?"
    r"|/static/(app|htmx\.min)\.js|/style\.css|/release/[0-9]+/[a-z-]+/[a-z.]+|#work|data:,"
)


def test_no_value_of_a_record_stands_in_an_address(opened):
    for path in [*PAGES, "/hierarchies/1", "/hierarchies/2", "/history?first=1&second=1"]:
        page = opened.get(path).text
        found = re.findall(r'(?:src|href|action|formaction|hx-get|hx-post)="([^"]*)"', page)
        assert found
        assert [one for one in found if not ADDRESS.fullmatch(one)] == []
        # What a form without "post" asks for stands in the address, too.
        for form in re.findall(r'<form method="get".*?</form>', page, re.DOTALL):
            names = set(re.findall(r'\bname="([^"]*)"', form))
            assert names <= {"with", "first", "second", "number", "file", "data"}, path


def test_what_the_application_brings_along_is_small_and_asks_nobody():
    folder = files("indistinct.frontends.app").joinpath("static")
    brought = {one.name: one.read_bytes() for one in folder.iterdir() if one.is_file()}
    assert sum(map(len, brought.values())) < 400_000
    for name in ("app.js", "app.css"):
        assert b"://" not in brought[name]
    assert b"Zero-Clause BSD" in brought["htmx.LICENSE.txt"]


def test_an_unexpected_error_shows_no_value(opened, monkeypatch, capfd):
    def broken(measured):
        raise ValueError("SECRET of a record")

    monkeypatch.setattr(roles, "settled", broken)
    answer = opened.get("/roles")
    assert answer.status_code == 500
    assert "SECRET" not in answer.text
    assert "ValueError" in answer.text
    assert "SECRET" not in "".join(capfd.readouterr())


def test_a_form_that_is_too_large_is_refused_before_it_is_read(opened):
    headers = {"content-length": str(10**9), "content-type": "multipart/form-data; boundary=x"}
    assert opened.ask("POST", "/roles", headers=headers, raw=b"x").status_code == 413


def test_the_server_listens_on_the_loopback_alone_and_ends_when_nobody_asks(tmp_path, monkeypatch):
    ahead = 0.0  # a short time without questions would be over before a busy machine asks the first
    monkeypatch.setattr(server, "time", SimpleNamespace(monotonic=lambda: monotonic() + ahead))
    monkeypatch.setattr(server, "LOOK_EVERY_SECONDS", 0.1)
    told, threads = [], threading.active_count()
    thread = threading.Thread(
        target=server.serve,
        args=(str(tmp_path),),
        kwargs={"browser": False, "tell": told.append, "idle_seconds": 300.0},
    )
    thread.start()
    try:
        while not told:
            time.sleep(0.01)
        address = re.search(r"http://[0-9a-f]{16}\.localhost:(\d+)/open/\S+", told[0])
        assert int(address.group(1)) > 1023
        opened = on_loopback(address.group())
        assert httpx.get(opened, trust_env=False, timeout=60).status_code == 303
        thread.join(0.3)
        assert thread.is_alive()
    finally:
        ahead = 301.0
        thread.join(20)
    assert not thread.is_alive()
    assert threading.active_count() <= threads + 1


def test_the_command_says_one_line_and_nothing_of_the_requests(tmp_path):
    patients(tmp_path, 50)
    with commanded(tmp_path) as (address, process):
        httpx.get(on_loopback(address), trust_env=False)
        httpx.get(on_loopback(address).replace("/open/", "/nothing/"), trust_env=False)
        process.terminate()
        out, err = process.communicate()
    assert (out, err.replace("stopped\n", "")) == ("", "")


def test_a_job_lets_others_go_first_and_may_not_take_all_memory():
    code = (
        "import os\n"
        "from indistinct.frontends.app.worker import _be_modest\n"
        "before = os.nice(0)\n"
        "_be_modest()\n"
        "assert os.nice(0) >= min(before + 10, 19)\n"
        "try:\n"
        "    bytearray(3_000_000_000)\n"
        "except MemoryError:\n"
        "    print('refused')\n"
    )
    limited = {"INDISTINCT_JOB_MEMORY": "1000000000"}
    environment = {**__import__("os").environ, **limited}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout == "refused\n", done.stderr


def test_home_is_what_the_helpers_say():
    assert AccessCheck(PORT).knows_host(HOME["host"])
