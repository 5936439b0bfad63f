"""What all members of a household have in common is not drawn for each of them."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import PolicyError

HOMES = 40
TABLE = pl.DataFrame(
    {
        "home": [home for home in range(HOMES) for _ in range(2)],
        "age": [30, 32] * HOMES,
        "income": [1000 * (home % 8) + 20_000 for home in range(HOMES) for _ in range(2)],
        "renting": ["yn"[home % 2] for home in range(HOMES) for _ in range(2)],
        "wage": [500 * (person % 9) for person in range(2 * HOMES)],
    }
)
MASKS = {
    "income": [
        {"name": "noise-additive", "share": 0.1},
        {"name": "swap", "percent": 5},
    ],
    "renting": [
        {"name": "randomized-response", "epsilon": 1.0},
        {"name": "pram", "truth": 0.7},
    ],
}
CASES = [(column, mask) for column, masks in MASKS.items() for mask in masks]


def policy(**columns):
    """Count households by their ages."""
    age = {"role": "quasi-identifier", "hierarchy": {"intervals": [10]}}
    others = {name: {"role": "identifier"} for name in ("income", "renting", "wage")}
    return ind.Policy.from_words(
        {
            "columns": {"age": age, **others, **columns},
            "models": [{"name": "k-anonymity", "k": 2}],
            "data": {"household": "home"},
        }
    )


@pytest.mark.parametrize(("column", "mask"), CASES, ids=[mask["name"] for _, mask in CASES])
@pytest.mark.parametrize("n_odd", [0, 1])
def test_one_value_of_a_household_is_not_drawn_for_each_member(column, mask, n_odd):
    odd = TABLE.with_columns(
        pl.when(pl.int_range(pl.len()) < n_odd).then(pl.col(column).last()).otherwise(column)
    )
    table = pl.concat([TABLE.with_columns(home=pl.col("home") + HOMES), odd])
    with pytest.raises(PolicyError, match="another cell for each member of a household"):
        ind.anonymize(table, policy(**{column: {"role": "insensitive", "protect": mask}}), seed=1)


def test_both_remedies_lead_to_a_release():
    income = {"hierarchy": {"intervals": [10_000, 20_000]}, "level": "household"}
    for words in ({"role": "quasi-identifier", **income}, {"role": "identifier"}):
        released = ind.anonymize(TABLE, policy(income=words), seed=1).frame
        assert ("income" in released.columns) == (words["role"] != "identifier")


@pytest.mark.parametrize(
    ("column", "mask"),
    [
        ("wage", {"name": "noise-additive", "share": 0.1}),  # each member has another one
        ("income", {"name": "round", "base": 5000}),  # equal values stay equal
    ],
)
def test_other_masks_are_released(column, mask):
    asked = policy(**{column: {"role": "insensitive", "protect": mask}})
    assert ind.anonymize(TABLE, asked, seed=1).frame.height == TABLE.height


def test_members_without_a_value_and_households_of_one_say_nothing():
    alone = TABLE.unique("home").with_columns(home=pl.int_range(pl.len()))
    gaps = TABLE.with_columns(
        income=pl.when(pl.int_range(pl.len()) % 2 == 0).then("income").otherwise(None)
    )
    mask = {"role": "insensitive", "protect": {"name": "noise-additive", "share": 0.1}}
    for table in (alone, gaps):
        assert ind.anonymize(table, policy(income=mask), seed=1).frame.height == table.height
