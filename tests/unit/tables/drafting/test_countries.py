"""Countries are recognized by codes and names, and get the regions of the world above them."""

import tomllib
from importlib.resources import files

import polars as pl
import pytest

import indistinct as ind
from drafted_columns import evidence
from indistinct.tables.drafting.countries import regions_of
from indistinct.tables.drafting.draft import tree_of
from indistinct.tables.drafting.hierarchies import drawn

NAMES = ["United-States", "Mexico", "viet nam", "Germany", "Côte d'Ivoire", "New Zealand"]


def test_names_in_any_spelling():
    """Hyphens, capitals and spaces make no difference; regions are those of standard M49."""
    assert regions_of(NAMES, "origin") == [
        ("Northern America", "Americas"),
        ("Central America", "Americas"),
        ("South-eastern Asia", "Asia"),
        ("Western Europe", "Europe"),
        ("Western Africa", "Africa"),
        ("Australia and New Zealand", "Oceania"),
    ]


@pytest.mark.parametrize("name", ["country", "BirthCountry", "Staatsangehörigkeit", "pays", "kraj"])
def test_short_codes_are_countries_only_where_the_name_says_so(name):
    """CA, DE, IN, GA and MT are states of the United States as well."""
    codes = ["CA", "DE", "IN", "GA", "MT"]
    assert regions_of(codes, name) is not None
    assert regions_of(codes, "state") is None
    assert regions_of(["CAN", "DEU", "IND", "GAB", "MLT"], "state") is not None


def test_few_or_other_words_are_no_countries():
    assert regions_of(NAMES[:4], "country") is None
    assert regions_of([*NAMES, "red", "green"], "country") is None


def test_a_value_that_is_no_country_is_elsewhere():
    values = [*NAMES, "Canada", "Brazil", "Chile", "South"]
    shape = drawn(evidence("native country", values * 20), "place")
    assert ("South", "elsewhere", "elsewhere", "*") in (shape.rows or [])
    assert ("Mexico", "Central America", "Americas", "*") in (shape.rows or [])


def test_every_country_stands_once_and_has_its_codes():
    """Codes have two and three capitals; no code or name leads to two regions."""
    text = (
        files("indistinct.tables.drafting").joinpath("countries.toml").read_text(encoding="utf-8")
    )
    regions = tomllib.loads(text)
    entries = [entry for found in regions.values() for row in found.values() for entry in row]
    words = [word for entry in entries for word in entry.split(" ", maxsplit=2)[:2]]
    assert len(entries) > 230
    assert len(words) == len(set(words))
    for entry in entries:
        short, long, name = entry.split(" ", maxsplit=2)
        assert (len(short), len(long)) == (2, 3)
        assert (short + long).isupper()
        assert name
    names = [name for entry in entries for name in entry.split(" ", maxsplit=2)[2].split("|")]
    assert len(names) == len(set(names))


def test_the_hierarchy_can_be_used():
    values = NAMES * 10
    rows = drawn(evidence("country", values), "place").rows or []
    policy = ind.Policy.from_words(
        {
            "columns": {
                "country": {
                    "role": "quasi-identifier",
                    "hierarchy": {"tree": tree_of(rows)},
                }
            },
            "models": [{"name": "k-anonymity", "k": 20}],
        }
    )
    release = ind.anonymize(pl.DataFrame({"country": values}), policy)
    assert set(release.data["country"]) & {"Americas", "Northern America", "*"}
