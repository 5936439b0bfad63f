"""Each check of a republished table finds the one thing that is forged in two small groups."""

import hmac
import json
import sqlite3
from contextlib import closing
from dataclasses import replace

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError
from indistinct.tables.policy.specification import resolve
from indistinct.tables.verification.invariant import counterfeits_in
from indistinct.tables.verification.verdict import verdict_on
from indistinct.tables.verification.verify_release import VerificationInput
from ordered import UNORDERED, ordered_with

KEY, SHA256 = b"a key of a history", "the hash of this release"
WORDS = {
    "columns": {
        "id": {"role": "identifier"},
        "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20]}},
        "sex": {"role": "insensitive"},
        "ill": {"role": "sensitive"},
    },
    "models": [{"name": "m-invariance", "column": "ill", "m": 2}],
    "method": {"algorithm": "invariant"},
    "history": {"person": "id", "max_counterfeits": 1.0},
}
POLICY = ind.Policy.from_words(WORDS)
LINKED = ind.Policy.from_words(
    {
        **WORDS,
        "columns": {**WORDS["columns"], "age": {"role": "quasi-identifier"}},
        "release": {"form": "anatomy"},
    }
)
# Ann, Ben and Cem are released, Dan is not; group 2 has a counterfeit beside Cem.
ORIGINAL = pl.DataFrame(
    {
        "id": ["cem", "ben", "dan", "ann"],
        "age": [42, 33, 60, 31],
        "sex": ["m", "m", "f", "f"],
        "ill": ["flu", "gout", "gout", "flu"],
    }
)
MADE = pl.DataFrame({"group": ["2"], "counterfeits": ["1"]})


def table(**more):
    """Return the form with one table: group 1 is Ann and Ben, group 2 a counterfeit and Cem."""
    frame = pl.DataFrame(
        {
            "group": ["1", "1", "2", "2"],
            "age": ["[30, 35)", "[30, 35)", "[40, 45)", "[40, 45)"],
            "sex": ["f", "m", "f", "m"],
            "ill": ["flu", "gout", "gout", "flu"],
        }
    )
    said = {"original": ORIGINAL, "rows": [3, 1, -1, 0], "counterfeits": MADE, **more}
    return VerificationInput(frame, resolve(POLICY), **said)


def linked(**more):
    """Return the form with two tables."""
    frame = pl.DataFrame(
        {"group": ["1", "1", "2"], "age": ["31", "33", "42"], "sex": ["f", "m", "m"]}
    )
    listed = pl.DataFrame(
        {"group": ["1", "1", "2", "2"], "ill": ["flu", "gout"] * 2, "count": ["1"] * 4}
    )
    said = {"original": ORIGINAL, "rows": [3, 1, 0], "counterfeits": MADE, "sensitive": listed}
    return VerificationInput(frame, resolve(LINKED), **{**said, **more})


FORMS = {
    "table": (table, verdict_on),
    "linked": (linked, verdict_on),
}


@pytest.fixture(params=FORMS)
def form(request):
    """Return one of the two forms: an honest reading of it, and its verdict."""
    return FORMS[request.param]


def found(verdict):
    """Return what is wrong, as one line for each fault."""
    return [f"{fault.place}: {fault.problem}" for fault in verdict.faults]


def with_cells(frame, **cells):
    """Return a frame with other columns."""
    return frame.with_columns(**{name: pl.Series(values) for name, values in cells.items()})


# --- what is honest ---


def test_both_forms_hold_alone_and_with_everything_at_hand(form):
    made, verdict = form
    for more in ({}, {"rows": None}, {"rows": None, "original": None}):
        said = verdict(made(**more), [])
        assert found(said) == []
        assert said.holds
        assert (said.records, said.classes, len(said.models)) == (3, 2, 1)
        assert len(said.notes) == 1  # what no single release can tell


def test_a_fault_that_was_known_before_stays(form):
    made, verdict = form
    known = ind.errors.Fault("bytes", "hidden")
    said = verdict(made(), [known])
    assert not said.holds
    assert said.faults == (known,)


# --- what both forms share ---


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([["2", "0"]], "counterfeits: 1 rows say no count, or one twice"),
        ([["2", "one"]], "counterfeits: 1 rows say no count, or one twice"),
        ([["2", "1"], ["2", "1"]], "counterfeits: 1 rows say no count, or one twice"),
        ([["2", "1"], ["7", "1"]], "counterfeits: 1 groups are not in the release"),
    ],
)
def test_a_list_of_counterfeits_that_is_forged(form, rows, problem):
    made, verdict = form
    listed = pl.DataFrame(rows, schema=["group", "counterfeits"], orient="row")
    said = verdict(made(counterfeits=listed), [])
    assert problem in found(said)
    assert not said.holds


def test_groups_of_fewer_values_than_m(form):
    made, verdict = form
    reading = made()
    if reading.sensitive is None:
        reading = replace(
            reading, frame=with_cells(reading.frame, ill=["flu", "gout"] + ["flu"] * 2)
        )
    else:
        reading = replace(reading, sensitive=reading.sensitive[[0, 1, 2]])
    said = verdict(reading, [])
    assert not said.holds
    assert said.models[0]["holds"] is False
    assert any(one.startswith("models.m-invariance: ") for one in found(said))


def test_other_columns_than_those_of_the_policy(form):
    made, verdict = form
    for frame in (
        made().frame.drop("sex"),
        with_cells(made().frame, id=["x"] * made().frame.height),
    ):
        said = verdict(replace(made(), frame=frame), [])
        assert not said.holds
        assert (said.records, said.classes, said.models) == (0, 0, ())
        assert any(one.startswith(("columns.sex: ", "columns.id: ")) for one in found(said))


def test_rows_in_the_order_of_the_input(form):
    made, verdict = form
    rows = made().rows
    order = sorted(range(len(rows)), key=rows.__getitem__)
    kept = made(rows=[rows[place] for place in order])
    said = verdict(replace(kept, frame=kept.frame[order]), [])
    assert found(said) == [f"order: {UNORDERED}"]


# --- one table ---


def test_a_table_without_its_groups():
    said = verdict_on(replace(table(), frame=table().frame.drop("group")), [])
    assert found(said) == ["columns.group: is missing"]
    assert not said.holds


def test_a_list_of_counterfeits_that_is_missing_or_none(tmp_path):
    other = tmp_path / "other.csv"
    other.write_text("group,people\n1,1\n")
    with pytest.raises(DataError, match="not beside the release"):
        counterfeits_in(None)
    with pytest.raises(DataError, match="not beside the release"):
        counterfeits_in(tmp_path / "gone.csv")
    with pytest.raises(DataError, match="not a list of counterfeits"):
        counterfeits_in(other)
    other.write_text("group,counterfeits\n01,1\n")
    assert counterfeits_in(other).rows() == [("01", "1")]


def test_a_cell_that_differs_within_its_group():
    ages = ["[30, 35)", "[30, 40)", "[40, 45)", "[40, 45)"]
    frame = with_cells(table().frame, age=ages)
    said = verdict_on(replace(table(), frame=frame), [])
    assert found(said) == ["columns.age: differs within 1 groups"]


def test_a_cell_that_covers_somebody_else():
    """Only people have a record that their cell covers, a counterfeit has none."""
    frame = with_cells(table().frame, age=["[30, 35)", "[30, 35)", "[35, 40)", "[35, 40)"])
    said = verdict_on(replace(table(), frame=frame), [])
    assert found(said) == ["columns.age: 1 kinds of cells do not cover their original value"]
    alone = verdict_on(replace(table(), frame=frame, rows=None), [])
    assert found(alone) == ["columns.age: 2 cells cover no value of the input"]


def test_a_group_of_counterfeits_alone():
    listed = pl.DataFrame({"group": ["2"], "counterfeits": ["2"]})
    said = verdict_on(table(counterfeits=listed, rows=None), [])
    assert found(said) == ["counterfeits: 1 groups have no person"]


def test_counterfeits_that_the_crosswalk_contradicts():
    said = verdict_on(table(counterfeits=MADE.clear()), [])
    assert found(said) == ["counterfeits: are not those of the crosswalk"]


@pytest.mark.parametrize("name", ["ill", "sex"])
def test_a_cell_that_is_not_its_record_s_own(name):
    """Exchanged between Ann and Ben, who share a group."""
    cells = table().frame[name][[1, 0, 2, 3]]
    frame, rows = ordered_with(table().rows, with_cells(table().frame, **{name: cells}), "age")
    said = verdict_on(replace(table(), frame=frame, rows=rows), [])
    assert found(said) == [f"columns.{name}: 2 cells are not their record's own"]


# --- two linked tables ---


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        (
            ["2 2 1 1", "flu gout flu gout", "1 1 1 1"],
            f"sensitive: {UNORDERED}",
        ),
        (
            ["1 1 2 2", "gout flu flu gout", "1 1 1 1"],
            f"sensitive: {UNORDERED}",
        ),
        (
            ["1 2 1 2", "flu flu gout gout", "1 1 1 1"],
            f"sensitive: {UNORDERED}",
        ),
        (
            ["1 1 2 2", "flu gout flu gout", "1 1 2 1"],
            "counterfeits: 1 groups list other values than those of their people and counterfeits",
        ),
        (
            ["1 1 2 2", "flu gout flu gout", "1 1 0 1"],
            "sensitive: 1 rows say no count, or one that was said before",
        ),
        (
            ["1 1 2 2 3 3", "flu gout flu gout flu gout", "1 1 1 1 1 1"],
            "group: 1 groups are in one of the two tables only",
        ),
        (
            ["1 1 2 2", "flu mumps flu gout", "1 1 1 1"],
            "sensitive.ill: 1 values of people are not listed for their group, or once for two",
        ),
    ],
)
def test_a_second_table_that_is_forged(rows, problem):
    names = ("group", "ill", "count")
    listed = pl.DataFrame({name: cells.split() for name, cells in zip(names, rows, strict=True)})
    said = verdict_on(linked(sensitive=listed), [])
    assert problem in found(said)
    assert not said.holds


def test_numbers_and_missing_values_have_an_order_of_their_own():
    """A column of numbers ascends by value, any other as texts; a missing value stands last."""
    original = with_cells(ORIGINAL, ill=["9", "10", "10", "9"])
    listed = with_cells(linked().sensitive, ill=["9", "10", "9", "10"])
    reading = linked(sensitive=listed, original=original)
    assert found(verdict_on(reading, [])) == []
    as_texts = replace(reading, sensitive=with_cells(listed, ill=["10", "9", "10", "9"]))
    said = found(verdict_on(as_texts, []))
    assert said == [f"sensitive: {UNORDERED}"]
    other = with_cells(ORIGINAL, ill=["9", "1x", "1x", "9"])
    texts = linked(sensitive=with_cells(listed, ill=["1x", "9", "1x", "9"]), original=other)
    assert found(verdict_on(texts, [])) == []
    backwards = replace(texts, sensitive=with_cells(listed, ill=["9", "1x", "1x", "9"]))
    assert found(verdict_on(backwards, [])) == [f"sensitive: {UNORDERED}"]

    original = with_cells(ORIGINAL, ill=["flu", None, None, "flu"])
    last = with_cells(linked().sensitive, ill=["flu", "", "flu", ""])
    models = [WORDS["models"][0] | {"missing_counts": True}]
    counting = ind.Policy.from_words({**LINKED.words(), "models": models})
    reading = replace(linked(sensitive=last, original=original), spec=resolve(counting))
    assert found(verdict_on(reading, [])) == []
    first = replace(reading, sensitive=with_cells(last, ill=["", "flu", "flu", ""]))
    said = found(verdict_on(first, []))
    assert said == [f"sensitive: {UNORDERED}"]


def test_a_first_table_with_a_cell_of_somebody_else():
    frame = with_cells(linked().frame, age=["32", "33", "42"])
    said = verdict_on(replace(linked(), frame=frame), [])
    assert "columns.age: 1 kinds of cells are not the input's" in found(said)
    alone = verdict_on(replace(linked(), frame=frame, rows=None), [])
    assert found(alone) == [
        "records: 1 combinations of cells are not in the input, or not so often"
    ]


# --- the history ---


@pytest.fixture
def history(tmp_path):
    """Write a history: the people of release 1, and of this one, number 2."""
    path = tmp_path / "h.db"
    signatures = {1: ["flu", "gout"], 2: ["mumps", "rash"]}
    code = {name: hmac.digest(KEY, name.encode(), "sha256") for name in ORIGINAL["id"]}
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE facts (name, value); CREATE TABLE signatures (id, vals);"
            "CREATE TABLE releases (number, output_sha256, state);"
            "CREATE TABLE people (person, signature, since, value);"
            "CREATE TABLE members (release, person, class)"
        )
        facts = {"key": KEY, "sensitive": "ill", "m": "2", "companions": "fixed"}
        connection.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())
        listed = [(number, json.dumps(values)) for number, values in signatures.items()]
        connection.executemany("INSERT INTO signatures VALUES (?, ?)", listed)
        releases = [(1, "other", "published"), (2, SHA256, "pending")]
        connection.executemany("INSERT INTO releases VALUES (?, ?, ?)", releases)
        people = [
            (code["ann"], 1, 1, "flu"),
            (code["ben"], 1, 2, "gout"),
            (code["cem"], 1, 1, "flu"),
        ]
        connection.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", people)
        members = [(2, code["ann"], 1), (2, code["ben"], 1), (2, code["cem"], 2)]
        connection.executemany("INSERT INTO members VALUES (?, ?, ?)", members)
        connection.commit()
    return path


def changed(history, *statements):
    """Change a history."""
    with closing(sqlite3.connect(history)) as connection:
        for statement in statements:
            connection.execute(*statement)
        connection.commit()


def person(name):
    return hmac.digest(KEY, name.encode(), "sha256")


def test_a_history_that_agrees_with_both_forms(form, history):
    made, verdict = form
    for rows in (made().rows, None):
        said = verdict(made(rows=rows, history=history, sha256=SHA256), [])
        assert found(said) == []
        assert said.notes == ()


def test_a_history_without_the_input_decides_nothing(form, history):
    """Nor does the input without a history: a note says what it would take."""
    made, verdict = form
    for more in ({"original": None, "rows": None, "history": history}, {"history": None}):
        said = verdict(made(sha256=SHA256, **more), [])
        assert found(said) == []
        assert len(said.notes) == 1


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        (("UPDATE facts SET value = 'sex' WHERE name = 'sensitive'",),
         "history.sensitive: is not that of the policy"),
        (("UPDATE facts SET value = '3' WHERE name = 'm'",),
         "history.m: is not that of the policy"),
        (("UPDATE people SET signature = 2 WHERE person = ?", (person("ben"),)),
         "models.m-invariance: 1 people's groups are not those of the history"),
        (("INSERT INTO signatures VALUES (3, '[\"flu\", \"rash\"]')",), None),
    ],
)  # fmt: skip
def test_a_history_of_another_promise_or_group(form, history, statement, problem):
    made, verdict = form
    changed(history, statement)
    said = found(verdict(made(history=history, sha256=SHA256), []))
    assert said == ([] if problem is None else [problem])


def test_people_who_stood_among_others_before(form, history):
    """Ann had flu or rash before, and is now shown with flu or gout."""
    made, verdict = form
    changed(
        history,
        ('INSERT INTO signatures VALUES (3, \'["flu", "rash"]\')',),
        ("UPDATE people SET signature = 3 WHERE person = ?", (person("ann"),)),
    )
    said = found(verdict(made(history=history, sha256=SHA256), []))
    assert said == [
        "models.m-invariance: 1 people's groups show other values than in earlier releases"
    ]


def test_people_whose_value_changed_are_not_shown_with_one_of_before(form, history):
    """Ann had gout, so that with fixed companions she may not meet it again."""
    made, verdict = form
    changed(history, ("UPDATE people SET value = 'gout' WHERE person = ?", (person("ann"),)))
    said = found(verdict(made(history=history, sha256=SHA256), []))
    problem = "models.m-invariance: 1 people whose value changed are shown with a value of before"
    assert said == [problem]
    changed(history, ("UPDATE facts SET value = 'mixed' WHERE name = 'companions'",))
    assert found(verdict(made(history=history, sha256=SHA256), [])) == []


def test_people_whose_group_lacks_their_value(form, history):
    made, verdict = form
    original = with_cells(ORIGINAL, ill=["flu", "gout", "gout", "rash"])
    said = found(verdict(made(history=history, sha256=SHA256, original=original, rows=None), []))
    assert "models.m-invariance: 1 people's groups do not contain their own sensitive value" in said


def test_a_history_without_the_groups_of_this_release(form, history):
    """With the crosswalk they are not needed."""
    made, verdict = form
    changed(history, ("DELETE FROM members",))
    said = found(verdict(made(history=history, sha256=SHA256, rows=None), []))
    problem = "history: does not have this release, or has forgotten who was in which group"
    assert said == [problem]
    assert found(verdict(made(history=history, sha256=SHA256), [])) == []


def test_a_release_that_was_withdrawn_is_not_in_the_history(form, history):
    made, verdict = form
    changed(history, ("UPDATE releases SET state = 'withdrawn' WHERE number = 2",))
    said = found(verdict(made(history=history, sha256=SHA256, rows=None), []))
    assert any(one.startswith("history: does not have this release") for one in said)


def test_groups_whose_people_the_history_knows_elsewhere(form, history):
    """The history puts Ben into group 2: neither group then has the records that it should."""
    made, verdict = form
    changed(history, ("UPDATE members SET class = 2 WHERE person = ?", (person("ben"),)))
    said = found(verdict(made(history=history, sha256=SHA256, rows=None), []))
    assert "counterfeits: 2 groups have other records than their people and counterfeits" in said
    if made is table:
        assert "columns.age: 1 kinds of cells do not cover their original value" in said
    else:
        assert "records: 1 rows are not those of a person of their group" in said


def test_an_input_that_does_not_say_who_is_who(form, history):
    made, verdict = form
    for rows in (None, made().rows):
        nobody = made(history=history, sha256=SHA256, original=ORIGINAL.drop("id"), rows=rows)
        said = found(verdict(nobody, []))
        assert said == ["original: does not say who is who"]


def test_what_is_no_history_is_said(form, tmp_path):
    made, verdict = form
    (tmp_path / "h.db").write_text("no history at all, but a text of some length " * 40)
    with pytest.raises(DataError, match="not a history"):
        verdict(made(history=tmp_path / "h.db", sha256=SHA256), [])
    assert found(verdict(made(history=tmp_path / "gone.db", sha256=SHA256), [])) == []


# --- claims ---

M_IS_2 = {"column": "ill", "m": 2}
SHARED = {
    "indistinct": "0",
    "format": 3,
    "method": {},
    "input": {"rows": 4},
    "records": {"released": 3, "suppressed": 1},
    "counterfeits": {"records": 1, "groups": 1, "share": 0.333333},
    "models": [{"name": "m-invariance", "required": M_IS_2, "achieved": {"m": 2}, "holds": True}],
    "loss": {},
}
CLAIMS = {
    "table": {
        **SHARED,
        "output": {"rows": 4},
        "classes": {"count": 2, "smallest": 2, "mean": 2.0, "largest": 2},
        "risk": {"prosecutor": 0.5, "marketer": 0.5},
    },
    "linked": {
        **SHARED,
        "output": {"rows": 3},
        "classes": {"count": 2, "smallest": 2, "mean": 2.0, "largest": 2},
        "risk": {"prosecutor": 1.0, "journalist": None, "marketer": 1.0},
        "sensitive": {"rows": 4},
    },
}


def claimed(kind, path=(), value=None):
    """Verify with a manifest, one of whose claims is another; give the places that are wrong."""
    manifest = json.loads(json.dumps(CLAIMS[kind]))
    if path:
        *before, last = path
        inside = manifest
        for word in before:
            inside = inside[word]
        inside[last] = value
    made, verdict = FORMS[kind]
    return [fault.place for fault in verdict(made(manifest=manifest), []).faults]


@pytest.mark.parametrize("kind", FORMS)
def test_true_claims_are_no_faults(kind):
    assert claimed(kind) == []


@pytest.mark.parametrize("kind", FORMS)
@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("output", "rows"), 7),
        (("records", "released"), 4),
        (("counterfeits", "records"), 2),
        (("counterfeits", "groups"), 2),
        (("counterfeits", "share"), 0.25),
        (("classes", "count"), 3),
        (("classes", "smallest"), 1),
        (("classes", "mean"), 2.1),
        (("classes", "largest"), 3),
        (("risk", "prosecutor"), 0.4),
        (("risk", "marketer"), 0.4),
        (("models", 0, "required"), {"m": 3}),
        (("models", 0, "achieved"), {"m": 3}),
        (("models", 0, "holds"), False),
    ],
)
def test_a_false_claim_is_found_at_its_place(kind, path, value):
    said = claimed(kind, path, value)
    of_model = path[0] == "models"
    place = f"manifest.models.m-invariance.{path[2]}" if of_model else f"manifest.{'.'.join(path)}"
    assert place in said
    others = [one for one in said if one != place]
    assert others in ([], ["manifest.input.rows"])  # released and suppressed then add up to others


@pytest.mark.parametrize("kind", FORMS)
def test_a_claim_of_no_counterfeits_or_other_models(kind):
    assert set(claimed(kind, ("counterfeits",), None)) == {
        f"manifest.counterfeits.{word}" for word in ("records", "groups", "share")
    }
    two = CLAIMS[kind]["models"] * 2
    assert any(one.startswith("manifest.models") for one in claimed(kind, ("models",), two))
    assert any(one.startswith("manifest.models") for one in claimed(kind, ("models",), []))


def test_a_claim_of_other_rows_of_the_second_table():
    assert claimed("linked", ("sensitive", "rows"), 5) == ["manifest.sensitive.rows"]
    assert claimed("linked", ("sensitive",), None) == ["manifest.sensitive.rows"]
