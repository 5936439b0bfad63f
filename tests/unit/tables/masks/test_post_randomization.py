"""Post-randomization as a protection of a column."""

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.masks.post_randomization import PostRandomizationProtection
from masks import mask, people, problems, released


def counts(column):
    return dict(column.value_counts().iter_rows())


def test_counts_stay_in_expectation():
    """Each count of 60,000 answers lies within 4.9 standard errors, at most sqrt(n)/2 each."""
    frame = people(60_000)
    column = frame["city"]
    kept = counts(mask(PostRandomizationProtection(truth=0.5), column).columns["city"])
    moved = counts(
        mask(PostRandomizationProtection(truth=0.5, invariant=False), column).columns["city"]
    )
    room = 4.9 * np.sqrt(60_000) / 2
    own = counts(column)
    assert all(abs(kept[city] - own[city]) < room for city in own)
    assert any(abs(moved[city] - own[city]) > 5 * room for city in own)


def test_categories_change_and_a_missing_one_is_a_category():
    column = pl.Series("x", ["a", None, "b", "b"] * 500)
    masked = mask(PostRandomizationProtection(truth=0.5), column)
    changed = (masked.columns["x"].fill_null("") != column.fill_null("")).mean()
    assert 0.3 < changed < 0.6
    assert masked.facts["categories"] == 3
    assert 0 < masked.facts["least_kept"] < 0.75
    assert 0 < masked.columns["x"].null_count() < 1000
    same = mask(PostRandomizationProtection(truth=1.0), column)
    assert same.columns["x"].equals(column)


@pytest.mark.parametrize("values", [[True, False, True], [3, 1, 3], [1.5, 2.5, None]])
def test_a_column_keeps_its_type(values):
    column = pl.Series("x", values * 20)
    columns = mask(PostRandomizationProtection(truth=0.1), column).columns
    assert columns["x"].dtype == column.dtype
    assert set(columns["x"].to_list()) <= set(values)


def test_a_foreign_category_is_found():
    release, policy = released({"city": "pram"})
    assert ind.verify(release.frame, policy, original=people(), manifest=release.manifest).holds
    foreign = release.frame.with_columns(city=pl.col("city") + "d")
    verdict = ind.verify(foreign, policy, original=people())
    assert any("categories that the original has not" in problem for problem in problems(verdict))
    more = release.frame.with_columns(city=pl.int_range(pl.len()).cast(pl.String))
    verdict = ind.verify(more, policy, manifest=release.manifest)
    assert any("fewer categories" in problem for problem in problems(verdict))


def test_one_category_is_refused():
    with pytest.raises(ind.PolicyError, match="has 1 categories"):
        released({"city": "pram"}, frame=people(20).with_columns(city=pl.lit("a")))
