"""A town that gives its state the name: the state's label says its level, and means one thing."""

from copy import deepcopy
from itertools import product

import polars as pl
import pytest
from hypothesis import given, strategies as st

import indistinct as ind
from indistinct.tables.verification.boxes import BoxRecords
from renderers import listed

QUASI = {"role": "quasi-identifier"}
TREE = {"Berlin": ["Berlin", "Mitte"], "Brandenburg": ["Potsdam"]}
STATE = "Berlin (level 1)"
PATHS = {
    "Berlin": ["Berlin", STATE, "*"],
    "Mitte": ["Mitte", STATE, "*"],
    "Potsdam": ["Potsdam", "Brandenburg", "*"],
}


def counted(people, boxes):
    """Count the people in boxes of towns."""
    frame = pl.DataFrame(people, schema=["home", "work"][: len(people[0])], orient="row")
    return BoxRecords.of(frame, {name: listed(PATHS) for name in frame.columns}, ()).count_each(
        boxes
    )


def test_the_people_of_a_town_and_of_its_state_are_counted_apart():
    people = [("Berlin",)] * 3 + [("Mitte",)] * 4 + [("Potsdam",)] * 4 + [("unlisted",)]
    boxes = [("Berlin",), (STATE,), ("Mitte",), ("Potsdam",), ("Brandenburg",), ("*",)]
    assert counted(people, boxes) == [3, 7, 4, 4, 4, 12]


@given(st.lists(st.tuples(*[st.sampled_from(sorted(PATHS))] * 2), min_size=1, max_size=12))
def test_the_people_in_boxes_of_two_columns(people):
    labels = sorted({label for path in PATHS.values() for label in path})
    boxes = list(product(labels, repeat=2))
    for box, found in zip(boxes, counted(people, boxes), strict=True):
        assert found == sum(
            all(cell in PATHS[town] for town, cell in zip(person, box, strict=True))
            for person in people
        )


def berlin(folder, algorithm="optimal"):
    """Return a table of towns, and a policy that counts the people who live in them."""
    people = ["Berlin"] * 3 + ["Mitte"] * 4 + ["Potsdam"] * 5
    pl.DataFrame({"town": people}).write_csv(folder / "people.csv")
    frame = pl.DataFrame({"town": ["Berlin", "Mitte", "Potsdam"] * 2})
    policy = ind.Policy.from_words(
        {
            "columns": {"town": QUASI | {"hierarchy": {"tree": TREE}}},
            "models": [{"name": "k-map", "k": 3}],
            "method": {"algorithm": algorithm},
            "population": {"data": "people.csv"},
        },
        folder,
    )
    return frame, policy


@pytest.mark.parametrize("algorithm", ["optimal", "ola", "local", "mondrian"])
def test_a_town_that_gives_its_state_the_name_is_released(algorithm, tmp_path):
    frame, policy = berlin(tmp_path, algorithm)
    release = ind.anonymize(frame, policy, seed=1)
    assert sorted(set(release.data["town"])) == ["Berlin", "Mitte", "Potsdam"]
    assert ind.verify(release.data, policy, manifest=release.manifest).holds


@pytest.mark.parametrize(("claimed", "holds"), [(2, False), (3, True), (4, False), (7, False)])
def test_what_is_claimed_is_the_number_of_people_in_the_town(claimed, holds, tmp_path):
    """Three people live in Berlin, seven in its state, and four in Mitte."""
    frame, policy = berlin(tmp_path)
    release = ind.anonymize(frame, policy, seed=1)
    manifest = deepcopy(dict(release.manifest))
    manifest["models"][0]["achieved"] = {"k": claimed}
    assert ind.verify(release.data, policy, manifest=manifest).holds is holds


@pytest.mark.parametrize(("claimed", "holds"), [(1 / 7, False), (1 / 4, False), (1 / 3, True)])
def test_the_claimed_risk_is_that_of_the_town(claimed, holds, tmp_path):
    frame, policy = berlin(tmp_path)
    release = ind.anonymize(frame, policy, seed=1)
    manifest = deepcopy(dict(release.manifest))
    manifest["risk"]["journalist"] = claimed
    assert ind.verify(release.data, policy, manifest=manifest).holds is holds


def test_missing_codes_above_the_lowest_level_are_counted_without_the_input(tmp_path):
    """They are empty cells at every level, and the risk is the same with and without the input."""
    codes = ["03291", "03292", "19381", "19382", None, None] * 2
    frame = pl.DataFrame({"q": codes})
    people = pl.DataFrame({"q": codes + [None] * 10 + ["03291"] * 10 + ["19382"] * 10})
    people.write_parquet(tmp_path / "people.parquet")
    policy = ind.Policy.from_words(
        {
            "columns": {"q": QUASI | {"min_level": 1}},
            "data": {"missing": ["NA"]},
            "models": [{"name": "k-map", "k": 4}],
            "population": {"data": "people.parquet"},
        },
        tmp_path,
    )
    release = ind.anonymize(frame, policy, seed=1)
    assert release.data["q"].null_count() == 4
    assert release.manifest["risk"]["journalist"] == pytest.approx(1 / 14)
    assert ind.verify(release.data, policy, manifest=release.manifest).holds
    assert ind.verify(release.data, policy, manifest=release.manifest, original=frame).holds
