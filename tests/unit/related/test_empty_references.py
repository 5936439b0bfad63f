"""Rows whose nearest reference is empty belong to the nearest row above that another one names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import LinksError, PolicyError
from indistinct.related.verify.release import verify_related
from visits import (
    Row,
    fewest_who_explain,
    gaps_policy,
    least_alike,
    nearest_released,
    true_rows,
    visits,
    with_gaps,
)

CHOICES = [
    (levels, released) for levels in (2, 3) for released in product([False, True], repeat=levels)
]
NO_ROW = "(none)"


@pytest.mark.parametrize(("levels", "released"), CHOICES)
@pytest.mark.parametrize("m", [1, 2])
def test_no_attacker_finds_anybody(levels: int, released: tuple[bool, ...], m: int) -> None:
    """Every pattern has k units by its definition, and as many explain what somebody knows."""
    for seed in range(4 - levels):
        tables = with_gaps(visits(seed, levels), seed)
        release = ind.anonymize(tables, gaps_policy(levels, released, 2, m), seed=1)
        rows, classes = true_rows(tables, release, released)
        assert least_alike(rows, classes, m) >= 2
        assert fewest_who_explain(rows, classes, m) >= 2
        assert release.manifest["models"][0]["achieved"]["k"] == least_alike(rows, classes, m)
        assert any(row.parent < 0 for row in rows if row.table == "diagnoses")


@pytest.mark.parametrize("released", [(True, False), (False, True), (False, False)])
def test_known_numbers_of_rows_find_nobody(released: tuple[bool, ...]) -> None:
    """A class is the units with as many rows in each table, those that show nothing included."""
    shown = 0
    for seed in range(3):
        tables = with_gaps(visits(seed, 2, 16, 3), seed)
        words = gaps_policy(2, released, 2, 2)
        words["related"]["rows"] = "known"
        release = ind.anonymize(tables, words, seed=1)
        rows, classes = true_rows(tables, release, released)
        numbers = Counter((row.unit, row.table) for row in rows)
        known = {
            unit: f"{kind} {numbers[unit, 'visits']} {numbers[unit, 'diagnoses']}"
            for unit, kind in classes.items()
        }
        found = least_alike(rows, known, 2)
        assert release.manifest["models"][0]["achieved"]["k"] == found >= 2
        shown += sum(row.parent < 0 for row in rows if row.table == "diagnoses")
    assert shown > 0


def seen(rows: Sequence[Row], above: int, unit: int) -> Any:
    """Return what is seen below a row with a released key, or the unit: -1."""
    return sorted(
        (str(row.label), seen(rows, place, unit) if row.is_released else [])
        for place, row in enumerate(rows)
        if row.unit == unit and nearest_released(rows, place) == above
    )


@pytest.mark.parametrize("rows", ["free", "known"])
@pytest.mark.parametrize("released", [(True, False), (False, True), (False, False)])
def test_whole_histories_are_those_of_k_people(released: tuple[bool, ...], rows: str) -> None:
    for seed in range(3):
        tables = with_gaps(visits(seed, 2, 16, 3), seed)
        words = gaps_policy(2, released, 2, "all")
        words["related"]["rows"] = rows
        release = ind.anonymize(tables, words, seed=1)
        true, classes = true_rows(tables, release, released)
        counts = Counter((kind, str(seen(true, -1, unit))) for unit, kind in classes.items())
        assert release.manifest["models"][0]["achieved"]["k"] == min(counts.values()) >= 2


def line_of(release: Any, name: str, released: tuple[bool, ...]) -> list[tuple[Any, ...]]:
    """Return what the released rows of a table show of visits and patients, by input rows."""
    above = "vid" if released[0] else "visits.day"
    own = release.tables[name].select(above, "pid").rows()
    return [pair for _, pair in sorted(zip(release.crosswalk[name].tolist(), own, strict=True))]


@pytest.mark.parametrize("released", [(True, False), (False, False)])
def test_a_release_shows_where_no_row_is_above(released: tuple[bool, ...]) -> None:
    """Keys are empty there, cells of hidden rows say so, and the person is named in every row."""
    tables = with_gaps(visits(2, 2, 40), 2)
    words = gaps_policy(2, released, 2, 1)
    release = ind.anonymize(tables, words, seed=1)
    shown = line_of(release, "diagnoses", released)
    kept = sorted(release.crosswalk["diagnoses"].tolist())
    true = tables["diagnoses"]["vid"].gather(pl.Series(kept)).to_list()
    has_gap = [pointer is None for pointer in true]
    assert any(has_gap)
    assert not all(has_gap)
    assert [above in {None, NO_ROW} for above, _ in shown] == has_gap
    assert all(pid is not None for _, pid in shown)
    order = ["code", "cost", "did"] if released[1] else ["code", "cost"]
    expected = ["vid", "pid"] if released[0] else ["pid", "visits.day"]
    assert release.tables["diagnoses"].columns == [*order, *expected]


@pytest.fixture(scope="module", params=[(True, False), (False, False)])
def made(request: pytest.FixtureRequest) -> Any:
    tables = with_gaps(visits(7, 2, 60, 3), 7)
    words = gaps_policy(2, request.param, 2, 1)
    return tables, words, ind.anonymize(tables, words, seed=1)


def faults(made: Any, *, with_input: bool = True, **changed: pl.DataFrame) -> dict[str, str]:
    """Verify a release with other tables; return what is wrong, by place."""
    tables, words, release = made
    owner = {"original": tables, "crosswalk": release.crosswalk} if with_input else {}
    found = verify_related({**release.tables, **changed}, words, **owner)
    return {fault.place: fault.problem for fault in found.faults}


def test_the_release_is_verified_with_its_input(made: Any, tmp_path: Path) -> None:
    tables, words, release = made
    assert not faults(made)
    release.write(tmp_path / "out", crosswalk=tmp_path / "rows")
    assert ind.verify(tmp_path / "out").holds is True
    owner = {"original": tables, "crosswalk": tmp_path / "rows"}
    assert ind.verify(tmp_path / "out", words, **owner).holds is True
    address = f"duckdb:///{tmp_path / 'h.duckdb'}?schema=main"
    release.write(address)
    assert ind.verify(address, words).holds is True


def test_the_attack_knows_which_events_have_a_visit(made: Any) -> None:
    tables, words, release = made
    owner = {"original": tables, "crosswalk": release.crosswalk}
    for choice in ("random", "worst"):
        said = {"attack": "known-events", "m": 1, "item_choice": choice, "seed": 1}
        found = ind.attack(release.tables, words, **owner, **said)
        assert found.answer.found.rate <= 1 / 2
        assert found.answer.details["below_k"] == 0


def test_a_row_moved_to_no_visit_is_found(made: Any) -> None:
    """By the files alone where its new label is rare, and beside the input anyway."""
    _, _, release = made
    frame = release.tables["diagnoses"]
    column = "vid" if "vid" in frame.columns else "visits.day"
    empty = pl.lit(None if column == "vid" else NO_ROW, frame[column].dtype)
    first = pl.col(column).is_not_null() & (pl.col(column) != NO_ROW if column != "vid" else True)
    moved = frame.with_columns(
        pl.when(first & (first.cum_sum() == 1)).then(empty).otherwise(column).alias(column)
    ).sort("code", "cost", column, "pid", nulls_last=True)
    found = faults(made, diagnoses=moved)
    assert {"tables.diagnoses.columns.vid", "tables.diagnoses"} & found.keys()


def test_a_visit_of_somebody_else_is_found_in_the_files(made: Any) -> None:
    """The person that a row names has to be that of the visit that it names."""
    _, _, release = made
    frame = release.tables["diagnoses"]
    others = frame.with_columns((pl.col("pid") + 1) % release.tables["patients"].height)
    found = faults(made, with_input=False, diagnoses=others)
    assert "rows above that are not in their tables" in found["tables.diagnoses"]


def small(**changed: Any) -> tuple[dict[str, pl.DataFrame], dict[str, Any]]:
    """Return stays of two people, and codes of which two name no stay and one names nothing."""
    pids = ["a", "b"] * 3
    tables = {
        "patients": pl.DataFrame({"pid": ["a", "b"], "sex": ["f", "f"]}),
        "stays": pl.DataFrame({"sid": [1, 2, 3], "pid": ["a", "b", "b"], "ward": ["w"] * 3}),
        "codes": pl.DataFrame({"code": "E", "sid": [1, 2, 1, 2, None, None], "pid": pids}),
    }
    codes = {
        "references": {"sid": "stays", "pid": "patients"},
        "columns": {"code": {"role": "quasi-identifier"}},
    }
    stays = {
        "key": "sid",
        "references": {"pid": "patients"},
        "columns": {"ward": {"role": "quasi-identifier"}},
    }
    words = {
        "related": {"people": "patients"},
        "tables": {
            "patients": {"key": "pid", "columns": {"sex": {"role": "quasi-identifier"}}},
            "stays": {**stays, **changed.get("stays", {})},
            "codes": {**codes, **changed.get("codes", {})},
        },
        "models": [{"name": "joint-anonymity", "k": 2, "m": 1}],
        "method": {"max_deleted": 1.0},
    }
    return tables, words


def test_a_row_without_any_reference_is_an_orphan() -> None:
    tables, words = small()
    assert ind.anonymize(tables, words, seed=1).tables["codes"].height == 6
    tables["codes"] = tables["codes"].with_columns(
        pid=pl.when(pl.int_range(pl.len()) == 5).then(None).otherwise("pid")
    )
    with pytest.raises(LinksError, match=r"1 row leads to no row.*it is row 6"):
        ind.anonymize(tables, words)
    words["tables"]["codes"]["orphans"] = "drop"
    release = ind.anonymize(tables, words, seed=1)
    assert 5 not in release.crosswalk["codes"].tolist()


def test_a_reference_that_leads_nowhere_is_not_an_empty_one() -> None:
    tables, words = small()
    tables["codes"] = tables["codes"].with_columns(pl.col("sid").fill_null(99))
    with pytest.raises(LinksError, match="2 rows lead to no row"):
        ind.anonymize(tables, words)


def test_paths_that_contradict_each_other_are_refused() -> None:
    """A stay of another patient; and a stay beside a ward row that belongs to no stay."""
    tables, words = small()
    tables["codes"] = tables["codes"].with_columns(pid=pl.lit("a"))
    with pytest.raises(LinksError, match=r"two paths to different units \(2\)"):
        ind.anonymize(tables, words)
    tables, words = small()
    tables["codes"] = tables["codes"].with_columns(cid=pl.Series([1, 2, 3, 4, 5, 6]))
    tables["notes"] = pl.DataFrame({"cid": [5, 1], "sid": [1, 1], "pid": ["a", None]})
    words["tables"]["codes"]["key"] = "cid"
    words["tables"]["notes"] = {
        "references": {"cid": "codes", "sid": "stays", "pid": "patients"},
        "columns": {},
    }
    with pytest.raises(LinksError, match=r"two paths to different rows \(1\)"):
        ind.anonymize(tables, words)


@pytest.mark.parametrize("columns", [{}, {"ward": {"role": "quasi-identifier"}}])
def test_rows_that_no_cell_could_tell_apart_are_refused(columns: dict[str, Any]) -> None:
    """No cell of a hidden stay is there, or all of them could say that there is none."""
    tables, words = small(stays={"columns": columns or {"ward": {"role": "insensitive"}}})
    tables["stays"] = tables["stays"].with_columns(ward=pl.Series([NO_ROW, "w", "w"]))
    with pytest.raises(LinksError) as raised:
        ind.anonymize(tables, words)
    (fault,) = raised.value.faults
    assert fault.place == "tables.codes.references"
    assert fault.problem == "2 rows belong to no row of stays, which no cell would show"
    words["tables"]["stays"]["release_key"] = True
    assert ind.anonymize(tables, words, seed=1).tables["codes"]["sid"].null_count() == 2


def test_columns_of_one_name_are_refused() -> None:
    """The table shows the patient of a hidden stay in a column that it has already."""
    tables, words = small()
    del words["tables"]["codes"]["references"]["pid"]
    words["tables"]["codes"]["columns"]["pid"] = {"role": "insensitive"}
    with pytest.raises(PolicyError, match="two columns pid in the release") as raised:
        ind.anonymize(tables, words)
    assert raised.value.faults[0].place == "tables.codes"


def test_missing_words_are_empty_references() -> None:
    tables, words = small()
    tables["codes"] = tables["codes"].with_columns(pl.col("sid").cast(pl.String).fill_null("NA"))
    words["data"] = {"missing": ["NA"]}
    release = ind.anonymize(tables, words, seed=1)
    assert release.tables["codes"]["stays.ward"].to_list().count(NO_ROW) == 2
