"""Whole histories that are alike: whoever knows all events of a person finds k people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hospitals
import indistinct as ind
import visits
from indistinct.errors import PolicyError, VerificationError
from indistinct.related.publish import whole_histories
from indistinct.related.verify.release import verify_related
from indistinct.tables.masks.sets.alike_records import HistoryRecords, alike_groups
from indistinct.tables.masks.sets.generalization_paths import CellLevels


def with_known_numbers(words: dict[str, Any], rows: str) -> dict[str, Any]:
    """Return a policy in which numbers of rows are known, or not."""
    return {**words, "related": {**words["related"], "rows": rows}}


@pytest.mark.parametrize("rows", ["free", "known"])
@pytest.mark.parametrize("seed", range(3))
def test_each_history_is_that_of_k_people(seed: int, rows: str) -> None:
    """Every history, as the cells of all of its events, is had by at least k of the class."""
    tables = hospitals.hospital(seed, 20, 4)
    words = with_known_numbers(hospitals.policy(3, "all"), rows)
    release = ind.anonymize(tables, words, seed=1)
    own = hospitals.histories(release.tables).values()
    counts = Counter((kind, tuple(sorted(events))) for kind, events in own)
    assert min(counts.values()) >= 3
    achieved = {"k": min(counts.values()), "m": "all"}
    assert release.manifest["models"][0]["achieved"] == achieved
    assert release.manifest["related"]["beyond"] == {}
    assert release.tables["events"].height > 0


def seen(rows: Sequence[visits.Row], above: int, unit: int) -> Any:
    """Return what is seen below a row with a released key, or the unit: -1."""
    return sorted(
        (row.label, seen(rows, place, unit) if row.is_released else None)
        for place, row in enumerate(rows)
        if row.unit == unit and visits.nearest_released(rows, place) == above
    )


@pytest.mark.parametrize("released", [*product([False, True], repeat=2)])
@pytest.mark.parametrize("rows", ["free", "known"])
def test_each_history_of_rows_of_rows_is_that_of_k_people(
    released: tuple[bool, ...], rows: str
) -> None:
    for seed in range(2):
        tables = visits.visits(seed, 2, 16, 3)
        words = with_known_numbers(visits.policy(2, released, 2, "all"), rows)
        release = ind.anonymize(tables, words, seed=1)
        true, classes = visits.true_rows(tables, release, released)
        counts = Counter((kind, str(seen(true, -1, unit))) for unit, kind in classes.items())
        assert min(counts.values()) >= 2
        assert release.manifest["models"][0]["achieved"]["k"] == min(counts.values())


def test_only_rows_above_the_least_number_are_left_out() -> None:
    """Rows 1, 1, 1, 2, 3, 7 of one kind: five rows go."""
    owners = [n for n, number in enumerate([1, 1, 1, 2, 3, 7]) for _ in range(number)]
    tables = {
        "patients": pl.DataFrame({"pid": range(6), "sex": "f", "ward": "a"}),
        "events": pl.DataFrame({"eid": range(15), "pid": owners}).with_columns(
            code=pl.lit("E0"), day=pl.lit("2020-01-01"), cost=1
        ),
    }
    release = ind.anonymize(tables, hospitals.policy(2, "all"), seed=1)
    assert release.tables["events"].height == 10
    assert set(release.tables["events"]["code"]) == {"E0"}


def test_the_least_groups_are_of_records_alike() -> None:
    """Groups have k records and a cell that covers all of them; equal records lose nothing."""
    cells = np.array([[0, 1, 2, 3], [4, 4, 5, 5], [6, 6, 6, 6]], np.int32)
    column = CellLevels(cells, np.array([0, 0, 0, 0, 0.4, 0.4, 1.0]), (0, 1, 2), 1.0)
    chance = np.random.default_rng(1)
    for n_records in (3, 7, 20):
        codes = chance.integers(0, 4, (n_records, 2))
        records = HistoryRecords(codes, [column, column])
        groups = list(alike_groups(records, 3))
        assert sorted(np.concatenate([members for members, _ in groups])) == [*range(n_records)]
        for members, shown in groups:
            assert len(members) >= 3
            for at, cell in enumerate(shown.tolist()):
                assert all(cell in cells[:, code] for code in codes[members, at])
    twice = HistoryRecords(np.repeat(np.arange(4), 3)[:, None], [column])
    assert sorted(shown.tolist() for _, shown in alike_groups(twice, 3)) == [[0], [1], [2], [3]]


@pytest.fixture(scope="module")
def made() -> Any:
    tables = hospitals.hospital(1, 40, 5)
    words = hospitals.policy(4, "all")
    return tables, words, ind.anonymize(tables, words, seed=4)


def test_the_attack_finds_nobody_however_many_events_are_known(made: Any) -> None:
    tables, words, release = made
    for item_choice in ("random", "worst", "exact"):
        found = ind.attack(
            release.tables,
            words,
            attack="known-events",
            original=tables,
            crosswalk=release.crosswalk,
            item_choice=item_choice,
            seed=1,
        )
        details = found.answer.details
        assert max(found.answer.found.rate, details["m+1"], details["m+2"]) <= 1 / 4
        assert details["below_k"] == 0
        assert details["original"] > 1 / 4


def test_a_row_that_others_lack_is_found(made: Any) -> None:
    _, words, release = made
    events = release.tables["events"]
    other = pl.when(pl.int_range(pl.len()) == 0).then((pl.col("pid") + 1) % 40).otherwise("pid")
    found = verify_related({**release.tables, "events": events.with_columns(pid=other)}, words)
    assert "models.joint-anonymity" in {fault.place for fault in found.faults}


def _one_each(records: HistoryRecords, k: int) -> Iterator[tuple[Any, Any]]:
    """Yield each record by itself, as a maker would that forgets the others."""
    del k
    for member in range(len(records.codes)):
        members = np.array([member])
        yield members, records.cells(members)


def test_a_maker_of_groups_of_one_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_histories, "alike_groups", _one_each)
    with pytest.raises(VerificationError):
        ind.anonymize(hospitals.hospital(1, 40, 5), hospitals.policy(4, "all"), seed=4)


def test_a_folder_of_whole_histories_is_verified_from_its_files(made: Any, tmp_path: Path) -> None:
    _, _, release = made
    release.write(tmp_path / "out")
    assert ind.verify(tmp_path / "out").holds is True


def test_other_words_for_all_are_refused() -> None:
    with pytest.raises(PolicyError, match='at most 3, or "all"'):
        ind.RelatedPolicy.from_words(hospitals.policy(2, "every"))
