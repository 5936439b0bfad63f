"""The changes that mutants are made of, and a mutant that its tests notice."""

import ast
import time
from pathlib import Path

import pytest

from mutants import places
from mutants.forks import forked
from mutants.operators import mutants
from mutants.page import Tried, unexplained, with_sample
from mutants.patching import put_in_place


def changed(source):
    """Return the changed programs as text."""
    return {(one.what, ast.unparse(one.tree)) for one in mutants(source)}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a < b", {("comparison", "a <= b")}),
        ("a == b", {("comparison", "a != b")}),
        ("a + b", {("arithmetic", "a - b")}),
        ("a and b", {("and/or", "a or b")}),
        ("not a", {("not", "a")}),
        ("a = True", {("truth", "a = False")}),
        ("f(2)", {("number", "f(3)")}),
        ("f(n=2)", {("number", "f(n=3)")}),
        ("k: int = parameter(int, at_least=2)", set()),
        ("import a", set()),
        ("def f():\n    return None", set()),
        ("def f():\n    return False", {("truth", "def f():\n    return True")}),
        ("zip(a, b, strict=True)", set()),
        ("@compiled\ndef f():\n    return 3", set()),
        ("class P:\n    def f(self, a=3):\n        ...", set()),
        ("def f(x: List[3]) -> g[4]:\n    return x", {
            ("return", "def f(x: List[3]) -> g[4]:\n    return None")
        }),
    ],
)  # fmt: skip
def test_each_change_is_made_once_and_alone(source, expected):
    assert changed(source) == expected


def test_a_change_leaves_the_rest_of_the_program_as_it_is():
    source = "if a < 1:\n    b = c + 2\n    d = e and f"
    texts = {text for _, text in changed(source)}
    assert len(texts) == 5
    assert source not in texts
    assert all(len(text.splitlines()) == 3 for text in texts)


@pytest.mark.parametrize("room", places.ROOMS)
def test_every_room_has_tests_and_every_file_can_be_changed(room):
    files = places.files_of(room)
    assert files
    assert places.tests_of(room)
    assert all(places.module_of(file).startswith("indistinct.") for file in files)
    assert sum(len(mutants(file.read_text("utf-8"))) for file in files) > 20


def test_what_is_in_a_body_can_be_changed_in_place():
    source = "X = 1\ndef f(a=2):\n    return lambda b=3: a"
    assert {(one.what, one.line, one.is_in_a_body) for one in mutants(source)} == {
        ("number", 1, False),
        ("number", 2, False),
        ("number", 3, True),
        ("return", 3, True),
    }


def kept(value):
    return value + 1


class Twice:
    def __call__(self, value):
        return [kept(one) for one in value]


def test_a_function_that_lives_is_changed_wherever_it_is_known():
    """The function is kept elsewhere too; a fork is changed, so that other tests see nothing."""
    known_elsewhere = [kept]
    [mutant] = [one for one in mutants(Path(__file__).read_text("utf-8")) if _is_of_kept(one)]

    def work():
        put_in_place(Path(__file__), mutant)
        return 7 if known_elsewhere[0](3) == 2 and Twice()([3]) == [2] else 1

    assert forked(work, 20) == 7
    assert kept(3) == 4


def _is_of_kept(mutant):
    return mutant.what == "arithmetic" and mutant.line == kept.__code__.co_firstlineno + 1


def test_work_without_end_is_ended():
    assert forked(lambda: time.sleep(60), 0.2) is None
    assert forked(lambda: 3, 20) == 3


PAGE = """Samples:

| room | seed |
|---|---|

<!-- samples: end -->

<!-- survivors: begin -->

- `a.py:3`, `x < 1 -> x <= 1`: changes nothing, since x is whole

<!-- survivors: end -->
The end.
"""


def test_a_sample_and_its_survivors_get_into_the_page():
    """One that is listed keeps its reason, wherever it stands now."""
    found = [
        Tried("models", "killed", "a.py:1", "1 -> 2"),
        Tried("models", "late", "a.py:2", "2 -> 3"),
        Tried("models", "survived", "a.py:9", "x < 1 -> x <= 1"),
        Tried("metrics", "unseen", "b.py:4", "return x -> return None"),
    ]
    page = with_sample(PAGE, 7, "unit/tables/models", found)
    assert "\n| models | 7 | unit/tables/models | 3 | 2 | 1 | 0 |\n" in page
    assert "\n| metrics | 7 | unit/tables/models | 1 | 0 | 0 | 1 |\n" in page
    assert "changes nothing, since x is whole" in page
    (line,) = unexplained(page)
    assert line.startswith("- `b.py:4` (in a line that no chosen test runs), ")
    assert page.endswith("<!-- survivors: end -->\nThe end.\n")
    again = with_sample(page, 8, "", found)
    assert again.count("b.py:4") == again.count("x <= 1") == 1
    assert "\n| metrics | 8 | all of the room | 1 | 0 | 0 | 1 |\n" in again
