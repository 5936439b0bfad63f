"""The changes that mutants are made of, and a mutant that its tests notice."""

import ast

import pytest

from mutants import run
from mutants.operators import mutants


def changed(source):
    """Give the changed programs as text."""
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


@pytest.mark.parametrize("room", run.ROOMS)
def test_every_file_has_tests_and_can_be_changed(room):
    files = run.files_of(room)
    assert files
    for file in files:
        assert run.tests_of(room, file)
        assert run.module_of(file).startswith("indistinct.")
    assert sum(len(mutants(file.read_text("utf-8"))) for file in files) > 20
