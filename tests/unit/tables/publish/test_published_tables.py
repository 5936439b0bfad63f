"""Small tables that papers print, measured from the table to every number they give."""

import polars as pl
import pytest

import indistinct as ind

QUASI = {"role": "quasi-identifier"}

# Race, birth, gender, ZIP, problem.
SWEENEY = [
    ("Black", "1965", "m", "0214*", "short breath"),
    ("Black", "1965", "m", "0214*", "chest pain"),
    ("Black", "1965", "f", "0213*", "hypertension"),
    ("Black", "1965", "f", "0213*", "hypertension"),
    ("Black", "1964", "f", "0213*", "obesity"),
    ("Black", "1964", "f", "0213*", "chest pain"),
    ("White", "1964", "m", "0213*", "chest pain"),
    ("White", "1964", "m", "0213*", "obesity"),
    ("White", "1964", "m", "0213*", "short breath"),
    ("White", "1967", "m", "0213*", "chest pain"),
    ("White", "1967", "m", "0213*", "chest pain"),
]
# ZIP, age, disease: the first class has one disease only.
PATIENTS = [
    ("476**", "2*", "heart disease"),
    ("476**", "2*", "heart disease"),
    ("476**", "2*", "heart disease"),
    ("4790*", ">=40", "flu"),
    ("4790*", ">=40", "heart disease"),
    ("4790*", ">=40", "cancer"),
    ("476**", "3*", "heart disease"),
    ("476**", "3*", "cancer"),
    ("476**", "3*", "cancer"),
]
# Two classes of six with the same diseases; two of three with none in common.
ALIKE = [(race, s) for race in ("Asian", "Caucas") for s in "aaabbc"]
APART = [("476**", "*", s) for s in "aab"] + [("4790*", "*", s) for s in "ccd"]


def assessed(rows, *models):
    """Measure the last column of a table, all others being quasi-identifiers."""
    names = [f"q{index}" for index in range(len(rows[0]) - 1)]
    columns = dict.fromkeys(names, QUASI) | {"s": {"role": "sensitive"}}
    frame = pl.DataFrame(rows, schema=[*names, "s"], orient="row")
    return ind.assess(frame, ind.Policy(columns=columns, models=list(models)))


def reached(rows, model, letter):
    """Return what the worst class reaches."""
    return assessed(rows, model).models[0]["achieved"][letter]


def per_class(rows, model, letter):
    """Return what each class reaches, in the order in which they stand, against the whole table."""
    names = [f"q{index}" for index in range(len(rows[0]) - 1)]
    columns = dict.fromkeys(names, QUASI) | {"s": {"role": "sensitive"}}
    policy = ind.Policy(columns=columns, models=[model])
    whole = pl.DataFrame(rows, schema=[*names, "s"], orient="row")
    return [
        ind.verify(one, policy, original=whole).models[0]["achieved"][letter]
        for one in whole.partition_by(names, maintain_order=True)
    ]


TABLES = {
    "Sweeney": (SWEENEY, 2, [2, 1, 2, 3, 1], [0.3636, 0.8182, 0.3636, 0.3030, 0.5455]),
    "homogeneity": (PATIENTS, 3, [1, 3, 2], [0.4444, 0.2222, 0.3333]),
    "alike": (ALIKE, 6, [3, 3], [0, 0]),
    "apart": (APART, 3, [2, 2], [0.5, 0.5]),
}


@pytest.mark.parametrize("name", TABLES)
def test_k_diversity_and_closeness(name):
    """k of the table, distinct values and equal distance of each class, in the paper's order."""
    rows, k, distinct, closeness = TABLES[name]
    assert assessed(rows, ind.KAnonymity(2)).figures()["k"] == k
    assert per_class(rows, ind.DistinctLDiversity("s", 1), "l") == distinct
    assert reached(rows, ind.DistinctLDiversity("s", 1), "l") == min(distinct)
    found = per_class(rows, ind.TCloseness("s", 1.0), "t")
    assert found == pytest.approx(closeness, abs=5e-5)
    assert reached(rows, ind.TCloseness("s", 1.0), "t") == pytest.approx(max(found))


@pytest.mark.parametrize(
    ("rows", "expected"), [(PATIENTS, [1, 3, 1.8899]), (ALIKE, [2.7495] * 2), (APART, [1.8899] * 2)]
)
def test_entropy(rows, expected):
    found = per_class(rows, ind.EntropyLDiversity("s", 1), "l")
    assert found == pytest.approx(expected, abs=5e-5)


def test_sweeneys_classes_and_their_risk():
    """Five classes of eleven records: an average risk of .454545, discernibility 25."""
    found = assessed(SWEENEY, ind.AverageRisk(0.5))
    assert found.classes["count"] == 5
    assert found.risk["marketer"] == pytest.approx(0.454545, abs=5e-7)
    assert found.models[0]["achieved"]["threshold"] == pytest.approx(0.454545, abs=5e-7)
    sizes = pl.DataFrame(SWEENEY, orient="row").group_by(pl.nth(range(4))).len()["len"]
    assert int((sizes * sizes).sum()) == 25
