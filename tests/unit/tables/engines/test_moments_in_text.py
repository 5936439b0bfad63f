"""Moments in a release of text: the same from memory and from engines, and verified with each."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import indistinct as ind

DAYS = [datetime.fromisoformat("1990-05-01"), datetime.fromisoformat("1991-06-01")]
LATER = [DAYS[0], DAYS[1] + timedelta(hours=7, seconds=3)]


def _table() -> pl.DataFrame:
    """Return records with moments that are all midnights, and with some that are not."""
    columns = {"age": [20, 30], "born": DAYS, "when": LATER, "seen": DAYS, "at": LATER}
    return pl.DataFrame({name: values * 20 for name, values in columns.items()})


def _policy(hierarchy: dict[str, Any]) -> ind.Policy:
    """Let two columns of moments be quasi-identifiers, and release two as they are."""
    columns: dict[str, Any] = {
        name: {"role": "quasi-identifier", **hierarchy} for name in ("born", "when")
    }
    columns |= {name: {"role": "insensitive"} for name in ("seen", "at")}
    columns["age"] = {"role": "quasi-identifier"}
    return ind.Policy.from_words({
        "columns": columns,
        "models": [{"name": "k-anonymity", "k": 3}],
        "method": {"algorithm": "optimal"},
    })  # fmt: skip


@pytest.mark.parametrize("hierarchy", [{}, {"hierarchy": {"dates": ["day", "year"]}}])
@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_engines_write_moments_as_memory_does(
    hierarchy: dict[str, Any], ending: str, tmp_path: Path
) -> None:
    data, policy = tmp_path / f"in.{ending}", _policy(hierarchy)
    table = _table()
    table.write_parquet(data) if ending == "parquet" else table.write_csv(data)
    texts: set[str] = set()
    for engine in ("memory", "polars", "duckdb"):
        out = tmp_path / f"{engine}.csv"
        with ind.anonymize(str(data), policy, engine=engine) as release:
            release.write(str(out))
        texts.add(out.read_text(encoding="utf-8"))
        for judge in ("memory", "polars"):
            found = ind.verify(out, policy=policy, original=str(data), engine=judge)
            assert found.holds, (engine, judge, found.faults)
    assert len(texts) == 1
    shown = {
        name: {*column} for name, column in pl.read_csv(out, infer_schema=False).to_dict().items()
    }
    days, moments = {"1990-05-01", "1991-06-01"}, {"1990-05-01T00:00:00", "1991-06-01T07:00:03"}
    assert shown["born"] == shown["seen"] == days
    assert shown["when"] == shown["at"] == moments


SUPPRESSED = {"midnight": DAYS[0], "clock": LATER[1], "missing": None}


@pytest.mark.parametrize("suppressed", ["drop", "mask"])
@pytest.mark.parametrize(
    ("algorithm", "hierarchy"),
    [
        ("optimal", {}),
        ("optimal", {"hierarchy": {"dates": ["day", "year"]}}),
        ("cell-suppression", {"hierarchy": {"dates": ["year"]}}),
    ],
)
def test_midnights_are_days_whatever_the_input_is_and_its_suppressed_records_are(
    algorithm: str, hierarchy: dict[str, Any], suppressed: str, tmp_path: Path
) -> None:
    policy = ind.Policy.from_words({
        "columns": {
            "born": {"role": "quasi-identifier", **hierarchy},
            "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10]}},
            "seen": {"role": "insensitive"},
        },
        "models": [{"name": "k-anonymity", "k": 3}],
        "method": {"algorithm": algorithm, "max_suppression": 0.2},
        "release": {"suppressed": suppressed},
    })  # fmt: skip
    texts: set[str] = set()
    for last in SUPPRESSED.values():
        columns = {"born": [*DAYS * 6, last], "age": [*[20, 30] * 6, 99], "seen": [*DAYS * 6, last]}
        table = pl.DataFrame(columns, schema_overrides={"born": pl.Datetime, "seen": pl.Datetime})
        table.write_csv(path := tmp_path / "in.csv")
        for data in (table, path):
            ind.anonymize(data, policy, seed=1).write(out := tmp_path / "out.csv")
            found = ind.verify(out, policy=policy, original=data)
            assert found.holds, found.faults
            texts.add(out.read_text(encoding="utf-8"))
    assert len(texts) == 1
    assert "00:00" not in texts.pop()


def test_midnights_beside_labels_are_days_from_a_frame_as_from_a_file(tmp_path: Path) -> None:
    born = [*[DAYS[0]] * 9, datetime.fromisoformat("1990-07-01"), *[DAYS[1]] * 10]
    table = pl.DataFrame({"born": born, "age": [*[20] * 10, *[50] * 10]})
    policy = ind.Policy.from_words({
        "columns": {
            "born": {"role": "quasi-identifier"},
            "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [10]}},
        },
        "models": [{"name": "k-anonymity", "k": 3}],
        "method": {"algorithm": "mondrian"},
    })  # fmt: skip
    table.write_csv(path := tmp_path / "in.csv")
    texts: set[str] = set()
    for data in (table, path):
        ind.anonymize(data, policy).write(out := tmp_path / "out.csv")
        assert ind.verify(out, policy=policy, original=data).holds
        texts.add(out.read_text(encoding="utf-8"))
    assert len(texts) == 1
    assert {*pl.read_csv(out)["born"].cast(pl.String)} == {"1990", "1991-06-01"}
