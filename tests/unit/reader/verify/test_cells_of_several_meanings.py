"""People who look like a cell that is both a value and a label, or a label at several levels."""

from copy import deepcopy
from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import indistinct as ind
from indistinct.reader.verify.boxes import Records
from indistinct.reader.verify.cells import Listed

QUASI = {"role": "quasi-identifier"}
TREE = {"Berlin": ["Berlin", "Mitte"], "Brandenburg": ["Potsdam"]}
PATHS = {
    "Berlin": ["Berlin", "Berlin", "*"],
    "Mitte": ["Mitte", "Berlin", "*"],
    "Potsdam": ["Potsdam", "Brandenburg", "*"],
}


def counted(people, boxes):
    """Count the people in boxes of towns: those that look alike, and those that surely do."""
    frame = pl.DataFrame(people, schema=["home", "work"][: len(people[0])], orient="row")
    cells = {name: Listed(PATHS) for name in frame.columns}
    records = Records.of(frame, cells, ())
    counts = records.count_each(boxes)
    return counts, records.least_each(boxes, counts)


def test_the_fewest_people_of_a_town_and_of_its_state():
    people = [("Berlin",)] * 3 + [("Mitte",)] * 4 + [("Potsdam",)] * 4 + [("unlisted",)]
    boxes = [("Berlin",), ("Mitte",), ("Potsdam",), ("Brandenburg",), ("*",)]
    assert counted(people, boxes) == ([7, 4, 4, 4, 12], [3, 4, 4, 4, 12])


@given(st.lists(st.tuples(*[st.sampled_from(sorted(PATHS))] * 2), min_size=1, max_size=12))
def test_the_fewest_of_all_meanings_of_two_columns(people):
    labels = sorted({label for path in PATHS.values() for label in path})
    boxes = list(product(labels, repeat=2))
    for box, most, least in zip(boxes, *counted(people, boxes), strict=True):
        by_levels = [
            sum(
                all(
                    PATHS[town][level] == cell
                    for town, level, cell in zip(person, levels, box, strict=True)
                )
                for person in people
            )
            for levels in product(range(3), repeat=2)
            if all(
                any(path[level] == cell for path in PATHS.values())
                for level, cell in zip(levels, box, strict=True)
            )
        ]
        met = [
            all(cell in PATHS[town] for town, cell in zip(person, box, strict=True))
            for person in people
        ]
        assert most == np.sum(met)
        # A meaning that nobody's town has is no meaning of a cell that somebody's town has.
        assert least in (min(by_levels), min((n for n in by_levels if n), default=0))


def berlin(folder, algorithm="optimal"):
    """Give a table of towns, and a policy that counts the people who live in them."""
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


@pytest.mark.parametrize(("claimed", "holds"), [(2, False), (3, True), (4, True), (5, False)])
def test_what_is_claimed_lies_between_the_meanings(claimed, holds, tmp_path):
    """Three people live in Berlin, seven in its state, and four in Mitte, the fewest then."""
    frame, policy = berlin(tmp_path)
    release = ind.anonymize(frame, policy, seed=1)
    manifest = deepcopy(dict(release.manifest))
    manifest["models"][0]["achieved"] = {"k": claimed}
    assert ind.verify(release.data, policy, manifest=manifest).holds is holds


@pytest.mark.parametrize(
    ("claimed", "holds"), [(0.24, False), (0.25, True), (1 / 3, True), (0.34, False)]
)
def test_the_claimed_risk_lies_between_the_meanings(claimed, holds, tmp_path):
    frame, policy = berlin(tmp_path)
    release = ind.anonymize(frame, policy, seed=1)
    manifest = deepcopy(dict(release.manifest))
    manifest["risk"]["journalist"] = claimed
    assert ind.verify(release.data, policy, manifest=manifest).holds is holds


def test_masked_words_for_missing_codes_are_counted_without_the_input(tmp_path):
    """The risk of a release is the same whether the input is at hand or not."""
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
    assert "N*" in release.data["q"].to_list()
    assert release.manifest["risk"]["journalist"] == pytest.approx(1 / 14)
    assert ind.verify(release.data, policy, manifest=release.manifest).holds
    assert ind.verify(release.data, policy, manifest=release.manifest, original=frame).holds
