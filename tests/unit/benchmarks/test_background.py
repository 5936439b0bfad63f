"""Somebody knows a few quasi-identifiers of a person."""

from itertools import pairwise

import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import indistinct as ind
from background import identity_disclosure, subsets_of

COLUMNS = {
    "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 40]}},
    "sex": {"role": "quasi-identifier"},
    "job": {"role": "sensitive"},
}


def policy_of(k=2, algorithm="optimal"):
    return ind.Policy.from_words(
        {
            "columns": COLUMNS,
            "models": [{"name": "k-anonymity", "k": k}],
            "method": {"algorithm": algorithm, "max_suppression": 0},
        }
    )


ORIGINAL = pl.DataFrame(
    {"age": [21, 22, 25, 31, 31, 37], "sex": list("fffmmf"), "job": list("abcabc")}
)
RELEASED = pl.DataFrame(
    {
        "age": ["[20, 30)"] * 3 + ["[0, 40)"] * 3,
        "sex": ["f"] * 3 + ["*"] * 3,
        "job": list("abcabc"),
    }
)


@pytest.mark.parametrize(
    ("known", "k", "chance", "exposed"),
    [
        # The three in their twenties fit all six records by age, the others the last three.
        (["age"], 2, (3 * 1 / 6 + 3 * 1 / 3) / 6, 0.0),
        (["age"], 4, (3 * 1 / 6 + 3 * 1 / 3) / 6, 0.5),
        # Women fit all six; men fit the last three.
        (["sex"], 4, (4 * 1 / 6 + 2 * 1 / 3) / 6, 2 / 6),
        (["age", "sex"], 4, (3 * 1 / 6 + 3 * 1 / 3) / 6, 0.5),
    ],
)
def test_an_example_counted_by_hand(known, k, chance, exposed):
    found = identity_disclosure(RELEASED, ORIGINAL, policy_of(), [known], k)
    assert found.chance == pytest.approx(chance)
    assert found.exposed == pytest.approx(exposed)


def test_several_subsets_are_averaged():
    policy = policy_of()
    one, other, both = (
        identity_disclosure(RELEASED, ORIGINAL, policy, known)
        for known in ([["age"]], [["sex"]], subsets_of(policy, 1))
    )
    assert both.chance == pytest.approx((one.chance + other.chance) / 2)
    assert subsets_of(policy, 5) == [("age", "sex")]


def test_nobody_is_found_in_an_empty_release():
    found = identity_disclosure(RELEASED.head(0), ORIGINAL, policy_of(), [["age"]])
    assert (found.chance, found.exposed) == (0.0, 0.0)


def test_the_original_gives_its_uniques_away():
    """Four of six are alone by age and sex; two share theirs."""
    text = ORIGINAL.with_columns(pl.col("age").cast(pl.String))
    found = identity_disclosure(text, ORIGINAL, policy_of(), [["age", "sex"]])
    assert found.chance == pytest.approx(5 / 6)
    assert found.exposed == pytest.approx(4 / 6)


@settings(max_examples=12, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(18, 60), st.sampled_from("fm"), st.sampled_from("abc")),
        min_size=12,
        max_size=60,
    ),
    st.sampled_from(["optimal", "infogain-mondrian", "top-down-specialization"]),
)
def test_who_knows_more_finds_more_and_nobody_is_exposed(rows, algorithm):
    original = pl.DataFrame(rows, schema=["age", "sex", "job"], orient="row")
    policy = policy_of(3, algorithm)
    released = ind.anonymize(original, policy).frame
    steps = [["sex"], ["sex", "age"]]
    found = [identity_disclosure(released, original, policy, [known], 3) for known in steps]
    assert all(one.chance <= other.chance + 1e-12 for one, other in pairwise(found))
    assert [one.exposed for one in found] == [0.0, 0.0]
    own_class = released.select("age", "sex").n_unique() / len(rows)
    assert found[-1].chance <= own_class + 1e-12  # records of wider classes fit, too
    if algorithm != "infogain-mondrian":
        assert found[-1].chance == pytest.approx(own_class)


@pytest.mark.parametrize("known", [[], [[]], [["age", "job"]], [["height"]]])
def test_what_is_no_quasi_identifier_is_not_asked_for(known):
    with pytest.raises(ind.ParameterError, match="known"):
        identity_disclosure(RELEASED, ORIGINAL, policy_of(), known)
