"""Years, months and decades without a hierarchy in the policy become periods, and never ranges."""

import random

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.counting.columns import encode_column
from indistinct.tables.policy.hierarchies import suggested_rule as made
from indistinct.tables.verification.suggestion import suggested_rule as read

N_RECORDS = 400
ALGORITHMS = ["local", "optimal", "mondrian", "k-member"]


def table(seed):
    chance = random.Random(seed)
    months = [f"{chance.randint(1990, 2009)}-{chance.randint(1, 12):02d}" for _ in range(N_RECORDS)]
    return pl.DataFrame(
        {
            "birth_year": [chance.randint(1930, 2005) for _ in range(N_RECORDS)],
            "month": months,
            "school": [f"{chance.randint(195, 199)}0s" for _ in range(N_RECORDS)],
            "ill": [chance.choice(["flu", "gout"]) for _ in range(N_RECORDS)],
        }
    )


def policy(algorithm, names):
    columns = {name: {"role": "quasi-identifier"} for name in names}
    return ind.Policy(
        columns={**columns, "ill": {"role": "sensitive"}},
        models=[{"name": "k-anonymity", "k": 12}],
        method={"algorithm": algorithm, "max_suppression": 0.1},
    )


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_year_is_released_as_itself_or_as_its_decade(algorithm, tmp_path):
    frame = table(1).select("birth_year", "ill")
    frame.write_csv(tmp_path / "in.csv")
    chosen = policy(algorithm, ["birth_year"])
    ind.anonymize(tmp_path / "in.csv", chosen, seed=1).write(tmp_path / "out.csv")
    shown = pl.read_csv(tmp_path / "out.csv", infer_schema=False)["birth_year"]
    assert shown.str.contains(r"^((19|20)\d\d|(19|20)\d0s|\*)$").all()
    assert shown.str.contains("s$").any()
    assert ind.verify(tmp_path / "out.csv", chosen, original=tmp_path / "in.csv").holds
    assert ind.verify(tmp_path / "out.csv").holds


@pytest.mark.parametrize("algorithm", ["local", "optimal"])
def test_months_and_decades_stay_periods(algorithm, tmp_path):
    frame = table(2).select("month", "school", "ill")
    frame.write_csv(tmp_path / "in.csv")
    chosen = policy(algorithm, ["month", "school"])
    ind.anonymize(tmp_path / "in.csv", chosen, seed=1).write(tmp_path / "out.csv")
    shown = pl.read_csv(tmp_path / "out.csv", infer_schema=False)
    assert shown["month"].str.contains(r"^(\d{4}(-\d\d|-Q[1-4])?|\d{3}0s|\*)$").all()
    assert shown["school"].str.contains(r"^(\d{3}0s|\*)$").all()
    assert ind.verify(tmp_path / "out.csv", chosen, original=tmp_path / "in.csv").holds


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_engines_draw_the_same_periods(engine, tmp_path):
    table(3).select("birth_year", "ill").write_csv(tmp_path / "in.csv")
    chosen = policy("optimal", ["birth_year"])
    with ind.anonymize(tmp_path / "in.csv", chosen, engine=engine) as release:
        release.write(tmp_path / "out.parquet")
    expected = ind.anonymize(tmp_path / "in.csv", chosen, seed=1).data
    found = pl.read_parquet(tmp_path / "out.parquet")
    assert sorted(found["birth_year"]) == sorted(expected["birth_year"])


@pytest.mark.parametrize("outlier", [9999, 0])
def test_a_number_that_is_no_year_is_hidden_or_makes_intervals(outlier, tmp_path):
    """One that is suppressed does not decide how the others are generalized."""
    frame = table(4).select("birth_year", "ill")
    frame[0, "birth_year"] = outlier
    frame.write_csv(tmp_path / "in.csv")
    chosen = policy("local", ["birth_year"])
    ind.anonymize(tmp_path / "in.csv", chosen, seed=1).write(tmp_path / "out.csv")
    shown = pl.read_csv(tmp_path / "out.csv", infer_schema=False)["birth_year"]
    assert str(outlier) not in shown.to_list()
    assert ind.verify(tmp_path / "out.csv", chosen, original=tmp_path / "in.csv").holds


COLUMNS = {
    "birth_year": ([1950, 1963, 2001], ("decade",)),
    "Geburtsjahr": (["1950", "1963"], ("decade",)),
    "birthYear": ([1950.0, 1963.0], ("decade",)),
    "año": ([1950, 1963], ("decade",)),
    "yearly_income": ([1950, 1963, 2001], None),
    "year": ([150, 1963, 2001], None),
    "seen": (["2024-05", "2023-01"], ("quarter", "year", "decade")),
    "quarter": (["2024-Q1", "2023-Q4"], ("year", "decade")),
    "code": (["1950", "1963"], None),
    "day": (["2024-05-01", "2023-01-31"], ("month", "quarter", "year", "decade")),
    "decade": (["1950s", "1960s"], None),
    "words": (["a", "bb"], None),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_both_definitions_choose_the_same_periods(name):
    """That of the maker, and that of a reader."""
    values, steps = COLUMNS[name]
    frame = pl.DataFrame({name: values})
    rule = ind.Policy(
        columns={name: {"role": "quasi-identifier"}}, models=[{"name": "k-anonymity", "k": 2}]
    ).rule_of(name)
    one, other = made(name, encode_column(frame, rule)), read(frame[name])
    assert one == other
    assert (None if one is None else one.dates) == steps
    assert name != "decade" or one is None
