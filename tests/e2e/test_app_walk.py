"""From a wheel to a release of the patients table in an environment in which nothing has run yet.

The person reads the screen alone: every button and link is found by the words on it. Nothing is
downloaded; the libraries that the package needs are those of the environment of the tests.
"""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
import venv
from pathlib import Path

import pytest

from indistinct.tables.policy.policy import Policy
from indistinct.tables.verification.verify_release import verify
from shared import ROOT

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason="there is no Chromium"),
]
MINUTES = 10
# Of the processor, for all jobs and the compilation before them; a person reads meanwhile.
MOST_SECONDS = 60


@pytest.fixture
def installed(tmp_path):
    """Build the wheel, install it into an environment of its own, and give its command."""
    wheels = tmp_path / "wheels"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    alone = ["--no-deps", "--no-index"]
    subprocess.run(
        [*pip, "wheel", *alone, "--no-build-isolation", "-w", str(wheels), str(ROOT)], check=True
    )
    place = tmp_path / "environment"
    venv.create(place, symlinks=True)
    wheel = next(wheels.glob("*.whl"))
    subprocess.run(
        [*pip, "--python", str(place / "bin" / "python"), "install", *alone, str(wheel)], check=True
    )
    packages = next((place / "lib").glob("python*/site-packages"))
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    assert not list(packages.rglob("*.nbc")), "something is compiled already"
    return place / "bin" / "indistinct"


@pytest.fixture
def opened(installed, tmp_path):
    """Start the application in an empty folder; give its address and its process."""
    home = tmp_path / "home"
    home.mkdir()
    without = {"PYTHONPATH", "NUMBA_CACHE_DIR", "PYTHONDONTWRITEBYTECODE"}
    environment = {name: value for name, value in os.environ.items() if name not in without}
    process = subprocess.Popen(
        [str(installed), "app", "--no-browser"],
        cwd=home,
        env={**environment, "HOME": str(home)},
        stdout=subprocess.PIPE,
        text=True,
    )
    yield re.search(r"http://\S+", process.stdout.readline()).group(), home, process
    process.terminate()
    process.communicate()


def used(process):
    """Return the seconds of the processor of a process and of those that it has waited for."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


class Walker:
    """Somebody who reads the screen, and notes what it says while they wait."""

    def __init__(self, page, moved):
        self.page = page
        self.moved = moved
        self.said = set()
        page.set_default_timeout(120_000)

    def press(self, words):
        self.page.get_by_role("button", name=words, exact=True).click()
        self.page.wait_for_load_state()

    def follow(self, words):
        self.page.get_by_role("link", name=words, exact=True).click()
        self.page.wait_for_load_state()

    def wait(self):
        job = self.page.locator("section.job")
        while job.count():
            with contextlib.suppress(self.moved):  # the page goes on by itself
                self.said.update(job.locator("p").all_inner_texts())
            self.page.wait_for_timeout(200)
        self.page.wait_for_load_state()


def test_ten_minutes_from_a_wheel_to_a_release(opened):
    playwright = pytest.importorskip("playwright.sync_api")
    address, home, process = opened
    began = time.monotonic()
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM)
        walker = Walker(browser.new_page(), playwright.Error)
        page = walker.page
        page.goto(address)
        walker.press("Open an example with 20,000 invented patients")
        page.wait_for_selector("text=The first and the last records of the table")
        walker.follow("The table is right. Next: who stands in it")
        walker.press("Every row is another person. Next: check the roles")
        page.wait_for_selector("#together li")
        walker.press("I have checked all of them")
        walker.follow("Next: say what is promised")
        walker.press("Save, and go on to the search")
        walker.press("Try on a sample")
        walker.wait()
        walker.press("Search the whole table")
        walker.wait()
        assert "The promise holds" in page.locator("main").inner_text()
        walker.follow("Next: compare with the original")
        walker.press("Attack the release")
        walker.wait()
        walker.follow("Next: write the release")
        for told in page.get_by_role("checkbox").all():
            told.check()
        page.get_by_label("Approved by").fill("Data protection office")
        page.get_by_label("Why the remaining risk is acceptable").fill("They signed a contract")
        walker.press("Verify and write the release")
        walker.wait()
        assert "The release was verified and written." in page.locator("main").inner_text()
        browser.close()
    minutes = (time.monotonic() - began) / 60
    given = home / "patients.indistinct" / "releases" / "0001" / "give-away"
    assert (
        verify(given / "release.csv", Policy.load(given.parent / "keep" / "policy.toml")).holds
        is True
    )
    assert "loses" in " ".join(walker.said)
    sys.stdout.write(f"{minutes:.1f} minutes, {used(process):.0f} s of the processor\n")
    assert minutes < MINUTES
    assert used(process) < MOST_SECONDS
