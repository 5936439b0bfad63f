"""Frames whose texts are held as places in a list of texts say the same as frames of texts."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from indistinct.engines import cell_texts
from indistinct.engines.cell_texts import as_texts, coded, coded_names, may_be_coded
from indistinct.policy.policy import Policy
from indistinct.publish.anonymize import draft_release
from indistinct.reader.verify.numbered import numbered

POLICY = {
    "columns": {
        "place": {"role": "quasi-identifier", "hierarchy": {"mask": 3}},
        "sex": {"role": "quasi-identifier", "max_level": 0},
        "age": {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20]}},
        "illness": {"role": "sensitive"},
        "note": {"role": "insensitive"},
    },
    "models": [{"name": "k-anonymity", "k": 3}],
    "method": {"algorithm": "optimal", "max_suppression": 0.2},
}


def made_up(n_rows: int = 400) -> pl.DataFrame:
    """Make up a table with texts that repeat, one that is missing, and texts that do not repeat."""
    rows = range(n_rows)
    return pl.DataFrame(
        {
            "place": [f"{(row * 7919) % 23:03d}" for row in rows],
            "sex": ["a text of more than twelve bytes" if row % 3 else "f" for row in rows],
            "age": [20 + (row * row) % 60 for row in rows],
            "illness": ["", "asthma", "flu", "none"] * (n_rows // 4),
            "note": [f"{row * 7919 % 1009} was here" for row in rows],
        }
    )


def test_columns_of_repeated_texts_are_coded_and_come_back() -> None:
    frame = made_up().with_columns(pl.col("illness").replace("", None))

    held = coded(frame)

    assert coded_names(held) == ("place", "sex", "illness")
    assert held.schema["note"] == pl.String
    assert as_texts(held, coded_names(held)).equals(frame)


def test_small_tables_and_categories_of_the_owner_are_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert not may_be_coded(made_up())
    monkeypatch.setattr(cell_texts, "MANY_RECORDS", 0)
    assert may_be_coded(made_up())
    assert not may_be_coded(made_up().cast({"sex": pl.Categorical}))


@pytest.mark.parametrize("ending", ["csv", "parquet", "arrow"])
@pytest.mark.parametrize("algorithm", ["optimal", "local"])
def test_a_release_held_as_places_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, algorithm: str
) -> None:
    monkeypatch.setattr(cell_texts, "MANY_RECORDS", 0)
    made_up().write_csv(tmp_path / "data.csv")
    policy = Policy.from_words(POLICY).with_words({"method": {"algorithm": algorithm}})
    frames: list[pl.DataFrame] = []
    documents: list[object] = []
    for spares in (False, True):
        release = draft_release(str(tmp_path / "data.csv"), policy, seed=5, spares_memory=spares)
        assert bool(release.coded) == spares
        path = tmp_path / f"release-{spares}.{ending}"
        release.write(path, owner=tmp_path / "owner.json", crosswalk=tmp_path / "rows.csv")
        frames.append(FORMS[ending](path))
        documents.append((release.exact.records, release.exact.loss, release.exact.classes))
        assert list(release.verified().crosswalk) == list(release.crosswalk)

    assert frames[0].equals(frames[1])
    assert frames[0].schema == frames[1].schema
    assert documents[0] == documents[1]
    if ending != "arrow":  # whose texts lie in memory in one order or another
        first, second = (tmp_path / f"release-{spares}.{ending}" for spares in (False, True))
        assert first.read_bytes() == second.read_bytes()


FORMS = {"csv": pl.read_csv, "parquet": pl.read_parquet, "arrow": pl.read_ipc}


@pytest.mark.parametrize("categories", [["b", "a", "c"], ["never", "c", "b", "a"]])
def test_categories_are_numbered_as_their_texts_are(categories: list[str]) -> None:
    column = pl.Series("x", ["a", "b", "a", "c"], dtype=pl.Enum(categories))

    found = numbered(column)

    assert found.values.gather(pl.Series(found.codes)).to_list() == ["a", "b", "a", "c"]
    assert sorted(found.values.to_list()) == ["a", "b", "c"]
