"""Each check of a table against its input, its crosswalk and its people finds what is forged."""

from dataclasses import replace

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError, Fault
from indistinct.tables.core.protocols import PlainClass, PlainColumn
from indistinct.tables.policy.specification import resolve
from indistinct.tables.verification.evidence import (
    VerificationInput,
    evidence_of,
    suppression_faults,
)
from indistinct.tables.verification.judging import judge
from indistinct.tables.verification.original import crosswalk_faults, input_faults
from indistinct.tables.verification.people import (
    PAIRS,
    PEOPLE,
    counted_in_people,
    crosswalk_rows,
    judged_by_records,
    people_faults,
    persons_in,
    with_people,
)
from indistinct.tables.verification.verify_release import verify_frame

WORDS = {
    "columns": {
        "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 20]}},
        "ill": {"role": "sensitive"},
    },
    "models": [{"name": "k-anonymity", "k": 2}],
    "method": {"max_suppression": 0.2},
}
POLICY = ind.Policy.from_words(WORDS)
ORIGINAL = pl.DataFrame({"age": [33, 47, 45, 31, 61], "ill": ["b", "c", "a", "a", "b"]})
RELEASE = pl.DataFrame(
    {"age": ["[30, 40)", "[30, 40)", "[40, 50)", "[40, 50)"], "ill": list("abac")}
)
ROWS = [3, 0, 2, 1]


def reading(**more):
    said = {"frame": RELEASE, "policy": POLICY, "original": ORIGINAL, "rows": ROWS, **more}
    return VerificationInput(spec=resolve(said.pop("policy")), **said)


def lines(faults):
    return [f"{fault.place}: {fault.problem}" for fault in faults]


def against_input(**more):
    return lines(input_faults(evidence_of(reading(**more))))


# --- the input ---


@pytest.mark.parametrize("rows", [ROWS, None])
def test_what_is_honest(rows):
    assert against_input(rows=rows) == []
    assert lines(verify_frame(reading(rows=rows)).faults) == []
    assert against_input(rows=rows, original=None) == []


@pytest.mark.parametrize("rows", [ROWS, None])
def test_more_records_than_the_input_has(rows):
    few = ORIGINAL[[3, 0, 2]]
    said = against_input(original=few, rows=None if rows is None else [0, 1, 2, 1])
    assert "records: the release has 4, but the input 3" in said
    assert against_input(original=ORIGINAL[:4], rows=rows) == []


@pytest.mark.parametrize("rows", [ROWS, None])
def test_more_records_left_out_than_the_policy_allows(rows):
    less = RELEASE[[1, 3]], (None if rows is None else [0, 1])
    said = against_input(frame=less[0], rows=less[1])
    problem = "3 of 5 records are not released, which is more than max_suppression allows"
    assert said == [f"records.suppressed: {problem}"]


def test_a_cell_that_is_not_its_record_s_own():
    frame = RELEASE.with_columns(ill=pl.Series(list("cbaa")))
    assert against_input(frame=frame) == ["columns.ill: 2 cells are not their record's own"]


MORE_OFTEN = "records: {} combinations of cells are not in the input, or not so often"
OTHER_AGES = RELEASE["age"][1:].to_list()


@pytest.mark.parametrize(
    ("name", "cells", "problem"),
    [
        ("ill", list("xaab"), "columns.ill: 1 cells hold what no record of the input holds"),
        ("ill", list("aaaa"), MORE_OFTEN.format(2)),
        ("age", ["[50, 60)", *OTHER_AGES], "columns.age: 1 cells cover no value of the input"),
        ("age", ["[30, 40)"] * 3 + ["[40, 50)"], MORE_OFTEN.format(1)),
    ],
)  # fmt: skip
def test_what_the_input_does_not_have(name, cells, problem):
    frame = RELEASE.with_columns(pl.Series(name, cells))
    assert against_input(frame=frame, rows=None) == [problem]


def test_a_missing_value_is_one_way_of_writing():
    asked = ind.Policy.from_words({**WORDS, "data": {"missing": ["", "?"]}})
    original = ORIGINAL.with_columns(ill=pl.Series(["a", None, "a", "c", "b"]))
    for word in ("?", ""):
        frame = RELEASE.with_columns(ill=pl.Series(["c", "a", "a", word]))
        assert against_input(frame=frame, original=original, policy=asked) == []
        assert against_input(frame=frame, original=original, policy=asked, rows=None) == []


def test_a_number_is_compared_as_a_number():
    asked = ind.Policy.from_words(
        {**WORDS, "columns": {**WORDS["columns"], "dose": {"role": "insensitive"}}}
    )
    original = ORIGINAL.with_columns(dose=pl.Series([0.5, -0.0, 2.0, 3.0, 1.0]))
    frame = RELEASE.with_columns(dose=pl.Series([3.0, 0.5, 2.0, 0.0]))
    for shown in (frame, frame.with_columns(dose=pl.col("dose").cast(pl.Float32))):
        assert against_input(frame=shown, original=original, policy=asked) == []
    other = frame.with_columns(dose=pl.Series([3.0, 0.5, 2.0000000001, 0.0]))
    said = against_input(frame=other, original=original, policy=asked)
    assert said == ["columns.dose: 1 cells are not their record's own"]
    said = against_input(frame=other, original=original, policy=asked, rows=None)
    assert said == ["columns.dose: 1 cells hold what no record of the input holds"]


# --- the crosswalk ---


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([3, 0, 2], "has another number of records than the release"),
        ([3, 0, 2, 5], "names records that the input does not have"),
        ([3, 0, 2, -1], "names records that the input does not have"),
        ([3, 0, 2, 2], "names a record of the input twice"),
        ([4, 0, 2, 3], None),
    ],
)
def test_a_crosswalk_of_another_run(rows, problem):
    said = lines(crosswalk_faults(reading(rows=rows)))
    assert said == ([] if problem is None else [f"crosswalk: {problem}"])


def test_a_row_of_stars_has_no_record():
    masking = ind.Policy.from_words({**WORDS, "release": {"suppressed": "mask"}})
    assert list(crosswalk_faults(reading(rows=[3, 0, -1, -1], policy=masking))) == []
    (fault,) = crosswalk_faults(reading(rows=[3, 0, -2, 1], policy=masking))
    assert fault.problem == "names records that the input does not have"
    assert list(crosswalk_faults(reading(rows=[9, 0, 2, 1], original=None))) == []
    assert list(crosswalk_faults(reading(rows=None))) == []
    assert list(crosswalk_faults(reading(frame=RELEASE[:0], rows=[]))) == []


def test_rows_are_read_from_a_crosswalk(tmp_path):
    path = tmp_path / "cross.csv"

    def read(text, masked=(False, False), n_input=3):
        path.write_text(text)
        return crosswalk_rows(path, masked, n_input)

    head = "output_row,input_row\n"
    assert read(f"{head}0,2\n1,0\n") == [2, 0]
    assert read(f"{head}1,0\n0,2\n-1,1\n") == [2, 0]
    assert read(f"{head}0,2\n1,-1\n", (False, True)) == [2, -1]
    assert crosswalk_rows([2, 0], [False, False], 3) == [2, 0]
    for text, words in (
        ("row,input_row\n0,2\n", "has no columns"),
        (f"{head}0,two\n1,0\n", "not whole numbers"),
        (f"{head}0,2\n0,1\n", "names a row twice"),
        (f"{head}0,2\n1,2\n", "names a row twice"),
        (f"{head}0,2\n2,1\n", "the release does not have"),
        (f"{head}0,2\n-2,1\n", "the release does not have"),
        (f"{head}0,2\n1,3\n", "the input does not have"),
        (f"{head}0,2\n1,-2\n", "the input does not have"),
        (f"{head}0,2\n", "does not contain all rows"),
        (f"{head}0,2\n1,-1\n", "does not contain all rows"),
    ):
        with pytest.raises(DataError, match=words):
            read(text)


# --- claims about suppressed records ---


@pytest.mark.parametrize(
    ("claim", "problem"),
    [
        (1, None),
        (2, "says 2, but 1 records are not released"),
        (0, "says 0, but 1 records are not released"),
        (-1, "is not a number of records"),
        (True, "is not a number of records"),
        ("1", "is not a number of records"),
        (None, "is not a number of records"),
    ],
)
def test_a_claim_that_the_input_contradicts(claim, problem):
    said = lines(suppression_faults(reading(manifest={"records": {"suppressed": claim}}), 4))
    assert said == ([] if problem is None else [f"manifest.records.suppressed: {problem}"])


def test_a_claim_beyond_the_limit():
    def faults(claim, n_released=4, manifest=None):
        said = manifest or {"records": {"suppressed": claim}}
        return list(
            suppression_faults(reading(original=None, rows=None, manifest=said), n_released)
        )

    assert faults(1) == []
    assert faults(0) == []
    (fault,) = faults(2)
    assert "more than max_suppression allows beside 4" in fault.problem
    assert faults(2, n_released=8) == []
    (fault,) = faults(None, manifest={"records": 3})
    assert fault.problem == "is not a number of records"
    assert list(suppression_faults(reading(manifest=None), 4)) == []


# --- an order that follows hidden values ---

MANY = 400


# --- people ---

VISITS = ind.Policy.from_words(
    {
        **WORDS,
        "columns": {**WORDS["columns"], "who": {"role": "identifier"}},
        "data": {"person": "who", "missing": ["", "?"]},
    }
)


def test_records_without_a_person_are_one_person_s():
    table = pl.DataFrame({"who": ["ann", "?", "", None, "NaN", "ben"]})
    assert persons_in(table, VISITS.data) == ["ann", "", "", "", "", "ben"]
    assert persons_in(table, POLICY.data) is None
    assert persons_in(table.rename({"who": "name"}), VISITS.data) is None


def test_a_value_of_a_person_counts_once():
    frame = pl.DataFrame({"ill": ["a", "a", "?", None]})
    told = with_people(
        frame, ["ann", "ann", "ben", "cem"], ["ill", "not there"], VISITS.data.missing
    )
    assert told.columns == ["ill", PEOPLE, PAIRS + "ill"]
    pairs = told[PAIRS + "ill"].value_counts().sort("count", descending=True)["count"].to_list()
    assert pairs == [2, 1, 1]
    assert told[PAIRS + "ill"].to_list()[2].startswith("\x00")  # a missing value has no word


def plain(people, pairs, size):
    """Return a class with people counted."""
    counts = {
        PEOPLE: dict.fromkeys(people, 1),
        PAIRS + "ill": dict.fromkeys(pairs, 1),
        "ill": {"a": size},
    }
    table = {name: PlainColumn(held, sorted(held)) for name, held in counts.items()}
    return PlainClass(size, counts, table)


def test_classes_are_measured_in_people():
    (model,) = VISITS.models
    one = plain(["ann", "ben"], ["a\x00ann", "b\x00ann", "a\x00ben"], 5)
    (seen,) = counted_in_people([one], model)
    assert (seen.size, seen.counts) == (2, {})
    diverse = ind.Policy.from_words(
        {**WORDS, "models": [{"name": "distinct-l-diversity", "column": "ill", "l": 2}]}
    ).models[0]
    (seen,) = counted_in_people([one], diverse)
    assert (seen.size, seen.counts) == (3, {"ill": {"a": 2, "b": 1}})
    shares = ind.Policy.from_words(
        {**WORDS, "models": [{"name": "alpha-k-anonymity", "column": "ill", "alpha": 0.5, "k": 2}]}
    ).models[0]
    (seen,) = counted_in_people([one], shares)
    assert (seen.size, seen.counts) == (2, {"ill": {"a": 2, "b": 1}})
    assert counted_in_people([], model) == []


@pytest.mark.parametrize(
    ("place", "claim", "found"),
    [
        (("people", "released"), 3, 2),
        (("people", "suppressed"), 0, 1),
        (("classes", "smallest"), 2, 1),
        (("classes", "largest"), 5, 2),
    ],
)
def test_a_false_claim_about_people(place, claim, found):
    classes = [plain(["ann", "ben"], [], 5), plain(["ben"], [], 2)]
    honest = {"people": {"released": 2, "suppressed": 1}, "classes": {"smallest": 1, "largest": 2}}
    assert list(people_faults(classes, 3, honest)) == []
    assert list(people_faults(classes, 3, None)) == []
    false = {**honest, place[0]: {**honest[place[0]], place[1]: claim}}
    (fault,) = people_faults(classes, 3, false)
    assert fault.place == f"manifest.{'.'.join(place)}"
    assert fault.problem == f"says {claim}, but counting the people gives {found}"
    assert len(list(people_faults(classes, 3, {}))) == 4


def test_records_refute_and_do_not_prove_a_promise_about_people():
    entry, fault = {"achieved": {"k": 3}, "holds": True}, Fault("models", "too few")

    def judged(model, faults, achieved="as before"):
        given = entry if achieved == "as before" else {**entry, "achieved": achieved}
        asked = ind.Policy.from_words({**WORDS, "models": [model]}).models[0]
        said, left, notes = judged_by_records(asked, given, faults, resolve(VISITS).people_file)
        return said["holds"], len(left), len(notes)

    k = {"name": "k-anonymity", "k": 2}
    diverse = {"name": "distinct-l-diversity", "column": "ill", "l": 2}
    close = {"name": "t-closeness", "column": "ill", "t": 0.3}
    assert judged(k, []) == (None, 0, 1)
    assert judged(k, [fault]) == (True, 1, 0)
    assert judged(diverse, []) == (True, 0, 0)
    assert judged(diverse, [fault]) == (True, 1, 0)
    assert judged(close, []) == judged(close, [fault]) == (None, 0, 1)
    assert judged(close, [], None) == (True, 0, 0)


# --- models ---


def test_a_model_is_judged_by_its_worst_class():
    (model,) = POLICY.models
    evidence = evidence_of(reading())
    table = {"ill": PlainColumn({"a": 3}, ["a"])}
    classes = [PlainClass(size, {"ill": {"a": size}}, table) for size in (3, 1, 2)]
    entry, (fault,), notes = judge(model, classes, evidence)
    assert (entry["holds"], entry["achieved"], notes) == (False, {"k": 1}, [])
    assert fault.problem == "does not hold in 1 of 3 classes"
    entry, faults, _ = judge(model, [classes[0], classes[2]], evidence)
    assert (entry["holds"], entry["achieved"], faults) == (True, {"k": 2}, [])
    assert judge(model, [], evidence)[0]["holds"] is True


def test_what_takes_the_input_is_undecided_without_it():
    """Of the values in the input, suppressed records may have had any."""
    asked = ind.Policy.from_words(
        {**WORDS, "models": [{"name": "t-closeness", "column": "ill", "t": 0.3}]}
    )
    frame = pl.DataFrame({"age": ["[30, 40)"] * 4 + ["[40, 50)"] * 4, "ill": list("aaabaabb")})
    verdict = verify_frame(VerificationInput(frame, resolve(asked)))
    assert verdict.holds
    closer = ind.Policy.from_words(
        {**WORDS, "models": [{"name": "t-closeness", "column": "ill", "t": 0.1}]}
    )
    undecided = verify_frame(VerificationInput(frame, resolve(closer)))
    assert (undecided.holds, undecided.faults) == (None, ())
    assert any("takes the input" in note for note in undecided.notes)
    original = pl.DataFrame({"age": [30] * 4 + [40] * 4, "ill": list("aaabaabb")})
    refused = verify_frame(VerificationInput(frame, resolve(closer), original))
    assert refused.holds is False
    assert any(one.place == "models.t-closeness" for one in refused.faults)


def test_without_the_input_nobody_knows_whose_records_were_suppressed():
    """A person may have had others, so that any measure of people against the table is in doubt."""
    (close,) = ind.Policy.from_words(
        {**WORDS, "models": [{"name": "t-closeness", "column": "ill", "t": 0.1}]}
    ).models
    alone = replace(evidence_of(reading(original=None, rows=None)), spec=resolve(VISITS))
    table = {"ill": PlainColumn({"a": 4, "b": 4}, ["a", "b"])}
    classes = [PlainClass(4, {"ill": {value: 4}}, table) for value in "ab"]
    entry, faults, notes = judge(close, classes, replace(alone, n_suppressed=1))
    assert (entry["holds"], faults, len(notes)) == (None, [], 1)
    entry, faults, notes = judge(close, classes, replace(alone, n_suppressed=0))
    assert (entry["holds"], len(faults), notes) == (False, 1, [])


def test_a_value_may_hold_what_stands_between_value_and_person():
    diverse = ind.Policy.from_words(
        {**WORDS, "models": [{"name": "distinct-l-diversity", "column": "ill", "l": 2}]}
    ).models[0]
    one = plain(["ann"], ["x\x00y\x00ann", "x\x00z\x00ann"], 2)
    (seen,) = counted_in_people([one], diverse)
    assert seen.counts == {"ill": {"x\x00y": 1, "x\x00z": 1}}
