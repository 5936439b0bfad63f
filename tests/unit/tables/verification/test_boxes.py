"""Boxes of cells: the natural supersets of a class, as a reader of the file finds them."""

from itertools import product

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.counting.preparation import prepare
from indistinct.tables.frames.encoding import with_released_cells
from indistinct.tables.frames.tuples import classes_of_rows
from indistinct.tables.policy.specification import resolve
from indistinct.tables.search.lattice.lattice import Lattice
from indistinct.tables.verification.boxes import BoxRecords
from indistinct.tables.verification.verify_release import VerificationInput, verify_frame
from ordered import ordered
from renderers import intervals, kept, listed, masks, periods


@pytest.mark.parametrize(
    ("cells", "cell", "above"),
    [
        (intervals(5, 10), "23", ["[20, 25)", "[20, 30)", "*"]),
        (intervals(5, 10), "[20, 25)", ["[20, 30)", "*"]),
        (intervals(5, 10), "[20, 30)", ["*"]),
        (intervals(5, 10), "?", ["*"]),
        (masks(3), "47677", ["4767*", "476**", "47***", "*"]),
        (masks(5), "476**", ["47***", "4****", "*"]),
        (periods("month", "quarter", "year"), "2024-05-06", ["2024-05", "2024-Q2", "2024", "*"]),
        (periods("quarter", "decade"), "2024-Q2", ["2020s", "*"]),
        (periods("year"), "", ["*"]),
        (listed({"flu": ["flu", "lung", "*"]}), "flu", ["lung", "*"]),
        (listed({"flu": ["flu", "lung", "*"]}), "lung", ["*"]),
        (listed({"flu": ["flu", "lung", "flu", "*"]}), "flu", ["lung", "*"]),
        (kept(), "word", ["*"]),
        (masks(2), "*", []),
    ],
)
def test_cells_above_a_cell(cells, cell, above):
    assert list(cells.above(cell)) == above


def test_larger_boxes_come_nearest_first_and_hold_more():
    frame = pl.DataFrame({"age": ["21", "24", "29", "35"], "s": ["a", "a", "b", "b"]})
    records = BoxRecords.of(frame, {"age": intervals(5, 10)}, ["s"])
    found = list(records.supersets(("[20, 25)",), {})())
    assert [(one.size, dict(one.counts["s"])) for one in found] == [
        (2, {"a": 2}),
        (3, {"a": 2, "b": 1}),
        (4, {"a": 2, "b": 2}),
    ]
    assert records.count(("[20, 25)",)) == 2


def test_the_papers_table_is_close_to_its_city():
    """476**/2*, 479**/4* and 476**/3* with 300, 200, 200 cases of cancer."""
    rows = []
    for postcode, age, cancer, flu in (
        ("476**", "[20, 30)", 300, 300),
        ("479**", "[40, 50)", 200, 1800),
        ("476**", "[30, 40)", 200, 200),
    ):
        rows += [(postcode, age, "cancer")] * cancer + [(postcode, age, "flu")] * flu
    frame = pl.DataFrame(rows, schema=["zip", "age", "disease"], orient="row")
    frame = ordered(frame, "zip", "age")

    def policy(model):
        return ind.Policy(
            columns={
                "zip": {"role": "quasi-identifier", "hierarchy": {"mask": 5}},
                "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 20]}},
                "disease": {"role": "sensitive"},
            },
            models=[model],
        )

    close = {"name": "nt-closeness", "column": "disease", "n": 1000, "t": 0.1}
    assert ind.verify(frame, policy(close)).holds
    assert ind.assess(frame, policy(close)).models[0]["achieved"] == {"n": 1000, "t": 0.0}
    assert not ind.verify(frame, policy({**close, "n": 2001})).holds
    table = {"name": "t-closeness", "column": "disease", "t": 0.1}
    assert not ind.verify(frame, policy(table)).holds


@pytest.mark.parametrize("seed", range(3))
def test_every_node_of_the_lattice_is_judged_as_its_release_is(seed):
    """What the search finds by rolling up, verification finds from the written cells."""
    chance = np.random.default_rng(seed)
    n = 120
    frame = pl.DataFrame(
        {
            "age": chance.integers(20, 60, n),
            "zip": [f"4{digit}{other}" for digit, other in chance.integers(0, 3, (n, 2)).tolist()],
            "job": chance.choice(["a", "b", "c"], n),
            "s": chance.choice(["u", "v", "w"], n, p=[0.6, 0.3, 0.1]),
        }
    )
    policy = ind.Policy(
        columns={
            "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 20]}},
            "zip": {"role": "quasi-identifier", "hierarchy": {"mask": 3}},
            "job": {"role": "quasi-identifier"},
            "s": {"role": "sensitive"},
        },
        models=[{"name": "nt-closeness", "column": "s", "n": 25, "t": 0.12}],
        method={"max_suppression": 1.0},
    )
    prepared = prepare(frame, resolve(policy))
    lattice = Lattice(prepared.problem)
    names = ("age", "zip", "job")
    verdicts = set()
    for node in product(*(range(top + 1) for top in prepared.problem.max_levels)):
        checked = lattice.check(node)
        recoding = lattice.recoding(node)
        assert recoding.released.tolist() == checked.released.tolist()
        classes = classes_of_rows(recoding, prepared.tuple_of_row)
        rows = np.random.default_rng(0).permutation(n)
        written = with_released_cells(frame, recoding, names, (classes, rows))
        verdict = verify_frame(VerificationInput(written, resolve(policy), frame, rows.tolist()))
        assert verdict.models[0]["holds"] == bool(checked.released.all())
        verdicts.add(verdict.models[0]["holds"])
    assert verdicts == {True, False}


AROUND = {
    "columns": {
        "a": {"role": "quasi-identifier"},
        "b": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 20, 40]}},
        "s": {"role": "sensitive"},
    },
    "models": [{"name": "nt-closeness", "column": "s", "n": 6, "t": 0.2, "distance": "equal"}],
}


def with_a_class_like_its_surroundings(hierarchy=None):
    """Give two halves of a table, each with its own value, and a policy: a column tells them."""
    frame = pl.DataFrame(
        {"a": [3, 5, 7, 9] * 3 + [83, 85, 87, 89] * 3, "b": [4] * 24, "s": ["x"] * 12 + ["y"] * 12}
    )
    words = {**AROUND, "columns": {**AROUND["columns"]}}
    if hierarchy is not None:
        words["columns"]["a"] = {"role": "quasi-identifier", "hierarchy": hierarchy}
    return frame, ind.Policy.from_words(words)


def judged(frame, policy, **words):
    """Return whether the model holds; None where nobody can tell."""
    return ind.verify(frame, policy, **words).models[0]["holds"]


def test_without_its_labels_nobody_can_tell_what_lies_around_a_class():
    """The values suggest the labels of a column without a hierarchy: they take the input."""
    frame, policy = with_a_class_like_its_surroundings()
    assert judged(frame, policy, original=frame)
    assert judged(frame, policy) is None
    notes = ind.verify(frame, policy).notes
    assert any("depends on the labels above the cells of a." in note for note in notes)
    frame, policy = with_a_class_like_its_surroundings({"intervals": [50, 100]})
    assert judged(frame, policy)


def test_a_table_of_too_few_records_has_no_larger_set_whatever_the_labels_are():
    """The whole table is the largest set that there is."""
    frame, policy = with_a_class_like_its_surroundings()
    assert judged(frame, policy) is None
    too_many = {**AROUND["models"][0], "n": 25}
    assert judged(frame, ind.Policy.from_words({**AROUND, "models": [too_many]})) is False


def test_where_the_labels_are_known_a_class_like_nothing_around_it_is_a_fault():
    """A hierarchy in the policy, or the input, leaves nothing open."""
    frame, policy = with_a_class_like_its_surroundings({"intervals": [100]})
    assert judged(frame, policy) is False
    frame, policy = with_a_class_like_its_surroundings()
    alone = frame.with_columns(s=pl.when(pl.col("a") == 3).then(pl.lit("z")).otherwise("s"))
    assert judged(alone, policy, original=alone) is False


def test_the_values_of_a_masked_column_are_not_at_hand():
    """The labels that they suggest are unknown, with the input and without it."""
    frame, policy = with_a_class_like_its_surroundings()
    masked = {"role": "quasi-identifier", "protect": {"name": "microaggregation", "k": 2}}
    policy = policy.with_words({"columns": {"a": masked}})
    assert judged(frame, policy) is None
    assert judged(frame, policy, original=frame) is None
