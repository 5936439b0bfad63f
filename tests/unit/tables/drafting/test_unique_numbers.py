"""Numbers that were assigned to records, beside numbers that were measured."""

import numpy as np
import pytest

from drafted_columns import evidence
from indistinct.tables.drafting.roles import suggest


def test_numbers_of_which_none_repeats_by_chance_are_assigned():
    """1,500 different numbers below 100,000: random ones would repeat eleven times."""
    chance = np.random.default_rng(1)
    numbers = (1000 + chance.choice(98_999, 1500, replace=False)).tolist()
    found = suggest(evidence("strahl", numbers))
    assert found.role == "identifier"
    assert "random numbers would about 11 times" in found.reason


def test_measured_numbers_are_no_identifiers_although_nearly_all_differ():
    """Weights at birth of 90 children: four digits each, and a few of them equal."""
    grams = np.random.default_rng(2).normal(3400, 500, 90).round().astype(int)
    grams = np.append(grams[:-4], grams[:4]).tolist()
    assert 0.9 < len(set(grams)) / len(grams) < 1
    assert suggest(evidence("strahl", grams)).role == "undecided"


def test_numbers_of_people_repeat_more_than_chance_lets_numbers_repeat():
    """Nine-digit numbers, a few of which have two records."""
    numbers = (100_000_000 + np.random.default_rng(3).choice(10**8, 1000)).tolist()
    assert suggest(evidence("strahl", [*numbers, *numbers[:30]])).role == "identifier"


def test_five_digits_that_all_differ_are_no_postcodes():
    """Numbers of subjects are written as postcodes are, but each has one record only."""
    places = np.random.default_rng(4).choice(99_999, 600, replace=False)
    found = suggest(evidence("strahl", [f"{place:05d}" for place in places]))
    assert found.role == "identifier"


@pytest.mark.parametrize("name", ["RANDNO", "custid", "vertragsnr"])
def test_a_name_that_ends_as_those_of_numbers_do_names_an_identifier(name):
    """Too few numbers to tell by chance, of different lengths, and none repeats."""
    numbers = [7, 91, 405, 3_000, 88_123, 410_000, 5_000_001, 62, 1_903, 77_777, 500_100, 8_123]
    assert suggest(evidence(name, numbers)).role == "identifier"


def test_a_reason_quotes_the_name_only_where_it_is_the_word():
    """``admission_date`` contains ``date``, and is not ``date``."""
    days = [f"2021-{month:02d}-{day:02d}" for month in range(1, 13) for day in range(1, 28)]
    assert suggest(evidence("admission_date", days)).reason.startswith('The name contains "date"')
    assert suggest(evidence("date", days)).reason.startswith('The name is "date"')
