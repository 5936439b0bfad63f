"""The application for tests: without a server, and as a command of its own."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import time
from contextlib import contextmanager
from html import unescape
from unittest.mock import patch
from urllib.parse import urlencode

import httpx

import forked
from indistinct.frontends.app import jobs, state as app_states
from indistinct.frontends.app.safety import AccessCheck
from indistinct.frontends.app.server import app_state_of, make_app
from indistinct.tables.publish.fictitious_patients import sample

PORT = 8123
HARMLESS = ("insurance", "height_cm", "weight_kg", "admission_date")
# What the page of related tables is sent beside the roles and keys of their columns.
RELATED = {"people": "patients", "k": "2", "m": "1", "deleted": "60", "vanished": "10"}
HOME = {"host": f"127.0.0.1:{PORT}", "sec-fetch-site": "same-origin"}


class Visitor:
    """Sends requests to an application, as a browser would, and keeps its cookie."""

    def __init__(self, app_state):
        self.app_state = app_state
        self.app = make_app(app_state)
        self.cookie = ""

    def ask(self, method, path, *, headers=None, data=None, raw=None):
        """Send one request; headers that are None are left out."""
        given = {**HOME, "cookie": self.cookie, **(headers or {})}
        if data is not None:
            given["content-type"] = "application/x-www-form-urlencoded"
            raw = urlencode(data, doseq=True).encode()
        return asyncio.run(self._ask(method, path, given, raw))

    async def _ask(self, method, path, headers, raw):
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=True)
        known = {name: value for name, value in headers.items() if value is not None}
        async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
            return await client.request(method, path, headers=known, content=raw)

    def enter(self):
        """Exchange the token for the cookie."""
        answer = self.ask("GET", f"/open/{self.app_state.gate.token}")
        self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return answer

    def get(self, path, /):
        return self.ask("GET", path)

    def post(self, path, /, **data):
        return self.ask("POST", path, data=data)

    def wait(self):
        """Wait for the job; give it."""
        while self.app_state.jobs.current() is not None:
            time.sleep(0.02)
        return self.app_state.jobs.poll()


@contextmanager
def visiting(folder, given=None):
    """Start an application in a folder, and enter it."""
    app_state = app_state_of(str(given or folder), AccessCheck(PORT))
    visitor = Visitor(app_state)
    # Pages then say what they measured, however busy the machine is.
    patient = patch.object(app_states, "PATIENCE_SECONDS", 20.0)
    with patient, patch.object(jobs, "_waiting", forked.Job):
        try:
            visitor.enter()
            while app_state.pending is not None:
                visitor.get("/data")
                time.sleep(0.05)
            yield visitor
        finally:
            app_state.close()


@contextmanager
def commanded(*arguments):
    """Run ``indistinct app`` until the block ends; give its address."""
    words = [sys.executable, "-m", "indistinct", "app", *map(str, arguments), "--no-browser"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        yield re.search(r"http://\S+", line).group(), process
    finally:
        process.terminate()
        process.communicate()


def on_loopback(address):
    """Return an address with the number of the loopback: not every resolver knows its names."""
    return re.sub(r"//[0-9a-f]+\.localhost:", "//127.0.0.1:", address)


def patients(folder, rows=600):
    """Write made-up patients into a folder."""
    path = folder / "patients.csv"
    sample("patients", rows=rows, seed=1).write_csv(path)
    return path


def roles_of(visitor, **changed):
    """Return the form of the roles, with some of them changed."""
    columns = visitor.app_state.project.words["columns"]
    return {
        f"role-{number}": changed.get(name, column["role"])
        for number, (name, column) in enumerate(columns.items())
    }


def prepare(visitor, k=4):
    """Confirm roles and promise something, quickly searched for."""
    visitor.post("/roles", all="yes", **roles_of(visitor, **dict.fromkeys(HARMLESS, "insensitive")))
    visitor.post("/promise", **{"0-k": str(k)})
    visitor.post("/search/method", algorithm="optimal", max_suppression="10", time_limit="")


def searched(visitor):
    """Search the whole table; give what was found."""
    visitor.post("/search")
    job = visitor.wait()
    assert job.state.value == "done", job.faults
    return visitor.app_state.current_run()


def signed(visitor, **words):
    """Confirm everything that the release page asks, and sign; give the answer."""
    asked = re.findall(r'name="confirmed" value="([^"]*)"', visitor.get("/release").text)
    said = {"approved_by": "the office", "approved_on": "", "reason": "a contract", **words}
    return visitor.post("/release", confirmed=list(map(unescape, asked)), **said)


def related_form(visitor, **said):
    """Return the form of related tables as a person sends it who decides on all roles."""
    tables = visitor.app_state.jobs.results["related-tables"]
    form = dict(RELATED)
    for number, (name, one) in enumerate(tables["tables"].items()):
        words = tables["words"]["tables"][name]
        form[f"key-{number}"] = words.get("key", "")
        for place, column in enumerate(one["columns"]):
            role = words.get("columns", {}).get(column, {}).get("role", "identifier")
            form[f"role-{number}-{place}"] = role.replace("undecided", "insensitive")
            form[f"leads-{number}-{place}"] = words.get("references", {}).get(column, "")
    return {**form, **said}
