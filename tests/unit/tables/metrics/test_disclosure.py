"""What is learned of a person whose class is known, on classes counted by hand and by an oracle."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st

from handmade import COLUMN, classes_from, plain_from, some_classes
from indistinct.base.hierarchy import from_levels
from indistinct.tables.core.distances import Distance
from indistinct.tables.metrics.disclosure import (
    exposed_by_background,
    exposed_by_similarity,
    groups_at_level,
    homogeneous,
    learned_information,
    skewness,
)

# gastric ulcer, gastritis, stomach cancer, flu, bronchitis, pneumonia; the first three: stomach.
DISEASES = ["gastric ulcer", "gastritis", "stomach cancer", "flu", "bronchitis", "pneumonia"]
STOMACH = [1, 1, 1, 0, 0, 0]
MIXED = [1, 0, 1, 0, 0, 1]
LUNGS = [0, 0, 0, 2, 1, 1]
MEANINGS = np.array([0, 0, 0, 1, 1, 1], np.int32)


def test_a_class_of_one_value_is_homogeneous():
    classes = classes_from([[4, 0, 0], [3, 1, 0], [0, 0, 1]])
    assert homogeneous(classes, COLUMN).tolist() == [True, False, True]


@pytest.mark.parametrize(("excluded", "expected"), [(0, [0, 0, 0]), (1, [1, 0, 0]), (2, [1, 1, 0])])
def test_values_ruled_out_leave_one(excluded, expected):
    """s values less b ruled out: exposed where at most one is left (s - b <= 1)."""
    classes = classes_from([[3, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 5]])
    assert exposed_by_background(classes, COLUMN, excluded).tolist() == expected


def test_a_test_that_one_in_a_hundred_fails_is_skewed_in_an_even_class():
    """99 % negative in the table, 50 % in the class: belief in "positive" grows 50-fold."""
    found = skewness(classes_from([[50, 50]], table=[9900, 100]), COLUMN)
    assert found.ratio == pytest.approx([50])
    assert found.difference == pytest.approx([0.49])


def test_a_class_like_the_whole_table_adds_nothing():
    found = skewness(classes_from([[2, 4], [1, 2]]), COLUMN)
    assert found.ratio.tolist() == [1, 1]
    assert found.difference.tolist() == [0, 0]


def test_a_value_that_the_table_lacks_gains_without_bound():
    assert skewness(classes_from([[1, 1]], table=[2, 0]), COLUMN).ratio.tolist() == [np.inf]


def test_three_stomach_diseases_have_one_meaning():
    """{gastric ulcer, gastritis, stomach cancer} is vulnerable: one class of three records."""
    classes = classes_from([STOMACH, MIXED, LUNGS])
    exposed = exposed_by_similarity(classes, COLUMN, MEANINGS)
    assert exposed.tolist() == [True, False, True]


def test_low_salaries_are_similar():
    """{20K, 30K, 40K} of 20K .. 100K all lie in the lowest third."""
    classes = classes_from([[1, 1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 1, 0, 0, 1]])
    thirds = np.repeat(np.arange(3, dtype=np.int32), 3)
    assert exposed_by_similarity(classes, COLUMN, thirds).tolist() == [True, False]


def test_meanings_come_from_a_level_of_the_hierarchy():
    groups = ["stomach"] * 3 + ["lungs"] * 3
    hierarchy = from_levels([DISEASES, groups, ["*"] * 6])
    classes = classes_from([STOMACH, MIXED, LUNGS], hierarchy=hierarchy)
    column = classes.sensitive[COLUMN]
    for level, expected in ((0, [0, 0, 0]), (1, [1, 0, 1]), (2, [1, 1, 1])):
        codes = groups_at_level(column, level)
        assert exposed_by_similarity(classes, COLUMN, codes).tolist() == expected


def test_a_column_without_a_hierarchy_has_no_levels():
    with pytest.raises(ValueError, match="has no hierarchy"):
        groups_at_level(classes_from([[1]]).sensitive[COLUMN], 1)


def test_no_classes_have_no_answers():
    classes = classes_from([[1, 1]]).chosen(np.array([False]))
    assert not len(homogeneous(classes, COLUMN))
    assert not len(skewness(classes, COLUMN).ratio)
    assert not len(exposed_by_similarity(classes, COLUMN, np.zeros(2, np.int32)))
    assert learned_information(classes, COLUMN, Distance()) == 0


def test_learned_information_is_the_mean_distance_of_the_records():
    """Three records at distance 1/4 and one at 3/4: 3/8."""
    classes = classes_from([[3, 0], [0, 1]])
    assert learned_information(classes, COLUMN, Distance()) == pytest.approx(0.375)
    assert learned_information(classes_from([[3, 1], [6, 2]]), COLUMN, Distance()) == 0


@given(some_classes(), st.integers(0, 4), st.randoms(use_true_random=False))
def test_equal_the_plain_definitions(counts, excluded, chance):
    classes = classes_from(counts)
    names = classes.sensitive[COLUMN].values
    groups = np.array([chance.randrange(3) for _ in names], np.int32)
    meaning = dict(zip(names, groups.tolist(), strict=True))
    plain = plain_from(classes)
    held = [set(one.counts[COLUMN]) for one in plain]
    assert homogeneous(classes, COLUMN).tolist() == [len(values) == 1 for values in held]
    expected = [len(values) - excluded <= 1 for values in held]
    assert exposed_by_background(classes, COLUMN, excluded).tolist() == expected
    expected = [len(Counter(meaning[value] for value in values)) == 1 for values in held]
    assert exposed_by_similarity(classes, COLUMN, groups).tolist() == expected
    found = skewness(classes, COLUMN)
    total = sum(plain[0].table[COLUMN].counts.values())
    for index, one in enumerate(plain):
        pairs = [
            (count / one.size, one.table[COLUMN].counts[value] / total)
            for value, count in one.counts[COLUMN].items()
        ]
        assert found.ratio[index] == pytest.approx(max(p / q for p, q in pairs))
        assert found.difference[index] == pytest.approx(max(p - q for p, q in pairs), abs=1e-12)
