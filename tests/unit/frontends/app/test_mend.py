"""A refusal leads on: its buttons edit the policy, and what would be refused is not begun."""

# ruff: noqa: E501 - edits stand here on a line each

import json
import random
import re
from html import unescape
from types import SimpleNamespace

import polars as pl
import pytest

from app_visits import roles_of, visiting
from indistinct.errors import UsageError, Way
from indistinct.frontends.app.checks import checks_of
from indistinct.frontends.app.edits import with_models, with_table, with_way
from indistinct.frontends.app.losses import change_of, losses_of
from indistinct.frontends.app.ways import PolicyButton, way_label, ways_of

ROLES = {
    "age": "quasi-identifier", "state": "quasi-identifier", "born": "quasi-identifier",
    "sex": "quasi-identifier", "job": "quasi-identifier",
    "city": "insensitive", "smoker": "sensitive", "pay": "sensitive",
}  # fmt: skip


def people(folder, n_rows=400):
    """Write a table in which the city tells the state, and few values are private."""
    drawn = random.Random(3)
    rows = [
        {
            "age": drawn.randint(18, 90),
            "state": f"state{city % 4}",
            "born": f"19{drawn.randint(30, 99)}-{drawn.randint(1, 12):02}-{drawn.randint(1, 28):02}",
            "sex": drawn.choice("mf"),
            "job": drawn.choice(["cook", "nurse", "clerk", "pilot", "judge", "baker", "smith"]),
            "city": f"town{city}",
            "smoker": drawn.choice(["yes", "no"]),
            "pay": drawn.randint(1000, 9000),
        }
        for city in (drawn.randrange(20) for _ in range(n_rows))
    ]
    path = folder / "people.csv"
    pl.DataFrame(rows).write_csv(path)
    return path


def promised(visitor, *models):
    project = visitor.app_state.project
    words = with_models(project.words, [{"name": "k-anonymity", "k": 5}, *models])
    words = with_table(words, "method", {"time_limit": 2})
    visitor.app_state.change(words, "a test", project.confirmed)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mend")
    with visiting(folder, people(folder)) as visitor:
        visitor.post("/roles", all="yes", **roles_of(visitor, **ROLES))
        promised(visitor)
        yield visitor


def pressed(visitor, page, label, **also):
    """Press the button of a page by its words."""
    forms = re.findall(r'name="ways" value="([^"]*)">([^<]*)<', page)
    value = next(value for value, said in forms if unescape(said) == label)
    return visitor.post("/mend", ways=unescape(value), page="promise", **also)


def test_a_column_that_tells_another_is_told_with_buttons(found):
    checks = checks_of(found.app_state)
    assert [(one.code, one.columns) for one in checks.doubtful] == [
        ("gives-others-back", ("city",))
    ]
    assert checks.refused == ()
    assert [one.column for one in checks.unpromised] == ["smoker", "pay"]
    assert pressed(found, found.get("/promise").text, "Leave city out").status_code == 303
    assert found.app_state.project.words["columns"]["city"]["role"] == "identifier"
    assert checks_of(found.app_state).doubtful == ()
    found.post("/undo")


def test_a_search_that_would_be_refused_is_not_begun(found):
    """A model asks for more values than its column has; the page says which, and what would do."""
    promised(found, {"name": "distinct-l-diversity", "column": "smoker", "l": 3})
    (fault,) = checks_of(found.app_state).refused
    assert (fault.code, fault.columns, fault.parts) == (
        "beyond-the-column",
        ("smoker",),
        {"least": 3, "count": 2},
    )
    answer = found.post("/search")
    assert answer.status_code == 422
    assert "asks for 3 different values of smoker" in answer.text
    assert found.app_state.jobs.current() is None
    label = "Every group has different private values: ask for l = 2"
    assert pressed(found, answer.text, label).status_code == 303
    assert found.app_state.project.words["models"][1]["l"] == 2
    assert checks_of(found.app_state).refused == ()


def test_a_k_beyond_the_table_is_refused_with_the_largest_that_is_not(found):
    promised(found)
    words = found.app_state.project.words
    found.app_state.change(
        with_models(words, [{"name": "k-anonymity", "k": 1_000}]),
        "a test",
        found.app_state.project.confirmed,
    )
    (fault,) = checks_of(found.app_state).refused
    assert fault.ways == (Way(("models", "k-anonymity", "", "k"), 400),)
    found.post("/undo")


def test_a_refused_search_leads_on_and_a_hidden_column_is_kept_by_a_click(found):
    """The trial of each way stands beside its button; a click searches again, another takes back."""
    state = found.app_state
    refused = with_table(state.project.words, "release", {"read_back": "refused"})
    state.change(refused, "a test", state.project.confirmed)
    found.post("/search")
    assert found.wait().faults[0].code == "gives-cells-back"
    refused = found.get("/search").text
    assert "Tried on some of the records: loss" in refused
    pressed(found, refused, "Leave city out", then="search")
    assert found.wait().state.value == "done", found.app_state.jobs.latest.faults
    run = found.app_state.current_run()
    losses = losses_of(found.app_state, run)
    assert losses
    for one, column in zip(losses, run.about["hidden"], strict=True):
        tried = [trial["possible"] for trial in column["trials"]]
        assert len(one.impossible) == tried.count(False)
    before = found.app_state.project.words
    page = found.get("/search").text
    pressed(found, page, f"Leave {losses[0].column} out", then="search")
    assert found.wait().state.value == "done", found.app_state.jobs.latest.faults
    after = found.app_state.current_run()
    assert after.number > run.number
    assert change_of(found.app_state, after) is not None
    assert "Take it back" in found.get("/search").text
    found.post("/search/back")
    assert found.app_state.project.words == before
    assert found.app_state.current_run().number == run.number


def test_what_was_tried_in_vain_is_listed_without_a_button(found):
    """Of two trials one has a release: the other is named below the buttons."""
    edit = {"place": ["columns", "age", "max_level"], "value": 1}
    smaller = {"place": ["models", "k-anonymity", "", "k"], "value": 2}
    trials = [
        {"edits": [edit], "possible": False, "loss": None, "left_out": None},
        {"edits": [edit, smaller], "possible": True, "loss": 0.25, "left_out": 0.0},
    ]
    column = {"column": "age", "share": 0.9, "level": 1, "trials": trials}
    run = SimpleNamespace(about={"hidden": [column]})
    (loss,) = losses_of(found.app_state, run)
    alone, with_smaller, *_ = [*loss.impossible, *(one.label for one in loss.buttons)]
    assert loss.impossible == [alone]
    assert with_smaller.startswith(f"{alone}; ")
    assert "loss 0.25" in loss.buttons[0].cost


@pytest.mark.parametrize(
    "given", ["", "x", "[]", "null", "[[1, 2]]", '[[["columns"], 1]]', "[[2]]"]
)
def test_what_is_not_an_edit_is_refused(given):
    with pytest.raises(UsageError):
        ways_of(given)


@pytest.mark.parametrize(
    "place", [["columns", "nobody", "role"], ["columns", "a", "b", "c"], ["x", "y", "z", "w"]]
)
def test_an_edit_of_nothing_is_refused(found, place):
    answer = found.post("/mend", ways=json.dumps([[place, "identifier"]]))
    assert answer.status_code == 422


WORDS = {
    "columns": {
        "age": {"role": "quasi-identifier", "min_level": 3},
        "ill": {"role": "sensitive", "reason": "x"},
    },
    "models": [{"name": "k-anonymity", "k": 5}, {"name": "t-closeness", "column": "ill", "t": 0.2}],
    "method": {"max_suppression": 0.05},
}


@pytest.mark.parametrize(
    ("way", "changed"),
    [
        (Way(("columns", "age", "max_level"), 2), ("columns", "age", {"role": "quasi-identifier", "min_level": 2, "max_level": 2})),
        (Way(("columns", "ill", "role"), "identifier"), ("columns", "ill", {"role": "identifier"})),
        (Way(("models", "k-anonymity", "", "k"), 3), ("models", 0, {"name": "k-anonymity", "k": 3})),
        (Way(("models", "t-closeness", "ill"), None), ("models", slice(1, None), [])),
        (Way(("method", "max_suppression"), 0.1), ("method", "max_suppression", 0.1)),
        (Way(("data", "person"), "no"), ("data", "person", "no")),
    ],
)  # fmt: skip
def test_an_edit_changes_one_word(way, changed):
    table, word, value = changed
    assert with_way(WORDS, way)[table][word] == value
    assert WORDS["columns"]["age"]["min_level"] == 3  # the words before stay
    (read,) = ways_of(PolicyButton.of((way,)).value)
    assert (read.place, read.value) == (way.place, way.value)
    assert way_label(way)


def test_a_trial_that_was_made_stands_beside_its_button():
    way = Way(("method", "max_suppression"), 0.1, possible=True, loss=0.1234, left_out=0.07)
    assert PolicyButton.of((way,)).cost == ("Tried on some of the records: loss 0.12, 7% left out.")
