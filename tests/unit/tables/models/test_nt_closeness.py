"""(n,t)-closeness: which supersets count, and how near a class must be to one of them."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, strategies as st

from handmade import COLUMN, classes_from, plain_from, some_classes
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.protocols import Monotonicity
from indistinct.tables.models import NTCloseness, TCloseness

# Records with cancer and with flu: 476**/2*, 479**/4*, 476**/3* of the paper.
PAPER = [[300, 300], [200, 1800], [200, 200]]
CITY = [[500, 500], [200, 1800]]


@dataclass(frozen=True)
class Merged:
    """A coarser partition, given as the part of each class."""

    parts: EquivalenceClasses
    labels: np.ndarray

    def part_of(self, classes):
        return self.labels[classes]


def paper_classes():
    region = Merged(classes_from(CITY), np.array([0, 1, 0]))
    return classes_from(PAPER, regions=lambda: iter([region]))


def test_the_papers_table_is_not_close_to_the_whole_table():
    classes = paper_classes()
    found = TCloseness(COLUMN, 0.1).measure(classes)
    assert found == pytest.approx([0.266667, 0.133333, 0.266667], abs=5e-7)
    assert not TCloseness(COLUMN, 0.1).holds(classes).any()


def test_the_papers_table_is_close_to_supersets_of_a_thousand():
    model = NTCloseness(COLUMN, 1000, 0.1)
    assert model.measure(paper_classes()) == pytest.approx([0, 0, 0])
    assert model.holds(paper_classes()).all()


def test_without_its_city_the_papers_table_fails():
    assert NTCloseness(COLUMN, 1000, 0.1).holds(classes_from(PAPER)).tolist() == [0, 1, 0]


def test_a_superset_that_is_too_small_does_not_count():
    assert NTCloseness(COLUMN, 1001, 0.1).holds(paper_classes()).tolist() == [0, 1, 0]


def test_a_class_with_n_records_is_its_own_superset():
    assert NTCloseness(COLUMN, 5, 0.0).measure(classes_from([[5, 0], [1, 4]])).tolist() == [0, 0]


def test_a_superset_may_be_unknown_for_some_classes():
    region = Merged(classes_from(CITY), np.array([0, -1, -1]))
    classes = classes_from(PAPER, regions=lambda: iter([region]))
    assert NTCloseness(COLUMN, 1000, 0.1).holds(classes).tolist() == [1, 1, 0]


def test_more_than_the_table_has_cannot_be_reached():
    model = NTCloseness(COLUMN, 10, 1.0)
    assert not model.holds(classes_from([[1, 2]])).any()
    assert model.achieved(float("inf")) == {"n": 10, "t": None}


def test_with_n_the_size_of_the_table_it_is_t_closeness():
    n = sum(map(sum, PAPER))
    strict = NTCloseness(COLUMN, n, 0.1)
    expected = TCloseness(COLUMN, 0.1).measure(paper_classes())
    assert strict.measure(paper_classes()) == pytest.approx(expected)


def test_nothing_is_believed_of_coarser_classes():
    assert NTCloseness.monotone is Monotonicity.NEVER


def test_only_kept_classes_are_looked_at():
    """No region is asked for when the only class that fails is out already."""

    def regions():
        message = "nobody needs it"
        raise AssertionError(message)

    classes = classes_from([[3, 3], [6, 0]], regions=regions)
    kept = np.array([True, False])
    assert NTCloseness(COLUMN, 12, 0.3).select(classes, kept).tolist() == [True, False]


def test_a_cut_is_allowed_where_every_part_is_close_to_some_ancestor():
    """The supersets of a part: what it is cut from, and so on up to the root."""
    parent = Merged(classes_from([[50, 50], [20, 180]]), np.array([0, 0, 1]))
    root = Merged(classes_from([[70, 230]]), np.array([0, 0, 0]))

    def verdict(n, *ancestors):
        parts = classes_from(
            [[30, 30], [20, 20], [2, 18]], [70, 230], regions=lambda: iter(ancestors)
        )
        return NTCloseness(COLUMN, n, 0.01).holds(parts).tolist()

    assert verdict(100, parent, root) == [True, True, True]
    assert verdict(100, root) == [False, False, False]
    assert verdict(101, parent, root) == [False, False, True]


DISTANCES = st.sampled_from(["equal", "ordered", "kernel"])


@given(some_classes(), st.integers(1, 20), st.floats(0, 1), DISTANCES)
def test_equals_the_plain_definition(counts, n, t, distance):
    classes, model = classes_from(counts), NTCloseness(COLUMN, n, t, distance)
    plain = [model.measure_plainly(one) for one in plain_from(classes)]
    assert model.measure(classes) == pytest.approx(plain, abs=1e-12)
