"""Nothing in the manifest of related tables, or beside them, is believed."""

import json
import os
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import indistinct as ind
from forged import forged
from indistinct.related.verify.patterns import SeenRow, choices, patterns_of, steps_of

WORDS: dict[str, Any] = {
    "related": {"people": "patients"},
    "tables": {
        "patients": {"key": "pid", "columns": {"sex": {"role": "quasi-identifier"}}},
        "events": {
            "references": {"pid": "patients"},
            "columns": {
                "icd": {
                    "role": "quasi-identifier",
                    "hierarchy": {"tree": {"F": ["F20", "F21"], "E": ["E10", "E11"]}},
                }
            },
        },
    },
    "models": [
        {"name": "joint-anonymity", "k": 3, "m": 1},
        {"name": "largest-share", "column": "events.icd", "values": ["F"], "share": 0.9},
    ],
    "method": {"max_suppression": 0.2, "max_deleted": 0.5},
}
CODES = ("F20", "F21", "E10", "E11")
TABLES = {
    "patients": pl.DataFrame({"pid": [f"p{n}" for n in range(24)], "sex": ["f", "m"] * 12}),
    "events": pl.DataFrame(
        {
            "pid": [f"p{n}" for n in range(24) for _ in (0, 1)],
            "icd": [CODES[n % 4] for n in range(48)],
        }
    ),
}
IS_FAST = os.environ.get("HYPOTHESIS_PROFILE", "fast") == "fast"
FREE = ("indistinct", "warnings")  # a version; findings, which readers are told of and not promised


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a release, with a crosswalk beside it."""
    out = tmp_path_factory.mktemp("made") / "out"
    ind.anonymize(TABLES, WORDS, seed=1).write(out, crosswalk=out.parent / "rows")
    return out


def test_each_forged_part_is_a_fault_or_named_as_not_examined(folder: Path) -> None:
    """The fast run forges a part once that several entries of a list have."""
    said = json.loads((folder / "manifest.json").read_text())
    assert ind.verify(folder, WORDS, original=TABLES, crosswalk=folder.parent / "rows").holds
    known: set[tuple[str, ...]] = set()
    for place, way, manifest in forged(said):
        kind = (*("#" if part.isdigit() else part for part in place.split(".")), way)
        if place.startswith(FREE) or (IS_FAST and kind in known):
            continue
        known.add(kind)
        verdict = ind.verify(
            folder, WORDS, original=TABLES, crosswalk=folder.parent / "rows", manifest=manifest
        )
        is_fault = verdict.holds is False
        is_open = any(name in place for name in verdict.not_checked)
        assert is_fault or is_open, f"{place} {way}"


def test_a_reader_is_never_told_not_to_publish_an_honest_release(folder: Path) -> None:
    verdict = ind.verify(folder)
    assert verdict.holds is None
    assert "the policy of the owner" in " ".join(verdict.notes)
    assert "related.people.vanished" in verdict.not_checked


def test_a_claim_about_a_chapter_whose_codes_nobody_knows_is_undecided(folder: Path) -> None:
    said = json.loads((folder / "manifest.json").read_text())
    said["policy"]["models"][1]["share"] = said["models"][1]["required"]["share"] = 0.01
    said["models"][1]["achieved"]["share"] = 0.0
    stated = said["statements"]["reached"][1]
    stated["required"]["share"], stated["achieved"]["share"] = 0.01, 0.0
    verdict = ind.verify(folder, manifest=said)
    assert verdict.holds is None
    assert ind.verify(folder, WORDS, manifest=said).holds is False


@pytest.mark.parametrize("name", [".raw", "about.html", "events", "more/"])
def test_whatever_lies_beside_the_tables_is_a_fault(folder: Path, name: str) -> None:
    beside = folder / name
    beside.mkdir() if name.endswith("/") else beside.write_text("F20")
    try:
        (fault,) = ind.verify(folder, WORDS).faults
        assert fault.place == "folder"
        assert "1 files, links or folders" in fault.problem
    finally:
        beside.rmdir() if name.endswith("/") else beside.unlink()


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE MACRO m() AS 'Kaja has F20'",
        "CREATE TYPE t AS ENUM ('Kaja has F20')",
        'CREATE SEQUENCE "Kaja has F20"',
        "COMMENT ON TABLE patients IS 'Kaja has F20'",
        "CREATE VIEW v AS SELECT 'Kaja has F20'",
    ],
)
def test_a_file_of_duckdb_with_other_objects_holds_more(tmp_path: Path, statement: str) -> None:
    duckdb = pytest.importorskip("duckdb")
    address = f"duckdb:///{tmp_path}/out.duckdb?schema=main"
    ind.anonymize(TABLES, WORDS, seed=1).write(address)
    assert ind.verify(address, WORDS).holds
    with duckdb.connect(str(tmp_path / "out.duckdb")) as connection:
        connection.execute(statement)
    problems = [fault.problem for fault in ind.verify(address, WORDS).faults]
    assert any("holds more than the release" in problem for problem in problems)


def test_rows_that_look_the_same_are_one_choice() -> None:
    """3,000 equal rows have as many patterns as three."""
    rows = [SeenRow(7, (), ((0, 7),))] * 3000
    assert len(choices(rows, 3)) == 3
    assert steps_of([((), rows, {})], 3) == (8, 1)
    assert patterns_of(rows, {}, 3, are_flat=True) == patterns_of(rows[:3], {}, 3, are_flat=True)
    different = [SeenRow(n, (), ((0, n),)) for n in range(2000)]
    assert steps_of([((), different, {})], 3) == (1 + 2000 + 1999000 + 1331334000, 2000)


def test_above_the_limit_of_work_a_promise_is_undecided(folder: Path) -> None:
    verdict = ind.verify(folder, WORDS, work=10)
    assert verdict.holds is None
    assert verdict.not_checked == ("models.joint-anonymity", "models.largest-share")
    (note,) = verdict.notes
    assert "--work allows 1.0e+01" in note
    assert "different rows" in note
