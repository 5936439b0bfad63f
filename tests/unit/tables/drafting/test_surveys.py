"""Households, weights, owners, regions and places of public health in drafts."""

import tomllib

import numpy as np
import polars as pl
import pytest

import indistinct as ind

N = 600
REGIONS = {"Tayside": 1, "Fife": 2, "Highland": 3, "Borders": 4, "Lothian": 5, "Grampian": 6}


def survey(names=("household_id", "region", "district", "weight")):
    """Households of one to four people in districts, each of which lies in a region."""
    chance = np.random.default_rng(3)
    household = np.sort(chance.integers(0, N // 2, N)) * 7 + 10_000
    district = household % 20 + 1
    frame = {
        names[0]: household,
        names[1]: district % 5 + 1,
        names[2]: district,
        "age": chance.integers(18, 90, N),
        "sex": chance.integers(1, 3, N),
        names[3]: np.round(300 + district * 7.31, 2),
    }
    return pl.DataFrame(frame)


@pytest.mark.parametrize(
    "names",
    [
        ("household_id", "region", "district", "weight"),
        ("hhid", "province", "municipality", "pweight"),
        ("haushalt_nr", "bundesland", "kreis", "gewichtung"),
        ("num_hogar", "comunidad", "provincia", "factor_expansion"),
        ("id_menage", "region", "departement", "ponderation"),
        ("HIDP", "region_code", "lsoa_district", "rb050"),
    ],
)
def test_a_household_survey(names):
    """The household is counted, the weight named, and the region stands above the district."""
    inspection = ind.inspect(survey(names))
    roles = {column.name: column.role for column in inspection.columns}
    policy = tomllib.loads(inspection.draft(yes_to_suggestions=True))
    assert policy["data"]["person"] == names[0]
    assert policy["data"]["weight"] == names[3]
    assert roles[names[0]] == "identifier"
    assert roles[names[1]] == roles[names[2]] == "quasi-identifier"
    groups = policy["columns"][names[2]]["hierarchy"]["tree"]
    assert {label.split()[-1] for label in groups} == set("12345")
    assert "households" in inspection.draft()


def test_the_draft_of_a_survey_runs_and_keeps_the_region():
    policy = tomllib.loads(ind.inspect(survey()).draft(yes_to_suggestions=True))
    release = ind.anonymize(survey(), ind.Policy(**policy), seed=1)
    assert {"region", "district"} <= set(release.data.columns)


def test_the_weight_of_a_body_is_not_that_of_a_survey():
    chance = np.random.default_rng(4)
    body = pl.DataFrame(
        {"age": chance.integers(18, 90, N), "weight": chance.normal(76, 15, N).round(1)}
    )
    assert ind.inspect(body).weight is None
    assert ind.inspect(survey()).weight == "weight"


def test_owners_are_counted():
    chance = np.random.default_rng(5)
    dogs = pl.DataFrame(
        {"owner_id": [f"H{n}" for n in chance.integers(0, 350, N)],
         "owner_age": chance.choice(["21-30", "31-40", "41-50"], N),
         "breed": chance.choice(["Pudel", "Dackel", "Labrador"], N)}
    )  # fmt: skip
    inspection = ind.inspect(dogs)
    assert inspection.person == "owner_id"


@pytest.mark.parametrize(
    "name",
    ["Health Board", "health_district", "HealthAuthority", "Gesundheitsamt", "zone de santé",
     "cancer registry region", "death_county", "distrito sanitario", "region sanitaire",
     "Hospital Region", "place_of_death", "nhs_region"],
)  # fmt: skip
def test_a_place_of_public_health_is_a_place(name):
    values = [*REGIONS] * 40
    columns = ind.inspect(pl.DataFrame({name: values, "age": list(range(240))})).columns
    assert columns[0].role == "quasi-identifier"


@pytest.mark.parametrize(
    "name",
    [
        "health",
        "mental_health",
        "health_status",
        "cause_of_death",
        "Gesundheitszustand",
        "health_district_visits_reason",
    ],
)
def test_health_stays_sensitive(name):
    values = ["good", "fair", "bad", "poor"] * 60
    columns = ind.inspect(pl.DataFrame({name: values, "age": list(range(240))})).columns
    assert columns[0].role == ("undecided" if "district" in name else "sensitive")


def test_what_follows_by_chance_is_no_level():
    """Six records cannot tell, and neither can a column of which nearly all values are the same."""
    few = pl.DataFrame({"region": [1, 1, 2], "district": [1, 2, 3]} | {"age": [1, 2, 3]})
    assert "level above" not in ind.inspect(few).draft()
