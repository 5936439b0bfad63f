"""Shifted dates of several tables: one shift per person everywhere, and rows at the edges go."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import indistinct as ind
from hospitals import hospital, least_alike, policy
from indistinct.errors import PolicyError
from indistinct.related.verify.release import verify_related
from indistinct.tables.frames.shifted_days import day_numbers

DAYS = 60
SHIFT = {"name": "date-shift", "days": DAYS}
Tables = dict[str, pl.DataFrame]


def words() -> dict[str, Any]:
    """Return a policy that shifts births, days of events, and when they were seen."""
    said = policy(2, 2, method={"max_deleted": 1.0, "max_suppression": 0.2})
    said["tables"]["patients"]["columns"]["birth"] = {"role": "insensitive", "protect": SHIFT}
    events = said["tables"]["events"]["columns"]
    events["day"]["protect"] = SHIFT
    events["seen"] = {"role": "insensitive", "protect": SHIFT}
    return said


@pytest.fixture(scope="module")
def made() -> tuple[Tables, Any]:
    """Return a hospital of 80 people, and its release."""
    tables = hospital(3, 80, 4)
    births = [f"19{20 + n % 70}-0{1 + n % 9}-11" for n in range(80)]
    tables["patients"] = tables["patients"].with_columns(birth=pl.Series(births).str.to_date())
    tables["events"] = tables["events"].with_columns(seen=pl.col("day") + " 10:11")
    return tables, ind.anonymize(tables, words(), seed=1)


def moved(tables: Tables, release: Any, name: str, column: str) -> dict[str, set[int]]:
    """Return by how many days the dates of a column were moved, per person."""
    rows = pl.Series(release.crosswalk[name])
    before, after = tables[name].select("pid", column)[rows], release.tables[name][column]
    days = day_numbers(after) - day_numbers(before[column])
    found: dict[str, set[int]] = {}
    for pid, by in zip(before["pid"], days.tolist(), strict=True):
        found.setdefault(pid, set()).add(int(by))
    return found


def test_one_shift_per_person_in_all_tables(made: tuple[Tables, Any]) -> None:
    tables, release = made
    births, seen = (
        moved(tables, release, "patients", "birth"),
        moved(tables, release, "events", "seen"),
    )
    assert all(births[pid] == own and len(own) == 1 for pid, own in seen.items())
    assert len({next(iter(own)) for own in births.values()}) > 10
    assert max(abs(by) for own in births.values() for by in own) <= DAYS


def test_rows_at_the_edges_are_left_out_and_the_promise_is_of_shifted_labels(
    made: tuple[Tables, Any],
) -> None:
    tables, release = made
    true, shown = (
        day_numbers(tables["events"]["seen"]),
        day_numbers(release.tables["events"]["seen"]),
    )
    assert min(shown) >= min(true) + DAYS
    assert max(shown) <= max(true) - DAYS
    assert least_alike(release.tables, 2) >= 2
    assert release.figures["events"]["deleted"] > 0


def test_who_knows_a_true_date_is_counted_by_the_nearest_shown_one(
    made: tuple[Tables, Any],
) -> None:
    """Plainly: all people of a class whose shown day is as near to the true one as her own is."""
    tables, release = made
    people, events = release.tables["patients"], release.tables["events"]
    classes = dict(zip(people["pid"], people["sex"], strict=True))
    true = day_numbers(tables["events"]["seen"].gather(pl.Series(release.crosswalk["events"])))
    rows = list(zip(events["pid"], day_numbers(events["seen"]), true, strict=True))
    alone, few = set(), set()
    for pid, shown, own in rows:
        near = {
            other
            for other, day, _ in rows
            if classes[other] == classes[pid] and abs(day - own) <= abs(shown - own)
        }
        alone |= {pid} if len(near) == 1 else set()
        few |= {pid} if len(near) < 2 else set()
    said = release.statements.risk["further"]["columns"]
    assert said["events.seen"] == {
        "alone": len(alone),
        "below_k": len(few),
        "of": people.height,
        "needs": ["crosswalk"],
    }
    assert "events.seen" not in release.manifest["statements"]["risk"]["further"]["columns"]
    blind = verify_related(release.tables, words()).statements
    assert "not_examined" in blind.risk["further"]["columns"]["events.seen"]


def judged(made: tuple[Tables, Any], events: pl.DataFrame) -> str:
    """Verify other events beside the input; return what is wrong."""
    tables, release = made
    found = verify_related(
        {**release.tables, "events": events},
        words(),
        original=tables,
        crosswalk=release.crosswalk,
    )
    return "; ".join(fault.problem for fault in found.faults)


def test_planted_faults_are_found(made: tuple[Tables, Any]) -> None:
    tables, release = made
    events = release.tables["events"]
    assert judged(made, events) == ""
    first = pl.int_range(pl.len()) == 0
    other = pl.when(first).then(pl.lit("2020-07-01 10:11")).otherwise("seen")
    assert "1 people have dates that no shift" in judged(made, events.with_columns(seen=other))
    true = tables["events"]["seen"].gather(pl.Series(release.crosswalk["events"]))
    assert "no shift of at most 60 days" in judged(made, events.with_columns(seen=true))
    edge = pl.when(first).then(pl.lit("2020-01-02 10:11")).otherwise("seen")
    assert "has 1 cells at its edges" in judged(made, events.with_columns(seen=edge))
    clock = pl.col("seen").str.replace("10:11", "10:12")
    assert "are no shifted dates of their rows" in judged(made, events.with_columns(seen=clock))


def test_rows_below_a_row_at_the_edge_go_with_it() -> None:
    """Visits on the first days are left out, and so are their diagnoses."""
    days = [f"2020-{1 + n % 12:02d}-15" for n in range(48)]
    tables = {
        "patients": pl.DataFrame({"pid": [f"p{n}" for n in range(24)], "sex": "f"}),
        "visits": pl.DataFrame(
            {
                "vid": [f"v{n}" for n in range(48)],
                "day": days,
                "pid": [f"p{n % 24}" for n in range(48)],
            }
        ),
        "diagnoses": pl.DataFrame({"code": "E", "vid": [f"v{n}" for n in range(48)]}),
    }
    columns = {
        "patients": {"sex": {"role": "quasi-identifier"}},
        "visits": {"day": {"role": "insensitive", "protect": SHIFT}},
        "diagnoses": {"code": {"role": "quasi-identifier"}},
    }
    said = {
        "related": {"people": "patients"},
        "tables": {
            "patients": {"key": "pid", "columns": columns["patients"]},
            "visits": {
                "key": "vid",
                "references": {"pid": "patients"},
                "columns": columns["visits"],
            },
            "diagnoses": {"references": {"vid": "visits"}, "columns": columns["diagnoses"]},
        },
        "models": [{"name": "joint-anonymity", "k": 2, "m": 1}],
        "method": {"max_deleted": 1.0},
    }
    release = ind.anonymize(tables, said, seed=2)
    n_visits = release.tables["visits"].height
    assert 0 < n_visits < 48
    assert release.tables["diagnoses"].height <= n_visits
    kept = {*release.crosswalk["visits"].tolist()}
    assert {*release.crosswalk["diagnoses"].tolist()} <= kept


def test_shifts_that_differ_and_other_masks_are_refused() -> None:
    said = words()
    said["tables"]["events"]["columns"]["seen"]["protect"] = {**SHIFT, "days": 7}
    said["tables"]["events"]["columns"]["cost"]["protect"] = {"name": "round", "base": 10}
    with pytest.raises(PolicyError) as raised:
        ind.RelatedPolicy.from_words(said)
    assert {fault.place for fault in raised.value.faults} == {
        "tables.events.columns.seen.protect",
        "tables.events.columns.cost.protect",
    }
