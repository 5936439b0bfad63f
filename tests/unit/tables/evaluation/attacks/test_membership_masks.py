"""Membership where the columns that the attacker knows are masked, with each kind of mask."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.masks import MASKS

NUMBERS, WORDS = ("height_cm", "weight_kg"), ("sex", "occupation", "insurance")
DAYS = ("birth_date", "admission_date")
# Per mask: its columns, what it is told to change next to nothing, and to change nearly everything.
MASKED = {
    "randomized-response": (WORDS + DAYS, {"epsilon": 40.0}, {"epsilon": 0.01}),
    "microaggregation": (NUMBERS + DAYS, None, {"k": 50, "method": "mdav"}),
    "noise-additive": (NUMBERS + DAYS, {"share": 1e-4}, {"share": 5.0}),
    "swap": (NUMBERS + DAYS, {"percent": 0.5}, {"percent": 100}),
    "pram": (WORDS + DAYS, {"truth": 1.0}, {"truth": 0.01}),
    "round": (NUMBERS, {"base": 1}, {"base": 500}),
    "top-bottom": (NUMBERS, {"low": 0, "high": 300}, {"low": 170, "high": 171}),
    "noise": (NUMBERS, {"epsilon": 50000.0}, {"epsilon": 0.01}),
}


@pytest.fixture(scope="module")
def people():
    """As many inside as outside, and others whom the attacker knows; no value is missing."""
    table = ind.sample("patients", rows=700, seed=3).drop("name").drop_nulls()
    return table[:200], table[200:400], table[400:600]


def auc(released, people, policy, known, attack):
    inside, outside, reference = people
    return ind.attack(
        released, policy, attack=attack, original=inside, control=outside, reference=reference,
        known=known, seed=1,
    ).answer.details["auc"]  # fmt: skip


def masked(people, name, words):
    """Release the table with its columns masked."""
    columns = {column: {"role": "insensitive"} for column in people[0].columns}
    more = {}
    if name == "noise":  # it takes its epsilon from the policy, and its scale from the classes
        columns["sex"] = {"role": "quasi-identifier"}
        more = {"models": [{"name": "k-anonymity", "k": 50}], "noise": words}
        words = {}
    for column in MASKED[name][0]:
        columns[column] = {"role": "quasi-identifier", "protect": {"name": name, **words}}
    policy = ind.Policy(columns=columns, **more)
    return ind.anonymize(people[0], policy, seed=1).data, policy


@pytest.mark.parametrize("name", MASKED)
def test_masked_columns_give_away_what_they_keep(people, name):
    """A weak mask leaves what raw columns tell, and a strong one next to nothing."""
    known, weak, strong = MASKED[name]
    hidden, policy = masked(people, name, strong)
    kept = people[0] if weak is None else masked(people, name, weak)[0]
    for attack in ("membership-nearest", "membership-ratio"):
        raw = auc(people[0], people, policy, known, attack)
        assert raw > 0.55
        assert auc(kept, people, policy, known, attack) > raw - 0.1
        assert abs(auc(hidden, people, policy, known, attack) - 0.5) < 0.1


def test_every_mask_of_a_column_that_people_are_known_by_is_attacked():
    """But for two: nobody knows the masked form of an identifier, and shifts go with people.

    Where a policy counts people, membership attacks, which count records, are refused.
    """
    assert {*MASKS} == {*MASKED, "pseudonym", "date-shift"}


def test_columns_that_are_not_masked_give_their_people_away(people):
    """What a mask does to other columns hides nobody whose days of birth and stay are published."""
    columns = {name: {"role": "insensitive"} for name in people[0].columns}
    columns["height_cm"] = {
        "role": "quasi-identifier",
        "protect": {"name": "noise-additive", "share": 5.0},
    }
    policy = ind.Policy(columns=columns)
    released = ind.anonymize(people[0], policy, seed=1).data
    assert isinstance(released, pl.DataFrame)
    assert auc(released, people, policy, DAYS, "membership-nearest") > 0.95
