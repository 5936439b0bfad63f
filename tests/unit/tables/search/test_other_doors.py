"""Where one value is too common for m-invariance: each way that is named is one that works."""

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import NoSolutionError
from indistinct.tables.search.invariant.other_doors import COUNTS, TABLE, other_doors


@pytest.mark.parametrize(
    ("counts", "m", "first"),
    [
        ([8, 5, 4], 3, "Ask for m of at most 2."),
        ([60, 20, 20], 2, "No m of at least 2 is possible with this column."),
        ([60, 40], 2, "No m of at least 2 is possible with this column."),
    ],
)
def test_the_nearest_way_stands_first_and_the_farthest_last(counts, m, first):
    said = other_doors(np.array(counts), m)
    assert said.startswith(first)
    assert said.endswith(f"{COUNTS} {TABLE}")


@pytest.mark.parametrize(
    ("counts", "m", "rest"),
    [
        ([60, 20, 20], 2, "for all others, m of at most 2 is possible"),
        ([60, 10, 10, 10], 2, "for all others, m of at most 3 is possible"),
        ([60, 20, 5], 2, None),
        ([60, 20, 12, 8], 3, None),
        ([60, 0, 0], 2, None),
        ([30, 30, 1], 3, None),
    ],
)
def test_a_table_for_the_common_value_is_named_where_the_others_can_have_theirs(counts, m, rest):
    said = other_doors(np.array(counts), m)
    assert ("a table of their own" in said) is (rest is not None)
    assert rest is None or rest in said


def test_a_door_that_leads_nowhere_is_said_to_be_closed():
    said = other_doors(np.array([338, 82, 41, 39]), 2)
    assert "the others allow m of at most 1." in said
    assert "a table of their own" not in said


def line_list():
    outcomes = ["well"] * 40 + ["ill"] * 12 + ["worse"] * 12
    return pl.DataFrame(
        {
            "case": [f"p{row}" for row in range(64)],
            "age": [20 + row % 40 for row in range(64)],
            "outcome": outcomes,
        }
    )


def policy(**more):
    columns = {
        "case": {"role": "identifier"},
        "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10, 20]}},
        "outcome": {"role": "sensitive"},
    }
    words = {
        "models": [{"name": "m-invariance", "column": "outcome", "m": 2}],
        "method": {"algorithm": "invariant"},
        "history": {"person": "case"},
    }
    return ind.Policy.from_words({"columns": columns, **words, **more})


def test_the_ways_that_are_named_lead_somewhere(tmp_path):
    """The others alone have m = 2, and under k-anonymity a history measures the next release."""
    with pytest.raises(NoSolutionError, match="a table of their own") as refused:
        ind.anonymize(line_list(), policy(), history=tmp_path / "h.db", seed=1)
    assert "well" not in str(refused.value)
    others = line_list().filter(pl.col("outcome") != "well")
    release = ind.anonymize(others, policy(), history=tmp_path / "o.db", seed=1)
    assert release.manifest["models"][0]["holds"]
    plain = policy(models=[{"name": "k-anonymity", "k": 3}], method={"algorithm": "optimal"})
    for week in (1, 2):
        release = ind.anonymize(line_list(), plain, history=tmp_path / "k.db", seed=week)
        release.write(tmp_path / f"{week}.csv")
    assert release.manifest["composition"]["releases"] == 2
