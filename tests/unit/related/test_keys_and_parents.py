"""Keys of several columns, and columns that are hidden where the one that they determine is."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
import pytest

import indistinct as ind
from hospitals import CODES, TREE
from indistinct.base.hierarchy_builders import flat
from indistinct.errors import HierarchyError, LinksError, PolicyError
from indistinct.related.publish.parents import with_hidden_below
from indistinct.related.verify.release import verify_related
from indistinct.tables.core.recoding import Recoding, hierarchy_cells
from indistinct.tables.masks.sets.cell_levels import CellLevels, generalization_paths

Tables = dict[str, pl.DataFrame]


def stays(n_people: int = 30) -> Tables:
    """Make up stays that a hospital and a number name together, and their diagnoses."""
    chance = random.Random(4)
    people = [f"p{n}" for n in range(n_people)]
    seen = [(chance.choice(people), "NS"[n % 2], n // 2, f"202{n % 2}") for n in range(60)]
    codes = [(chance.choice(CODES), *chance.choice(seen)[1:3]) for _ in range(90)]
    return {
        "patients": pl.DataFrame({"pid": people, "sex": [chance.choice("fm") for _ in people]}),
        "stays": pl.DataFrame(seen, schema=["pid", "site", "number", "year"], orient="row"),
        "diagnoses": pl.DataFrame(codes, schema=["code", "site", "number"], orient="row"),
    }


def policy(*, released: bool = False, **said: Any) -> dict[str, Any]:
    """Return a policy of stays with a key of two columns."""
    known = {"role": "quasi-identifier"}
    return {
        "related": {"people": "patients"},
        "tables": {
            "patients": {"key": "pid", "columns": {"sex": known}},
            "stays": {
                "key": "site, number",
                "references": {"pid": "patients"},
                "release_key": released,
                "columns": {"year": known},
            },
            "diagnoses": {
                "references": {"site,number": "stays"},
                "columns": {"code": {**known, "hierarchy": {"tree": TREE}}},
            },
        },
        "models": [{"name": "joint-anonymity", "k": 2, "m": 1}],
        "method": {"max_deleted": 1.0, "max_suppression": 0.2},
        **said,
    }


@pytest.mark.parametrize("released", [False, True])
def test_a_key_of_several_columns_becomes_one_number(released: bool) -> None:
    tables = stays()
    release = ind.anonymize(tables, policy(released=released), seed=1)
    shown = release.tables["diagnoses"].columns
    if released:
        assert "site_number" in release.tables["stays"].columns
        assert shown == ["code", "site_number"]
        joined = release.tables["diagnoses"].join(release.tables["stays"], on="site_number")
        assert joined.height == release.tables["diagnoses"].height
    else:
        assert shown == ["code", "pid", "stays.year"]
        assert release.tables["stays"].columns == ["year", "pid"]
    rows = {name: own.tolist() for name, own in release.crosswalk.items()}
    said = policy(released=released)
    assert verify_related(release.tables, said, original=tables, crosswalk=rows).holds is True
    # A crosswalk by which diagnoses belong to other stays is found.
    rows["diagnoses"] = rows["diagnoses"][1:] + rows["diagnoses"][:1]
    assert verify_related(release.tables, said, original=tables, crosswalk=rows).holds is False


def test_keys_of_several_columns_are_checked_as_one() -> None:
    tables = stays()
    tables["stays"] = pl.concat([tables["stays"], tables["stays"].head(2)])
    with pytest.raises(LinksError, match="2 rows have a key of site, number"):
        ind.anonymize(tables, policy())
    tables = stays()
    first = pl.int_range(pl.len()) == 0
    lost = pl.when(first).then(99).otherwise("number")
    tables["diagnoses"] = tables["diagnoses"].with_columns(number=lost)
    with pytest.raises(LinksError, match="1 row leads to no row"):
        ind.anonymize(tables, policy())


def places(words: dict[str, Any]) -> dict[str, str]:
    """Return what is wrong with a policy, by its places."""
    with pytest.raises(PolicyError) as raised:
        ind.RelatedPolicy.from_words(words)
    return {fault.place: fault.problem for fault in raised.value.faults}


def test_keys_that_do_not_fit_are_refused() -> None:
    words = policy()
    words["tables"]["diagnoses"]["references"] = {"site": "stays"}
    words["tables"]["stays"]["columns"]["number"] = {"role": "insensitive"}
    words["tables"]["stays"]["columns"]["site_number"] = {"role": "insensitive"}
    found = places(words)
    assert "another number of columns" in found["tables.diagnoses.references.site"]
    assert "has a role" in found["tables.stays.columns.number"]
    assert "name of the new key" in found["tables.stays.columns.site_number"]


def test_two_paths_to_different_rows_are_told() -> None:
    """A diagnosis of one stay of a person, with the number of a visit of another stay."""
    tables = {
        "patients": pl.DataFrame({"pid": ["a", "b"], "sex": ["f", "f"]}),
        "stays": pl.DataFrame({"sid": [1, 2, 3], "pid": ["a", "a", "b"]}),
        "wards": pl.DataFrame({"wid": [1, 2, 3], "sid": [1, 2, 3]}),
        "codes": pl.DataFrame({"code": ["E", "E"], "wid": [1, 3], "sid": [2, 3]}),
    }
    words = {
        "related": {"people": "patients"},
        "tables": {
            "patients": {"key": "pid", "columns": {"sex": {"role": "quasi-identifier"}}},
            "stays": {"key": "sid", "references": {"pid": "patients"}},
            "wards": {"key": "wid", "references": {"sid": "stays"}},
            "codes": {
                "references": {"wid": "wards", "sid": "stays"},
                "columns": {"code": {"role": "quasi-identifier"}},
            },
        },
        "models": [{"name": "joint-anonymity", "k": 2, "m": 1}],
    }
    with pytest.raises(LinksError, match=r"two paths to different rows \(1\)"):
        ind.anonymize(tables, words)


def places_of_people(seed: int) -> Tables:
    """Make up people in districts of regions, and events in such districts."""
    chance = random.Random(seed)
    districts = [f"{region}{number}" for region in "NSW" for number in range(3)]
    drawn = [chance.choice(districts) for _ in range(40)]
    events = [(chance.choice(districts), f"p{chance.randrange(40)}") for _ in range(80)]
    return {
        "patients": pl.DataFrame(
            {
                "pid": [f"p{n}" for n in range(40)],
                "district": drawn,
                "region": [one[0] for one in drawn],
                "age": [chance.choice("123456") for _ in drawn],
            }
        ),
        "events": pl.DataFrame(
            [(where, where[0], pid) for where, pid in events],
            schema=["district", "region", "pid"],
            orient="row",
        ),
    }


def with_parents(parent: str | None = "region") -> dict[str, Any]:
    """Return a policy of districts that determine their regions."""
    known = {"role": "quasi-identifier"}
    below = known if parent is None else {**known, "parent": parent}
    return {
        "related": {"people": "patients"},
        "tables": {
            "patients": {
                "key": "pid",
                "columns": {"district": below, "region": known, "age": known},
            },
            "events": {
                "references": {"pid": "patients"},
                "columns": {"district": below, "region": known},
            },
        },
        "models": [{"name": "joint-anonymity", "k": 3, "m": 1}],
        "method": {"max_deleted": 1.0, "max_suppression": 0.5},
    }


def n_shown_below_hidden(tables: dict[str, Any]) -> int:
    """Count districts that are shown although their region is hidden."""
    is_torn = (pl.col("region") == "*") & (pl.col("district") != "*")
    return sum(tables[name].filter(is_torn).height for name in ("patients", "events"))


def test_where_a_region_is_hidden_the_district_is_too() -> None:
    for seed in range(4):
        tables = places_of_people(seed)
        release = ind.anonymize(tables, with_parents(), seed=seed)
        assert n_shown_below_hidden(release.tables) == 0
        rows = {name: own.tolist() for name, own in release.crosswalk.items()}
        found = verify_related(release.tables, with_parents(), original=tables, crosswalk=rows)
        assert found.holds is True


def test_a_district_below_a_hidden_region_is_found() -> None:
    events = pl.DataFrame({"district": ["N1", "N1", "N1"], "region": "*", "pid": [0, 1, 2]})
    people = pl.DataFrame({"district": "*", "region": "*", "age": "*", "pid": [0, 1, 2]})
    tables = {"patients": people, "events": events}
    said = verify_related(tables, with_parents())
    assert [fault.problem for fault in said.faults] == ["shows 3 cells where region is hidden"]
    assert verify_related(tables, with_parents(None)).holds is True


def levels(n_levels: int, *hides: int) -> CellLevels:
    """Return a column of so many levels."""
    cells = np.zeros((n_levels, 1), np.int32)
    return CellLevels(cells, np.zeros(1), tuple(range(n_levels)), 1.0, hides)


def test_no_path_hides_a_region_before_its_district() -> None:
    """Of a district of 3 levels, a region of 2 and something else."""
    columns = [levels(3), levels(2, 0), levels(4)]
    ways = generalization_paths(columns)
    assert any(step[1] == 1 and step[2] < 3 for way in ways for step in way)
    for way in ways:
        assert all(step[1] < 1 or step[0] == 2 for step in way)
        assert len({*way}) == len(way)
        for finer, coarser in pairwise(way):
            assert all(one <= other for one, other in zip(finer, coarser, strict=True))
    free = generalization_paths([levels(3), levels(2), levels(4)])
    assert any(step[1] == 1 and step[0] < 2 for way in free for step in way)


def test_classes_that_look_alike_once_cells_are_hidden_are_merged() -> None:
    """Districts A, B and the hidden one; regions X and the hidden one."""
    district = hierarchy_cells(flat(("A", "B")), np.array([2, 2]))
    region = hierarchy_cells(flat(("X",)), np.array([4]))
    root, hidden = len(district.labels) - 1, len(region.labels) - 1
    recoding = Recoding(
        tuples=np.arange(4, dtype=np.int32),
        labels=np.arange(4, dtype=np.int32),
        weights=np.ones(4, np.int64),
        cells=np.array([[0, 0], [0, hidden], [1, hidden], [root, hidden]], np.int32),
        released=np.ones(4, np.bool_),
        domains=(district, region),
    )
    merged, became = with_hidden_below(recoding, [(), (0,)])
    assert merged.n_classes == 2
    assert len({*became[1:].tolist()}) == 1
    assert merged.cells[became[0]].tolist() == [0, 0]
    assert merged.cells[became[1]].tolist() == [root, hidden]
    assert merged.sizes[became].tolist() == [1, 3, 3, 3]
    assert with_hidden_below(recoding, [(), ()])[0] is recoding


def test_people_who_look_alike_once_districts_are_hidden_are_one_class() -> None:
    """The classes of the manifest are those that the released cells have."""
    for seed in range(4):
        release = ind.anonymize(places_of_people(seed), with_parents(), seed=seed)
        kinds = release.tables["patients"].select("district", "region", "age").unique().height
        assert release.manifest["related"]["classes"] == kinds


def test_parents_that_do_not_fit_are_refused() -> None:
    tables = places_of_people(1)
    first = pl.int_range(pl.len()) == 0
    torn = pl.when(first).then(pl.lit("X")).otherwise("region")
    tables["events"] = tables["events"].with_columns(region=torn)
    with pytest.raises(LinksError, match="1 values of district stand beside several values"):
        ind.anonymize(tables, with_parents())
    words = with_parents("nowhere")
    assert "names no quasi-identifier" in places(words)["tables.events.columns.district.parent"]
    words = with_parents()
    columns = words["tables"]["events"]["columns"]
    columns["region"] = {"role": "quasi-identifier", "parent": "district"}
    words["tables"]["patients"]["columns"]["district"] = {
        "role": "quasi-identifier",
        "parent": "region",
        "max_level": 0,
    }
    found = places(words)
    assert "back to the column itself" in found["tables.events.columns.region.parent"]
    assert "keeps the column" in found["tables.patients.columns.district.max_level"]
    flat = {"columns": columns, "models": [{"name": "k-anonymity", "k": 2}]}
    with pytest.raises(PolicyError, match="is for the columns of related tables"):
        ind.Policy.from_words(flat)


def test_a_fault_of_the_table_of_people_names_it() -> None:
    tables = places_of_people(1)
    words = with_parents(None)
    age = words["tables"]["patients"]["columns"]["age"]
    words["tables"]["patients"]["columns"]["age"] = {**age, "min_level": 7}
    with pytest.raises(HierarchyError) as raised:
        ind.anonymize(tables, words)
    assert {fault.place for fault in raised.value.faults} == {
        "tables.patients.columns.age.min_level"
    }
