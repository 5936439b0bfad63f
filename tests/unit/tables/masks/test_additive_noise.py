"""Additive noise as a protection of columns."""

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.masks.additive_noise import AdditiveNoiseProtection
from indistinct.tables.policy.specification import resolve
from indistinct.tables.verification.verify_release import VerificationInput, verify_frame
from masks import mask, people, policy_of, problems, released

NOISE = {"income": {"name": "noise-additive", "share": 0.2, "low": 0, "high": 5000}}


def test_noise_has_its_share_of_the_spread():
    """The variance of 20,000 draws lies within 5 standard errors of what was asked."""
    frame = people(20_000)
    columns = mask(AdditiveNoiseProtection(share=0.2), frame["income"], frame["age"]).columns
    noise = (columns["income"] - frame["income"]).std() / frame["income"].std()
    assert noise == pytest.approx(0.2, rel=5 / np.sqrt(2 * 20_000))
    assert columns["age"].dtype == frame["age"].dtype
    together = np.corrcoef(columns["income"] - frame["income"], columns["age"] - frame["age"])[0, 1]
    assert abs(together) < 5 / np.sqrt(20_000)


def test_correlated_noise_acts_on_all_columns_of_one_group():
    words = {"name": "noise-additive", "share": 0.5, "correlated": True}
    frame = people(4000).with_columns(age=pl.col("age").cast(pl.Float64))
    release, _ = released({"income": words, "age": words}, frame=frame)
    own = frame[release.crosswalk.tolist()]
    noise = [release.frame[name] - own[name] for name in ("age", "income")]
    expected = np.corrcoef(frame["age"], frame["income"])[0, 1]
    assert np.corrcoef(*noise)[0, 1] == pytest.approx(expected, abs=0.05)


def test_numbers_stay_inside_public_bounds():
    release, policy = released(
        {"age": {"name": "noise-additive", "share": 1.0, "low": 18, "high": 90}}
    )
    assert release.frame["age"].min() == 18
    assert release.frame["age"].max() == 90
    outside = release.frame.with_columns(age=pl.col("age") + 1)
    verdict = ind.verify(outside, policy, manifest=release.manifest)
    assert any("outside the bounds" in problem for problem in problems(verdict))


def test_gaps_stay_and_dates_move():
    frame = people(50).with_columns(
        pl.when(pl.int_range(pl.len()) % 5 == 0).then(None).otherwise("seen").alias("seen")
    )
    release, _ = released({"seen": {"name": "noise-additive", "share": 0.5}}, frame=frame)
    own = frame["seen"][release.crosswalk.tolist()]
    assert release.frame["seen"].dtype == pl.Date
    assert (release.frame["seen"].is_null() == own.is_null()).all()
    assert (release.frame["seen"] != own).sum() > 20


def noisy(column, seed):
    return mask(AdditiveNoiseProtection(share=3.0), column, seed=seed).columns["x"].to_list()


def test_small_types_are_not_overrun():
    column = pl.Series("x", [0, 1, 250, 255], dtype=pl.UInt8)
    columns = mask(AdditiveNoiseProtection(share=3.0), column).columns
    assert columns["x"].dtype == pl.UInt8
    assert {0, 255} <= {value for seed in range(9) for value in noisy(column, seed)}


def test_columns_without_noise_are_found_with_the_crosswalk():
    release, policy = released(NOISE)
    rows, original = release.crosswalk.tolist(), people()
    assert verify_frame(
        VerificationInput(release.frame, resolve(policy), original, rows, release.manifest)
    ).holds
    bare = release.frame.with_columns(original["income"][rows])
    reading = VerificationInput(bare, resolve(policy), original, rows, release.manifest)
    assert any("not the declared noise" in problem for problem in problems(verify_frame(reading)))


def test_a_noisy_quasi_identifier_takes_no_part_in_the_classes():
    release, _ = released(
        NOISE,
        roles={"income": "quasi-identifier", "city": "quasi-identifier"},
        models=[{"name": "k-anonymity", "k": 4}],
        method={"algorithm": "optimal"},
    )
    assert release.manifest["protection"]["income"]["in_classes"] is False
    assert set(release.owner["method"]["transformation"]) == {"city"}


def test_wrong_columns_and_words_are_refused():
    with pytest.raises(ind.PolicyError, match="needs a column of numbers"):
        released({"city": "noise-additive"})
    with pytest.raises(ind.PolicyError, match="not below high"):
        policy_of({"age": {"name": "noise-additive", "low": 5, "high": 5}})
    with pytest.raises(ind.PolicyError, match="no whole number reaches"):
        released({"age": {"name": "noise-additive", "low": 0.5}})
    with pytest.raises(ind.PolicyError, match="bounds, but no numbers"):
        released({"seen": {"name": "noise-additive", "low": 0}})
    gaps = people(9).with_columns(income=pl.Series([None, *range(8)], dtype=pl.Float64))
    with pytest.raises(ind.PolicyError, match="missing values"):
        released({"income": {"name": "noise-additive", "correlated": True}}, frame=gaps)
