"""Microaggregation as a protection of columns."""

import datetime as dt

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.masks.microaggregation.microaggregation import MicroaggregationProtection
from indistinct.tables.policy.specification import resolve
from indistinct.tables.verification.verify_release import VerificationInput, verify_frame
from masks import mask, people, policy_of, problems, released

TOGETHER = {name: {"name": "microaggregation", "k": 4} for name in ("age", "income", "seen")}


def test_the_worked_example_is_released_as_means():
    column = pl.Series("x", [1, 2, 3, 10, 11, 12, 20, 21])
    masked = mask(MicroaggregationProtection(k=2, method="mdav"), column)
    assert masked.columns["x"].to_list() == [1.5, 1.5, 6.5, 6.5, 11.5, 11.5, 20.5, 20.5]
    assert masked.facts["squared_loss"] == pytest.approx(0.061905, abs=1e-6)
    assert (masked.facts["groups"], masked.facts["smallest"]) == (4, 2)


def test_columns_of_one_group_are_equal_in_k_records():
    release, _ = released(TOGETHER)
    sizes = release.frame.group_by("age", "income", "seen").len()["len"]
    assert 4 <= sizes.min() <= sizes.max() < 8
    assert release.frame["seen"].dtype == pl.Date
    assert release.frame["income"].mean() == pytest.approx(people()["income"].mean())


def test_groups_of_other_words_stand_alone():
    other = {**TOGETHER, "income": {"name": "microaggregation", "k": 4, "group": "money"}}
    release, _ = released(other)
    assert release.frame.group_by("age", "seen").len()["len"].min() >= 4
    assert release.frame.group_by("income").len()["len"].min() >= 4
    assert release.frame.group_by("age", "income").len()["len"].min() < 4


def test_quasi_identifiers_are_k_anonymous_without_generalization():
    """The classes are the groups: the search finds that nothing is left to do."""
    roles = dict.fromkeys(TOGETHER, "quasi-identifier")
    release, policy = released(
        TOGETHER,
        roles=roles,
        models=[{"name": "k-anonymity", "k": 4}],
        frame=people(120),
        method={"algorithm": "optimal"},
    )
    assert set(release.owner["method"]["transformation"].values()) == {0}
    assert release.manifest["models"][0]["achieved"] == {
        "k": release.manifest["classes"]["smallest"]
    }
    assert release.manifest["protection"]["age"]["in_classes"] is True
    known = {"manifest": release.manifest, "original": people(120)}
    assert ind.verify(release.frame, policy, **known).holds


def test_mixed_columns_get_means_and_modes():
    city = pl.Series("city", ["a", "a", "b", "c", "c", "c"])
    age = pl.Series("age", [10.0, 11, 12, 50, 51, 55])
    columns = mask(MicroaggregationProtection(k=3), age, city).columns
    assert columns["age"].to_list() == [11, 11, 11, 52, 52, 52]
    assert columns["city"].to_list() == ["a", "a", "a", "c", "c", "c"]


def test_an_enumeration_gets_medians():
    sizes = pl.Series(
        "size", ["S", "M", "XL", "S", "L", "XL"], dtype=pl.Enum(["S", "M", "L", "XL"])
    )
    columns = mask(MicroaggregationProtection(k=3), sizes).columns
    assert columns["size"].dtype == sizes.dtype
    assert columns["size"].to_list() == ["S", "S", "XL", "S", "XL", "XL"]


def test_missing_categories_are_a_value():
    city = pl.Series("city", ["a", None, None, None, "a", "a"])
    columns = mask(MicroaggregationProtection(k=3), city).columns
    assert columns["city"].to_list() == city.to_list()


def test_records_with_gaps_are_grouped_apart():
    age = pl.Series("age", [1, 2, None, None, 5, 6])
    height = pl.Series("height", [1.0, 2, 30, 40, 5, 6])
    columns = mask(MicroaggregationProtection(k=2), age, height).columns
    assert columns["age"].to_list() == [1.5, 1.5, None, None, 5.5, 5.5]
    assert columns["height"].to_list() == [1.5, 1.5, 35, 35, 5.5, 5.5]


def test_rare_gaps_and_small_tables_are_refused():
    frame = people(60).with_columns(
        pl.when(pl.int_range(pl.len()) == 7).then(None).otherwise("age").alias("age")
    )
    with pytest.raises(ind.PolicyError, match="1 records have no value of age, income, seen"):
        released(TOGETHER, frame=frame)
    with pytest.raises(ind.PolicyError, match="k = 4 is larger than the table"):
        released(TOGETHER, frame=people(3))


def test_a_file_with_a_changed_cell_does_not_verify():
    release, policy = released(TOGETHER)
    first = pl.int_range(pl.len()) == 0
    changed = release.frame.with_columns(
        pl.when(first).then(pl.col("income") + 1).otherwise("income").alias("income")
    )
    verdict = ind.verify(changed, policy, manifest=release.manifest, original=people())
    assert any("fewer than 4 equal records" in problem for problem in problems(verdict))
    assert any("means of the original" in problem for problem in problems(verdict))
    assert ind.verify(release.frame, policy, manifest=release.manifest, original=people()).holds


def test_means_of_other_groups_are_found_with_the_crosswalk():
    release, policy = released(TOGETHER)
    rows = release.crosswalk.tolist()
    original = people()
    right = VerificationInput(release.frame, resolve(policy), original, rows, release.manifest)
    assert verify_frame(right).holds
    wrong = VerificationInput(
        release.frame, resolve(policy), original, rows[1:] + rows[:1], release.manifest
    )
    assert any("means of the original" in problem for problem in problems(verify_frame(wrong)))


def test_suppressed_records_may_be_lacking():
    release, policy = released(TOGETHER)
    fewer = release.frame.head(190)
    manifest = {**release.manifest, "records": {"released": 190, "suppressed": 10}}
    assert not ind.verify(fewer, policy, manifest=manifest).holds
    policy = policy.with_words({"method": {"max_suppression": 0.05}})
    faults = ind.verify(fewer, policy, manifest=manifest).faults
    assert all(fault.place.startswith("manifest.") for fault in faults)
    assert not ind.verify(fewer, policy, manifest=None).holds


def test_dates_are_released_as_whole_days():
    day = dt.date(2024, 2, 1)
    seen = pl.Series("seen", [day, day + dt.timedelta(days=3)])
    columns = mask(MicroaggregationProtection(k=2), seen).columns
    assert columns["seen"].to_list() == [day + dt.timedelta(days=2)] * 2


def test_wrong_words_are_refused():
    with pytest.raises(ind.PolicyError, match="at least 2"):
        policy_of({"age": {"name": "microaggregation", "k": 1}})
    with pytest.raises(ind.PolicyError, match="k is missing"):
        policy_of({"age": "microaggregation"})


def test_a_group_that_is_generalized_in_part_is_compared_over_the_other_columns():
    """The groups of a are 1.5 and 3.5: two of their records are hidden, and stand together."""
    original = pl.DataFrame({"a": [1.0, 2, 3, 4], "b": [10.0, 20, 30, 50]})
    cells = {"a": ["1.5", "*", "*", "3.5"], "b": ["15.0", "15.0", "40.0", "40.0"]}
    mask = MicroaggregationProtection(k=2)
    assert not list(mask.check_against(pl.DataFrame(cells), original, range(4)))
    shared = pl.DataFrame(cells | {"b": ["27.5"] * 4})
    assert not list(mask.check_against(shared, original, range(4)))
    wrong = pl.DataFrame(cells | {"b": ["16.0", "15.0", "40.0", "40.0"]})
    assert [fault.place for fault in mask.check_against(wrong, original, range(4))] == ["columns.b"]


def test_hidden_cells_of_one_column_part_no_group():
    original = pl.DataFrame({"a": [1.0, 1, 1, 1], "b": [10.0, 20, 12, 18]})
    cells = pl.DataFrame({"a": ["1.0", "*", "1.0", "*"], "b": ["15.0"] * 4})
    assert not list(MicroaggregationProtection(k=4).check_against(cells, original, range(4)))
