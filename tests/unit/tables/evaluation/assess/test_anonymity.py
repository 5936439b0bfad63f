"""What every model reaches, promised or not: tables of the papers, and the plain definitions."""

import math
from collections import Counter, defaultdict

import polars as pl
import pytest
from hypothesis import given, strategies as st

import indistinct as ind
from indistinct.errors import EmptyDataError
from indistinct.tables.policy.specification import resolve
from indistinct.tables.verification.verify_release import VerificationInput, judge_plainly
from shared import examples

SWEENEY = [
    ("black", 1965, "m", "0214*", "short breath"), ("black", 1965, "m", "0214*", "chest pain"),
    ("black", 1965, "f", "0213*", "hypertension"), ("black", 1965, "f", "0213*", "hypertension"),
    ("black", 1964, "f", "0213*", "obesity"), ("black", 1964, "f", "0213*", "chest pain"),
    ("white", 1964, "m", "0213*", "chest pain"), ("white", 1964, "m", "0213*", "obesity"),
    ("white", 1964, "m", "0213*", "short breath"), ("white", 1967, "m", "0213*", "chest pain"),
    ("white", 1967, "m", "0213*", "chest pain"),
]  # fmt: skip


def policy(*names: str, sensitive: str = "disease", **column) -> ind.Policy:
    """Return a policy that asks for 2-anonymity."""
    columns = {name: {"role": "quasi-identifier"} for name in names}
    columns[sensitive] = {"role": "sensitive", **column}
    return ind.Policy.from_words({"columns": columns, "models": [{"name": "k-anonymity", "k": 2}]})


def assessed(classes: dict[str, list[str]]):
    """Measure a table of one quasi-identifier, given the diseases of each of its classes."""
    rows = [(cell, disease) for cell, diseases in classes.items() for disease in diseases]
    frame = pl.DataFrame(rows, ["zip", "disease"], orient="row")
    return ind.assess(frame, policy("zip"))


def test_sweeneys_eleven_rows():
    """k 2, five classes, average risk 5 / 11, distinct values and t per class (spec B3)."""
    names = ["race", "birth", "sex", "zip", "disease"]
    frame = pl.DataFrame(SWEENEY, names, orient="row")
    found = ind.assess(frame, policy(*names[:4]))
    assert found.anonymity["k"] == 2
    assert found.classes["count"] == 5
    assert found.risk["marketer"] == pytest.approx(0.454545, abs=1e-6)
    table = found.per_class.sort(
        "race", "birth", "sex", "zip", descending=[False, True, True, True]
    )
    assert table["distinct_l(disease)"].to_list() == [2, 1, 2, 1, 3]
    assert table["t_equal(disease)"].to_list() == pytest.approx(
        [0.3636, 0.8182, 0.3636, 0.5455, 0.3030], abs=5e-5
    )
    secret = found.anonymity["sensitive"]["disease"]
    assert secret["distinct_l"] == 1
    assert secret["t_equal"] == pytest.approx(0.8182, abs=5e-5)
    assert secret["records_of_one_value"] == pytest.approx(4 / 11)


@pytest.mark.parametrize(
    ("classes", "k", "distinct", "entropy", "t"),
    [
        ({"476**": ["heart"] * 3, "4790*": ["flu", "heart", "cancer"],
          "476*3": ["heart", "cancer", "cancer"]}, 3, 1, 1.0, 0.4444),
        ({"caucas": ["flu"] * 3 + ["hiv"] * 2 + ["cancer"],
          "asian": ["flu"] * 3 + ["hiv"] * 2 + ["cancer"]}, 6, 3, 2.7495, 0.0),
        ({"476**": ["ulcer", "ulcer", "flu"], "4790*": ["heart", "cancer", "cancer"]},
         3, 2, 1.8899, 0.5),
    ],
)  # fmt: skip
def test_tables_of_the_overview(classes, k, distinct, entropy, t):
    """Homogeneous, similar and skewed classes (spec B3)."""
    found = assessed(classes).anonymity
    secret = found["sensitive"]["disease"]
    assert found["k"] == k
    assert secret["distinct_l"] == distinct
    assert secret["entropy_l"] == pytest.approx(entropy, abs=5e-5)
    assert secret["t_equal"] == pytest.approx(t, abs=5e-5)


def test_salaries_in_order():
    """Salaries 3, 4, 5 of the nine from 3 to 11 are 0.375 away, by rank (spec B3)."""
    frame = pl.DataFrame(
        {"zip": ["a"] * 3 + ["b"] * 3 + ["c"] * 3, "salary": [3, 4, 5, 6, 8, 11, 7, 9, 10]}
    )
    found = ind.assess(frame, policy("zip", sensitive="salary"))
    table = found.per_class.sort("zip")
    assert table["t_ordered(salary)"].to_list() == pytest.approx(
        [0.375, 0.166667, 0.236111], abs=1e-6
    )
    assert found.figures()["t_ordered"] == pytest.approx(0.375)
    assert found.figures()["t"] == pytest.approx(2 / 3)


def test_diseases_along_their_tree():
    """The hierarchy of the column is measured along although no model asks (spec B3)."""
    tree = {
        "respiratory": {
            "infection": ["flu", "pneumonia", "bronchitis"],
            "vascular": ["pulmonary edema", "pulmonary embolism"],
        },
        "digestive": {
            "stomach": ["gastric ulcer", "stomach cancer", "gastritis"],
            "colon": ["colitis", "colon cancer"],
        },
    }
    rows = {
        "a": ["gastric ulcer", "gastritis", "stomach cancer"],
        "b": ["gastritis", "flu", "bronchitis"],
        "c": ["bronchitis", "pneumonia", "stomach cancer"],
    }
    frame = pl.DataFrame(
        [(zip_code, disease) for zip_code, found in rows.items() for disease in found],
        ["zip", "disease"],
        orient="row",
    )
    found = ind.assess(frame, policy("zip", hierarchy={"tree": tree})).per_class.sort("zip")
    assert found["t_hierarchical(disease)"].to_list()[:2] == pytest.approx(
        [0.444444, 0.296296], abs=1e-6
    )


def test_beta_and_delta():
    """P = (.75, .25) against Q = (.5, .5): beta .5, delta ln 2 (spec B8)."""
    found = assessed({"a": ["x", "x", "x", "y"], "b": ["x", "y", "y", "y"]})
    secret = found.anonymity["sensitive"]["disease"]
    assert secret["beta"] == pytest.approx(0.5)
    assert secret["delta"] == pytest.approx(math.log(2))
    assert secret["alpha"] == 0.75
    assert secret["recursive_c"] == {"2": pytest.approx(3.0)}


def test_a_value_that_a_class_lacks():
    """No delta would do, and only the values that are there have a figure."""
    found = assessed({"a": ["x", "x"], "b": ["x", "y"]})
    secret = found.anonymity["sensitive"]["disease"]
    assert secret["delta"] is None
    assert secret["delta_present"] == pytest.approx(math.log(2))
    assert found.figures()["delta"] == math.inf
    assert not found.meets("delta<100")


def test_cells_are_for_the_owner_alone():
    """The document has sizes; cells only where they are asked for."""
    found = assessed({"secretville": ["x"], "b": ["x", "y"]})
    assert found.document()["anonymity"]["smallest_classes"] == [1, 2]
    assert "secretville" not in str(found.document())
    shown = found.document(show_values=True)["smallest_classes"]
    assert shown[0] == {"records": 1, "cells": {"zip": "secretville"}}


def test_an_empty_table():
    """Nothing is measured in a table without records; a release may have lost them all."""
    empty = pl.DataFrame(
        {"zip": [], "disease": []}, schema={"zip": pl.String, "disease": pl.String}
    )
    with pytest.raises(EmptyDataError):
        ind.assess(empty, policy("zip"))
    frame = pl.DataFrame({"zip": ["a", "b"], "disease": ["x", "y"]})
    found = ind.assess(empty, policy("zip"), original=frame)
    assert found.anonymity == {
        "k": None, "unique_records": 0, "smallest_classes": [], "sensitive": {}
    }  # fmt: skip
    assert found.risk["prosecutor"] == 0.0
    assert found.loss["loss"] == 1.0
    assert found.utility["mutual_bits"] == pytest.approx(0.0)
    assert found.per_class.height == 0
    assert "k" not in found.figures()


def test_missing_values_are_one_value_of_their_own():
    """However a missing value is written, its records are alike."""
    words = {"columns": {"zip": {"role": "quasi-identifier"}, "disease": {"role": "sensitive"}},
             "models": [{"name": "k-anonymity", "k": 2}],
             "data": {"missing": ["", "?"]}}  # fmt: skip
    frame = pl.DataFrame({"zip": ["?", "", None, "a"], "disease": ["x", None, "?", "x"]})
    found = ind.assess(frame, ind.Policy.from_words(words))
    assert found.classes["count"] == 2
    # As a value of a sensitive column it counts as none.
    assert found.per_class["distinct_l(disease)"].to_list() == [1, 1]


CELLS = st.sampled_from(["a", "b", "c", None])
NUMBERS = st.sampled_from([1.5, 2.0, 7.0, None])


@examples(60)
@given(st.lists(st.tuples(CELLS, CELLS, CELLS, NUMBERS), min_size=2, max_size=25))
def test_every_figure_by_its_plain_definition(rows):
    """Classes counted by hand, each model measured in one class at a time."""
    names = ["q", "r", "disease", "wage"]
    frame = pl.DataFrame(rows, dict.fromkeys(names[:3], pl.String) | {"wage": pl.Float64},
                         orient="row")  # fmt: skip
    columns = {name: {"role": "quasi-identifier"} for name in names[:2]}
    columns |= {name: {"role": "sensitive"} for name in names[2:]}
    models = [ind.KAnonymity(2)]
    for name in names[2:]:
        models += [
            ind.DistinctLDiversity(name, 1),
            ind.EntropyLDiversity(name, 1),
            ind.ProbabilisticLDiversity(name, 1),
            ind.AlphaKAnonymity(name, 1.0, 1),
            ind.TCloseness(name, 1.0),
            ind.BetaLikeness(name, 1.0, "basic"),
            ind.DeltaDisclosure(name, 1.0),
            ind.RecursiveCLDiversity(name, 1.0, 2),
        ]
    models.append(ind.TCloseness("wage", 1.0, "ordered"))
    asked = ind.Policy.from_words({"columns": columns, "models": models})
    found = ind.assess(frame, asked)
    plain = judge_plainly(VerificationInput(frame, resolve(asked)), models)
    groups = defaultdict(Counter)
    for *key, disease, _ in rows:
        groups[tuple(key)][disease] += 1
    assert found.anonymity["k"] == min(counts.total() for counts in groups.values())
    assert found.anonymity["unique_records"] == sum(c.total() == 1 for c in groups.values())
    for name in names[2:]:
        secret = found.anonymity["sensitive"][name]
        said = {
            m["name"]: m["achieved"]
            for m in plain
            if m["required"].get("column") == name and m["required"].get("distance") != "ordered"
        }
        for figure, model, letter in (
            ("distinct_l", "distinct-l-diversity", "l"), ("entropy_l", "entropy-l-diversity", "l"),
            ("probabilistic_l", "probabilistic-l-diversity", "l"), ("t_equal", "t-closeness", "t"),
            ("alpha", "alpha-k-anonymity", "alpha"), ("beta", "beta-likeness", "beta"),
            ("delta", "delta-disclosure", "delta"),
        ):  # fmt: skip
            expected = said[model][letter]
            assert secret[figure] == (expected if expected is None else pytest.approx(expected))
        if "2" in secret["recursive_c"]:
            assert secret["recursive_c"]["2"] == pytest.approx(said["recursive-cl-diversity"]["c"])
    if found.anonymity["sensitive"]["wage"].get("t_ordered") is not None:
        assert found.anonymity["sensitive"]["wage"]["t_ordered"] == pytest.approx(
            plain[-1]["achieved"]["t"], abs=1e-9
        )
