"""Rows that belong to rows: two and three levels, with hidden and with released keys."""

from __future__ import annotations

from itertools import product
from typing import Any

import polars as pl
import pytest

import indistinct as ind
from indistinct.errors import LinksError, PolicyError
from indistinct.related.verify.release import verify_related
from visits import fewest_who_explain, least_alike, policy, true_rows, visits

CHOICES = [
    (levels, released) for levels in (2, 3) for released in product([False, True], repeat=levels)
]


@pytest.mark.parametrize(("levels", "released"), CHOICES)
@pytest.mark.parametrize("m", [1, 2])
def test_no_attacker_finds_anybody(levels: int, released: tuple[bool, ...], m: int) -> None:
    """Every pattern has k units by its definition, and as many explain what somebody knows."""
    k = 2
    for seed in range(4 - levels):
        tables = visits(seed, levels)
        release = ind.anonymize(tables, policy(levels, released, k, m), seed=1)
        rows, classes = true_rows(tables, release, released)
        assert least_alike(rows, classes, m) >= k
        assert fewest_who_explain(rows, classes, m) >= k
        assert release.manifest["models"][0]["achieved"]["k"] == least_alike(rows, classes, m)


def frames(
    levels: int, rows: dict[str, list[tuple[Any, ...]]], n_units: int
) -> dict[str, pl.DataFrame]:
    """Return released tables of people of one sex."""
    found = {"patients": pl.DataFrame({"sex": ["f"] * n_units, "pid": list(range(n_units))})}
    del levels
    for name, own in rows.items():
        columns = {
            "visits": ["day", "cost", "vid", "pid"],
            "hidden visits": ["day", "cost", "pid"],
            "diagnoses": ["code", "cost", "vid"],
            "diagnoses of hidden": ["code", "cost", "pid", "visits.day"],
        }[name]
        table = name.split(" ")[-1] if name == "hidden visits" else name.split(" ")[0]
        frame = pl.DataFrame(own, schema=columns, orient="row")
        found[table] = frame.sort([one for one in columns if one in {"day", "code"}] + columns)
    return found


@pytest.mark.parametrize(
    ("m", "released", "k"), [(2, True, 1), (2, False, 2), (1, True, 3), (1, False, 3)]
)
def test_two_codes_in_one_visit_or_in_two(m: int, k: int, released: bool) -> None:
    """{E, I} in one visit, in two, in two, all visits alike."""
    if released:
        rows: dict[str, list[tuple[Any, ...]]] = {
            "visits": [("2020", 0, n, unit) for n, unit in enumerate([0, 1, 1, 2, 2])],
            "diagnoses": [
                (code, 0, visit) for code, visit in zip("EIEIEI", [0, 0, 1, 2, 3, 4], strict=True)
            ],
        }
    else:
        rows = {
            "hidden visits": [("2020", 0, unit) for unit in [0, 1, 1, 2, 2]],
            "diagnoses of hidden": [
                (code, 0, unit, "2020")
                for code, unit in zip("EIEIEI", [0, 0, 1, 1, 2, 2], strict=True)
            ],
        }
    words = policy(2, (released, False), 2, m)
    del words["tables"]["diagnoses"]["key"]
    found = verify_related(frames(2, rows, 3), words)
    assert found.models[0]["achieved"] == {"k": k, "m": m}, found.faults


@pytest.fixture(scope="module", params=[(True, False), (False, False), (False, True)])
def made(request: pytest.FixtureRequest) -> Any:
    tables = visits(7, 2, 60, 3)
    words = policy(2, request.param, 3, 2)
    return tables, words, ind.anonymize(tables, words, seed=1)


def places(made: Any, **changed: pl.DataFrame) -> set[str]:
    """Verify a release with other tables beside its input; return the places of the faults."""
    tables, words, release = made
    found = verify_related(
        {**release.tables, **changed}, words, original=tables, crosswalk=release.crosswalk
    )
    assert found.holds is False
    return {fault.place for fault in found.faults}


def test_a_release_shows_the_rows_above(made: Any) -> None:
    _, words, release = made
    shown = release.tables["diagnoses"].columns
    if words["tables"]["visits"]["release_key"]:
        assert shown[:2] == ["code", "cost"]
        assert "vid" in shown
        assert "pid" not in shown
    else:
        assert shown[-2:] == ["pid", "visits.day"]
    assert verify_related(release.tables, words, manifest=release.manifest).holds is True


def test_planted_faults_of_links_are_found(made: Any) -> None:
    _, words, release = made
    rows = release.tables["diagnoses"]
    is_first = pl.int_range(pl.len()) == 0
    if words["tables"]["visits"]["release_key"]:
        n_visits = release.tables["visits"].height
        moved = rows.with_columns(
            vid=pl.when(is_first).then((pl.col("vid") + 1) % n_visits).otherwise("vid")
        )
        assert "tables.diagnoses.columns.vid" in places(made, diagnoses=moved)
        return
    other = pl.when(is_first).then(pl.lit("2020-01-31")).otherwise("visits.day")
    finer = rows.with_columns(other.alias("visits.day"))
    assert "tables.diagnoses" in places(made, diagnoses=finer)
    unit = pl.when(is_first).then((pl.col("pid") + 1) % 60).otherwise("pid")
    assert places(made, diagnoses=rows.with_columns(unit.alias("pid")))


def test_a_row_left_out_takes_those_below_it_along(made: Any) -> None:
    tables, _, release = made
    there = set(tables["visits"]["vid"].gather(pl.Series(release.crosswalk["visits"])))
    below = tables["diagnoses"]["vid"].gather(pl.Series(release.crosswalk["diagnoses"]))
    assert set(below) <= there


def test_the_attack_knows_the_visit_of_a_diagnosis(made: Any) -> None:
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


def test_paths_that_lead_to_different_people_are_refused() -> None:
    """A diagnosis whose visit belongs to one patient, and that names another one."""
    tables = visits(1, 2)
    words = policy(2, (False, False))
    words["tables"]["diagnoses"]["references"]["pid"] = "patients"
    owner = dict(zip(tables["visits"]["vid"], tables["visits"]["pid"], strict=True))
    own = [owner[vid] for vid in tables["diagnoses"]["vid"]]
    right = tables["diagnoses"].with_columns(pid=pl.Series(own))
    assert (
        ind.anonymize({**tables, "diagnoses": right}, words).tables["diagnoses"].columns[-2]
        == "pid"
    )
    other = next(key for key in tables["patients"]["pid"] if key != own[0])
    wrong = tables["diagnoses"].with_columns(pid=pl.Series([other, *own[1:]]))
    with pytest.raises(LinksError, match=r"two paths to different units \(1\)"):
        ind.anonymize({**tables, "diagnoses": wrong}, words)


def test_circles_and_parents_side_by_side_are_refused() -> None:
    words = policy(2, (False, False))
    words["tables"]["visits"]["references"] = {"did": "diagnoses"}
    with pytest.raises(PolicyError, match="leads back to itself: diagnoses, visits"):
        ind.RelatedPolicy.from_words(words)
    words = policy(2, (False, False))
    words["tables"]["stays"] = {
        "key": "sid",
        "references": {"pid": "patients"},
        "columns": {"ward": {"role": "insensitive"}},
    }
    words["tables"]["diagnoses"]["references"]["sid"] = "stays"
    with pytest.raises(PolicyError, match="do not lie above one another"):
        ind.RelatedPolicy.from_words(words)
