"""Randomized response as a protection of a column."""

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.base.randomness import RandomSource
from indistinct.tables.masks import Context
from indistinct.tables.masks.randomized_response import RandomizedResponseProtection

CATEGORIES = ("flu", "none", "ulcer")


def answered(n_records, seed, **parameters):
    """Answer for as many records, of which a tenth has flu and a third an ulcer."""
    truth = ["flu"] * (n_records // 10) + ["ulcer"] * (n_records // 3)
    truth += ["none"] * (n_records - len(truth))
    column = pl.Series("diagnosis", truth)
    protection = RandomizedResponseProtection(categories=CATEGORIES, **parameters)
    masked = protection.mask(column.to_frame(), RandomSource(seed))
    return protection, column, masked


def policy_of(protect, models=(), role="sensitive"):
    """Return a policy over an age and a diagnosis that is protected."""
    return ind.Policy(
        columns={
            "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 50]}},
            "diagnosis": {"role": role, "protect": protect},
        },
        models=models,
        method={"algorithm": "optimal"},
    )


def people(n_records):
    """Make up ages and diagnoses."""
    return pl.DataFrame(
        {
            "age": [20 + number * 7 % 60 for number in range(n_records)],
            "diagnosis": [CATEGORIES[number % 3] for number in range(n_records)],
        }
    )


def test_the_drawn_epsilon_is_at_most_the_asked_one():
    _, _, masked = answered(100, 1, epsilon=1.5)
    assert masked.facts["epsilon"] <= 1.5
    assert masked.facts["epsilon"] == pytest.approx(1.5, abs=1e-12)
    assert masked.facts["categories"] == 3


def test_estimates_find_the_true_counts():
    """Each estimate lies within 4.9 standard errors: a false alarm in 10^6 of three."""
    protection, column, masked = answered(60_000, 5, epsilon=1.0)
    found = protection.estimate(masked.columns.to_series())
    true = [int((column == category).sum()) for category in found["category"]]
    errors = (found["estimate"] - pl.Series(true)) / found["standard_error"]
    assert errors.abs().max() < 4.9
    naive = (found["answers"] - pl.Series(true)) / found["standard_error"]
    assert naive.abs().max() > 20


def test_a_wrong_truth_is_found_by_the_estimates():
    """Answers drawn at 1.2 times the asked epsilon are off by many standard errors."""
    _, column, masked = answered(200_000, 6, epsilon=1.2)
    asked = RandomizedResponseProtection(epsilon=1.0, categories=CATEGORIES)
    found = asked.estimate(masked.columns.to_series())
    true = [int((column == category).sum()) for category in found["category"]]
    assert ((found["estimate"] - pl.Series(true)) / found["standard_error"]).abs().max() > 6


@pytest.mark.parametrize(
    "values", [[True, False, True], [1, 2, 2], [1.5, None, 2.5], ["a", None, "b"]]
)
def test_a_column_keeps_its_type(values):
    column = pl.Series("x", values)
    masked = RandomizedResponseProtection(epsilon=0.1).mask(column.to_frame(), RandomSource(3))
    answers = masked.columns.to_series()
    assert answers.dtype == column.dtype
    assert set(answers.to_list()) <= set(values)


def test_epsilon_comes_from_the_policy_where_the_column_says_none():
    protection = RandomizedResponseProtection().within(Context(epsilon=2.5))
    assert protection.epsilon == 2.5
    assert RandomizedResponseProtection(truth=0.5).within(Context(epsilon=2.5)).epsilon is None


@pytest.mark.parametrize(
    ("protect", "said"),
    [
        ("jumble", "choose one of"),
        ({"name": "randomized-response", "epsilon": 0}, "greater than 0"),
        ({"name": "randomized-response", "epsilon": 1, "truth": 0.5}, "say the same"),
        ({"name": "randomized-response", "truth": 1.0}, "below 1"),
        ({"name": "randomized-response", "categories": ["one"]}, "fewer than two"),
        ({"name": "randomized-response", "categories": ["a", "a"]}, "different texts"),
        ({"name": "randomized-response", "percent": 3}, "not a parameter"),
    ],
)
def test_wrong_words_are_refused(protect, said):
    with pytest.raises(ind.PolicyError, match=said):
        policy_of(protect)


def test_an_identifier_cannot_be_answered_at_random():
    with pytest.raises(ind.PolicyError, match="does not fit the role"):
        policy_of("randomized-response", role="identifier")


def test_values_that_are_no_category_are_counted_not_shown():
    policy = policy_of({"name": "randomized-response", "categories": ["flu", "none"]})
    with pytest.raises(ind.PolicyError, match="lack 1 of the column's values") as caught:
        ind.anonymize(people(20), policy)
    assert "ulcer" not in str(caught.value)


def test_a_policy_without_a_model_says_so():
    policy = policy_of("randomized-response", role="quasi-identifier")
    release = ind.anonymize(people(50), policy)
    assert release.manifest["models"] == []
    assert "no model is promised" in release.manifest["promise"]
    assert release.manifest["protection"]["diagnosis"]["in_classes"] is False


def test_a_protected_quasi_identifier_takes_no_part_in_the_classes():
    policy = policy_of(
        "randomized-response", [{"name": "k-anonymity", "k": 4}], role="quasi-identifier"
    )
    release = ind.anonymize(people(60), policy)
    assert set(release.owner["method"]["transformation"]) == {"age"}
    assert release.frame.group_by("age").len()["len"].min() >= 4


def test_all_records_are_one_class_where_nothing_is_generalized():
    policy = ind.Policy(
        columns={"diagnosis": {"role": "sensitive", "protect": "randomized-response"}},
        models=[{"name": "distinct-l-diversity", "column": "diagnosis", "l": 2}],
    )
    frame = people(40).select("diagnosis")
    release = ind.anonymize(frame, policy)
    assert release.manifest["classes"]["count"] == 1
    strict = policy.with_words({})
    assert ind.verify(release.frame, strict, manifest=release.manifest).holds
    with pytest.raises(ind.NoSolutionError, match="achieves as a single class, which is l"):
        ind.anonymize(
            frame,
            ind.Policy(
                columns=strict.words()["columns"],
                models=[{"name": "distinct-l-diversity", "column": "diagnosis", "l": 4}],
            ),
        )


def test_the_written_release_verifies_and_a_foreign_value_does_not(tmp_path):
    policy = policy_of({"name": "randomized-response", "categories": list(CATEGORIES)})
    policy = policy.with_words({})
    release = ind.anonymize(people(60), policy)
    path = tmp_path / "release.csv"
    release.write(path)
    assert ind.verify(path, policy, original=people(60)).holds
    changed = release.frame.with_columns(
        pl.when(pl.int_range(pl.len()) == 0)
        .then(pl.lit("mumps"))
        .otherwise("diagnosis")
        .alias("diagnosis")
    )
    verdict = ind.verify(changed, policy)
    assert any("not categories" in fault.problem for fault in verdict.faults)


def test_a_manifest_of_another_epsilon_is_refused(tmp_path):
    loose = policy_of({"name": "randomized-response", "epsilon": 5})
    tight = policy_of({"name": "randomized-response", "epsilon": 1})
    release = ind.anonymize(people(60), loose)
    verdict = ind.verify(release.frame, tight, manifest=release.manifest)
    assert any("manifest.protection" in fault.place for fault in verdict.faults)
    assert ind.verify(release.frame, loose, manifest=release.manifest).holds


def test_a_seed_repeats_a_release_and_no_seed_does_not():
    policy = policy_of("randomized-response")
    first, again = (ind.anonymize(people(200), policy, seed=4).frame for _ in range(2))
    assert first.equals(again)
    assert not ind.anonymize(people(200), policy).frame.equals(first)


def test_two_columns_are_answered_apart():
    """Equal columns under one seed differ in about half of their 1,000 cells."""
    values = [CATEGORIES[number % 3] for number in range(1000)]
    policy = ind.Policy(
        columns={
            name: {"role": "sensitive", "protect": "randomized-response"} for name in ("x", "y")
        }
    )
    frame = ind.anonymize(pl.DataFrame({"x": values, "y": values}), policy, seed=8).frame
    assert 300 < int((frame["x"] != frame["y"]).sum()) < 900


def test_estimates_of_a_release_come_with_its_policy():
    policy = policy_of({"name": "randomized-response", "epsilon": 3})
    release = ind.anonymize(people(3000), policy)
    found = ind.estimates(release.frame, policy)["diagnosis"]
    assert found["estimate"].sum() == pytest.approx(3000)
    assert found["estimate"].to_numpy() == pytest.approx(np.full(3, 1000.0), abs=400)
    with pytest.raises(ind.SchemaError, match="not in the table"):
        ind.estimates(release.frame.drop("diagnosis"), policy)


def test_estimates_leave_out_rows_of_stars_and_no_missing_answer():
    """A released record may show a star and a missing answer, and is none of the suppressed."""
    answers = [None, "flu", "ulcer"] * 20
    frame = pl.DataFrame({"age": ["*"] * 65, "diagnosis": answers + ["*"] * 5})
    policy = policy_of({"name": "randomized-response", "epsilon": 3})
    policy = policy.with_words({"release": {"suppressed": "mask"}})
    found = ind.estimates(frame, policy)["diagnosis"]
    assert dict(found.select("category", "answers").iter_rows()) == {"": 20, "flu": 20, "ulcer": 20}


@pytest.mark.parametrize(
    ("cells", "categories"),
    [
        ([0, 1], ["0", "1"]),
        ([0, 1], ["0.0", "1.0", ""]),
        ([0, 1], ["0", "1", "unknown"]),
        ([0, 1], ["0", "1", "9.5"]),
        ([1.0, 2.5], ["1.0", "2.50"]),
        ([1.0, 2.0], ["1", "2"]),
        (["no", "yes"], ["no", "yes", ""]),
    ],
)
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_categories_are_the_values_that_they_name(cells, categories, suffix, tmp_path):
    frame = pl.DataFrame({"age": [20, 30] * 100, "answer": cells * 100})
    columns = {
        "age": {"role": "quasi-identifier"},
        "answer": {
            "role": "sensitive",
            "protect": {"name": "randomized-response", "truth": 0.5, "categories": categories},
        },
    }
    policy = ind.Policy(columns=columns, models=[ind.KAnonymity(k=5)])
    released, crosswalk = tmp_path / f"released.{suffix}", tmp_path / "rows.csv"

    ind.anonymize(frame, policy, seed=3).write(released, crosswalk=crosswalk)

    found = ind.verify(released, policy, original=frame, crosswalk=crosswalk)
    assert found.holds, found
    assert ind.verify(released, policy).holds


def test_numbers_that_are_changed_by_chance_meet_their_input(tmp_path):
    frame = pl.DataFrame({"age": [20, 30] * 100, "dose": [1.0, 2.0, 3.0, 2.0] * 50})
    columns = {
        "age": {"role": "quasi-identifier"},
        "dose": {"role": "sensitive", "protect": {"name": "pram", "truth": 0.7}},
    }
    policy = ind.Policy(columns=columns, models=[ind.KAnonymity(k=5)])

    ind.anonymize(frame, policy, seed=3).write(tmp_path / "released.csv")

    assert ind.verify(tmp_path / "released.csv", policy, original=frame).holds
