"""Assessment beside a table of the population, where a policy counts people."""

import polars as pl
import pytest

import indistinct as ind
from strategies import OF_ONE_RELEASE

COLUMNS = {
    "town": {"role": "quasi-identifier"},
    "illness": {"role": "sensitive"},
    "person": {"role": "identifier"},
}
TABLE = pl.DataFrame(
    {
        "town": ["north"] * 6 + ["south"] * 6,
        "illness": ["flu", "gout", "cold"] * 4,
        "person": ["a", "a", "a", "a", "b", "b", "c", "c", "d", "d", "e", "e"],
    }
)


@pytest.fixture
def words(tmp_path):
    """Ten people live in each town."""
    pl.DataFrame({"town": ["north", "south"] * 10}).write_parquet(tmp_path / "people.parquet")
    return {
        "columns": COLUMNS,
        "models": [{"name": "k-anonymity", "k": 2}],
        "population": {"data": str(tmp_path / "people.parquet")},
        "data": {"person": "person"},
    }


def test_people_and_not_records_look_like_ten_of_the_population(words):
    """In the north two people stand behind six records; in the south three."""
    found = ind.assess(TABLE, ind.Policy.from_words(words)).document()["risk"]
    assert found["prosecutor"] == 1 / 2
    assert found["journalist"] == 1 / 10
    assert found["marketer"] == pytest.approx((2 / 10 + 3 / 10) / 5)


def test_records_are_counted_where_no_person_is_named(words):
    found = ind.assess(TABLE, ind.Policy.from_words({**words, "data": {}})).document()["risk"]
    assert found["prosecutor"] == 1 / 6
    assert found["marketer"] == pytest.approx((6 / 10 + 6 / 10) / 12)


@pytest.mark.parametrize("algorithm", OF_ONE_RELEASE)
def test_every_algorithm_reports_the_risk_of_people(words, algorithm):
    """Verification in anonymize compares it with what it counts itself."""
    policy = ind.Policy.from_words(words | {"method": {"algorithm": algorithm}})
    risk = ind.anonymize(TABLE, policy, seed=1).manifest["risk"]
    assert risk["prosecutor"] <= 1 / 2
    assert risk["journalist"] in {1 / 10, 1 / 20}
