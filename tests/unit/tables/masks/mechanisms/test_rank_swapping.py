"""Rank swapping: values stay as a set, ranks move no further than said, partners are uniform."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from indistinct.base.randomness import RandomSource
from indistinct.errors import ParameterError
from indistinct.tables.masks.mechanisms.rank_swapping import RankSwapping, swap_places

MOST_ERRORS = 4.9  # standard errors: a false alarm in 10^6 draws


def plain_swaps(window, words):
    """Pair places as the definition says, on lists."""
    partners = list(range(len(words)))
    free = set(partners)
    for place, word in enumerate(words):
        if place not in free:
            continue
        free.discard(place)
        near = [other for other in sorted(free) if place < other <= place + window]
        if near:
            other = near[int(word) % len(near)]
            free.discard(other)
            partners[place], partners[other] = other, place
    return partners


@settings(deadline=None)
@given(st.integers(0, 40), st.integers(0, 12), st.integers(0, 2**32))
def test_places_are_paired_as_the_definition_says(n_records, window, seed):
    words = RandomSource(seed).words(n_records)
    assert swap_places(window, words).tolist() == plain_swaps(window, words.tolist())


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=60), st.floats(0.5, 100), st.integers(0, 99)
)
def test_every_value_is_released_once_and_near_its_rank(values, percent, seed):
    values = np.array(values)
    swapping = RankSwapping(percent)
    partners = swapping.partners(values, RandomSource(seed))
    assert sorted(partners) == list(range(len(values)))
    assert (partners[partners] == np.arange(len(values))).all()
    ordered = np.sort(values)
    reach = int(percent * len(values) // 100)
    low = np.searchsorted(ordered, values, side="left") - reach
    high = np.searchsorted(ordered, values, side="right") - 1 + reach
    assert (ordered[np.maximum(low, 0)] <= values[partners]).all()
    assert (values[partners] <= ordered[np.minimum(high, len(values) - 1)]).all()


def first_partners(window, rounds=20_000):
    words = RandomSource(5).words(rounds * 12).reshape(rounds, 12)
    return [int(swap_places(window, row)[0]) for row in words]


def test_the_first_partner_is_uniform_in_its_window():
    """Each of 4 shares of 20,000 lies within 4.9 standard errors of a quarter."""
    found = np.bincount(first_partners(4), minlength=6) / 20_000
    error = np.sqrt(0.25 * 0.75 / 20_000)
    assert found[[0, 5]].tolist() == [0, 0]
    assert np.abs(found[1:5] - 0.25).max() < MOST_ERRORS * error
    wide = np.bincount(first_partners(5), minlength=6) / 20_000
    assert np.abs(wide[1:5] - 0.25).max() > MOST_ERRORS * error


def test_equal_values_are_swapped_as_others_are():
    """Of 2,000 records with two values, about as many get the other value as at random."""
    values = np.arange(2000) % 2
    partners = RankSwapping(100).partners(values, RandomSource(2))
    assert 0.4 < np.mean(values[partners] != values) < 0.7


def test_a_million_records_are_no_trouble():
    values = np.random.default_rng(1).permutation(1_000_000)
    partners = RankSwapping(5).partners(values, RandomSource(3))
    assert np.abs(values[partners] - values).max() <= 50_000
    assert np.mean(partners == np.arange(1_000_000)) < 0.001


@pytest.mark.parametrize("percent", [0, -1, 101, float("nan")])
def test_percent_is_a_percentage(percent):
    with pytest.raises(ParameterError, match="percent"):
        RankSwapping(percent)


@pytest.mark.parametrize(
    ("percent", "n_records", "window"), [(5, 100, 5), (2.5, 99, 2), (100, 7, 7)]
)
def test_a_window_is_a_percentage_of_the_records_rounded_down(percent, n_records, window):
    assert RankSwapping(percent).window(n_records) == window
