"""Several measures with one price: all their noises together give away what the price says."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest

from indistinct.questions.database.relational.answering import counted
from indistinct.questions.database.relational.limits import WantedLimits
from indistinct.questions.database.relational.plan import PEOPLE, make_plan
from indistinct.questions.database.relational.replies import rows_of
from indistinct.questions.database.relational.statement import compiled
from neighbours import MEANING, database, loaded

QUESTIONS = {
    "one group": ("SELECT COUNT(*), SUM(age), AVG(age), VARIANCE(age) FROM persons", {}),
    "known groups": (
        "SELECT EXTRACT(YEAR FROM day) AS y, COUNT(*), SUM(cost) FROM visits GROUP BY y",
        {"groups": 3, "rows": 2, "full_groups": 2},
    ),
    "unknown groups": (
        "SELECT dept, SUM(cost), AVG(cost) FROM visits GROUP BY dept", {"groups": 3, "rows": 2},
    ),
}  # fmt: skip
DRAWS = 12_000


def planned(name):
    """Plan a question at (1, 1e-6)."""
    text, limits = QUESTIONS[name]
    one = loaded(database(random.Random(7)))
    statement = compiled(text, one.setting, WantedLimits(**limits))
    one.close()
    return make_plan(statement, 1, MEANING, lambda _: 5 * 10**11)


def advantage(plan, noises):
    """Return how much better than by chance the best test tells a person's presence.

    The person moves every part as far as can be: several groups with the most that counts there.
    """
    limits, rho = plan.statement.limits, plan.price / 10**9
    score, moved = np.zeros(DRAWS), 0.0
    for part, noise in noises.items():
        full = part.grid * part.most * part.rows_per_group(limits)
        squares = part.reach(limits).squares
        assert squares % full**2 == 0
        for _ in range(squares // full**2):
            score += full / noise.scale**2 * np.array(noise.sample([0] * DRAWS), dtype=float)
            moved += (full / noise.scale) ** 2
    return float(np.mean(score + moved > rho) - np.mean(score > rho))


@pytest.mark.parametrize("name", QUESTIONS)
def test_all_parts_together_give_away_what_the_price_says(name):
    """2 Phi(mu / 2) - 1 with mu^2 = 2 rho; beyond 4.4 standard errors in one of 90,000 runs.

    With the whole price for each part, it is beyond that in all runs but one of a billion.
    """
    plan = planned(name)
    noises = dict(plan.noises) if plan.stage is None else {PEOPLE: plan.stage, **plan.noises}
    mu = math.sqrt(2 * plan.price / 10**9)
    most = 2 * NormalDist().cdf(mu / 2) - 1
    margin = 4.4 * math.sqrt(most * (1 - most) / DRAWS)
    assert advantage(plan, noises) == pytest.approx(most, abs=margin)
    shares = {part: noise.charge() / plan.price for part, noise in noises.items()}
    wrong = {part: replace(noise, scale=noise.scale * math.sqrt(shares[part]))
             for part, noise in noises.items()}  # fmt: skip
    assert advantage(plan, wrong) > most + margin


def test_a_part_of_two_measures_is_drawn_once():
    """The count of known values is that of the mean, in every draw."""
    one = loaded(database(random.Random(7)))
    text = "SELECT COUNT(cost) AS a, COUNT(cost) AS b, AVG(cost) AS m FROM visits"
    plan = make_plan(compiled(text, one.setting, WantedLimits(rows=2)), 1, MEANING)
    assert len(plan.noises) == 2
    drawn = [rows_of(plan, counted(plan, one.fetch)).answer[0] for _ in range(20)]
    one.close()
    assert all(row["a"] == row["b"] for row in drawn)
    assert len({row["a"] for row in drawn}) > 1
