"""Rules of joins, groups and limits, broken one by one: the enumeration finds each."""

from __future__ import annotations

import itertools

import duckdb
import pytest

from indistinct.questions.database.relational.dialect import DuckDb
from indistinct.questions.mechanisms import thresholds
from neighbours import check_number
from planted_rules import BUGS, FIRST
from shared import longer

MOST_SEEDS = 60
FEW = list(BUGS)[:2]


def check_many(questions, first=0):
    """Ask some questions of many databases."""
    for seed in range(first, first + MOST_SEEDS):
        check_number(seed, questions)


@pytest.mark.parametrize(
    ("name", "first"), longer(list(itertools.product(BUGS, FIRST)), [(one, 0) for one in FEW])
)
def test_the_enumeration_finds_every_planted_bug(monkeypatch, name, first):
    """Within sixty databases, each with and without one person, wherever they begin."""
    plant, questions = BUGS[name]
    assert questions
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        check_many(questions, first)


def test_open_ties_are_told_by_value(monkeypatch):
    """ARG_MAX of the rows of a person does not depend on their order."""
    right = DuckDb().first("x", "y", "TRUE", down=True)
    found = {
        duckdb.sql(f"SELECT {right} FROM (VALUES {', '.join(rows)}) t(x, y)").fetchall()[0]
        for rows in itertools.permutations(["('a', 1)", "('b', 1)", "('c', 0)"])
    }
    assert found == {("a",)}


@pytest.mark.parametrize("wrong", ["one less", "one group"])
def test_a_threshold_that_is_too_low_is_found(wrong):
    """T - 1, and g ignored, show a person alone with more than delta."""
    from indistinct.questions.mechanisms.gaussian import Gaussian
    from noise import discrete_gaussian

    delta, groups, sigma = 0.02, 5, 4.2
    least = thresholds.threshold(Gaussian(1, sigma), delta, 1 if wrong == "one group" else groups)
    least -= wrong == "one less"
    chance = discrete_gaussian(sigma)
    tail = sum(chance(x) for x in range(least - 1, 200))
    assert 1 - (1 - tail) ** groups > delta
