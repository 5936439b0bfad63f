"""Sets inside of classes: larger classes where both losses together are then smaller."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import indistinct as ind
from indistinct.tables.policy.policy import Policy
from indistinct.tables.verification.verify_release import verify
from shared import longer

ROWS = 600


@pytest.fixture(scope="module")
def patients() -> pl.DataFrame:
    years = pl.col("birth_date").cast(pl.String).str.slice(0, 4).cast(pl.Int64)
    frame = ind.sample("patients", rows=ROWS, with_codes=True)
    return frame.select(years.alias("born"), "sex", "codes")


def asked(importance: float, size: int = 2) -> Policy:
    rows = [row[:1] + row[1:3] for row in ind.sample("codes").iter_rows()]
    groups: dict[str, dict[str, list[str]]] = {}
    for code, three, ten in rows:
        groups.setdefault(ten, {}).setdefault(three, []).append(code)
    words = {"role": "quasi-identifier"}
    return Policy.from_words(
        {
            "columns": {
                "born": {**words, "hierarchy": {"intervals": [10, 20]}},
                "sex": words,
                "codes": {
                    **words,
                    "type": "set",
                    "hierarchy": {"tree": groups},
                    "suppression": "occurrences",
                    "importance": importance,
                },
            },
            "models": [
                {"name": "k-anonymity", "k": size},
                {"name": "km-anonymity", "column": "codes", "k": 5, "m": 2},
            ],
            "method": {"algorithm": "local", "max_suppression": 0.1},
        }
    )


def test_codes_of_importance_get_larger_classes(patients: pl.DataFrame) -> None:
    """Where they count for more, classes grow until whole records are found among more others."""
    few = ind.anonymize(patients, asked(0.01), seed=1)
    many = ind.anonymize(patients, asked(20), seed=1)
    assert "least_class" not in few.owner["method"]
    grown = many.owner["method"]["least_class"]
    assert grown in {20, 80, 320}
    assert many.owner["classes"]["smallest"] >= grown
    assert many.owner["sets"]["codes"]["loss"] < few.owner["sets"]["codes"]["loss"]
    assert many.owner["loss"]["ncp"] > few.owner["loss"]["ncp"]
    for release in (few, many):
        proofs = {"manifest": release.manifest, "original": patients}
        assert verify(release.data, release.policy, **proofs).holds


@pytest.mark.parametrize("importance", longer([0.3, 1, 4], [1]))
def test_no_size_of_the_classes_loses_less_together(
    patients: pl.DataFrame, importance: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sum is counted from the manifests of releases whose classes are given from outside."""

    def together(release: Any) -> float:
        of_classes = 2 * release.owner["loss"]["ncp"]
        return of_classes + importance * release.owner["sets"]["codes"]["loss"]

    found = together(ind.anonymize(patients, asked(importance), seed=1))
    monkeypatch.setattr("indistinct.tables.publish.forms.sets.GROWTH", ROWS)
    for size in (5, 20, 80, 320):
        policy = asked(importance, size)
        assert found <= together(ind.anonymize(patients, policy, seed=1)) + 1e-9
