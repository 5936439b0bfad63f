"""What protected numbers are still good for, in an assessment and with the crosswalk."""

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.frontends.cli.assessment import assessment_summary
from indistinct.tables.evaluation.utility.report import masking_entry
from masks import people, released

SWAPPED = {"age": {"name": "swap", "percent": 5}, "income": {"name": "swap", "percent": 5}}


def test_swapped_columns_keep_mean_and_spread_and_lose_correlation():
    release, policy = released(SWAPPED, frame=people(2000))
    utility = ind.assess(release.frame, policy, original=people(2000)).document()["utility"]
    entry = utility["masking"]
    for figures in entry["columns"].values():
        assert figures == {
            "mean_change": pytest.approx(0, abs=1e-9),
            "deviation_ratio": pytest.approx(1),
        }
    assert 0.001 < entry["correlation_change"] < 0.1
    assert 0 < entry["eigenvalue_change"] < 0.2
    assert "record_linkage" not in entry


def test_wider_noise_costs_more_and_links_less():
    frame = people(1500).with_columns(age=pl.col("age").cast(pl.Float64))
    found = []
    for share in (0.01, 0.5):
        words = {"name": "noise-additive", "share": share}
        release, policy = released({"age": words, "income": words}, frame=frame)
        found.append(masking_entry(release.frame, frame, policy.protections, release.crosswalk))
    narrow, wide = found
    assert narrow["absolute_loss"] < wide["absolute_loss"]
    assert wide["squared_loss"] == pytest.approx(0.25, rel=0.1)
    assert wide["record_linkage"] < 0.05
    assert narrow["record_linkage"] > 0.3
    assert wide["interval_disclosure"] < narrow["interval_disclosure"] == pytest.approx(1, abs=0.01)
    spread = wide["columns"]["income"]["deviation_ratio"]
    assert spread == pytest.approx(np.sqrt(1.25), rel=0.05)


def test_pairs_that_are_wrong_cost_more():
    release, policy = released(SWAPPED)
    right = masking_entry(release.frame, people(), policy.protections, release.crosswalk)
    wrong = masking_entry(release.frame, people(), policy.protections, release.crosswalk[::-1])
    assert right["squared_loss"] < 0.1 < wrong["squared_loss"]


def test_columns_that_are_no_numbers_take_no_part():
    release, policy = released({"city": "pram"})
    assert masking_entry(release.frame, people(), policy.protections) is None
    assert "utility" not in ind.assess(release.frame, policy, original=people()).document()


def test_gaps_and_dates_are_borne():
    frame = people(100).with_columns(
        pl.when(pl.int_range(pl.len()) % 4 == 0).then(None).otherwise("seen").alias("seen")
    )
    release, policy = released({"seen": "swap", "age": "swap"}, frame=frame)
    entry = masking_entry(release.frame, frame, policy.protections, release.crosswalk)
    assert entry["columns"]["seen"]["deviation_ratio"] == pytest.approx(1)
    assert 0 < entry["absolute_loss"] < 0.5


def test_the_command_says_it_in_one_line():
    release, policy = released(SWAPPED)
    said = assessment_summary(ind.assess(release.frame, policy, original=people()))
    assert "correlation_change" in said
    assert "deviation_ratio" not in said
