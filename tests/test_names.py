"""The names in the source, and what docstrings begin with: see docs/contributing/glossary.md."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import indistinct

SOURCE = Path(indistinct.__file__).parent

# A docstring says what comes back: it returns something, and neither gives, tells nor says it.
NEVER = {"Give", "Tell", "Say"}
NOT_WHERE_SOMETHING_RETURNS = {"Put", "Take", "Keep", "Turn", "Bring", "Hand"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def parsed(place):
    """Parse a file of the source."""
    return ast.parse((SOURCE / place).read_text("utf-8"))


def places():
    """List the files of the source."""
    return sorted(path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py"))


def own_nodes(function):
    """Walk through a function, but not through those inside it."""
    waiting = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, Function | ast.Lambda | ast.ClassDef):
            waiting.extend(ast.iter_child_nodes(node))


def is_generator(function):
    """Return whether a function yields what it makes."""
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own_nodes(function))


def unusual_docstrings(tree):
    """Find the functions whose docstring does not say what they return or yield."""
    for function in ast.walk(tree):
        text = ast.get_docstring(function) if isinstance(function, Function) else None
        if not text:
            continue
        first = text.split()[0].rstrip(",.:;")
        returned = function.returns
        is_empty = returned is None or (isinstance(returned, ast.Constant) and not returned.value)
        if (
            first in NEVER
            or (first in NOT_WHERE_SOMETHING_RETURNS and not is_empty)
            or (first == "Return" and is_generator(function))
        ):
            yield function.name, first


def test_docstrings_say_what_is_returned():
    """Return what is returned, and yield what is yielded."""
    found = {
        place: unusual for place in places() if (unusual := [*unusual_docstrings(parsed(place))])
    }
    assert found == {}


@pytest.mark.parametrize(
    "source",
    [
        'def f() -> int:\n    """Give a number."""\n    return 1',
        'def f() -> None:\n    """Say a number."""',
        'class A:\n    def f(self) -> int:\n        """Take a number."""\n        return 1',
        'def f() -> Iterator[int]:\n    """Return numbers."""\n    yield 1',
    ],
)
def test_an_unusual_docstring_is_found(source):
    """The search finds each kind that it looks for, and nothing in the same words well put."""
    assert [*unusual_docstrings(ast.parse(source))]
    mended = source
    for before, now in (("Give", "Return"), ("Say", "Print"), ("Take", "Return")):
        mended = mended.replace(before, now)
    mended = mended.replace("Return numbers", "Yield numbers")
    assert not [*unusual_docstrings(ast.parse(mended))]


def test_no_class_name_means_two_things():
    """A name that is searched for leads to one class, whichever package it is in."""
    homes = {}
    for place in places():
        for node in parsed(place).body:
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(place)
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}
    assert homes["Release"] == ["tables/publish/release.py"]  # it looks into the source at all


def answers():
    """List the searches of the page for new maintainers, each with the file that it finds."""
    page = Path(__file__).parent.parent / "docs" / "contributing" / "where-to-begin.md"
    for row in re.findall(
        r"^\| [^|]*\? \| ([^|]*) \| `([^|]*)` \|$", page.read_text("utf-8"), re.MULTILINE
    ):
        for search in re.findall("`([^`]*)`", row[0]):
            yield search, row[1]


@pytest.mark.parametrize(("search", "file"), [*answers()])
def test_a_search_by_name_finds_the_file(search, file):
    """Somebody who is new searches for the usual name of a thing, and finds the one file."""
    lines = re.compile(search, re.IGNORECASE)
    found = [place for place in places() if lines.search((SOURCE / place).read_text("utf-8"))]
    assert found == [file]


def test_the_page_has_answers():
    """Rows that are written in another way would test nothing."""
    assert len({file for _, file in answers()}) >= 3
