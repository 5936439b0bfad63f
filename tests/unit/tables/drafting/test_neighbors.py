"""The column in front of another one says what it is."""

import numpy as np
import polars as pl
import pytest

import indistinct as ind

N = 200
chance = np.random.default_rng(6)
STREETS = [f"{word}gasse" for word in np.repeat(["Linden", "Brunn", "Haupt", "Markt"], 10)]
HOUSES = chance.integers(1, 40, N).tolist()
CODES = chance.integers(1010, 1240, N).tolist()
TOWNS = chance.choice(["Wels", "Graz", "Enns", "Steyr"], N).tolist()


def roles(columns):
    return {one.name: one.role for one in ind.inspect(pl.DataFrame(columns)).columns}


@pytest.mark.parametrize("name", ["Nr", "no", "piso", "Hnr."])
def test_a_number_behind_a_street_is_that_of_a_house(name):
    street = [f"{STREETS[n % 40]} {n}" for n in range(N)]
    assert roles({"Strasse": street, name: HOUSES})[name] == "identifier"
    assert roles({"colour": TOWNS, name: HOUSES})[name] == "undecided"


def test_names_behind_a_postal_code_are_towns():
    assert roles({"PLZ": CODES, "x17": TOWNS})["x17"] == "quasi-identifier"
    assert roles({"age": HOUSES, "x17": TOWNS})["x17"] == "undecided"
