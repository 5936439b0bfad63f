"""Every page of the application in every state, in both languages: run by ``make app-walk``.

A walk opens a table from the list to a signed release, and the pages beside the steps. On each page
that it meets it looks for what no page may have: a word of the policy file or an option of the
command in a sentence, English on a German page, an error. What a German page marks as English is
counted and printed. While a job runs, it says something new every second, what it calls the best so
far never gets worse, and what it calls a bound holds in the end.
"""

from __future__ import annotations

import copy
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from app_visits import patients, related_form, roles_of, signed, visiting
from hospitals import hospital
from indistinct.base.statements.statements import Statements, is_known
from unreadable_files import unreadable

LANGUAGES = ("en", "de")
POLICY_WORDS = re.compile(
    r"(?<![\w/])(?:data|columns|method|models)\.[a-z]\w+|\b(?:role|type|missing) = "
    r"|\[(?:release|data|method|columns\.\w+)\]|(?<![\w-])--[a-z]"
)
# Words that a sentence in English has, and none in German.
ENGLISH = re.compile(r"\b(?:the|of|is|are|which|that|its|with|from|and|not|be|by)\b")
SHOWS_COMMANDS = {"script", "code", "pre", "textarea", "style", "title"}
PATIENCE_SECONDS = 2.0  # the page says each second that it lives, and a look may wait for one
FIGURE = re.compile(r"\d[\d.,]*")
SEARCHED_ROWS = 20_000


@dataclass
class Node:
    """A text of a page: the language that it is marked as, and whether it is shown as code."""

    said: str
    language: str
    is_code: bool


class TextNodes(HTMLParser):
    """Collects the texts of a page, and the words of its buttons."""

    VOID = frozenset({"meta", "link", "input", "br", "hr", "img", "col", "wbr", "source"})

    def __init__(self):
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.found: list[Node] = []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        language = given.get("lang") or (self.open[-1][1] if self.open else "")
        for name in ("aria-label", "placeholder"):
            if given.get(name):
                self._add(given[name], language)
        if tag not in self.VOID:
            self.open.append((tag, language))

    def handle_endtag(self, tag):
        if tag in [name for name, _ in self.open]:
            while self.open.pop()[0] != tag:
                pass

    def handle_data(self, data):
        if data.strip():
            self._add(data, self.open[-1][1] if self.open else "")

    def _add(self, said, language):
        is_code = any(tag in SHOWS_COMMANDS for tag, _ in self.open)
        self.found.append(Node(" ".join(said.split()), language, is_code))


def nodes_of(page):
    """Return the texts of a page."""
    reader = TextNodes()
    reader.feed(page)
    return reader.found


def faults_of(page: str, language: str) -> Iterator[str]:
    """Yield what no page may have."""
    for node in nodes_of(page):
        if node.is_code:
            continue
        if (word := POLICY_WORDS.search(node.said)) is not None:
            yield f"a word of the policy or an option: {word[0]!r} in {node.said!r}"
        if language != "en" and node.language == language and ENGLISH.search(node.said):
            yield f"English on a page in {language}: {node.said!r}"


@dataclass
class Walk:
    """A visitor of one language who looks at every page that it meets.

    Parameters
    ----------
    faults : what was found, each with the state and the page
    english : sentences that a German page marks as English, with how often
    """

    visitor: object
    language: str
    faults: list[str] = field(default_factory=list)
    english: Counter = field(default_factory=Counter)

    def look(self, state, *paths):
        """Open some pages."""
        for path in paths:
            answer = self.visitor.get(path)
            if answer.status_code >= 500:
                self.faults.append(f"{state} {path}: {answer.status_code}")
            self.read(state, path, answer.text)

    def read(self, state, path, page):
        """Look at one page."""
        language = self.language
        found = faults_of(page, language)
        self.faults += [f"{state} {path}: {fault}" for fault in found]
        if language != "en":
            marked = (one for one in nodes_of(page) if one.language == "en" and not one.is_code)
            self.english.update(one.said for one in marked if one.said != "English")

    def wait(self, state, path):
        """Follow a job to its end, once a fifth of a second."""
        jobs, signs, bests, bounds = self.visitor.app_state.jobs, [], [], []
        while jobs.current() is not None:
            said = " ".join(one.said for one in nodes_of(self.visitor.get("/job").text))
            if not signs or said != signs[-1][1]:
                signs.append((time.monotonic(), said))
            if (best := re.search(r"best release so far \D*([\d.,]+)", said)) is not None:
                bests.append(number_of(best[1]))
            if (bound := re.search(r"No release can \D*([\d.,]+)", said)) is not None:
                bounds.append(number_of(bound[1]))
            time.sleep(0.2)
        ended = time.monotonic()
        times = [at for at, _ in signs] + [ended]
        longest = max((b - a for a, b in pairwise(times)), default=0.0)
        if longest > PATIENCE_SECONDS:
            self.faults.append(f"{state}: {longest:.1f} seconds without a sign of life")
        if bests != sorted(bests, reverse=True):
            self.faults.append(f"{state}: the best so far got worse")
        if bests and bounds and max(bounds) > min(bests) * 1.0001:
            self.faults.append(f"{state}: a bound is above the best")
        self.look(state, path)
        return jobs.poll()

    def check_bar(self, state):
        """Hold the figures of the bar against the statements of the release."""
        run = self.visitor.app_state.current_run()
        stated = Statements.read(run.document["statements"])
        if self.language != "en":
            return  # the same figures with other marks
        page = self.visitor.get("/search").text
        bar = re.search(r'<dl class="bar".*?</dl>', page, flags=re.DOTALL)[0]
        shown = [unescape(one) for one in re.findall(r"<dd[^>]*>([^<]*)</dd>", bar)][1:]
        released, gone = (run.document["records"][word] for word in ("released", "suppressed"))
        wanted = [100 * released / (released + gone)]
        wanted += [100 * float(stated.kept["share"])] if is_known(stated.kept["share"]) else [None]
        highest = stated.risk["highest"]
        wanted += [1 / float(highest["chance"])] if is_known(highest) else [None]
        for said, figure in zip(shown, wanted, strict=True):
            found = [number_of(one) for one in FIGURE.findall(said.removeprefix("1 in "))]
            if figure is not None and found and abs(found[0] - figure) > 0.01 * figure + 0.06:
                self.faults.append(f"{state}: the bar says {said}, the statements {figure:.4g}")


def number_of(said):
    """Return the number that a page writes in English."""
    return float(said.rstrip(".,").replace(",", ""))


def opened(walk, name, state, **words):
    """Open a file, and look at the page that follows."""
    visitor = walk.visitor
    visitor.post("/data/open", path=name, new="yes", **words)
    while visitor.app_state.pending is not None:
        visitor.get("/data")
        time.sleep(0.05)
    walk.look(state, "/data")


STEPS = ("/data", "/people", "/roles", "/hierarchies", "/promise", "/search", "/explore",
         "/compare", "/release")  # fmt: skip
BESIDE = ("/script", "/history", "/related", "/graph", "/questions")


@pytest.fixture(params=LANGUAGES)
def walk(tmp_path, request):
    patients(tmp_path, SEARCHED_ROWS)
    words = "".join(f"{20 + n % 50};\xe9t\xe9 {n}\n" for n in range(3))
    (tmp_path / "asked.csv").write_bytes(("age;place\n" + words).encode("latin-1"))
    rows = "".join(
        f"P{100 + n // 2};0{1 + n % 9}/0{1 + n * 7 % 9}/{1950 + n % 40};{'NA' if n % 5 else 3};"
        f"{n % 7}\n"
        for n in range(200)
    )
    titled = f"Visits of a ward\n\npatient_id;day;score;zq\n{rows}Total;;;\n"
    (tmp_path / "visits.csv").write_text(titled)
    (tmp_path / "hospital").mkdir()
    for name, frame in hospital(1, 40, 3).items():
        frame.write_csv(tmp_path / "hospital" / f"{name}.csv")
    for name, content in unreadable().items():
        (tmp_path / name).write_bytes(content)
    with visiting(tmp_path) as visitor:
        visitor.post("/language", language=request.param, page="data")
        walk = Walk(visitor, request.param)
        yield walk
    told = f"\n{len(walk.english)} sentences are marked as English on pages in {walk.language}:\n"
    told += "".join(f"  {often:4} {said}\n" for said, often in walk.english.most_common())
    sys.stdout.write(told)


def test_the_walk_notices_what_it_looks_for():
    page = '<html lang="de"><p>Set data.missing, or role = "x", or --settle a.</p><p>{}</p></html>'
    said = page.format("Die Spalte <span lang='en'>is the one</span> hier")
    assert len(list(faults_of(said, "de"))) == 1
    assert len(list(faults_of(page.format("Somebody is the owner of it"), "de"))) == 2
    assert list(faults_of("<code>--settle data.missing</code>", "en")) == []


def hold_a_column_fine(state):
    """Change the policy so that a search finds no release."""
    words = copy.deepcopy(state.project.words)
    quasi = (one for one in words["columns"].values() if one["role"] == "quasi-identifier")
    next(quasi)["max_level"] = 0
    words["method"]["max_suppression"] = 0
    state.change(words, "", state.project.confirmed)


def release_related_tables(walk):
    """Look at the tables of a folder, confirm them, and release them."""
    visitor = walk.visitor
    visitor.post("/related/look", folder="hospital", profile="")
    walk.wait("related tables are looked at", "/related")
    refused = related_form(visitor, do="release", k="7", **{"leads-0-0": "", "leads-0-3": ""})
    walk.read("related tables are refused", "/related", visitor.post("/related", **refused).text)
    visitor.post("/related", **related_form(visitor, do="release"))
    job = walk.wait("related tables are released", "/related")
    assert job.state.value == "done", job.faults
    assert "/related/1/events.csv" in visitor.get("/related").text


def ask_a_question(walk):
    """Declare the patients as a database, and ask for a price and for answers."""
    visitor = walk.visitor
    page = visitor.get("/questions?data=patients.csv").text
    names = list(visitor.app_state.project.words["columns"])
    setup = {"data": "patients.csv", "person": "name", "epsilon": "2"}
    bounds = {f"low-{names.index('height_cm')}": "100", f"high-{names.index('height_cm')}": "220"}
    values = {f"values-{names.index('sex')}": "female, male"}
    walk.read("a table may be declared", "/questions", page)
    wrong = visitor.post("/questions/declare", **setup, **bounds | {"low-0": "tall"})
    walk.read("a declaration is refused", "/questions", wrong.text)
    answer = visitor.post("/questions/declare", **setup, **bounds, **values)
    file = "patients.questions.toml"
    walk.look("declared", f"/questions?file={file}")
    assert answer.status_code == 303
    asked = "SELECT sex, AVG(height_cm) FROM patients GROUP BY sex"
    for state, words in (
        ("the price of a question", {"question": asked, "epsilon": "0.5", "price": "yes"}),
        ("a question is answered", {"question": asked, "epsilon": "0.5"}),
        ("a question is refused", {"question": "SELECT name FROM patients", "epsilon": "0.5"}),
        ("a question costs too much", {"question": asked, "epsilon": "50"}),
    ):
        answered = visitor.post("/questions/ask", file=file, **words)
        walk.read(state, "/questions", answered.text)
        assert answered.status_code == (422 if "refused" in state or "much" in state else 200)


def test_every_page_in_every_state(walk):
    visitor = walk.visitor
    walk.look("list", *STEPS[:1], *BESIDE)
    opened(walk, "asked.csv", "asks")
    assert visitor.app_state.opening.asked is not None
    visitor.post("/data/close")
    opened(walk, "visits.csv", "read")
    walk.look("open doubts", *STEPS, *BESIDE)
    for name in unreadable():
        opened(walk, name, f"cannot be read: {name}")
        walk.look("after a file that cannot be read", "/roles")
    visitor.post("/people", joined="together")
    walk.look("a number for each person", "/people", "/promise")
    opened(walk, "patients.csv", "read")
    walk.look("nothing speaks for it", "/people")
    columns = visitor.app_state.project.words["columns"]
    harmless = ("insurance", "height_cm", "weight_kg", "admission_date")
    roles = {name: "insensitive" for name in columns if name in harmless}
    visitor.post("/roles", all="yes", **roles_of(visitor, **roles))
    walk.look("roles are checked", *STEPS, "/hierarchies/1", *BESIDE)
    visitor.post("/search/trial")
    walk.wait("trial", "/search")
    visitor.post("/search/method", algorithm="optimal", max_suppression="1", time_limit="60")
    visitor.post("/search")
    job = walk.wait("search", "/search")
    assert job.state.value == "done", job.faults
    walk.check_bar("after the search")
    walk.look("a release was found", *STEPS, *BESIDE)
    visitor.post("/compare/measure")
    walk.wait("compare", "/compare")
    visitor.post("/explore/around")
    walk.wait("around", "/explore")
    visitor.post("/promise", **{"0-k": "30000"})
    visitor.post("/search")
    walk.look("a check holds the search back", "/promise", "/search")
    visitor.post("/undo")
    hold_a_column_fine(visitor.app_state)
    visitor.post("/search")
    assert walk.wait("a search without a release", "/search").state.value == "failed"
    walk.look("refused", *STEPS)
    visitor.post("/undo")
    assert signed(visitor, approved_by="Abteilung 7").status_code < 400
    walk.wait("publish", "/release")
    walk.look("signed", *STEPS, *BESIDE)
    release_related_tables(walk)
    ask_a_question(walk)
    visitor.post("/graph/example")
    visitor.post("/graph", edges="friends.csv", model="k-degree", k="4")
    walk.wait("graph", "/graph")
    assert not walk.faults, "\n".join(dict.fromkeys(walk.faults))
