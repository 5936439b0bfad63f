"""Facts of a whole column, found part after part, against the column at once."""

import numpy as np
import polars as pl
from hypothesis import given, strategies as st

from indistinct.base.randomness import RandomSource
from indistinct.tables.frames.column_facts import Spread, codes_of, counted_values
from indistinct.tables.masks.additive_noise import AdditiveNoiseProtection
from indistinct.tables.masks.mechanisms.additive_noise import AdditiveNoise
from indistinct.tables.masks.post_randomization import PostRandomizationProtection
from indistinct.tables.masks.randomized_response import RandomizedResponseProtection

NUMBERS = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60)
TEXTS = st.lists(st.sampled_from(["a", "b", "c", None]), min_size=1, max_size=60)


def parts_of(column, size):
    """Cut a column into parts."""
    return (column[start : start + size].to_frame() for start in range(0, len(column), size))


@given(NUMBERS, st.integers(1, 20))
def test_mean_and_deviation_of_parts_are_those_of_all(numbers, size):
    """However the numbers are cut."""
    whole = np.array(numbers)
    spread = Spread()
    for start in range(0, len(whole), size):
        spread = spread.with_more(whole[start : start + size])
    assert spread.count == len(whole)
    assert np.isclose(spread.mean, whole.mean(), atol=1e-6)
    assert np.isclose(spread.deviation, whole.std(), rtol=1e-6, atol=1e-4)


@given(TEXTS, st.integers(1, 20))
def test_values_of_parts_are_counted_as_those_of_all(texts, size):
    """In the order of their first records, a missing one too."""
    column = pl.Series("x", texts, dtype=pl.String)
    values, counts = counted_values(parts_of(column, size), 10)
    assert values.to_list() == list(dict.fromkeys(texts))
    assert counts.tolist() == [texts.count(value) for value in values]
    assert values.gather(codes_of(column, values)).to_list() == texts


def test_a_matrix_of_parts_keeps_the_counts_of_all():
    """A part of one category is drawn by the counts of the whole column.

    The released counts of 60,000 records lie within five standard deviations of the own ones but
    for once in 10**6; those of a matrix made for each part alone would not change at all.
    """
    column = pl.Series("x", ["a"] * 40_000 + ["b"] * 15_000 + [None] * 5_000)
    fit = PostRandomizationProtection(truth=0.5).fitted(parts_of(column, 10_000))
    parts = [
        fit.mask(part, RandomSource(7).numbered(place)).columns.to_series()
        for place, part in enumerate(parts_of(column, 10_000))
    ]
    for value, own in [("a", 40_000), ("b", 15_000), (None, 5_000)]:
        drawn = sum(part.to_list().count(value) for part in parts)
        assert abs(drawn - own) < 5 * (own * (1 - own / 60_000)) ** 0.5
    assert 0 < parts[0].to_list().count("b") < 10_000


def test_answers_of_parts_may_be_any_value_of_the_column():
    """A date that is not in a part is answered in it as often as any other that is not true.

    Of 20,000 answers about 2,500 are each of the three others, within five standard deviations.
    """
    days = pl.Series("x", ["2020-01-01", "2020-01-02", "2020-01-03", "2020-01-04"]).str.to_date()
    column = days.gather([0] * 20_000 + [1, 2, 3])
    mask = RandomizedResponseProtection(truth=0.5)
    fit = mask.fitted(parts_of(column, 5_000))
    masked = fit.mask(column[:20_000].to_frame(), RandomSource(3))
    answers = masked.columns.to_series()
    assert answers.dtype == pl.Date
    for day in days[1:]:
        assert abs(int((answers == day).sum()) - 2_500) < 5 * 47
    assert masked.facts["categories_from"] == "data"
    assert masked.facts == mask.mask(column.to_frame(), RandomSource(3)).facts


def test_noise_of_a_part_has_the_spread_of_the_whole_column():
    """A part of equal numbers gets the same noise as any other.

    The standard deviation of 20,000 draws is within 5 * 0.5 % of its own but for once in 10**6.
    """
    whole = pl.Series("x", [0.0] * 20_000 + [10.0] * 20_000)
    mask = AdditiveNoiseProtection(share=0.4)
    fit = mask.fitted(parts_of(whole, 20_000))
    for place, part in enumerate(parts_of(whole, 20_000)):
        moved = fit.mask(part, RandomSource(place)).columns.to_series() - part.to_series()
        assert abs(moved.std() / (0.4 * 5) - 1) < 0.025
        assert abs(moved.mean()) < 5 * 2 / 20_000**0.5


def test_noise_about_a_known_mean_is_that_of_all_numbers_at_once():
    """The same draws give the same numbers, shrunken or not."""
    numbers = np.random.default_rng(1).normal(50, 9, 300)
    for keeps in (False, True):
        noise = AdditiveNoise(0.3, keep_variance=keeps)
        together = noise.mask(numbers[:, None], RandomSource(4))[:, 0]
        known = noise.mask_about(numbers, numbers.mean(), numbers.std(), RandomSource(4))
        assert np.allclose(together, known)
