"""Codes whose labels read alike are one value wherever values are counted."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

import indistinct as ind

LABELS = {1.0: "HIV", 2.0: "flu", 3.0: "Hiv ".replace("iv", "IV")}


def _survey(folder: Path, ending: str) -> Path:
    """Write a survey in which the young have codes 1 and 3 alone, which both say HIV."""
    rows = [(20.0, 1.0 + 2 * (n % 2)) for n in range(20)] + [(30.0, 1.0 + n % 2) for n in range(20)]
    frame = pd.DataFrame(rows, columns=["age", "ill"])
    path = folder / f"in.{ending}"
    write = pyreadstat.write_sav if ending == "sav" else pyreadstat.write_dta
    if ending == "dta":
        frame["ill"] = frame["ill"].astype("int32")
    labels = {code if ending == "sav" else int(code): label for code, label in LABELS.items()}
    write(frame, str(path), variable_value_labels={"ill": labels})
    return path


def _policy(max_suppression: float) -> ind.Policy:
    """Ask for two different illnesses in each class."""
    return ind.Policy.from_words({
        "columns": {
            "age": {"role": "quasi-identifier", "max_level": 0},
            "ill": {"role": "sensitive"},
        },
        "models": [
            {"name": "k-anonymity", "k": 5},
            {"name": "distinct-l-diversity", "column": "ill", "l": 2},
        ],
        "method": {"algorithm": "optimal", "max_suppression": max_suppression},
    })  # fmt: skip


@pytest.mark.parametrize("ending", ["sav", "dta"])
def test_a_class_of_two_codes_with_one_label_is_not_diverse(ending: str, tmp_path: Path) -> None:
    data = _survey(tmp_path, ending)
    with pytest.raises(ind.NoSolutionError):
        ind.anonymize(data, _policy(0.0))


@pytest.mark.parametrize("ending", ["sav", "dta", "csv"])
def test_verification_counts_labels_as_well(ending: str, tmp_path: Path) -> None:
    data, policy = _survey(tmp_path, "dta" if ending == "dta" else "sav"), _policy(0.5)
    out = tmp_path / f"out.{ending}"
    release = ind.anonymize(data, policy)
    release.write(out)
    assert len(release.data) == 20
    assert ind.verify(out, policy=policy, original=data).holds
    assert ind.verify(out, policy=policy).holds
    young = ind.verify(data, policy=policy)
    assert young.holds is False
