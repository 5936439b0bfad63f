"""The small readers of texts and groups."""

from decimal import Decimal

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.policy.specification import resolve
from indistinct.tables.verification.invariant import people_in
from indistinct.tables.verification.sets import numbering_faults
from indistinct.tables.verification.texts import is_number, is_range, step_of_ends
from versions import policy_of


@pytest.mark.parametrize("text", ["1", "-1.5", "+.5", "2.", "1e3", "1E-3", "NaN"])
def test_texts_that_are_numbers(text):
    assert is_number(text)


@pytest.mark.parametrize("text", ["", "1 ", "1_0", "\u0661", "e3", ".", "nan", "inf", "0x1", "1\n"])
def test_texts_that_are_none(text):
    assert not is_number(text)


def test_ranges_and_the_step_of_their_ends():
    assert is_range("[1, 2)")
    assert is_range("[1, 2]")
    assert not is_range("[2, 2)")
    assert not is_range("[2, 1]")
    assert not is_range("(1, 2)")
    for cell, step in (
        ("[0, 20]", 1), ("[0, 21]", None), ("[0, 40]", 2), ("[0, 30]", 2), ("[10, 110]", 5),
        ("[0, 200]", 10), ("[0, 140]", 10),
        ("[0.1, 2.1]", Decimal("0.1")), ("[1, 21]", 1), ("[1, 41]", None),
        ("[-5, 35]", 5), ("[-0.5, 3.5]", Decimal("0.5")), ("[-5, 25]", None), ("[-3, 37]", None),
        ("[0, 20)", None), ("[3, 3]", None), ("a", None),
    ):  # fmt: skip
        assert step_of_ends(cell) == step, cell
    assert step_of_ends(f"[0, 1{'0' * 40}.{'1' * 40}]") is None


def test_as_many_records_of_a_group_are_left_out_as_were_made_up():
    released = pl.DataFrame({"group": [1, 2, 1, 1, 2], "age": list("vwxyz")})
    listed = pl.DataFrame({"group": ["1"], "counterfeits": ["2"]})
    kept = people_in(released, resolve(policy_of(2)), None, listed)
    assert kept["group"].to_list() == [2, 1, 2]
    assert people_in(released, resolve(policy_of(2)), None, listed.clear()).height == 5
    other = ind.Policy.from_keywords(quasi_identifiers=["age"], insensitive=["group"], k=2)
    assert people_in(released, resolve(other), None, listed).height == 5


def test_people_are_numbered_by_their_place():
    policy = ind.Policy.from_words(
        {
            "columns": {"codes": {"role": "quasi-identifier", "type": "set"}},
            "models": [{"name": "km-anonymity", "column": "codes", "k": 2, "m": 1}],
            "data": {"long": {"person": "who", "item": "codes"}},
        }
    )
    for numbers, count in (
        (["0", "0", "1", "2"], 0), (["0", "1", "0"], 1), (["1", "2"], 1), (["1", "0"], 1), ([], 0),
    ):  # fmt: skip
        table = pl.DataFrame({"who": numbers, "codes": ["a"] * len(numbers)})
        assert len(list(numbering_faults(table, policy.data.long))) == count, numbers
    assert list(numbering_faults(pl.DataFrame({"codes": ["a"]}), policy.data.long)) == []
