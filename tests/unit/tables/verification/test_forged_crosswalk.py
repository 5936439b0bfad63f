"""Each check of a crosswalk whose tables are not read whole finds the one thing that is forged."""

import random

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.engines.choosing import Resources
from indistinct.tables.policy.specification import resolve
from indistinct.tables.verification import compared_parts
from indistinct.tables.verification.crosswalk_of_places import (
    has_files_named,
    placed_crosswalk_faults,
)

POLICY = ind.Policy.from_words(
    {
        "columns": {
            "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 20]}},
            "ill": {"role": "sensitive"},
        },
        "models": [{"name": "k-anonymity", "k": 3}],
    }
)
AGES = [20 + number * 7 % 60 for number in range(160)]
PART = 40  # records of the input that are compared at once


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    """Compare few records at once, so that there are four parts."""
    monkeypatch.setattr(compared_parts, "FEWEST_ROWS", PART)
    monkeypatch.setattr(compared_parts, "SHARE", 10**9)


def said(folder, rows, suppressed=(), origins=None):
    """Compare a release of some rows of the input with its input, by a true or false crosswalk."""
    shown = [f"[{AGES[row] // 10 * 10}, {AGES[row] // 10 * 10 + 10})" for row in rows]
    pl.DataFrame({"age": AGES, "ill": ["a", "b"] * 80}).write_parquet(folder / "in.parquet")
    ills = ["ab"[row % 2] for row in rows]
    pl.DataFrame({"age": shown, "ill": ills}).write_parquet(folder / "out.parquet")
    links = {
        "output_row": [*range(len(rows)), *[-1 for _ in suppressed]],
        "input_row": [*(origins or rows), *suppressed],
    }
    pl.DataFrame(links).write_csv(folder / "links.csv")
    given = [str(folder / name) for name in ("out.parquet", "in.parquet", "links.csv")]
    found = placed_crosswalk_faults(*given, resolve(POLICY), Resources("polars", 10**9))
    return [f"{fault.place}: {fault.problem}" for fault in found]


def shuffled(rows, seed=1):
    return random.Random(seed).sample(rows, len(rows))


def test_an_honest_release_has_no_fault(tmp_path):
    rows = shuffled(range(160))
    assert said(tmp_path, rows) == []
    assert said(tmp_path, rows[:150], rows[150:]) == []


@pytest.mark.parametrize(
    ("one", "other", "problem"),
    [
        (3, 155, "columns.age: 2 kinds of cells do not cover their original value"),
        (0, 43, "columns.ill: 2 cells are not their record's own"),
    ],
)
def test_records_of_two_parts_that_are_exchanged_are_found(tmp_path, one, other, problem):
    rows = shuffled(range(160))
    exchanged = {one: other, other: one}
    assert said(tmp_path, rows, origins=[exchanged.get(row, row) for row in rows]) == [problem]


def test_a_crosswalk_of_files_is_told_by_its_four_columns(tmp_path):
    """With further columns or without; one that lacks a column links rows of one file."""
    path = tmp_path / "crosswalk.csv"
    names = ["output_file", "output_row", "input_file", "input_row"]
    for chosen, found in ((names, True), ([*names, "note"], True), (names[1:], False)):
        path.write_text(",".join(chosen) + "\n", encoding="utf-8")
        assert has_files_named(path) is found
    assert not has_files_named(tmp_path / "missing.csv")
