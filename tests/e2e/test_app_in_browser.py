"""The whole flow in a real browser: every page accessible, every click one edit of the policy.

It takes more than 20 seconds of a processor, nearly all of them in the browser and the application,
which are started once for all tests.

With ``INDISTINCT_PICTURES=FOLDER`` the pictures of the documents are taken on the way.
"""

import os
import shlex
import shutil
import socket
import threading
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import urlsplit

import polars as pl
import pytest

from app_visits import commanded, patients
from indistinct.frontends.app import server
from indistinct.frontends.cli.main import status
from indistinct.tables.policy.policy import Policy
from indistinct.tables.verification.verify_release import verify

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason="there is no Chromium")
PICTURES = os.environ.get("INDISTINCT_PICTURES")
HARMLESS = ("insurance", "height_cm", "weight_kg", "admission_date")
STEPS = (
    *("data", "people", "roles", "hierarchies", "promise"),
    *("search", "explore", "compare", "release"),
)
FURTHER = ("script", "history", "related", "graph", "questions")
PATIENCE = 60_000
BETWEEN_CLICKS = 250  # milliseconds: a page that is asked for at once takes the time of the work
BESIDE_THE_STEPS = 220
ROWS = 20_000 if PICTURES else 2_000


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=CHROMIUM)
        yield chromium
        chromium.close()


class Person:
    """Somebody at the keyboard, who notes what goes wrong."""

    def __init__(self, browser, address, **screen):
        self.home = address.partition("/open/")[0]
        self.context = browser.new_context(viewport={"width": 1200, "height": 800}, **screen)
        self.noted = []
        self._open()
        self.page.goto(address)

    def _open(self):
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", lambda message: self.noted.append(message.text))
        self.page.on("pageerror", lambda error: self.noted.append(str(error)))
        self.page.on("request", self._no_stranger)

    def _no_stranger(self, request):
        if not request.url.startswith((self.home, "data:")):
            self.noted.append(request.url)

    def go(self, name):
        self.page.goto(f"{self.home}/{name}")

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()
        self.page.wait_for_load_state()

    def wait(self):
        self.page.wait_for_selector("section.job", state="detached")
        self.page.wait_for_load_state()

    def settle(self):
        """Wait until the page has all that it waits for."""
        # A part that loads by itself has a button until then, for those without scripts.
        waiting = self.page.locator(
            "[hx-trigger*=every], [hx-trigger*=delay], [hx-trigger^=load] button, .htmx-request"
        )
        while waiting.count():
            waiting.first.wait_for(state="detached")

    def look(self, picture=None, *, part=None, top=None):
        """Ask axe-core about the page; take its picture where one is wanted."""
        axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
        found = axe.run(self.page).response["violations"]
        seen = [(one["id"], [node["html"][:120] for node in one["nodes"]][:3]) for one in found]
        assert not seen, f"{self.page.url}: {seen}"
        assert not self.noted
        if PICTURES and picture:
            path = Path(PICTURES) / f"app-{picture}.png"
            clip = {"x": 0, "y": 0, "width": 1200, "height": 800}
            if top is not None:
                self.page.locator(top).first.evaluate("one => one.scrollIntoView()")
                clip |= {"x": BESIDE_THE_STEPS, "width": 1200 - BESIDE_THE_STEPS}
            if part is None:
                self.page.screenshot(path=path, clip=clip)
            else:
                self.page.locator(part).first.screenshot(path=path)
            _shrink(path)

    def close_and_come_back(self, name):
        """Close the only page, and open another one in the same browser."""
        self.page.close()
        self._open()
        self.go(name)

    def overflows(self):
        """Return by how many pixels the page is wider than the window."""
        return self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")


def _shrink(path):
    """Keep the picture small: a page has few colors."""
    images = pytest.importorskip("PIL.Image")
    with images.open(path) as picture:
        few = picture.convert("RGB").quantize(24)
    few.save(path, optimize=True)


ACTIVE = """() => {
  const one = document.activeElement;
  const label = one.labels && one.labels.length ? one.labels[0].textContent : "";
  const name = one.getAttribute("aria-label") || label || one.textContent || one.value || "";
  const role = one.tagName === "SUMMARY" ? "summary" : one.tagName === "A" ? "a" : one.type || "";
  return [role, name.trim().replace(/\\s+/g, " ")];
}"""
MOST_STEPS = 150


class Keyboard(Person):
    """Somebody without a mouse: everything is reached by Tab."""

    def reach(self, kind, name):
        """Press Tab until the control has the focus; it then shows that it has it."""
        for _ in range(MOST_STEPS):
            self.page.keyboard.press("Tab")
            role, said = self.page.evaluate(ACTIVE)
            # A step on the left has its number before its name.
            if role == kind and name in {said, said.lstrip("0123456789 ").removesuffix(" (done)")}:
                assert self.page.evaluate("document.activeElement.matches(':focus-visible')")
                return
        pytest.fail(f"Tab does not lead to {kind} {name!r} on {self.page.url}")

    def use(self, kind, name, *keys):
        """Reach a control, and press keys there."""
        self.reach(kind, name)
        for key in keys:
            self.page.keyboard.press(key)
        self.page.wait_for_load_state()

    def submit(self, name):
        """Press a button that leads on."""
        self.reach("submit", name)
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")

    def follow(self, name):
        """Follow a link."""
        self.reach("a", name)
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")


def decide(person):
    """Open the table, check its roles, look at a hierarchy, and promise something."""
    page = person.page
    person.submit("Open the table")
    page.wait_for_selector("text=The first and the last records")
    person.look("data")
    person.follow("The table is right. Next: who stands in it")
    person.submit("Every row is another person. Next: check the roles")
    page.wait_for_selector("#together li")
    person.look("roles")
    for column in HARMLESS:
        person.use("select-one", f"Role of {column}", "h")  # the first letter of its name
        chosen = page.get_by_label(f"Role of {column}", exact=True)
        assert chosen.input_value() == "insensitive"
    person.submit("I have checked all of them")
    page.wait_for_selector("main .card .soft")
    person.look("hierarchies")
    person.follow("birth_date")
    page.wait_for_selector("svg")
    person.look("hierarchy")
    person.follow("Promise")
    person.submit("Use this: Health data")
    person.look("promise")
    person.use("range", "Smallest group (k)", "ArrowRight", "ArrowRight")
    person.submit("Save")
    assert "at least 14" in page.locator("dl.bar").inner_text()
    person.submit("Undo")
    assert "at least 12" in page.locator("dl.bar").inner_text()


def search(person):
    """Try on a sample, search, stop, search again, and close the page meanwhile."""
    person.follow("Search")
    person.use("summary", "How to search", "Enter")
    person.use("select-one", "Algorithm", *"opt")
    person.submit("Try on a sample")
    person.wait()
    assert "(sample)" in person.page.locator("dl.bar").inner_text()
    person.submit("Search the whole table")
    person.submit("Stop")
    assert "was stopped" in person.page.locator("main").inner_text()
    person.submit("Search the whole table")
    person.close_and_come_back("search")
    person.wait()
    assert "was found" in person.page.locator("main").inner_text()
    person.look("search")
    person.follow("Explore other promises")
    person.submit("Try them all")
    person.wait()
    person.submit("Look at single steps")
    person.wait()
    person.look("explore", top="main figure")
    if PICTURES:
        person.go("search")
        person.page.get_by_label("Algorithm").select_option("local")
        person.press("Search the whole table")
        person.wait()
        person.look("search")
        person.go("explore")
        person.press("Show the levels of the groups")
        person.wait()
        person.look("shape", part="main .lattice figure")


def release(person):
    """Attack and compare what was found, sign and write it."""
    person.follow("Compare")
    person.submit("Attack the release")
    person.wait()
    person.submit("Compare with the original")
    person.wait()
    person.look("compare")
    person.follow("Next: write the release")
    for told in person.page.get_by_role("checkbox").all():
        told.focus()
        person.page.keyboard.press("Space")
    person.reach("text", "Approved by")
    person.page.keyboard.type("Data protection office")
    person.reach("text", "Why the remaining risk is acceptable")
    person.page.keyboard.type("The recipients signed a contract")
    person.submit("Verify and write the release")
    person.wait()
    assert "verified and written" in person.page.locator("main").inner_text()
    person.look("release")


@pytest.mark.slow  # test_app_flow.py takes the same way without a browser
def test_from_a_table_to_a_verified_release_by_the_keyboard_alone(browser, tmp_path, monkeypatch):
    """The rows are those of the commands that the page of the script shows."""
    patients(tmp_path, ROWS)
    with commanded(tmp_path) as (address, _):
        person = Keyboard(browser, address)
        assert "/open/" not in person.page.url
        person.page.go_back()
        assert "/open/" not in person.page.url
        person.go("data")
        decide(person)
        search(person)
        release(person)
        for name in FURTHER:
            person.go(name)
            person.look(name)
        person.go("script")
        lines = person.page.locator("main pre").first.inner_text().splitlines()
        person.context.close()
    given = tmp_path / "patients.indistinct" / "releases" / "0001" / "give-away"
    policy = Policy.load(given.parent / "keep" / "policy.toml")
    assert verify(given / "release.csv", policy).holds is True
    assert policy.context.approved_by == "Data protection office"
    ours = pl.read_csv(given / "release.csv", infer_schema=False)
    assert ours.height > ROWS / 2
    assert "name" not in ours.columns
    monkeypatch.chdir(shlex.split(lines[0])[1])
    assert status(shlex.split(lines[1])[1:], show_values=False) == 0
    theirs = pl.read_csv("patients-release.csv", infer_schema=False)
    assert ours.sort(ours.columns).equals(theirs.sort(ours.columns))


@pytest.mark.slow
def test_a_page_leads_to_the_application_whose_cookie_no_other_server_gets(browser, tmp_path):
    patients(tmp_path, 50)
    seen = []
    listening = socket.create_server(("127.0.0.1", 0))

    def serve():
        with suppress(OSError):
            while True:
                connection, _ = listening.accept()
                seen.append(connection.recv(10_000))
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                connection.close()

    threading.Thread(target=serve, daemon=True).start()
    with commanded(tmp_path) as (address, _), closing(browser.new_context()) as context:
        opening = tmp_path / "open.html"
        with server._opening_page(address) as page:
            opening.write_bytes(page.read_bytes())
        tab = context.new_page()
        tab.goto(opening.as_uri())
        tab.wait_for_selector("h1")
        assert [cookie["domain"] for cookie in context.cookies()] == [urlsplit(address).hostname]
        for name in ("127.0.0.1", "localhost"):
            tab.goto(f"http://{name}:{listening.getsockname()[1]}/")
    listening.close()
    assert len(seen) > 1
    assert all(b"ookie" not in request for request in seen)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """An application with a table, and the cookie of a person who is inside."""
    folder = tmp_path_factory.mktemp("project")
    path = patients(folder, 300)
    edges = "".join(f"p{n},p{(7 * n + m) % 40}\n" for n in range(40) for m in range(1, 3 + n % 4))
    (folder / "friends.csv").write_text("source,target\n" + edges)
    with commanded(path) as (address, _):
        yield address, folder


@pytest.fixture(scope="module")
def inside(browser, project):
    person = Person(browser, project[0])
    person.page.wait_for_selector("text=The first and the last records")
    yield person
    person.context.close()


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (600, "dark")])
def test_every_page_fits_a_small_screen_and_a_dark_one(inside, width, scheme):
    """A width of 600 is what a screen of 1200 has left at a zoom of 200 %."""
    inside.page.set_viewport_size({"width": width, "height": 800})
    inside.page.emulate_media(color_scheme=scheme)
    for name in (*STEPS, *FURTHER, "hierarchies/1"):
        inside.go(name)
        inside.settle()
        assert inside.overflows() <= 0, name
        if name in {"roles", "hierarchies/1", "promise"}:
            inside.look()
    inside.page.set_viewport_size({"width": 1200, "height": 800})


def test_the_keyboard_alone_changes_a_promise(inside):
    inside.go("promise")
    page = inside.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the work"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "work"
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.type") == "range":
            break
    page.keyboard.press("ArrowRight")
    assert page.locator("output").first.inner_text() == "6"
    with page.expect_navigation():
        page.keyboard.press("Enter")  # a form is sent from any of its fields
    assert "at least 6" in page.locator("dl.bar").inner_text()


REACHABLE = """() => [...document.querySelectorAll(
  "a[href], button, input, select, textarea, summary, [hx-get], [tabindex='0']"
)].filter((one) => one.type !== "hidden" && !one.disabled && one.getClientRects().length
    && !(one.hasAttribute("hx-get") && !one.matches("a, button, input, select"))
    && !(one.type === "radio" && !one.checked)
).map((one, place) => { one.dataset.place = place; return place; })"""
LISTEN = """document.addEventListener("focusin", (event) => {
  (window.met ||= []).push(event.target.dataset.place ?? event.target.outerHTML.slice(0, 80));
})"""


def test_every_control_of_every_page_is_reached_by_the_keyboard(inside):
    """In the order of the page; of radio buttons the chosen one, from where arrows go on."""
    for name in (*STEPS, *FURTHER, "hierarchies/1"):
        inside.go(name)
        inside.settle()
        inside.page.evaluate(
            "document.querySelectorAll('details').forEach((one) => { one.open = true })"
        )
        wanted = inside.page.evaluate(REACHABLE)
        inside.page.evaluate(LISTEN)
        for _ in wanted:
            inside.page.keyboard.press("Tab")
        met = inside.page.evaluate("window.met")
        assert met == [str(place) for place in wanted], name


def test_a_value_is_dragged_into_the_group_of_another(inside):
    inside.go("hierarchies")
    inside.settle()
    inside.page.get_by_role("main").get_by_role("link", name="occupation").click()
    inside.page.wait_for_selector("tr[data-value]")
    rows = inside.page.locator("tr[data-value]")
    first, second = rows.nth(0), rows.nth(1)
    second.locator("input").fill("one of a kind")
    first.drag_to(second)
    assert first.locator("input").input_value() == "one of a kind"
    first.locator("input").fill("")
    inside.press("Use these levels")
    tables = inside.page.locator("main details table").all_text_contents()
    assert any("one of a kind" in table for table in tables)
    inside.press("Undo")


def test_a_hierarchy_is_imported_and_one_that_lacks_a_value_is_refused(inside, tmp_path):
    page, file = inside.page, tmp_path / "sex.csv"
    inside.go("hierarchies")
    inside.settle()
    page.get_by_role("main").get_by_role("link", name="sex").click()
    for rows, is_whole in (
        ("female;a person\n", False),
        ("female;a person\nmale;a person\n", True),
    ):
        file.write_text(rows)
        page.get_by_label("From a file with one row per value").check()
        page.get_by_label("File of the hierarchy").set_input_files(file)
        inside.press("Use these levels")
        assert page.locator("[role=alert]").count() == (0 if is_whole else 1)
        if not is_whole:
            page.get_by_text("Show the values that are meant").click()
            assert page.locator("[role=alert] details p").inner_text() == "male"
            inside.noted.clear()  # the browser notes the 422
            inside.look()
    inside.settle()
    assert "a person" in "".join(page.locator("main details table").all_text_contents())
    inside.press("Undo")


def test_what_is_refused_is_read_out_and_has_the_focus(inside):
    inside.go("search")
    inside.press("Search the whole table")
    assert inside.page.evaluate("document.activeElement.id") == "faults"
    assert inside.page.locator("[role=alert]").count() == 1
    inside.noted.clear()  # the browser notes the 422
    inside.look()


def test_a_graph_becomes_a_release(inside, project):
    inside.go("graph")
    inside.page.get_by_label("Edge list").select_option("friends.csv")
    inside.press("Make a release")
    inside.wait()
    assert "the number of neighbors" in inside.page.locator("main table").first.inner_text()
    inside.look("graph")
    written = project[1] / "graph-releases" / "0001"
    assert (written / "graph.csv").read_text().startswith("source,target")
    degrees = pl.read_csv(written / "graph.csv")
    ends = pl.concat([degrees["source"].alias("v"), degrees["target"].alias("v")])
    neighbors = ends.value_counts(name="neighbors")
    assert neighbors["neighbors"].value_counts(name="people")["people"].min() >= 5


@pytest.mark.slow
def test_a_question_is_answered_within_its_budget(inside):
    pytest.importorskip("opendp")
    inside.go("questions")
    page = inside.page
    page.get_by_label("Column that tells persons apart").select_option("name")
    inside.press("Set up")
    page.get_by_label("Question, in SQL").fill("SELECT COUNT(*) FROM patients")
    inside.press("What would it cost?")
    assert "Nothing was charged" in page.locator("main").inner_text()
    assert page.locator("meter").get_attribute("value") == "0.0"
    page.get_by_label("What the answer may cost").fill("0.5")
    inside.press("Ask")
    assert page.locator("meter").get_attribute("value") == "0.5"
    low, high = page.locator("main table").first.locator("td").inner_text().split(" to ")
    assert float(low) < float(high)
    inside.look("questions")
    page.get_by_label("What the answer may cost").fill("0.6")
    page.get_by_label("Question, in SQL").fill("SELECT COUNT(*) FROM patients WHERE sex = 'male'")
    inside.press("Ask")
    assert "left" in page.locator("[role=alert]").inner_text()
    inside.noted.clear()


def click_while_there(page, name):
    """Click on a link until the page has it no more, as people do who wait."""
    while page.get_by_role("link", name=name).count():
        page.wait_for_timeout(BETWEEN_CLICKS)
        page.get_by_role("link", name=name).click()


@pytest.mark.slow  # test_app_flow.py sends every form without a script
def test_without_script_every_page_is_read_and_every_form_works(browser, inside, project):
    """Last of all, since it decides on the roles of the project that the others share."""
    home = inside.home
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies(inside.context.cookies())
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    for name in (*STEPS, *FURTHER):
        page.goto(f"{home}/{name}")
        click_while_there(page, "Look again")
        assert page.locator("main h1").count() == 1, name
    page.goto(f"{home}/roles")
    page.get_by_role("button", name="Measure").click()
    assert page.locator("#together li").count() > 0
    for column in HARMLESS:
        page.get_by_label(f"Role of {column}", exact=True).select_option("insensitive")
    page.get_by_role("button", name="I have checked all of them").click()
    page.goto(f"{home}/search")
    page.get_by_label("Records that may be left out").fill("20")
    page.get_by_role("button", name="Search the whole table").click()
    click_while_there(page, "See how far it is")
    assert "was found" in page.locator("main").inner_text()
    context.close()
    inside.go("explore")
    inside.press("Show the levels of the groups")
    inside.wait()
    assert "costs most detail" in inside.page.locator("main").inner_text()
    inside.look()
    inside.go("compare")
    inside.press("Compare with the original")
    inside.wait()
    inside.page.set_viewport_size({"width": 360, "height": 800})
    for name in ("search", "explore", "compare", "release", "history?first=1&second=2"):
        inside.go(name)
        assert inside.overflows() <= 0, name
        inside.look()
