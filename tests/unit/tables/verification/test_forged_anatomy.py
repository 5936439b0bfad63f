"""Each check of two linked tables of one release finds the one thing that is forged."""

from collections import Counter

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.policy.specification import resolve
from indistinct.tables.verification.evidence import VerificationInput
from indistinct.tables.verification.linked import classes_of_groups, counts_of
from indistinct.tables.verification.verdict import verdict_on
from ordered import UNORDERED

WORDS = {
    "columns": {
        "name": {"role": "identifier"},
        "age": {"role": "quasi-identifier"},
        "ill": {"role": "sensitive"},
    },
    "models": [{"name": "distinct-l-diversity", "column": "ill", "l": 2}],
    "release": {"form": "anatomy"},
}
POLICY = ind.Policy.from_words(WORDS)
ORIGINAL = pl.DataFrame(
    {"name": list("vwxyz"), "age": [47, 31, 45, 33, 61], "ill": ["3", "1", "1", "2", "1"]}
)
RECORDS = pl.DataFrame({"group": ["1", "1", "2", "2", "1"], "age": ["31", "33", "45", "47", "61"]})
LISTED = pl.DataFrame(
    {"group": ["1", "1", "2", "2"], "ill": ["1", "2", "1", "3"], "count": ["2", "1", "1", "1"]}
)
ROWS = [1, 3, 2, 0, 4]


def reading(**more):
    said = {"frame": RECORDS, "policy": POLICY, "sensitive": LISTED, "original": ORIGINAL,
            "rows": ROWS, **more}  # fmt: skip
    return VerificationInput(spec=resolve(said.pop("policy")), **said)


def lines(**more):
    verdict = verdict_on(reading(**more), [])
    assert verdict.holds == (not verdict.faults)
    return [f"{fault.place}: {fault.problem}" for fault in verdict.faults]


def listed(ills=None, counts=None, groups=None):
    """Return the second table with other cells."""
    cells = {"group": groups, "ill": ills, "count": counts}
    return LISTED.with_columns(
        **{name: pl.Series(held.split()) for name, held in cells.items() if held is not None}
    )


def test_honest_tables():
    assert lines() == []
    assert lines(rows=None) == []
    assert lines(rows=None, original=None) == []
    verdict = verdict_on(reading(), [])
    assert (verdict.records, verdict.classes) == (5, 2)
    assert [entry["name"] for entry in verdict.models] == ["distinct-l-diversity"]


FOREIGN = "sensitive.ill: 1 sensitive values are not in the input, or not so often"


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        (listed(counts="2 0 1 1"), "sensitive: 1 rows say no count, or one that was said before"),
        (listed(counts="2 x 1 1"), "sensitive: 1 rows say no count, or one that was said before"),
        (listed(ills="1 1 1 3"), "sensitive: 1 rows say no count, or one that was said before"),
        (listed(counts="1 1 1 1"), "count: does not add up to the records in 1 groups"),
        (listed(groups="1 1 2 9"), "group: 1 groups are in one of the two tables only"),
        (listed(ills="1 3 1 2"), "count: is not that of the group's own records in 2 groups"),
        (listed(ills="1 2 1 4"), FOREIGN),
    ],
)  # fmt: skip
def test_a_second_table_that_is_forged(table, problem):
    assert problem in lines(sensitive=table)


def test_too_few_values_in_a_group():
    alike = listed(ills="1 2 1 1", counts="2 1 1 1")[:3].with_columns(count=pl.Series(list("212")))
    said = lines(sensitive=alike, rows=None, original=None)
    assert said == ["models.distinct-l-diversity: does not hold in 1 of 2 classes"]


def test_numbers_are_the_same_in_every_way_of_writing_them():
    assert lines(sensitive=listed(ills="1.0 2.0 1.0 3.0"), original=None, rows=None) == []
    original = ORIGINAL.with_columns(pl.col("ill").cast(pl.Int64))
    assert lines(sensitive=listed(ills="1 2 1 3"), original=original) == []


def test_a_missing_value_is_listed_as_one():
    models = [WORDS["models"][0] | {"missing_counts": True}]
    asked = ind.Policy.from_words({**WORDS, "models": models, "data": {"missing": ["", "?"]}})
    original = ORIGINAL.with_columns(ill=pl.Series(["3", "1", "1", None, "1"]))
    table = LISTED.with_columns(ill=pl.Series(["1", "", "1", "3"]))
    assert lines(sensitive=table, policy=asked, original=original) == []
    table = LISTED.with_columns(ill=pl.Series(["1", "?", "1", "3"]))
    (said,) = lines(sensitive=table, policy=asked, original=original)
    assert "a release leaves a missing cell empty" in said


@pytest.mark.parametrize(
    ("frame", "place"),
    [
        (RECORDS.drop("age"), "columns.age: is missing"),
        (RECORDS.drop("group"), "columns.group: is missing"),
        (RECORDS.with_columns(ill=pl.lit("1")), "columns.ill: is there and should not be"),
        (RECORDS.with_columns(name=pl.lit("v")), "columns.name: is there and should not be"),
    ],
)
def test_other_columns_in_the_first_table(frame, place):
    assert lines(frame=frame) == [place]


def test_other_columns_in_the_second_table():
    assert lines(sensitive=LISTED.drop("count")) == ["sensitive.columns.count: is missing"]
    more = LISTED.with_columns(age=pl.lit("31"))
    assert lines(sensitive=more) == ["sensitive.columns.age: is there and should not be"]
    assert len(lines(sensitive=None)) == 3


def test_a_cell_of_another_record():
    """Exchanged within a group, so that each cell is there as often as in the input."""
    exchanged = [ROWS[1], ROWS[0], *ROWS[2:]]
    assert lines(rows=exchanged) == ["columns.age: 2 kinds of cells are not the input's"]
    foreign = RECORDS.with_columns(age=pl.Series(["31", "32", "45", "47", "61"]))
    assert lines(frame=foreign, rows=None) == [
        "records: 1 combinations of cells are not in the input, or not so often"
    ]


def test_rows_in_the_order_of_the_input():
    order = sorted(range(5), key=ROWS.__getitem__)
    said = lines(frame=RECORDS[order], rows=[ROWS[place] for place in order])
    assert said == [f"order: {UNORDERED}"]
    assert lines(sensitive=LISTED[[1, 0, 2, 3]]) == [f"sensitive: {UNORDERED}"]


def test_the_groups_that_models_see():
    counts, wrong = counts_of(LISTED, "ill", [""])
    assert (dict(counts), wrong) == ({"1": {"1": 2, "2": 1}, "2": {"1": 1, "3": 1}}, 0)
    sizes = Counter(RECORDS["group"])
    groups = classes_of_groups(counts, "ill", sizes)
    assert sorted(one.size for one in groups) == [2, 3]
    assert all(one.table["ill"].counts == {"1": 3, "2": 1, "3": 1} for one in groups)
    assert all(one.table["ill"].order == ["1", "2", "3"] for one in groups)
    by_size = sorted(groups, key=lambda one: one.size)
    assert [one.counts["ill"] for one in by_size] == [counts["2"], counts["1"]]
    assert classes_of_groups({"1": counts["1"]}, "ill", sizes)[0].size == 3


CLAIMS = {
    "indistinct": "0", "format": 3, "method": {}, "input": {"rows": 5},
    "codebook": {"age": {"kind": "values"}, "ill": {"kind": "values"}, "group": {"kind": "group"}},
    "output": {"rows": 5}, "records": {"released": 5, "suppressed": 0}, "loss": {},
    "classes": {"count": 2, "smallest": 2, "mean": 2.5, "largest": 3},
    "risk": {"prosecutor": 1.0, "journalist": None, "marketer": 1.0},
    "models": [{"name": "distinct-l-diversity", "required": {"column": "ill", "l": 2},
                "achieved": {"l": 2}, "holds": True}],
}  # fmt: skip


def test_true_claims_about_two_tables():
    assert lines(manifest=CLAIMS) == []


@pytest.mark.parametrize(
    ("part", "word", "value"),
    [
        ("output", "rows", 4),
        ("classes", "count", 3),
        ("classes", "smallest", 3),
        ("classes", "mean", 2.4),
        ("classes", "largest", 4),
        ("risk", "prosecutor", 0.5),
        ("risk", "marketer", 0.4),
        ("records", "suppressed", 1),
        ("input", "rows", 6),
    ],
)
def test_a_false_claim_about_two_tables(part, word, value):
    false = {**CLAIMS, part: {**CLAIMS[part], word: value}}
    said = lines(manifest=false)
    place = "input.rows" if part == "records" else f"{part}.{word}"
    assert [one.partition(":")[0] for one in said] == [f"manifest.{place}"]
