"""Each check of a column of sets finds the one thing that is forged."""

from collections import Counter

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.policy.specification import resolve
from indistinct.tables.verification.evidence import VerificationInput, evidence_of
from indistinct.tables.verification.sets import judged_sets, least_support, set_faults

TREE = {"heart": ["I10", "I20"], "lung": ["J10", "J20"]}
COLUMN = {"role": "quasi-identifier", "type": "set", "separator": ";"}


def policy(model="km-anonymity", *, tree=True, suppression="occurrences", age=False, **bound):
    column = {**COLUMN, "suppression": suppression}
    if tree:
        column["hierarchy"] = {"tree": TREE}
    columns = {"ill": column}
    if age:
        columns["age"] = {"role": "quasi-identifier", "hierarchy": {"intervals": [10]}}
    bound = bound or ({"k": 2, "m": 2} if model == "km-anonymity" else {"k": 2})
    return ind.Policy.from_words(
        {"columns": columns, "models": [{"name": model, "column": "ill", **bound}]}
    )


HONEST = ["I10;lung", "I10;lung", "I10", "", "heart", "heart"]
BEFORE = ["I10;J10", "J20;I10", "I10", None, "I10;I20", "I20"]


def reading(cells=HONEST, before=BEFORE, asked=None, **more):
    original = None if before is None else pl.DataFrame({"ill": before})
    rows = None if before is None else list(range(len(before)))
    said = {"original": original, "rows": rows, **more}
    return VerificationInput(pl.DataFrame({"ill": cells}), resolve(asked or policy()), **said)


def found(one, manifest=None):
    return [f"{fault.place}: {fault.problem}" for fault in set_faults(evidence_of(one), manifest)]


# --- cells ---


def test_honest_cells():
    assert found(reading()) == []
    assert found(reading(before=None)) == []


@pytest.mark.parametrize(
    ("cell", "problem"),
    [
        ("I99", "1 kinds of cells have labels that are not in the hierarchy"),
        ("I10;heart", "1 kinds of cells have a label beside another that is above it"),
        ("*;I10", "1 kinds of cells have a label beside another that is above it"),
        ("lung;I10", "1 kinds of cells are sets that are written in two ways"),
        ("I20;I20", "1 kinds of cells are sets that are written in two ways"),
    ],
)
def test_a_cell_that_the_hierarchy_does_not_allow(cell, problem):
    assert found(reading([*HONEST[:5], cell], before=None)) == [f"columns.ill: {problem}"]


def test_without_a_hierarchy_only_a_star_is_above_others():
    asked = policy(tree=False)
    assert found(reading(["a;b", "*", "c"], before=None, asked=asked)) == []
    (fault,) = found(reading(["*;a"], before=None, asked=asked))
    assert fault == "columns.ill: 1 kinds of cells have a label beside another that is above it"


def test_a_label_above_none_of_a_record_s_items():
    cells = ["I10;lung", "I10;lung", "J10", "", "heart", "heart"]
    assert found(reading(cells)) == [
        "columns.ill: 1 records have a label above none of their items"
    ]
    stars = reading(["*", "a"], ["a;b", "a"], policy(tree=False))
    assert found(stars) == []
    nobody = reading(["*", "b"], [None, "a"], policy(tree=False))
    assert found(nobody) == ["columns.ill: 2 records have a label above none of their items"]


def test_an_item_that_no_label_covers_where_none_may_be_left_out():
    cells = ["I10", "I10;lung", "I10", "", "heart", "heart"]
    assert found(reading(cells)) == []
    (fault,) = found(reading(cells, asked=policy(suppression="none")))
    assert fault == (
        "columns.ill: 1 records have an item that no label covers, and none may be left out"
    )


# --- models ---


def supports(*cells):
    return Counter({frozenset(cell.split()): times for cell, times in cells})


@pytest.mark.parametrize(
    ("cells", "m", "least"),
    [
        ([("a b", 3), ("a", 1)], 1, 3),
        ([("a b", 3), ("a", 1)], 2, 3),
        ([("a b", 1), ("a c", 4), ("b c", 4)], 1, 5),
        ([("a b", 1), ("a c", 4), ("b c", 4)], 2, 1),
        ([("a b c", 2), ("a b", 5)], 3, 2),
        ([("a b c", 2), ("a b", 5)], None, 2),
        ([("a b c", 2), ("a b", 5)], 1, 2),
        ([("a b", 5), ("a", 2)], None, 5),
        ([("", 9)], 2, None),
        ([("", 9)], None, None),
        ([("", 9), ("a", 4)], None, 4),
    ],
)
def test_the_least_support_is_that_of_a_plain_count(cells, m, least):
    assert least_support(supports(*cells), m) == least


def test_who_knows_two_items_finds_one_record():
    model = policy().models[0]
    entry, faults, notes = judged_sets(model, evidence_of(reading()))
    assert (entry["holds"], entry["achieved"], faults, notes) == (True, {"k": 2}, [], [])
    forged = evidence_of(reading([*HONEST[:5], "J10"]))
    entry, (fault,), _ = judged_sets(model, forged)
    assert (entry["holds"], entry["achieved"]) == (False, {"k": 1})
    assert fault.place == "models.km-anonymity"
    assert fault.problem == "a set of labels in ill is part of 1 records, not of 2"


def test_empty_sets_alone_hold():
    entry, faults, _ = judged_sets(policy().models[0], evidence_of(reading(["", ""], None)))
    assert (entry["holds"], entry["achieved"], faults) == (True, None, [])


def test_whole_sets_are_counted_as_they_are():
    """I10 is in three cells, but only one record has this set and no other item."""
    model = policy("set-k-anonymity").models[0]
    entry, (fault,), _ = judged_sets(model, evidence_of(reading()))
    assert (entry["holds"], entry["achieved"]) == (False, {"k": 1})
    assert fault.problem == "a set of labels in ill is that of 1 records, not of 2"
    alike = evidence_of(reading(["I10", "I10", "", ""], None))
    assert judged_sets(model, alike)[0]["achieved"] == {"k": 2}


def test_sets_are_counted_within_each_class():
    asked = policy(age=True)
    frame = pl.DataFrame({"age": ["[0, 10)"] * 2 + ["[10, 20)"] * 2, "ill": ["I10"] * 4})
    both = evidence_of(VerificationInput(frame, resolve(asked)))
    assert judged_sets(asked.models[0], both)[0]["achieved"] == {"k": 2}
    other = frame.with_columns(age=pl.Series(["[0, 10)"] * 3 + ["[10, 20)"]))
    assert (
        judged_sets(asked.models[0], evidence_of(VerificationInput(other, resolve(asked))))[0][
            "holds"
        ]
        is False
    )


# --- the manifest ---

TIMES = 50
CLAIMS = {"empty": TIMES, "labels": 3}


def many(cells=HONEST, before=BEFORE, asked=None):
    return reading(cells * TIMES, None if before is None else before * TIMES, asked)


def said(**more):
    return {"sets": {"ill": {**CLAIMS, **more}}}


def test_true_claims_hold():
    assert found(many(), said()) == []


@pytest.mark.parametrize(
    ("word", "value", "problem"),
    [
        ("empty", TIMES + 1, f"is not the {TIMES} of the file"),
        ("labels", 4, "is not the 3 of the file"),
    ],
)
def test_a_false_claim(word, value, problem):
    assert found(many(), said(**{word: value})) == [f"manifest.sets.ill.{word}: {problem}"]


@pytest.mark.parametrize("manifest", [{}, {"sets": []}, {"sets": {"ill": 3}}, {"sets": {"x": {}}}])
def test_a_claim_that_is_missing(manifest):
    assert found(reading(), manifest) == ["manifest.sets.ill: is missing"]
