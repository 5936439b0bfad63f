"""Known events find nobody in a release, within what is promised; beyond that they may."""

from __future__ import annotations

from datetime import date
from typing import Any

import polars as pl
import pytest

import indistinct as ind
from hospitals import hospital, policy
from indistinct.errors import DataError, ParameterError
from indistinct.tables.core.date_shifts import days_within


@pytest.fixture(scope="module")
def attacked() -> Any:
    """Release a hospital of 80 people who have up to six events each."""
    tables = hospital(3, 80, 6)
    return tables, ind.anonymize(tables, policy(4, 2), seed=1)


def attack(attacked: Any, **words: Any) -> Any:
    tables, release = attacked
    return ind.attack(
        release.tables,
        policy(4, 2),
        attack="known-events",
        original=tables,
        crosswalk=release.crosswalk,
        seed=1,
        **words,
    )


@pytest.mark.parametrize(
    "words",
    [{}, {"item_choice": "worst"}, {"days": 7}, {"errors": 0.2}, {"days": 30, "errors": 0.5}],
)
def test_nobody_is_found_by_as_many_events_as_promised(attacked: Any, words: Any) -> None:
    """The mean success of 80 attempts, each at most 1/4, is at most 1/4."""
    found = attack(attacked, **words).answer
    assert found.found.attempts == 80
    assert found.found.rate <= 0.25
    if words.get("days", 0) == words.get("errors", 0) == 0:
        assert found.details["below_k"] == 0


def test_the_attack_finds_most_people_before_the_release(attacked: Any) -> None:
    details = attack(attacked).answer.details
    assert details["original"] > 0.5
    assert details["m+2"] >= details["m+1"] >= 0


def test_an_example_counted_by_hand() -> None:
    """E on 31 March, known to three days: quarters 1 and 2 both fit, exactly only quarter 1."""
    people = pl.DataFrame({"pid": [0, 1], "sex": ["f", "f"], "ward": ["a", "a"]})
    before = {
        "patients": people,
        "events": pl.DataFrame(
            {
                "eid": [0, 1],
                "code": ["E1", "E1"],
                "day": ["2020-03-31", "2020-04-20"],
                "cost": 1,
                "pid": [0, 1],
            }
        ),
    }
    after = {
        "patients": people.select("sex", "ward", "pid"),
        "events": pl.DataFrame(
            {"code": ["E1", "E1"], "day": ["2020-Q1", "2020-Q2"], "cost": 1, "pid": [0, 1]}
        ),
    }
    given: dict[str, Any] = {
        "attack": "known-events",
        "original": before,
        "crosswalk": {"patients": [0, 1], "events": [0, 1]},
        "seed": 1,
    }
    exact = ind.attack(after, policy(2, 1), m=1, **given)
    assert exact.answer.found.successes == 2
    # The first is one of two candidates; of the second the window of 20 April is one quarter.
    vague = ind.attack(after, policy(2, 1), m=1, days=3, **given)
    assert vague.answer.found.successes == 1.5


def test_the_days_of_periods() -> None:
    spans = {
        "2020-02": ("2020-02-01", "2020-02-29"),
        "2020-Q4": ("2020-10-01", "2020-12-31"),
        "2020-H2": ("2020-07-01", "2020-12-31"),
        "2020": ("2020-01-01", "2020-12-31"),
        "2020-2024": ("2020-01-01", "2024-12-31"),
        "2020s": ("2020-01-01", "2029-12-31"),
        "2020-2039": ("2020-01-01", "2039-12-31"),
        "2020-W53": ("2020-12-28", "2021-01-03"),
        "2020-05-06T07": ("2020-05-06", "2020-05-06"),
        "2020-05-06": ("2020-05-06", "2020-05-06"),
    }
    epoch = date(1970, 1, 1)
    for cell, span in spans.items():
        assert days_within(cell) == tuple((date.fromisoformat(day) - epoch).days for day in span)


def test_what_the_attack_needs(attacked: Any) -> None:
    tables, release = attacked
    given: dict[str, Any] = {"original": tables, "crosswalk": release.crosswalk}
    with pytest.raises(ParameterError, match="is for flat tables"):
        ind.attack(release.tables, policy(), attack="linkability", **given)
    with pytest.raises(DataError, match="crosswalk"):
        ind.attack(release.tables, policy(), attack="known-events", original=tables)
    flat = ind.Policy.from_keywords(quasi_identifiers=["sex"], insensitive=["pid", "ward"], k=2)
    with pytest.raises(ParameterError, match="is for related tables"):
        ind.attack(tables["patients"], flat, attack="known-events", original=tables["patients"])
