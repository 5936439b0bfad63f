"""Rank swapping as a protection of a column."""

import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import indistinct as ind
from indistinct.tables.masks.rank_swapping import RankSwappingProtection
from indistinct.tables.policy.specification import resolve
from indistinct.tables.verification.verify_release import VerificationInput, verify_frame
from masks import mask, people, problems, released

SWAP = {"income": {"name": "swap", "percent": 10}}

numbers = st.none() | st.integers(-50, 50)


@settings(deadline=None)
@given(st.lists(numbers, min_size=1, max_size=50), st.floats(1, 100), st.integers(0, 9))
def test_the_values_stay_exactly_as_a_set(values, percent, seed):
    column = pl.Series("x", values, dtype=pl.Int64)
    columns = mask(RankSwappingProtection(percent=percent), column, seed=seed).columns
    assert columns["x"].sort().equals(column.sort())
    assert (columns["x"].is_null() == column.is_null()).all()


def test_a_release_has_the_values_of_the_original_in_other_records():
    release, policy = released(SWAP)
    own = people()
    assert release.frame["income"].sort().equals(own["income"].sort())
    assert (release.frame["income"] != own["income"][release.crosswalk.tolist()]).mean() > 0.9
    assert ind.verify(release.frame, policy, original=own, manifest=release.manifest).holds


def test_dates_are_swapped():
    release, _ = released({"seen": "swap"})
    assert release.frame["seen"].sort().equals(people()["seen"].sort())


def test_foreign_values_and_far_swaps_are_found():
    release, policy = released(SWAP)
    own, rows = people(), release.crosswalk.tolist()
    foreign = release.frame.with_columns(income=pl.col("income") + 0.125)
    verdict = ind.verify(foreign, policy, original=own)
    assert any("not so often" in problem for problem in problems(verdict))
    assert verify_frame(
        VerificationInput(release.frame, resolve(policy), own, rows, release.manifest)
    ).holds
    ascending = release.frame.with_columns(release.frame["income"].sort())
    far = verify_frame(VerificationInput(ascending, resolve(policy), own, rows, release.manifest))
    assert any("beyond the declared window" in problem for problem in problems(far))


def test_wrong_columns_are_refused():
    with pytest.raises(ind.PolicyError, match="needs a column of numbers"):
        released({"city": "swap"})
    with pytest.raises(ind.PolicyError, match="less than one rank"):
        released({"age": {"name": "swap", "percent": 0.1}})
