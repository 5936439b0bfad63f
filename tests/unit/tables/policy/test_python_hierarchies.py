"""Hierarchies in Python: a mapping, a frame or a function of a value, met by meaning."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import indistinct as ind

LEVELS = {"2.5": "low", "6": "high", "7.5": "high"}


def _dosed(doses: Any) -> pd.DataFrame:
    """Return records with doses, some too rare without their labels."""
    return pd.DataFrame({"dose": doses, "sex": ["f", "m"] * 30, "ill": ["flu", "cold"] * 30})


def _released(frame: Any, hierarchy: object, k: int = 20) -> ind.Release[Any]:
    """Release records by a hierarchy of doses."""
    return ind.anonymize(
        frame,
        quasi_identifiers=["dose"],
        sensitive=["ill"],
        insensitive=["sex"],
        k=k,
        hierarchies={"dose": hierarchy},
        algorithm="optimal",
    )


FLOATS = [6.0, 2.5, 7.5, 2.5] * 15


@pytest.mark.parametrize(
    "given",
    [
        {6.0: "high", 2.5: "low", 7.5: "high"},
        {6: ["high"], Decimal("2.50"): ["low"], "7.5": ["high"]},
        {"06": "high", "2.5e0": "low", "7.50": "high"},
        {np.float64(6): "high", np.float32(2.5): "low", 7.5: "high"},
        pd.DataFrame({"dose": [6.0, 2.5, 7.5], "group": ["high", "low", "high"]}),
        pl.DataFrame({"dose": ["6", "2.5", "7.5"], "group": ["high", "low", "high"]}),
        lambda dose: "low" if dose < 5 else "high",
    ],
)
def test_all_ways_to_give_labels_release_the_same(given: object, tmp_path: Path) -> None:
    release = _released(_dosed(FLOATS), given)
    assert set(release.data["dose"]) == {"low", "high"}
    release.write(tmp_path / "out.csv")
    listed = _released(_dosed(FLOATS), {6: "high", 2.5: "low", 7.5: "high"})
    listed.write(tmp_path / "listed.csv")
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "listed.csv").read_bytes()
    assert ind.verify(tmp_path / "out.csv").holds


def test_a_policy_has_the_rows_and_reads_them_again(tmp_path: Path) -> None:
    policy = ind.Policy.from_keywords(
        quasi_identifiers=["dose", "sex"], k=15, hierarchies={"dose": {6.0: "high", 2.5: "low"}}
    )
    policy.save(tmp_path / "policy.toml")
    assert ind.Policy.load(tmp_path / "policy.toml").columns == policy.columns


def test_rows_of_a_policy_file_may_be_numbers_dates_and_truths() -> None:
    moment = datetime.fromisoformat("2024-05-01T13:05")
    rows = [[6.50, "a"], [date(2024, 5, 1), "b"], [moment, "c"], [True, "d"]]
    column = {"role": "quasi-identifier", "hierarchy": {"rows": rows}}
    words = {"columns": {"x": column}, "models": [{"name": "k-anonymity", "k": 2}]}
    rule = ind.Policy.from_words(words).columns["x"].hierarchy
    assert rule is not None
    assert rule.rows == (
        ("6.5", "a"),
        ("2024-05-01", "b"),
        ("2024-05-01T13:05:00", "c"),
        ("true", "d"),
    )


def test_a_function_is_asked_once_for_each_value() -> None:
    asked: list[object] = []

    def decade(dose: float) -> list[str]:
        asked.append(dose)
        return ["low" if dose < 5 else "high", "*"]

    _released(_dosed(FLOATS), decade)
    assert sorted(asked) == [2.5, 6.0, 7.5]


def test_a_function_is_asked_for_dates_as_dates() -> None:
    days = pl.Series([date(2024, 5, 1), date(2024, 6, 1), None, None] * 15)
    frame = pl.DataFrame({"dose": days, "sex": ["f", "m"] * 30, "ill": ["flu", "cold"] * 30})
    release = _released(frame, lambda day: f"{day:%Y}")
    assert "2024" in set(release.data["dose"])


def test_a_function_that_fails_says_no_value() -> None:
    def fails(dose: float) -> str:
        raise KeyError(dose)

    with pytest.raises(ind.PolicyError, match="the function failed with KeyError") as raised:
        _released(_dosed(FLOATS), fails)
    assert "2.5" not in str(raised.value)


def test_a_policy_alone_takes_no_function() -> None:
    with pytest.raises(ind.PolicyError, match="is a function") as raised:
        ind.Policy.from_keywords(quasi_identifiers=["dose"], k=2, hierarchies={"dose": str})
    assert "anonymize" in str(raised.value)


@pytest.mark.parametrize(
    "given", [{"low": [2.5], "high": [6.0, 7.5]}, {"low": [2.5, 7.5], "high": [6.0, 6.0]}]
)
def test_groups_of_values_are_a_tree(given: dict[str, list[float]]) -> None:
    with pytest.raises(ind.IndistinctError, match=r"ind\.tree"):
        _released(_dosed(FLOATS), given)


def test_labels_as_keys_are_told_from_values() -> None:
    with pytest.raises(ind.HierarchyError, match=r"ind\.tree"):
        _released(_dosed(FLOATS), {"low": [2.5], "middle": [6.0], "high": [7.5]})


def test_a_misspelt_word_of_a_rule_stays_one() -> None:
    with pytest.raises(ind.PolicyError, match="intervals"):
        _released(_dosed(FLOATS), {"interval": [5]})


def test_a_value_is_one_cell() -> None:
    with pytest.raises(ind.PolicyError, match="of the type tuple"):
        _released(_dosed(FLOATS), {(1, 2): "low"})


def test_words_for_a_missing_value_may_be_numbers_and_dates() -> None:
    words = {
        "columns": {"dose": {"role": "quasi-identifier"}},
        "models": [{"name": "k-anonymity", "k": 2}],
    }
    policy = ind.Policy.from_words({**words, "data": {"missing": ["", -9.0, date(1900, 1, 1)]}})
    assert policy.data.missing == ("", "-9", "1900-01-01")
