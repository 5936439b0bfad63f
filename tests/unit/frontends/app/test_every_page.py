"""Every page opens for every policy, with and without a release, and every link leads somewhere."""

import re
from html import unescape

import pytest

from app_visits import visiting
from every_policy import every_policy, write_files
from indistinct.frontends.app.routes import SHOWN
from indistinct.frontends.app.work import WORK

POLICIES, WITHOUT_POLICY = every_policy()
PLAIN = [path for path in SHOWN if "{" not in path]
# What the form of a page sends beside nothing.
WORDS = {"/compare/attack": {"known": ["age", "city"]}, "/explore/sweep": {"values": "2, 3"}}
LINKS = re.compile(r'(?:href|hx-get|src)="(/[^"#]*)')
# Each makes results that pages show; where the policy allows no release, the page says so.
FORMS = (
    "/search/trial", "/search", "/explore/around", "/explore/shape", "/explore/sweep",
    "/compare/measure", "/compare/attack", "/release",
)  # fmt: skip


@pytest.fixture(scope="module")
def visitor(tmp_path_factory):
    folder = tmp_path_factory.mktemp("every")
    with visiting(folder, write_files(folder)) as one:
        yield one


def walk(visitor, paths=PLAIN):
    """Open pages and follow every link on them; give what was not found."""
    waiting, known = list(paths), {*paths, "/"}
    failed = []
    while waiting:
        path = waiting.pop()
        answer = visitor.get(path)
        if answer.status_code != 200:
            failed.append((path, answer.status_code, answer.text[-300:]))
        links = set(map(unescape, LINKS.findall(answer.text))) - known
        known |= links
        waiting += links
    return failed


def search(visitor, monkeypatch, forms):
    """Send forms that order work, and do the work at once; give the answers that are no page."""
    jobs = visitor.app_state.jobs

    def start(self, kind, key, page, arguments):
        del page
        self.results[key] = WORK[kind](lambda share, message: None, **arguments)

    monkeypatch.setattr(type(jobs), "start", start)
    answers = [(form, visitor.post(form, **WORDS.get(form, {}))) for form in forms]
    return [(form, answer.text[-300:]) for form, answer in answers if answer.status_code >= 500]


def test_every_member_of_every_registry_has_a_policy():
    assert WITHOUT_POLICY == []


@pytest.mark.parametrize(("names", "words"), POLICIES)
def test_every_page_opens_before_a_search(visitor, names, words):
    visitor.app_state.change(words, names, frozenset(words["columns"]))
    assert walk(visitor) == []


@pytest.mark.parametrize("member", ["delta-presence", "set-k-anonymity"])
def test_every_page_opens_after_a_search(visitor, monkeypatch, member):
    names, words = next(one for one in POLICIES if member in one[0])
    visitor.app_state.change(words, names, frozenset(words["columns"]))
    assert search(visitor, monkeypatch, ["/search", "/compare/measure"]) == []
    assert visitor.app_state.current_run() is not None
    assert walk(visitor) == []


@pytest.mark.slow
@pytest.mark.parametrize(("names", "words"), POLICIES)
def test_every_page_opens_for_every_result(visitor, monkeypatch, names, words):
    visitor.app_state.change(words, names, frozenset(words["columns"]))
    assert search(visitor, monkeypatch, FORMS) == []
    assert walk(visitor) == []
