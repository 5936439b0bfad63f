"""A column can be left out without being called an identifier."""

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import PolicyError

TABLE = pl.DataFrame(
    {
        "age": [20 + n % 30 for n in range(120)],
        "patient": [f"P{n % 30:04}" for n in range(120)],
    }
)


def policy(role, **more):
    columns = {"age": {"role": "quasi-identifier"}, "patient": {"role": role, **more}}
    return ind.Policy.from_words({"columns": columns, "models": [{"name": "k-anonymity", "k": 3}]})


def test_it_is_not_released_and_its_repeats_tell_nothing_of_people(tmp_path):
    release = ind.anonymize(TABLE, policy("left-out"))
    assert release.frame.columns == ["age"]
    assert "repeated-identifier" not in {one["code"] for one in release.warnings}
    release.write(tmp_path / "release.csv")
    assert ind.verify(tmp_path / "release.csv", policy("left-out"), original=TABLE).holds
    as_identifier = ind.anonymize(TABLE, policy("identifier"))
    assert "repeated-identifier" in {one["code"] for one in as_identifier.warnings}


def test_no_mask_brings_it_back():
    with pytest.raises(PolicyError, match="does not fit the role"):
        policy("left-out", protect="pseudonym")
