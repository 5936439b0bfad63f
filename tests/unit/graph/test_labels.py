"""Labels: broader words, what they cost, and hierarchies from files."""

from __future__ import annotations

import math

import pytest

from indistinct.base.hierarchy_builders import from_rows, tree_rows
from indistinct.errors import DataError, HierarchyError
from indistinct.graph.labels import read_hierarchy, vertex_labels

WORK = from_rows(
    tree_rows(
        {
            "health": ["dentist", "nurse", "surgeon"],
            "school": ["teacher"],
            "sea": ["pilot", "sailor"],
        }
    )
)
VALUES = ["nurse", "teacher", "nurse", "dentist"]


def test_labels_begin_as_they_are():
    labels = vertex_labels(VALUES, WORK)
    assert labels.texts == tuple(VALUES)
    assert labels.penalty == 0.0


@pytest.mark.parametrize(
    ("level", "texts", "penalty"),
    [
        # A word's leaves count whether anybody has them or not; one leaf alone tells itself.
        (1, ("health", "school", "health", "health"), 3 * 3 / 6),
        (2, ("*", "*", "*", "*"), 4.0),
    ],
)
def test_broader_words_cost_their_share_of_leaves(level, texts, penalty):
    labels = vertex_labels(VALUES, WORK).at(level)
    assert labels.texts == texts
    assert math.isclose(labels.penalty, penalty)


def test_one_word_is_narrowed_and_the_others_stay():
    labels = vertex_labels(VALUES, WORK).at(1)
    position = labels.hierarchy.values.index("nurse")
    narrower = labels.lowered(labels.under(position))
    assert narrower.texts == ("nurse", "school", "nurse", "dentist")


def test_labels_without_a_hierarchy_have_one_level():
    assert vertex_labels(VALUES).hierarchy.n_levels == 1


def test_a_value_that_the_hierarchy_lacks_is_refused():
    with pytest.raises(HierarchyError):
        vertex_labels([*VALUES, "smith"], WORK)


@pytest.mark.parametrize("separator", [";", ",", "\t"])
def test_hierarchies_are_read(tmp_path, separator):
    file = tmp_path / "work.csv"
    rows = ["nurse;health;*", "dentist;health;*", "teacher;school;*"]
    file.write_text("\n".join(rows).replace(";", separator) + "\n")
    found = read_hierarchy(file)
    assert found.values == ("nurse", "dentist", "teacher")
    assert vertex_labels(VALUES, found).at(1).texts == ("health", "school", "health", "health")


def test_what_is_no_hierarchy_is_refused_by_its_name(tmp_path):
    file = tmp_path / "work.csv"
    file.write_text("nurse;health;*\nteacher;*\n")
    with pytest.raises(HierarchyError, match=r"work\.csv"):
        read_hierarchy(file)
    with pytest.raises(DataError):
        read_hierarchy(tmp_path / "none.csv")
