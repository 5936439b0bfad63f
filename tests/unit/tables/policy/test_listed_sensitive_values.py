"""Lists of sensitive columns: what reads alike is one value, also in the list."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import indistinct as ind

ILL = ["F20", "F20 ", "F21", "\uff26\uff12\uff11"] * 10


def _policy(rows: list[list[str]]) -> dict[str, object]:
    """Promise t-closeness over a list of a sensitive column."""
    return {
        "columns": {
            "sex": {"role": "quasi-identifier"},
            "ill": {"role": "sensitive", "hierarchy": {"rows": rows}},
        },
        "models": [
            {"name": "k-anonymity", "k": 2},
            {"name": "t-closeness", "column": "ill", "t": 0.5, "distance": "hierarchical"},
        ],
    }


def test_rows_that_read_alike_with_one_path_are_one(tmp_path: Path) -> None:
    frame = pl.DataFrame({"sex": ["f", "m"] * 20, "ill": ILL})
    policy = _policy([["F20 ", "F2"], ["F20", "F2"], ["F21", "F2"], ["E10", "E1"]])
    ind.anonymize(frame, policy).write(tmp_path / "out.csv")
    words = ind.Policy.from_words(policy)
    assert ind.verify(tmp_path / "out.csv", policy=words, original=frame).holds
    assert ind.verify(tmp_path / "out.csv", policy=words).holds


def test_rows_that_read_alike_with_two_paths_are_refused() -> None:
    frame = pl.DataFrame({"sex": ["f", "m"] * 20, "ill": ILL})
    policy = _policy([["F20", "F2"], ["F20 ", "X"], ["F21", "F2"]])
    with pytest.raises(ind.HierarchyError, match="row 1 again in row 2"):
        ind.anonymize(frame, policy)


@pytest.mark.parametrize(
    ("kind", "cells", "shown"),
    [
        ("truth", ["TRUE", "false", "True", "no"], {"true", "false", ""}),
        (
            "moment",
            ["01.02.2024 10:05", "25.02.2024 11:00"],
            {"2024-02-01T10:05:00", "2024-02-25T11:00:00"},
        ),
    ],
)
def test_declared_moments_and_truths_are_read_as_such(
    kind: str, cells: list[str], shown: set[str], tmp_path: Path
) -> None:
    lines = [f"{cell},x" for cell in cells for _ in range(3)]
    (tmp_path / "in.csv").write_text("\n".join(["seen,ill", *lines]) + "\n", encoding="utf-8")
    seen = {"role": "quasi-identifier", "type": kind, "unreadable": "missing"}
    columns = {"seen": seen, "ill": {"role": "insensitive"}}
    policy = {"columns": columns, "models": [{"name": "k-anonymity", "k": 2}]}
    ind.anonymize(tmp_path / "in.csv", policy).write(tmp_path / "out.csv")
    read = pl.read_csv(tmp_path / "out.csv", infer_schema=False)["seen"].fill_null("")
    assert set(read) == shown
    words = ind.Policy.from_words(policy)
    assert ind.verify(tmp_path / "out.csv", policy=words, original=tmp_path / "in.csv").holds
