"""Names that say something else than their values: none of them is taken with certainty."""

import random

import polars as pl
import pytest

import indistinct as ind

N = 300
CHANCE = random.Random(3)


def drawn(*values):
    return [CHANCE.choice(values) for _ in range(N)]


def decimals(middle, width):
    return [round(CHANCE.gauss(middle, width), 3) for _ in range(N)]


LIES = {
    "race": drawn("Boston", "Berlin", "London", "Chicago 10k"), "unit": drawn("K", "M"),
    "party": drawn("birthday", "wedding", "office"), "weight": decimals(1, 0.2),
    "sentence": drawn("the dog runs", "a cat sat", "he went home"),
    "county": drawn("Red", "Blue", "Green", "Black", "White", "Pink", "Grey", "Teal"),
    "state": drawn("open", "closed", "pending"), "grade": drawn("steel", "iron"),
    "title": drawn("Dune", "Emma", "Walden", "Ivanhoe"), "class": drawn("sedan", "van"),
    "condition": drawn("new", "used"), "address": drawn(1, 2, 3, 4), "name": drawn("yes", "no"),
    "phone": drawn("yes", "no"), "email": drawn("yes", "no"), "city": drawn("yes", "no"),
    "age": drawn("yes", "no"), "sex": drawn(1, 2, 3, 4, 5, 6), "income": drawn("yes", "no"),
    "salary": drawn("a", "b"), "zip": drawn("yes", "no"), "first_name": drawn("low", "high"),
    "charge": drawn("positive", "negative"), "drug": drawn("store", "shop"),
    "degree": drawn(*range(360)), "rank": drawn(*range(1, 9)), "union": drawn("pipe", "joint"),
    "mark": drawn("x", "o"), "temperature": decimals(20, 5), "discharge": decimals(50, 9),
    "operation": drawn("add", "sub", "mul"), "country": drawn("rock", "pop", "jazz"),
    "nationality": decimals(1, 0.5), "religion": decimals(5, 2), "date": drawn("fig", "plum"),
    "birth": drawn("low", "high"), "height": drawn("yes", "no"), "education": decimals(9000, 99),
    "occupation": decimals(9000, 99), "region": drawn("A1", "B2", "C3"), "ssn": drawn(1, 2, 3),
    "plate": drawn("oval", "round"), "patient_id": drawn("yes", "no"), "id": decimals(3, 0.1),
    "language": decimals(1, 0.1), "marital": decimals(9, 1), "children": decimals(30_000, 5_000),
}  # fmt: skip


@pytest.fixture(scope="module")
def found():
    columns = ind.inspect(pl.DataFrame(LIES)).columns
    return {one.name: one for one in columns}


def test_there_are_forty_seven_lies():
    assert len(LIES) == 47


@pytest.mark.parametrize("name", LIES)
def test_a_lie_is_never_believed_with_certainty(found, name):
    assert found[name].confidence != "high"


@pytest.mark.parametrize(
    "name", ["address", "name", "phone", "email", "first_name", "ssn", "patient_id", "id"]
)
def test_what_is_no_persons_is_no_identifier(found, name):
    assert found[name].role != "identifier"


@pytest.mark.parametrize("name", ["state", "weight", "discharge", "birth", "region", "sex"])
def test_values_that_contradict_a_name_are_asked_with_two_answers(found, name):
    assert found[name].role == "undecided"
    assert len(set(found[name].candidates)) == 2
