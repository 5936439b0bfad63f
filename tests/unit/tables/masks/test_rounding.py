"""Rounding as a protection of a column."""

import polars as pl
import pytest
from hypothesis import given, strategies as st

import indistinct as ind
from indistinct.tables.masks.rounding import RoundingProtection
from indistinct.tables.policy.specification import resolve
from indistinct.tables.verification.verify_release import VerificationInput, verify_frame
from masks import mask, people, problems, released


@pytest.mark.parametrize(
    ("values", "base", "expected"),
    [
        ([12, 13, 15, -12, -13], 5, [10, 15, 15, -10, -15]),
        ([5, 15, -5, 4], 10, [10, 20, 0, 0]),
        ([0.24, 0.26, 0.31, None], 0.1, [0.2, 0.3, 0.3, None]),
        ([1.3, 2.5], 2.5, [2.5, 2.5]),
    ],
)
def test_numbers_go_to_the_nearest_multiple_and_halves_up(values, base, expected):
    column = pl.Series("x", values)
    columns = mask(RoundingProtection(base=base), column).columns
    assert columns["x"].to_list() == expected
    assert columns["x"].dtype == column.dtype


@given(st.lists(st.floats(-1e6, 1e6), min_size=1), st.sampled_from([0.01, 0.25, 1, 7, 500]))
def test_no_number_moves_by_more_than_half_a_base(values, base):
    column = pl.Series("x", values, dtype=pl.Float64)
    columns = mask(RoundingProtection(base=base), column).columns
    assert ((columns["x"] - column).abs() <= base / 2 + 1e-9 * column.abs() + 1e-12).all()


def test_numbers_between_multiples_are_found():
    release, policy = released({"income": {"name": "round", "base": 100}})
    own, rows = people(), release.crosswalk.tolist()
    assert verify_frame(
        VerificationInput(release.frame, resolve(policy), own, rows, release.manifest)
    ).holds
    bare = release.frame.with_columns(own["income"][rows])
    assert any("not multiples of 100" in problem for problem in problems(ind.verify(bare, policy)))
    far = release.frame.with_columns(income=pl.col("income") + 100)
    verdict = verify_frame(VerificationInput(far, resolve(policy), own, rows, release.manifest))
    assert any("not the original rounded" in problem for problem in problems(verdict))


@pytest.mark.parametrize("intervals", ["label", "bounds", "midpoint"])
def test_a_rounded_quasi_identifier_is_generalized_too(intervals):
    release, policy = released(
        {"age": {"name": "round", "base": 4}},
        roles={"age": "quasi-identifier"},
        models=[{"name": "k-anonymity", "k": 30}],
        release={"intervals": intervals},
    )
    assert release.manifest["classes"]["smallest"] >= 30
    assert ind.verify(release.frame, policy, manifest=release.manifest).holds


def test_wrong_columns_and_bases_are_refused():
    with pytest.raises(ind.PolicyError, match="needs a column of numbers"):
        released({"seen": {"name": "round", "base": 5}})
    with pytest.raises(ind.PolicyError, match="into fractions"):
        released({"age": {"name": "round", "base": 0.5}})
