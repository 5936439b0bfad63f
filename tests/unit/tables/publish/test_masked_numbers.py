"""Masks of numbers hide digits, whatever type their column has, and no zero behind the point."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from typing import Any

import pandas as pd
import polars as pl
import pytest

import indistinct as ind

CODES = [47101, 47102, 47103, 47104, 48201, 48202, 48203, 48204]
POLICY = ind.Policy.from_words(
    {
        "columns": {
            "zip": {
                "role": "quasi-identifier",
                "hierarchy": {"mask": 5},
                "min_level": 1,
            },
            "age": {"role": "insensitive"},
        },
        "models": [{"name": "k-anonymity", "k": 4}],
    }
)
TYPES = {
    "double": pl.Float64,
    "single": pl.Float32,
    "decimal": pl.Decimal(9, 2),
    "whole": pl.Int64,
    "text": pl.String,
}


def table(kind: str, *, missing: bool = False) -> pl.DataFrame:
    """Return eight postcodes as numbers of a type; texts are those of doubles."""
    cells: list[Any] = [*CODES, *([None] * 4 if missing else [])]
    if kind == "text":
        cells = [None if one is None else f"{one}.0" for one in cells]
    if kind == "decimal":
        cells = [None if one is None else Decimal(one) for one in cells]
    return pl.DataFrame(
        {"zip": pl.Series(cells, dtype=TYPES[kind]), "age": ([3, 1, 2] * 4)[: len(cells)]}
    )


def labels(frame: pl.DataFrame) -> set[str | None]:
    return set(frame["zip"].cast(pl.String).to_list())


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("kind", TYPES)
def test_no_type_keeps_a_postcode_whole(kind: str, missing: bool) -> None:
    data = table(kind, missing=missing)
    release = ind.anonymize(data, POLICY)
    assert labels(release.data) - {None, ""} == {"4710*", "4820*"}
    found = ind.verify(release.data, POLICY, original=data, crosswalk=release.crosswalk)
    assert found.holds, found.faults


def test_a_missing_cell_of_pandas_makes_floats_of_postcodes() -> None:
    cells = [*map(float, CODES), *[math.nan] * 4]
    release = ind.anonymize(pd.DataFrame({"zip": cells, "age": [3, 1, 2] * 4}), POLICY)
    assert set(release.data["zip"].dropna()) == {"4710*", "4820*"}


@pytest.mark.parametrize("engine", ["memory", "polars", "duckdb"])
@pytest.mark.parametrize("kind", ["double", "single", "decimal"])
def test_files_of_parquet_keep_no_postcode_whole(tmp_path: Any, kind: str, engine: str) -> None:
    table(kind, missing=True).write_parquet(tmp_path / "in.parquet")
    with ind.anonymize(tmp_path / "in.parquet", POLICY, engine=engine) as release:
        release.write(tmp_path / "out.parquet")
    written = pl.read_parquet(tmp_path / "out.parquet")
    assert labels(written) - {None, ""} == {"4710*", "4820*"}
    found = ind.verify(tmp_path / "out.parquet", POLICY, original=tmp_path / "in.parquet")
    assert found.holds, found.faults


def test_stars_for_zeros_do_not_verify(tmp_path: Any) -> None:
    """Whoever made the file, with a manifest that says the same."""
    data = table("double")
    data.write_parquet(tmp_path / "in.parquet")
    ind.anonymize(tmp_path / "in.parquet", POLICY).write(
        tmp_path / "out.csv", crosswalk=tmp_path / "x.csv"
    )
    texts = (tmp_path / "out.csv").read_text()
    (tmp_path / "out.csv").write_text(texts.replace("4710*", "4710.*").replace("4820*", "4820.*"))
    found = ind.verify(
        tmp_path / "out.csv", POLICY, original=tmp_path / "in.parquet", crosswalk=tmp_path / "x.csv"
    )
    assert not found.holds
    assert any("do not cover their original value" in str(one) for one in found.faults)


def test_odd_numbers_are_released_and_verified() -> None:
    """Large, small, negative and fractional ones."""
    numbers = [1e21, 1.5e300, 0.1, -0.0, 0.0, 47101.5, -47101.0, 1e-7, 36.5, 36.0, 36.25, 5e-324]
    data = pl.DataFrame({"zip": numbers * 4, "age": [3, 1, 2] * 16})
    release = ind.anonymize(data, POLICY)
    found = ind.verify(release.data, POLICY, original=data, crosswalk=release.crosswalk)
    assert found.holds, found.faults
    assert "0.0*" not in labels(release.data)
    json.dumps(release.manifest)


def test_whoever_has_the_file_alone_is_told_that_stars_behind_a_point_may_hide_nothing(
    tmp_path: Any,
) -> None:
    data = pl.DataFrame(
        {"zip": [36.5, 36.7, 36.1, 36.2, 41.5, 41.6, 41.7, 41.8], "age": [3, 1, 2, 2, 1, 3, 1, 2]}
    )
    data.write_csv(tmp_path / "in.csv")
    ind.anonymize(tmp_path / "in.csv", POLICY).write(
        tmp_path / "out.csv", crosswalk=tmp_path / "x.csv"
    )
    assert labels(pl.read_csv(tmp_path / "out.csv")) == {"36.*", "41.*"}
    found = ind.verify(tmp_path / "out.csv")
    assert found.holds
    assert any("behind a decimal point" in note for note in found.notes)
