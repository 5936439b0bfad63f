"""References meet the keys of another table by their value, whatever the types of both."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import LinksError

N_PEOPLE = 12
WORDS: dict[str, Any] = {
    "related": {"people": "people"},
    "tables": {
        "people": {"key": "id", "columns": {"sex": {"role": "quasi-identifier"}}},
        "events": {
            "references": {"id": "people"},
            "columns": {"code": {"role": "quasi-identifier"}},
        },
    },
    "models": [{"name": "joint-anonymity", "k": 3, "m": 1}],
}


def tables(keys: pl.Series, references: pl.Series) -> dict[str, pl.DataFrame]:
    """Return people, and an event of each."""
    people = pl.DataFrame([keys.alias("id"), pl.Series("sex", ["f", "m"] * 6)])
    return {
        "people": people,
        "events": pl.DataFrame([references.alias("id"), pl.Series("code", ["a", "b"] * 6)]),
    }


def numbered(kind: pl.DataType) -> pl.Series:
    """Return the numbers of the people in a type."""
    return pl.Series(range(N_PEOPLE)).cast(kind)


@pytest.mark.parametrize("keys", [pl.Int64(), pl.Float64(), pl.String(), pl.Decimal(8, 2)])
@pytest.mark.parametrize("references", [pl.Int32(), pl.Float32(), pl.String(), pl.Decimal(8, 1)])
@pytest.mark.parametrize("new", ["random", "pseudonym"])
def test_references_join_by_value(
    keys: pl.DataType, references: pl.DataType, new: str, tmp_path: Any
) -> None:
    given = tables(numbered(keys), numbered(references))
    words = {**WORDS, "related": {"people": "people", "keys": new}}
    if new == "pseudonym":
        words["related"]["key"] = str(tmp_path / "secret.key")

    release = ind.anonymize(given, words, seed=1)

    assert release.tables["events"].height == N_PEOPLE
    found = ind.verify(release.tables, words, original=given, crosswalk=release.crosswalk)
    assert found.holds, found


def test_a_key_with_leading_zeros_is_another_one() -> None:
    texts = pl.Series([f"{number:03d}" for number in range(N_PEOPLE)])

    with pytest.raises(LinksError, match="differ from a key by zeros alone"):
        ind.anonymize(tables(numbered(pl.Int64()), texts), WORDS)


@pytest.mark.parametrize("other", ["p1 ", "p\u200b1", "\uff501", "p1\u00a0"])
def test_two_people_whose_keys_read_alike_are_refused_with_their_rows(other: str) -> None:
    keys = ["p1", other, *(f"p{n}" for n in range(2, N_PEOPLE))]
    with pytest.raises(
        LinksError, match="2 rows have a key of id that reads like another's"
    ) as raised:
        ind.anonymize(tables(pl.Series(keys), pl.Series(keys)), WORDS)
    assert "rows 1, 2" in str(raised.value)
    assert other not in str(raised.value)


def test_keys_that_differ_by_case_are_two_people() -> None:
    keys = ["P1", *(f"p{n}" for n in range(1, N_PEOPLE))]
    ind.anonymize(tables(pl.Series(keys), pl.Series(keys)), WORDS)
