"""Names of the version before: they work, and the warning names the new ones."""

import inspect
import re
from pathlib import Path

import pytest

import indistinct as ind
from indistinct import database, graph
from indistinct.base.former_names import former_names
from indistinct.frontends.cli.main import FORMER_OPTIONS, with_present_names

PAGE = (Path(__file__).parents[3] / "docs/from-0.2.md").read_text("utf-8").split("## Names")[1]


@former_names(positional=("rows", "seed"), size="width")
def example(data, *, rows=1, seed=0, width=2):
    """Return what was given."""
    return data, rows, seed, width


def test_a_call_by_the_present_names_does_not_warn():
    """Warnings are errors in these tests."""
    assert example("d", rows=3, width=4) == ("d", 3, 0, 4)


def test_former_places_and_keywords_warn_and_work():
    """Each is named, with what it is called now."""
    with pytest.warns(DeprecationWarning, match="version 0.3") as warned:
        assert example("d", 3, 7, size=5) == ("d", 3, 7, 5)
    said = [str(one.message) for one in warned]
    assert [one.split(" The former")[0] for one in said] == [
        "Give rows of example() by its name: rows=...",
        "Give seed of example() by its name: seed=...",
        "size of example() is called width.",
    ]
    assert {one.filename for one in warned} == {__file__}


@pytest.mark.parametrize(
    ("given", "words"),
    [(("d", 3), {"rows": 4}), (("d",), {"size": 1, "width": 2}), (("d", 1, 2, 3), {})],
)
def test_what_is_given_twice_or_too_often_is_an_error(given, words):
    """As Python says it of any function."""
    with pytest.raises(TypeError):
        example(*given, **words)


def test_every_former_name_of_a_function_stands_on_the_page():
    """The table of the page and the decorators say the same."""
    found = [
        function
        for room in (ind, graph, database, database.Session, database.Client)
        for function in (getattr(room, name) for name in dir(room) if not name.startswith("_"))
        if hasattr(function, "__former__")
    ]
    assert len(found) >= 14
    for function in found:
        words = {**function.__former__}
        now = [*words.pop("positional"), *words.values()]
        rows = [line for line in PAGE.splitlines() if f"{function.__name__}`" in line]
        assert all(any(f"`{name}=`" in row for row in rows) for name in now), function
        assert all(any(f"`{name}=`" in row for row in rows) for name in words), function
        keywords = inspect.signature(function).parameters
        assert set(now) <= {*keywords, "second_source", "predicate_columns", "item_choice"}


def test_every_former_option_stands_on_the_page():
    """And no other."""
    listed = re.findall(r"`(--[a-z-]+)`", "".join(re.findall(r"\|[^|]+\|([^|]+)\|[^|]+\|", PAGE)))
    assert sorted(set(listed)) == sorted({one for of in FORMER_OPTIONS.values() for one in of})


def test_former_options_are_replaced_and_named(capsys):
    """With their values, up to the end of the options."""
    given = ["database", "init", "d.csv", "--type=a=text", "--step", "a=1", "--no-yes"]
    found = with_present_names([*given, "--", "--type"])
    assert found == [
        *["database", "init", "d.csv", "--types=a=text", "--steps", "a=1", "--", "--type"]
    ]
    said = capsys.readouterr().err.splitlines()
    assert said[0].startswith("warning: --type is called --types.")
    assert said[2].startswith("warning: --no-yes is not needed.")
    assert with_present_names(["verify", "r.csv", "--policy", "p"]) == [
        *["verify", "r.csv", "--policy", "p"]
    ]
