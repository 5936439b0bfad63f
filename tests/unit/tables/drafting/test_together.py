"""Columns that follow from others, models by distribution, and the words of a draft."""

import tomllib

import numpy as np
import polars as pl

import indistinct as ind

N = 600


def table():
    chance = np.random.default_rng(9)
    age = chance.integers(18, 90, N)
    return pl.DataFrame(
        {
            "age": age,
            "age_group": [f"{a // 10 * 10}-{a // 10 * 10 + 9}" for a in age],
            "sex": chance.choice(["f", "m"], N),
            "hiv": chance.choice(["yes", "no"], N, p=[0.02, 0.98]),
            "diagnosis": chance.choice(["flu", "gout", "asthma", "ulcer"], N),
            "score_x": chance.integers(0, 4, N),
            "q17": chance.integers(0, 4, N),
        }
    )


def test_a_band_of_another_column_is_undecided():
    columns = {one.name: one for one in ind.inspect(table()).columns}
    assert columns["age"].role == "quasi-identifier"
    assert columns["age_group"].role == "undecided"
    assert 'follows from "age"' in columns["age_group"].reason
    assert columns["q17"].cost is not None


def test_models_follow_the_distribution():
    """A rare value: shares close to the table's. Several frequent values: two in each class."""
    policy = tomllib.loads(ind.inspect(table()).draft(yes_to_suggestions=True))
    models = {model.get("column"): model for model in policy["models"]}
    assert models["hiv"]["name"] == "t-closeness"
    assert models["diagnosis"]["name"] == "distinct-l-diversity"
    assert policy["method"]["algorithm"] == "local"
    assert policy["columns"]["q17"]["role"] == "identifier"
    assert "left out" in policy["columns"]["q17"]["reason"]


def test_many_sensitive_columns_get_few_models_and_the_others_are_named():
    frame = pl.DataFrame(
        {"age": list(range(60)) * 4} | {f"diag_{i}": [i, i + 1] * 120 for i in range(9)}
    )
    draft = ind.inspect(frame).draft(yes_to_suggestions=True)
    assert draft.count('name = "distinct-l-diversity"') == 6
    assert "No model is drafted for these sensitive columns" in draft
    assert "diag_8" in draft


def test_names_with_quotes_and_dots_are_written_so_that_toml_reads_them():
    frame = pl.DataFrame({'the "sex", coded': ["f", "m"] * 30, "a.g'e": list(range(60))})
    columns = tomllib.loads(ind.inspect(frame).draft())["columns"]
    assert list(columns) == frame.columns
