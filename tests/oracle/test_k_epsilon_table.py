"""Table IV of the (k,epsilon)-anonymity paper (Holohan et al. 2017), Adult row."""

import polars as pl
import pytest

import indistinct as ind
from oracles import is_strictly_growing
from shared import SHARED, needs

FILE = "data/adult_train/adult.data"
ALONE = ("Single", "Never-married", "Divorced", "Separated", "Widowed")
MARRIED = (
    "Married", "Married-civ-spouse", "Married-AF-spouse", "Married-spouse-absent", "Civil Partner",
)  # fmt: skip
# k: levels of (year of birth, sex, race, marital status), suppressed %, classes, DM*
TABLE = {
    2: ((0, 0, 0, 0), 1.67, 1184, 5_424_552),
    5: ((0, 0, 0, 1), 2.42, 500, 6_245_700),
    10: ((0, 0, 1, 0), 3.71, 359, 6_990_286),
    20: ((0, 0, 1, 1), 1.47, 196, 8_223_890),
    50: ((0, 0, 1, 2), 1.76, 104, 12_758_774),
    100: ((0, 0, 1, 2), 4.80, 91, 12_758_774),
}

pytestmark = needs(FILE)


@pytest.fixture(scope="module")
def people() -> pl.DataFrame:
    """Read year of birth, sex, race and marital status of everyone under 80."""
    lines = (SHARED / FILE).read_text(encoding="utf-8").split("\n")
    cells = [line.split(", ") for line in lines if line.strip()]
    return pl.DataFrame(
        {
            "birth": [2016 - int(row[0]) for row in cells],
            "sex": [row[9] for row in cells],
            "race": [row[8] for row in cells],
            "marital": [row[5] for row in cells],
        }
    ).filter(pl.col("birth") > 2016 - 80)


def policy(k: int, algorithm: str) -> ind.Policy:
    """Promise k-anonymity as the paper does, at the least DM*."""
    quasi = {"role": "quasi-identifier"}
    groups = {"Alone": list(ALONE), "In marriage": list(MARRIED)}
    return ind.Policy.from_words(
        {
            "columns": {
                "birth": {**quasi, "hierarchy": {"intervals": [2, 4, 8]}},
                "sex": quasi,
                "race": quasi,
                "marital": {**quasi, "hierarchy": {"tree": groups}},
            },
            "models": [{"name": "k-anonymity", "k": k}],
            "method": {
                "algorithm": algorithm,
                "objective": "discernibility-monotone",
                "max_suppression": 0.05,
            },
        }
    )


@pytest.mark.parametrize("algorithm", ["optimal", "ola"])
@pytest.mark.parametrize("k", TABLE)
def test_the_row_of_adult(people, k, algorithm):
    """Node, suppressed share, classes and DM* are the paper's, by both searches."""
    assert people.height == 32_440
    node, share, classes, cost = TABLE[k]
    manifest = ind.anonymize(people, policy(k, algorithm), seed=1).owner
    assert manifest["loss"]["discernibility-monotone"] == cost
    assert tuple(manifest["method"]["transformation"].values()) == node
    assert round(manifest["records"]["suppressed"] / 32_440 * 100, 2) == share
    assert manifest["classes"]["count"] == classes
    assert manifest["method"]["lattice_nodes"] == 60


def test_ola_counts_few_nodes_and_finds_all_minimal_ones(people):
    """The number of minimal nodes is the specification's; more k means no fewer nodes counted."""
    minimal, checked = [], []
    for k in TABLE:
        method = ind.anonymize(people, policy(k, "ola"), seed=1).owner["method"]
        minimal.append(len(method["minimal_nodes"]))
        checked.append(method["checked_nodes"])
    assert minimal == [1, 4, 6, 9, 9, 8]
    assert all(count <= 60 for count in checked)
    assert is_strictly_growing(checked)
