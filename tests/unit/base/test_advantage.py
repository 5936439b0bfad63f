"""Scores that tell groups apart: the paper's example, plain definitions, honest chance."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import binom

from indistinct.base.advantage import (
    Advantage,
    Telling,
    area_under_curve,
    interval_of_difference,
    telling,
)
from indistinct.base.success import success_rate


@pytest.mark.parametrize(
    ("one", "other", "interval"),
    [((56, 70), (48, 80), (0.0524, 0.3339)), ((9, 10), (3, 10), (0.1705, 0.8090))],
)
def test_the_interval_of_newcombe(one, other, interval):
    """Table II of newcombe1998, method 10, contrasts (a) and (b)."""
    rates = [success_rate(*counts) for counts in (one, other)]
    found = interval_of_difference(*((rate.rate, *rate.interval) for rate in rates))
    assert found == pytest.approx(interval, abs=5e-5)


SIZES = [(10, 10), (60, 20), (200, 150), (300, 50), (20, 400)]


def began_above_nothing(sizes, chance, limits):
    """Return how often an interval lies above 0 where both chances are equal, exactly."""
    rates = [[success_rate(hits, size) for hits in range(size + 1)] for size in sizes]
    (ones, lows), (others, highs) = (
        np.array([(rate.rate, limits(rate)[end]) for rate in group]).T
        for end, group in enumerate(rates)
    )
    below = np.hypot((ones - lows)[:, np.newaxis], highs - others)
    is_above = ones[:, np.newaxis] - others - below > 1e-12
    one, other = (binom.pmf(np.arange(size + 1), size, chance) for size in sizes)
    return float(one @ is_above @ other)


@pytest.mark.parametrize("sizes", SIZES)
def test_nothing_is_added_where_both_groups_are_alike(sizes):
    """At most 2.5 % of runs begin above 0, at every chance (exact sums: no false alarm)."""
    chances = np.linspace(0.005, 0.995, 100)
    limits = [began_above_nothing(sizes, chance, lambda r: r.exact_limits) for chance in chances]
    assert max(limits) <= 0.025


def test_the_limits_of_wilson_would_not_keep_the_level():
    """The same test fails for them where one group is much smaller than the other."""
    chances = np.linspace(0.9, 0.995, 20)
    shares = [began_above_nothing((300, 50), chance, lambda r: r.interval) for chance in chances]
    assert max(shares) > 0.03


def test_the_difference_is_covered_as_often_as_it_says():
    """Of chances that differ, in at least 94.5 % of all runs (exact sums: no false alarm)."""
    for one, other in [(0.9, 0.5), (0.5, 0.1), (0.97, 0.9), (0.3, 0.02)]:
        weights = np.outer(*(binom.pmf(np.arange(41), 40, chance) for chance in (one, other)))
        covered = 0.0
        for hits, others in np.argwhere(weights > 1e-9):
            low, high = Advantage(success_rate(hits, 40), success_rate(others, 40)).interval
            covered += weights[hits, others] * (low <= one - other <= high)
        assert covered > 0.945


def test_the_interval_has_the_difference_and_stays_within_all_and_none():
    for one, other in [((10, 10), (0, 10)), ((0, 5), (5, 5)), ((3, 7), (2, 9))]:
        found = Advantage(success_rate(*one), success_rate(*other))
        assert -1 <= found.interval[0] <= found.difference <= found.interval[1] <= 1


scores = st.lists(st.integers(0, 6).map(float), min_size=1, max_size=12).map(np.array)


@settings(deadline=None)
@given(scores, scores)
def test_the_area_is_the_share_of_pairs_in_order(members, others):
    pairs = [(m > o) + (m == o) / 2 for m in members for o in others]
    assert area_under_curve(members, others) == pytest.approx(sum(pairs) / len(pairs))


def test_scores_that_differ_tell_everybody():
    found = telling(np.arange(10.0, 20.0), np.arange(10.0))
    assert (found.tested.difference, found.auc) == (1.0, 1.0)
    assert found.right.successes == found.right.attempts == 10


def test_a_score_at_the_threshold_speaks_for_membership():
    """Members have 1 and others 0: 1 is the score from which on members exceed others."""
    found = telling(np.ones(8), np.zeros(8))
    assert (found.tested.one.rate, found.tested.other.rate) == (1.0, 0.0)


def test_chosen_thresholds_do_not_flatter():
    """Scores without meaning, 2,000 times: the mean advantage is 0 within 5 deviations (6e-7)."""
    chance = np.random.default_rng(1)
    found = [telling(chance.random(40), chance.random(40)).tested.difference for _ in range(2000)]
    assert abs(np.mean(found)) < 5 * np.std(found) / 2000**0.5
    assert np.std(found) > 0


def test_right_are_members_who_are_told_and_others_who_are_not():
    """Three of four members, and three of four others, one of whom is taken for a member."""
    right = Telling(Advantage(success_rate(3, 4), success_rate(1, 4)), 0.5).right
    assert (right.successes, right.attempts) == (6, 8)
