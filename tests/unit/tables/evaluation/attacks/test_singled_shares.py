"""Shares of predicates that single people out: they vary as people do, not as predicates do."""

import numpy as np
import pytest

from indistinct.tables.evaluation.attacks.singled_shares import singled_shares

PREDICATES, PEOPLE = 200, 120


def group(seed, *, alike):
    """Return a count of people whom predicates describe; ``alike`` of them describe the same."""
    chance = np.random.default_rng(seed)
    fits = chance.random((PEOPLE, PREDICATES // alike)) < 1 / PEOPLE
    fits = np.repeat(fits, alike, axis=1)
    return lambda rows, enough: np.minimum(fits[rows].sum(axis=0), enough)


@pytest.mark.parametrize("alike", [1, 20])
def test_groups_that_are_alike_differ_by_chance_alone(alike):
    """Of 300 runs at most 19 begin above 0, by chance 2.5 % do (false alarm below 1e-3)."""
    found = [
        singled_shares(
            group(seed, alike=alike), group(seed + 1000, alike=alike), PEOPLE, 0.95
        ).interval[0]
        > 0
        for seed in range(300)
    ]
    assert sum(found) <= 19


def test_predicates_that_describe_the_same_people_are_as_good_as_one():
    alone = singled_shares(group(1, alike=1), group(2, alike=1), PEOPLE, 0.95)
    alike = singled_shares(group(1, alike=20), group(2, alike=20), PEOPLE, 0.95)
    assert alone.one.attempts > PREDICATES / 2
    assert alike.one.attempts < PREDICATES / 10


def test_a_group_that_is_singled_out_more_often_is_told():
    def everybody(rows, enough):
        return np.minimum(
            (rows[:, np.newaxis] == np.arange(PREDICATES) % PEOPLE).sum(axis=0), enough
        )

    assert singled_shares(everybody, group(1, alike=1), PEOPLE, 0.95).interval[0] > 0.4


def test_without_predicates_there_is_no_attempt():
    def nothing(rows, enough):
        return np.zeros(0, np.int64)

    assert singled_shares(nothing, nothing, PEOPLE, 0.95).one.attempts == 0
