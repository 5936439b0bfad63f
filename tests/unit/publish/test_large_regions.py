"""Tables that are not read whole: verification counts what lies around a class afresh."""

import random

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import NoSolutionError

INTERVALS = {"intervals": [0.25, 0.5, 2.5]}
QUASI = {"role": "quasi-identifier"}


def table(seed):
    chance = random.Random(seed)
    n_rows = chance.randint(20, 60)
    return pl.DataFrame(
        {
            "q": [chance.choice([93, 102]) for _ in range(n_rows)],
            "z": [chance.choice([47, 25, 99, None]) for _ in range(n_rows)],
            "s": [chance.choice("abcd") for _ in range(n_rows)],
        }
    )


def policy(n_rows):
    columns = {"q": QUASI, "z": {**QUASI, "hierarchy": INTERVALS, "min_level": 1}}
    close = ind.NTCloseness(n=n_rows // 2, t=0.4, column="s", distance="equal")
    return ind.Policy(
        columns={**columns, "s": {"role": "sensitive"}},
        models=[ind.KAnonymity(k=3), close],
        method={"max_suppression": 0.3, "algorithm": "ola"},
    )


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_regions_around_columns_without_a_hierarchy_are_verified(engine, tmp_path):
    """The values of such a column suggest its labels, so that verification needs the values."""
    n_released = 0
    for seed in range(12):
        frame, path = table(seed), tmp_path / "in.parquet"
        promised = policy(frame.height)
        frame.write_parquet(path)
        try:
            with ind.anonymize(path, promised, engine=engine) as release:
                release.write(tmp_path / f"{seed}.parquet")
            n_released += 1
        except NoSolutionError:
            continue
        assert ind.verify(tmp_path / f"{seed}.parquet", promised, original=path).holds
    assert n_released > 3


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_records_that_lack_a_value_suggest_no_ranges(engine, tmp_path):
    """They are left out for a sensitive value that no model reads, and verification knows it."""
    frame = pl.DataFrame(
        {"q": [*range(20), 10_000, 20_000], "s": [*["a", "b"] * 10, None, None]},
    )
    path = tmp_path / "in.parquet"
    frame.write_parquet(path)
    promised = ind.Policy(
        columns={"q": QUASI, "s": {"role": "sensitive"}},
        models=[ind.KAnonymity(k=3)],
        data={"missing_as": "suppress"},
        method={"algorithm": "optimal"},
    )
    with ind.anonymize(path, promised, engine=engine) as release:
        release.write(tmp_path / "out")
    assert ind.verify(tmp_path / "out", promised, original=path).holds
