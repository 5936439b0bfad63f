"""Tables whose numbers of rows others know: nobody is left out by the number, or by rows of *."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hospitals
import indistinct as ind
import visits
from indistinct.errors import NoSolutionError
from indistinct.related.publish.known_rows import runs_of_numbers
from indistinct.related.verify.release import verify_related
from indistinct.tables.masks.sets.suppressed_records import StarRows, without_rare_labels


def hospital_policy(k: int, m: int, **said: Any) -> dict[str, Any]:
    """Return a policy of a hospital whose numbers of events are known."""
    return {
        **hospitals.policy(k, m, **said),
        "related": {"people": "patients", "rows": "known"},
    }


def deep_policy(levels: int, released: Sequence[bool], k: int, m: int) -> dict[str, Any]:
    """Return a policy of visits whose numbers are known; half of the people may vanish."""
    return {
        **visits.policy(levels, released, k, m),
        "related": {"people": "patients", "rows": "known"},
        "method": {"max_deleted": 1.0, "max_suppression": 0.5},
    }


def test_as_few_rows_as_possible_are_above_the_least_of_their_run() -> None:
    """Rows 1, 1, 1, 2, 3, 7 in runs of two: five rows go, and no partition cuts fewer."""
    numbers = np.array([1, 1, 1, 2, 3, 7])
    assert cut(numbers, runs_of_numbers(numbers[:, None], 2)) == 5
    chance = random.Random(1)
    for _ in range(20):
        own = np.array([chance.randint(0, 9) for _ in range(7)])
        least = chance.randint(2, 4)
        runs = runs_of_numbers(own[:, None], least)
        assert min(Counter(runs.tolist()).values()) >= least
        assert cut(own, runs) == min(cut(own, np.array(one)) for one in partitions(7, least))


def cut(numbers: Any, runs: Any) -> int:
    """Return the rows above the least number of their run."""
    return sum(int((numbers[runs == run] - numbers[runs == run].min()).sum()) for run in set(runs))


def partitions(size: int, least: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways of dividing units into parts of at least so many."""
    for parts in product(range(size // least), repeat=size):
        if all(count >= least for count in Counter(parts).values()):
            yield parts


def test_several_tables_are_divided_by_all_their_numbers() -> None:
    """Two visits and one test beside one visit and two tests: runs of equals cut nothing."""
    numbers = np.array([[2, 1], [1, 2], [2, 1], [1, 2]])
    runs = runs_of_numbers(numbers, 2)
    assert runs[0] == runs[2] != runs[1] == runs[3]


def with_numbers(tables: Any) -> dict[Any, Any]:
    """Return the histories of released people, with their numbers of rows in their class."""
    return {
        pid: ((kind, len(rows)), rows) for pid, (kind, rows) in hospitals.histories(tables).items()
    }


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("k", "m"), [(2, 1), (2, 2), (3, 2), (2, 3)])
def test_no_attacker_who_knows_the_number_of_events_finds_anybody(
    seed: int, k: int, m: int
) -> None:
    """Of all who show as many rows, nobody explains up to m events of a person better than k do."""
    tables = hospitals.hospital(seed, 16, 3)
    release = ind.anonymize(tables, hospital_policy(k, m), seed=1)
    released = list(with_numbers(release.tables).values())
    least = hospitals.least_alike_units(released, m)
    assert least >= k
    assert release.manifest["models"][0]["achieved"] == {"k": least, "m": m}
    true = hospitals.histories(tables)
    keys = tables["patients"]["pid"].to_list()
    for place, row in enumerate(release.crosswalk["patients"].tolist()):
        alike = [rows for kind, rows in released if kind == released[place][0]]
        for size in range(m + 1):
            for known in combinations(true[keys[row]][1], size):
                own = hospitals._score(released[place][1], known)
                assert sum(hospitals._score(rows, known) >= own for rows in alike) >= k


@pytest.mark.parametrize("released", [*product([False, True], repeat=2)])
@pytest.mark.parametrize("m", [1, 2])
def test_rows_of_rows_have_known_numbers_too(released: tuple[bool, ...], m: int) -> None:
    """Every pattern has k units with as many rows in every table, by its definition."""
    for seed in range(3):
        tables = visits.visits(seed, 2, 14, 3)
        try:
            release = ind.anonymize(tables, deep_policy(2, released, 2, m), seed=1)
        except NoSolutionError:
            continue
        rows, sexes = visits.true_rows(tables, release, released)
        numbers = {unit: Counter(row.table for row in rows if row.unit == unit) for unit in sexes}
        classes = {unit: f"{sex} {sorted(numbers[unit].items())}" for unit, sex in sexes.items()}
        least = visits.least_alike(rows, classes, m)
        assert least >= 2
        assert release.manifest["models"][0]["achieved"]["k"] == least


def drawn_rows(seed: int, n_units: int) -> StarRows:
    """Draw two rows of five kinds for each unit, the last kind showing nothing."""
    chance = np.random.default_rng(seed)
    units = np.repeat(np.arange(n_units), 2)
    none = np.full(len(units), -1, np.int64)
    cells = chance.integers(0, 5, len(units))
    tables = np.zeros(len(units), np.int64)
    return StarRows(units, none, tables, cells, tables + 4, none > 0, np.ones(len(units)))


@pytest.mark.parametrize("m", [1, 2])
def test_rows_of_nothing_count_in_patterns(m: int) -> None:
    """Of 200 draws, none is left with a pattern, one of * among them, that fewer than 3 have."""
    n_vanished = 0
    for seed in range(200):
        rows = drawn_rows(seed, 9)
        found, classes = without_rare_labels(rows, np.arange(9) % 2, 3, m)
        n_vanished += int((classes < 0).sum())
        assert ((found.cells == rows.cells) | (found.cells == 4)).all()
        counts: Counter[Any] = Counter()
        for unit in np.flatnonzero(classes >= 0).tolist():
            own = sorted(found.cells[found.units == unit].tolist())
            for size in range(m + 1):
                counts.update({(classes[unit], part) for part in combinations(own, size)})
        assert min(counts.values()) >= 3
    assert n_vanished == 0


@pytest.fixture(scope="module")
def made() -> Any:
    tables = hospitals.hospital(1, 60, 5)
    words = hospital_policy(3, 2)
    return tables, words, ind.anonymize(tables, words, seed=4)


def is_starred() -> pl.Expr:
    return (pl.col("code") == "*") & (pl.col("day") == "*")


def test_rows_of_nothing_have_no_other_cells(made: Any) -> None:
    _, _, release = made
    events = release.tables["events"]
    starred = events.filter(is_starred())
    assert 0 < starred.height < events.height
    assert starred["cost"].null_count() == starred.height
    n_input = made[0]["events"].height
    lost = 1 - (events.height - starred.height) / n_input
    assert release.figures["events"]["deleted"] == pytest.approx(lost)
    assert release.manifest["related"]["rows_alone"] == 0


def judged(made: Any, events: pl.DataFrame) -> set[str]:
    """Verify a release with other events; return the places of the faults."""
    tables, words, release = made
    found = verify_related(
        {**release.tables, "events": events}, words, original=tables, crosswalk=release.crosswalk
    )
    assert found.holds is False
    return {fault.place for fault in found.faults}


def test_planted_faults_are_found(made: Any) -> None:
    _, _, release = made
    events = release.tables["events"]
    shown = pl.when(is_starred() & is_starred().cum_sum().eq(1)).then(7).otherwise("cost")
    assert "tables.events.columns.cost" in judged(made, events.with_columns(cost=shown))
    is_first = ~is_starred() & (~is_starred()).cum_sum().eq(1)
    hidden = [
        pl.when(is_first).then(pl.lit("*")).otherwise(name).alias(name) for name in ("code", "day")
    ]
    assert "tables.events.columns.cost" in judged(made, events.with_columns(hidden))
    other = (pl.col("pid") + pl.when(pl.int_range(pl.len()) == 0).then(1).otherwise(0)) % 60
    assert "models.joint-anonymity" in judged(made, events.with_columns(pid=other))


def test_a_folder_is_written_and_verified_from_its_files(made: Any, tmp_path: Path) -> None:
    tables, words, release = made
    release.write(tmp_path / "out", crosswalk=tmp_path / "rows")
    assert ind.verify(tmp_path / "out").holds is True
    for name, frame in tables.items():
        (tmp_path / "in").mkdir(exist_ok=True)
        frame.write_csv(tmp_path / "in" / f"{name}.csv")
    found = ind.verify(
        tmp_path / "out", words, original=tmp_path / "in", crosswalk=tmp_path / "rows"
    )
    assert found.holds is True


def test_the_attack_knows_how_many_rows_are_released(made: Any) -> None:
    tables, words, release = made
    found = ind.attack(
        release.tables,
        words,
        attack="known-events",
        original=tables,
        crosswalk=release.crosswalk,
        item_choice="worst",
        seed=1,
    )
    assert found.answer.found.rate <= 1 / 3
    assert found.answer.details["below_k"] == 0
    assert found.answer.details["original"] > 1 / 3
