"""t-closeness by every distance, on arrays and from the definition."""

import pytest
from hypothesis import given, strategies as st

from handmade import COLUMN, classes_from, plain_from, some_classes
from indistinct.base.hierarchy import from_levels
from indistinct.errors import ParameterError
from indistinct.tables.core.protocols import Monotonicity
from indistinct.tables.models import TCloseness

WORDS = [
    {"distance": "equal"},
    {"distance": "ordered"},
    {"distance": "ordered", "ground": "value"},
    {"distance": "hierarchical"},
    {"distance": "kernel"},
    {"distance": "kernel", "ground": "value", "smoothing": "mass"},
    {"distance": "kernel", "ground": "tree", "bandwidth": 0.8},
]


@pytest.mark.parametrize("words", WORDS)
@given(some_classes(max_values=6), st.booleans())
def test_equals_the_plain_definition(words, counts, has_missing):
    n_values = len(counts[0])
    leaves = [f"v{index:02d}" for index in range(n_values)]
    tree = from_levels([leaves, [f"pair {index // 2}" for index in range(n_values)]])
    numbers = [float(index**2) for index in range(n_values)]
    if has_missing:
        numbers[-1] = float("nan")
    classes = classes_from(counts, numbers=numbers, hierarchy=tree)
    model = TCloseness(COLUMN, 0.2, **words)
    plain = [model.measure_plainly(one) for one in plain_from(classes)]
    assert model.measure(classes) == pytest.approx(plain, abs=1e-12)


def test_three_classes_of_patients():
    """A table that is 3-anonymous and has a homogeneous class."""
    classes = classes_from([[3, 0, 0], [1, 1, 1], [1, 2, 0]])
    expected = [0.4444, 0.2222, 0.3333]
    assert TCloseness(COLUMN, 0.2).measure(classes) == pytest.approx(expected, abs=5e-5)


def test_only_convex_distances_are_declared_monotone():
    assert TCloseness(COLUMN, 0.2).monotone is Monotonicity.WITHOUT_SUPPRESSION
    assert TCloseness(COLUMN, 0.2, "kernel").monotone is Monotonicity.NEVER
    mass = TCloseness(COLUMN, 0.2, "kernel", smoothing="mass")
    assert mass.monotone is Monotonicity.WITHOUT_SUPPRESSION


def test_values_are_not_ordered_along_a_tree():
    with pytest.raises(ParameterError):
        TCloseness(COLUMN, 0.2, "ordered", "tree")


def test_says_only_what_matters_to_the_distance():
    assert TCloseness(COLUMN, 0.2).required() == {"column": COLUMN, "t": 0.2, "distance": "equal"}
    assert TCloseness(COLUMN, 0.2, "kernel").required() == {
        "column": COLUMN,
        "t": 0.2,
        "distance": "kernel",
        "ground": "rank",
        "bandwidth": 0.25,
        "smoothing": "nw",
    }


def test_a_class_that_is_just_close_enough_need_not_be_divided():
    """Three of one value are 0.3 away from a table of 7 and 3; at 0.1 every part of them is."""
    classes = classes_from([[3, 0]], table=[7, 3])
    assert TCloseness(COLUMN, 0.3).least_suppressed(classes).tolist() == [0]
    assert TCloseness(COLUMN, 0.1).least_suppressed(classes).tolist() == [3]
