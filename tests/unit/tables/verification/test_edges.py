"""Verification at the edges: how many may be left out, and what no file should hold."""

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import DataError
from indistinct.tables.policy.policy import Policy
from indistinct.tables.policy.specification import resolve
from indistinct.tables.verification.evidence import VerificationInput, most_suppressed, n_suppressed
from indistinct.tables.verification.original import limit_of

AGE = {"role": "quasi-identifier"}
ILL = {"role": "sensitive"}


def policy(**words):
    return ind.Policy.from_words(
        {
            "columns": {"age": AGE, "ill": ILL},
            "models": [{"name": "k-anonymity", "k": 2}],
            "method": {"max_suppression": 0.1},
            **words,
        }
    )


LEFT_OUT = policy(data={"missing_as": "suppress"})


@pytest.mark.parametrize(("n_input", "limit"), [(0, 0), (9, 0), (10, 1), (99, 9), (100, 10)])
def test_a_tenth_of_the_input_may_be_left_out(n_input, limit):
    assert limit_of(resolve(policy()), pl.DataFrame(), n_input) == limit


@pytest.mark.parametrize(("n_released", "limit"), [(8, 0), (9, 1), (89, 9), (90, 10)])
def test_a_tenth_of_the_input_is_a_ninth_of_the_release(n_released, limit):
    assert most_suppressed(resolve(policy()), n_released) == limit


def test_whoever_lets_all_be_left_out_has_no_limit():
    everybody = policy(method={"max_suppression": 1.0})
    assert (
        most_suppressed(resolve(everybody), 5)
        == limit_of(resolve(everybody), pl.DataFrame(), 5)
        == np.inf
    )


def test_incomplete_records_do_not_count_against_the_limit():
    """Of twenty records three lack a value: three, and a tenth of the seventeen others."""
    table = pl.DataFrame(
        {"age": [None, None, *range(18)], "ill": ["x", None, None, *["x"] * 17]},
    )
    assert limit_of(resolve(LEFT_OUT), table, 20) == 3 + 1
    assert limit_of(resolve(LEFT_OUT), table.select("age"), 20) == np.inf
    weights = pl.Series([4, 3, 2, *[1] * 17])
    assert limit_of(resolve(LEFT_OUT), table, 26, weights) == 9 + 1
    assert most_suppressed(resolve(LEFT_OUT), 17) == np.inf


def test_confident_suppression_has_no_limit_beside_incomplete_records_either():
    """It takes out whom the noise singles out, however few may be suppressed."""
    words = {
        "columns": {"age": {"role": "quasi-identifier", "protect": "noise"}},
        "models": [{"name": "confident-k-anonymity", "k": 2}],
    }
    table = pl.DataFrame({"age": [20, 30, 20]})
    for missing_as in ("value", "suppress"):
        confident = Policy.from_words({**words, "data": {"missing_as": missing_as}})
        assert limit_of(resolve(confident), table, 3) == np.inf


def test_a_file_without_a_column_of_the_policy_is_judged_no_further():
    found = ind.verify(pl.DataFrame({"ill": ["x", "x"]}), policy())
    assert not found.holds
    assert (found.records, found.classes, found.models) == (0, 0, ())


def test_a_history_that_is_not_there_is_named(tmp_path):
    table = pl.DataFrame({"age": [1, 1], "ill": ["x", "y"]})
    with pytest.raises(DataError, match="no such history"):
        ind.verify(table, policy(), history=tmp_path / "none.db")


def test_nothing_of_an_empty_input_is_left_out():
    empty = pl.DataFrame({"age": [], "ill": []})
    assert n_suppressed(VerificationInput(empty, resolve(policy()), empty), 0) == 0
