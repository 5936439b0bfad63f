"""Top and bottom coding as a protection of a column."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.masks.top_bottom_coding import TopBottomCodingProtection
from indistinct.tables.policy.specification import resolve
from indistinct.tables.verification.verify_release import VerificationInput, verify_frame
from masks import mask, people, policy_of, problems, released

CODED = {"age": {"name": "top-bottom", "low": 25, "high": 80}}


def test_numbers_beyond_the_bounds_become_the_bounds():
    masked = mask(TopBottomCodingProtection(low=2, high=4), pl.Series("x", [1, 2, None, 4, 9, 7]))
    assert masked.columns["x"].to_list() == [2, 2, None, 4, 4, 4]
    assert (masked.facts["coded_low"], masked.facts["coded_high"]) == (1, 2)
    top = mask(TopBottomCodingProtection(high=1.5), pl.Series("x", [-9.0, 1.75]))
    assert top.columns["x"].to_list() == [-9.0, 1.5]


def test_numbers_beyond_the_bounds_are_found_in_a_file():
    release, policy = released(CODED)
    own, rows = people(), release.crosswalk.tolist()
    assert verify_frame(
        VerificationInput(release.frame, resolve(policy), own, rows, release.manifest)
    ).holds
    bare = release.frame.with_columns(own["age"][rows])
    assert any("outside the bounds" in problem for problem in problems(ind.verify(bare, policy)))
    moved = release.frame.with_columns(age=(pl.col("age") + 1).clip(25, 80))
    verdict = verify_frame(VerificationInput(moved, resolve(policy), own, rows, release.manifest))
    assert any("not the original coded" in problem for problem in problems(verdict))


def test_a_coded_quasi_identifier_is_generalized_too():
    release, policy = released(
        CODED,
        roles={"age": "quasi-identifier"},
        models=[{"name": "k-anonymity", "k": 30}],
        release={"read_back": "accepted"},  # a date follows from the age
    )
    assert release.manifest["classes"]["smallest"] >= 30
    assert ind.verify(release.frame, policy, manifest=release.manifest).holds


@pytest.mark.parametrize(
    ("words", "said"),
    [({}, "both missing"), ({"low": 3, "high": 3}, "not below high"), ({"top": 3}, "no")],
)
def test_wrong_words_are_refused(words, said):
    with pytest.raises(ind.PolicyError, match=said):
        policy_of({"age": {"name": "top-bottom", **words}})


def test_wrong_columns_are_refused():
    with pytest.raises(ind.PolicyError, match="has bounds, but no numbers"):
        released({"city": {"name": "top-bottom", "high": 5}})
    with pytest.raises(ind.PolicyError, match="no whole number reaches"):
        released({"age": {"name": "top-bottom", "high": 80.5}})
