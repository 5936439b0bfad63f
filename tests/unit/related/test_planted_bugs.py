"""Makers with a bug planted into them: the independent verification refuses what they make."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import polars as pl
import pytest

import hospitals
import indistinct as ind
import visits
from indistinct.base.arrays import Bools, Ints
from indistinct.errors import VerificationError
from indistinct.related.publish import (
    history,
    new_keys,
    release as release_module,
    search,
    starring,
    tables as tables_module,
)
from indistinct.related.publish.history import RowHistory, flat_history
from indistinct.tables.masks.sets import listed_patterns, patterns
from indistinct.tables.masks.sets.listed_patterns import GroupedRows
from indistinct.tables.masks.sets.patterns import Instances, PatternCounts, Rows

Tables = dict[str, pl.DataFrame]
Cases = Callable[[], Iterator[tuple[Tables, dict[str, Any]]]]
Replaced = Sequence[tuple[Any, str, Any]]  # owner, name, what stands there instead
PATTERNS = "models.joint-anonymity"
ALL_INSTANCES = RowHistory.instances
ALL_NEEDS = listed_patterns.with_needs
NUMBERED = listed_patterns._numbered
REQUIREMENTS = listed_patterns._requirements
WRITTEN = release_module.released_rows
LEFT_OUT = search.without_rare
N_PEOPLE = 60
KEYS = np.random.default_rng(3).permutation(N_PEOPLE)


def _without_visits(history: RowHistory, m: int, most: int | None = None) -> tuple[Rows, Instances]:
    """Return the patterns as if no row belonged to another one."""
    flat = flat_history(np.arange(0), history.units, history.labels, history.saved)
    rows, instances = ALL_INSTANCES(flat, m, most)
    return replace(rows, parents=history.parents), instances


def _without_needs(rows: GroupedRows, members: Ints) -> tuple[Ints, Ints]:
    """Return choices of rows as if known rows did not bring the rows above them."""
    shape = (*members.shape, rows.above.shape[1])
    return np.arange(len(members)), np.zeros(shape, np.int8)


def _most_needs_alone(rows: GroupedRows, members: Ints) -> tuple[Ints, Ints]:
    """Return choices with all rows above that they may need, as if nobody knew of fewer."""
    places, needs = ALL_NEEDS(rows, members)
    order = np.lexsort((needs.sum(axis=(1, 2)), places))
    is_last = np.append(np.diff(places[order]) > 0, True)[: len(order)]
    return places[order[is_last]], needs[order[is_last]]


def _needs_in_the_unit(rows: GroupedRows, members: Ints) -> tuple[Ints, Ints]:
    """Return choices with the rows above that the whole unit has, wherever they are."""
    kinds = np.unique(np.column_stack([rows.units, rows.labels]), axis=0, return_inverse=True)[1]
    kinds = kinds.reshape(-1)
    sizes = np.bincount(kinds, rows.sizes).astype(np.int64)[kinds]
    return ALL_NEEDS(replace(rows, of_row=np.repeat(np.arange(len(sizes)), sizes)), members)


def _requirements_at_hand(rows: GroupedRows, members: Ints, needs: Ints) -> tuple[Ints, Ints]:
    """Return requirements of no more rows than there are."""
    groups, copies = REQUIREMENTS(rows, members, needs)
    return groups, np.minimum(copies, rows.sizes[groups])


def _without_copies(size: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways of choosing rows as if no two of them were alike."""
    yield (1,) * size


def _without_others_below(rows: GroupedRows, members: Ints, needs: Ints) -> Ints:
    """Return patterns as if nobody knew whether an event belongs to a known visit."""
    itself = rows.above == np.arange(len(rows.units))[:, None]
    return NUMBERED(replace(rows, above=np.where(itself, -1, rows.above)), members, needs)


def _all_taken_back(rows: Rows, counter: PatternCounts, kept: Bools, k: int) -> bool:
    """Restore rows of labels that k units have, whatever patterns they complete."""
    groups = np.unique(rows.groups[kept])
    is_known = np.isin(rows.groups, groups) & ((rows.parents < 0) | kept[rows.parents])
    is_any = bool((is_known & ~kept).any())
    kept |= is_known
    del counter, k
    return is_any


def _all_rows(tables: Any, classes: Any) -> list[Any]:
    """Return all rows, whatever the numbers of the others are."""
    return [classes[table.attached.units] >= 0 for table in tables.row_tables]


def _without_counting_stars(rows: Any, classes: Any, k: int, m: int) -> tuple[Any, Any]:
    """Return rows as they are, as if those of * were no label."""
    del k, m
    return rows, classes


def _with_rows_of_the_vanished(tables: Any, found: Any, classes: Ints) -> Any:
    """Return rows, those of people who vanish among them, showing nothing."""
    return tuple(
        replace(
            rows,
            cells=np.where(is_gone[:, None], table.stars, rows.cells),
            labels=np.where(is_gone, 0, rows.labels),
        )
        for table, rows in zip(tables.row_tables, LEFT_OUT(tables, found, classes), strict=True)
        for is_gone in [classes[table.attached.units] < 0]
    )


def _labels_without_classes(table: Any, classes: Ints, found: Sequence[Any]) -> Ints:
    """Return the label of the row above, or the class of the unit, whose numbers are the same."""
    units, parents = table.attached.units, table.attached.parents
    labels = np.concatenate([*(one.labels for one in found), [-1]])
    return np.where(parents >= 0, labels[parents], np.where(units >= 0, classes[units], -1))


def _keys_in_the_order_of_rows(chance: Any, name: str, rows: Ints, n_rows: int) -> Ints:
    """Return keys that number the rows in their order."""
    del chance, name
    keys = np.full(n_rows, -1, np.int64)
    keys[np.sort(rows)] = np.arange(len(rows))
    return keys


def _keys_of_the_input(chance: Any, name: str, rows: Ints, n_rows: int) -> Ints:
    """Return the keys that the people have in the input."""
    del chance, name
    keys = np.full(n_rows, -1, np.int64)
    keys[rows] = KEYS[rows]
    return keys


def _written_with_keys_of_its_own(*given: Any, **said: Any) -> Any:
    """Write a table whose references to people are shuffled once more."""
    frame, rows, cells, keys, *rest = given
    others = {name: (own + 1) % N_PEOPLE for name, own in keys.items()}
    return WRITTEN(frame, rows, cells, others if cells else keys, *rest, **said)


@dataclass(frozen=True)
class Bug:
    """A bug, and where it shows.

    Parameters
    ----------
    replaced : what the careless maker has instead
    cases : draws tables and their policy
    place, words : of the fault that verification finds
    """

    replaced: Replaced
    cases: Cases
    place: str = PATTERNS
    words: str = "are had by"


@cache
def _drawn_visits(*released: bool) -> Cases:
    """Return eight hospitals of 40 people with visits and diagnoses."""
    return lambda: (
        (visits.visits(seed, 2, 40, 3), visits.policy(2, released, 3, 2)) for seed in range(8)
    )


def _two_notes_of_one_visit() -> Iterator[tuple[Tables, dict[str, Any]]]:
    """Make up people of whom one has two notes on two diagnoses of one visit, the others on one.

    All have a visit with a diagnosis, and one with two diagnoses of the same code.
    """
    noted: list[list[list[str]]] = [[["x1", "y1"], [], []], [["x1"], ["y1"], []]]
    in_visit = [[0, 1, 1], [0, 0, 1]]
    stays, seen, notes = [], [], []
    for unit, kind in enumerate([0, 0, 0, 1]):
        stays += [("2020-01-01", 0, f"p{unit}", f"v{unit}.{n}") for n in range(2)]
        for number, visit in enumerate(in_visit[kind]):
            diagnosis = f"d{unit}.{number}"
            seen.append(("E0", 0, f"v{unit}.{visit}", diagnosis))
            notes += [(text, 0, diagnosis) for text in noted[kind][number]]
    tables = {
        "patients": pl.DataFrame({"pid": [f"p{n}" for n in range(4)], "sex": "f"}),
        "visits": pl.DataFrame(stays, schema=["day", "cost", "pid", "vid"], orient="row"),
        "diagnoses": pl.DataFrame(seen, schema=["code", "cost", "vid", "did"], orient="row"),
        "notes": pl.DataFrame(notes, schema=["kind", "cost", "did"], orient="row"),
    }
    words = visits.policy(3, (True, False, False), 2, 2)
    del words["tables"]["notes"]["key"]
    yield tables, words


def _hospital(rows: str = "free", **said: Any) -> Iterator[tuple[Tables, dict[str, Any]]]:
    """Make up a hospital of 60 people."""
    tables = hospitals.hospital(1, N_PEOPLE, 5)
    words = hospitals.policy(3, 2, related={"people": "patients", "rows": rows}, **said)
    yield tables, words


def _hospital_with_one_man() -> Iterator[tuple[Tables, dict[str, Any]]]:
    """Make up a hospital of 60 people, the only man of whom vanishes."""
    for tables, words in _hospital(method={"max_suppression": 0.1, "max_deleted": 1.0}):
        is_man = pl.col("pid") == tables["events"]["pid"][0]
        sex = pl.when(is_man).then(pl.lit("m")).otherwise(pl.lit("f")).alias("sex")
        words["tables"]["patients"]["columns"]["sex"]["max_level"] = 0
        yield {**tables, "patients": tables["patients"].with_columns(sex)}, words


def _hospital_with_numbers() -> Iterator[tuple[Tables, dict[str, Any]]]:
    """Make up a hospital whose keys are the numbers from 0 on, in no order."""
    for tables, words in _hospital():
        numbers = dict(zip(tables["patients"]["pid"], KEYS.tolist(), strict=True))
        named = {
            name: frame.with_columns(pl.col("pid").replace_strict(numbers, return_dtype=pl.Int64))
            for name, frame in tables.items()
        }
        yield named, words


IN_INPUT_ORDER = (tables_module, "secret_order", lambda frame, *_: np.arange(frame.height))
KEEPS = "keeps the keys or the order of the input"
PLANTED = {
    "copies counted once": Bug(
        [(listed_patterns, "shapes", _without_copies)], _drawn_visits(False, False)
    ),
    "visits ignored": Bug([(RowHistory, "instances", _without_visits)], _drawn_visits(True, True)),
    "rows above of hidden keys ignored": Bug(
        [(listed_patterns, "with_needs", _without_needs)], _drawn_visits(False, False)
    ),
    "needed rows counted in the unit": Bug(
        [
            (listed_patterns, "with_needs", _needs_in_the_unit),
            (listed_patterns, "_requirements", _requirements_at_hand),
        ],
        _two_notes_of_one_visit,
    ),
    "units with more needed rows not counted": Bug(
        [(listed_patterns, "with_needs", _most_needs_alone)], _drawn_visits(False, False)
    ),
    "a restored row that raises a need": Bug(
        [(patterns, "_take_back", _all_taken_back)], _drawn_visits(True, False)
    ),
    "a visit beside another visit's event ignored": Bug(
        [(listed_patterns, "_numbered", _without_others_below)], _drawn_visits(True, False)
    ),
    "more rows than others": Bug(
        [(search, "rows_left", _all_rows)], lambda: _hospital(rows="known")
    ),
    "rows of * not counted": Bug(
        [(starring, "without_rare_labels", _without_counting_stars)],
        lambda: _hospital(rows="known"),
    ),
    "rows of the vanished left": Bug(
        [(search, "without_rare", _with_rows_of_the_vanished)],
        _hospital_with_one_man,
        "tables.events.columns.pid",
        "lead to no row of patients",
    ),
    "keys in the order of the input": Bug(
        [(new_keys, "_shuffled", _keys_in_the_order_of_rows), IN_INPUT_ORDER],
        _hospital,
        "tables.patients.columns.pid",
        KEEPS,
    ),
    "keys of the input": Bug(
        [(new_keys, "_shuffled", _keys_of_the_input), IN_INPUT_ORDER],
        _hospital_with_numbers,
        "tables.patients.columns.pid",
        KEEPS,
    ),
    "keys that differ per table": Bug(
        [(release_module, "released_rows", _written_with_keys_of_its_own)],
        _hospital,
        "tables.events.columns.pid",
        "rows point at another row than in the input",
    ),
    "rows of no visit taken for rows of one": Bug(
        [(release_module, "NO_ROW", "2020")],
        lambda: (
            (visits.with_gaps(tables, 1), visits.gaps_policy(2, (False, False), 3, 2))
            for tables, _ in _drawn_visits()()
        ),
        "tables.diagnoses",
        "rows above that are not in their tables",
    ),
    "labels of people taken for labels of visits": Bug(
        [(one, "label_above", _labels_without_classes) for one in (history, search)],
        lambda: (
            (visits.with_gaps(tables, 1), visits.gaps_policy(2, (True, False), 3, 1))
            for tables, _ in _drawn_visits()()
        ),
    ),
}


def _refusals(cases: Cases) -> Iterator[VerificationError | None]:
    """Yield what verification says of each release of a maker."""
    for tables, words in cases():
        try:
            ind.anonymize(tables, words, seed=1)
        except VerificationError as error:
            yield error
        else:
            yield None


@cache
def _careful_maker_is_refused(cases: Cases) -> bool:
    """Return whether a release of the careful maker is refused; several bugs share their cases."""
    return any(_refusals(cases))


@pytest.mark.parametrize("bug", PLANTED.values(), ids=PLANTED)
def test_a_maker_with_a_bug_is_caught(bug: Bug, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some releases of the careless maker are refused for its bug, and none of the careful one."""
    assert not _careful_maker_is_refused(bug.cases)
    for one in bug.replaced:
        monkeypatch.setattr(*one)
    faults = (fault for error in _refusals(bug.cases) if error for fault in error.faults)
    assert any(fault.place == bug.place and bug.words in fault.problem for fault in faults)
