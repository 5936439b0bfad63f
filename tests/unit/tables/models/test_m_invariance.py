"""m-invariance of one release: each group has m values, each of them once."""

import pytest
from hypothesis import given

from handmade import COLUMN, classes_from, plain_from, some_classes
from indistinct.tables.models import MInvariance

GROUPS = classes_from([[1, 1, 0], [1, 1, 1], [2, 0, 0], [2, 1, 0], [0, 0, 1]])
DIFFERENT = [2, 3, 0, 0, 1]


def test_a_group_has_as_many_as_it_has_values_unless_one_stands_in_it_twice():
    model = MInvariance(COLUMN, 2)
    assert model.measure(GROUPS).tolist() == DIFFERENT
    assert model.holds(GROUPS).tolist() == [True, True, False, False, False]
    assert [model.measure_plainly(one) for one in plain_from(GROUPS)] == DIFFERENT


@given(some_classes())
def test_both_definitions_agree(counts):
    classes, model = classes_from(counts), MInvariance(COLUMN, 2)
    plain = [model.measure_plainly(one) for one in plain_from(classes)]
    assert model.measure(classes).tolist() == plain


@pytest.mark.parametrize("m", [2, 5])
def test_different_values_need_as_many_records(m):
    model = MInvariance(COLUMN, m)
    assert (model.least_size, model.columns, model.bound) == (m, (COLUMN,), m)
    assert model.achieved(3.0) == {"m": 3}
