"""Scores that tell groups apart: the paper's example, plain definitions, honest chance."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indistinct.metrics.advantage import Advantage, Telling, area_under_curve, telling
from indistinct.metrics.success import success_rate


@pytest.mark.parametrize(
    ("one", "other", "interval"),
    [((56, 70), (48, 80), (0.0524, 0.3339)), ((9, 10), (3, 10), (0.1705, 0.8090))],
)
def test_the_interval_of_newcombe(one, other, interval):
    """Table II of newcombe1998, method 10, contrasts (a) and (b)."""
    found = Advantage(success_rate(*one), success_rate(*other))
    assert found.interval == pytest.approx(interval, abs=5e-5)


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
