"""(alpha,k)-anonymity: sizes, and the share of the commonest value."""

import numpy as np
import pytest
from hypothesis import given

from handmade import COLUMN, classes_from, plain_from, some_classes
from indistinct.errors import ParameterError
from indistinct.tables.models import AlphaKAnonymity


@pytest.mark.parametrize(
    ("counts", "share"),
    [([1, 1, 1], 1 / 3), ([8, 1, 1], 0.8), ([3, 2, 2, 1], 0.375), ([2, 1], 2 / 3), ([5], 1.0)],
)
def test_measures_the_share_of_the_commonest_value(counts, share):
    classes = classes_from([counts])
    assert AlphaKAnonymity(COLUMN, 0.5, 1).measure(classes) == pytest.approx([share])


def test_a_class_that_is_too_small_fails_whatever_alpha_is():
    classes = classes_from([[1, 1], [2, 2]])
    model = AlphaKAnonymity(COLUMN, 1.0, 3)
    assert model.holds(classes).tolist() == [False, True]
    assert model.achieved(float(model.measure(classes).max())) == {"alpha": None}


def test_alpha_one_asks_for_k_records_only():
    assert AlphaKAnonymity(COLUMN, 1.0, 5).holds(classes_from([[5]])).all()


def test_no_class_below_the_least_size_satisfies():
    assert AlphaKAnonymity(COLUMN, 0.3, 2).least_size == 4


@pytest.mark.parametrize("words", [(0.0, 3), (1.5, 3), (0.5, 0), (float("nan"), 2)])
def test_refuses_parameters_out_of_range(words):
    with pytest.raises(ParameterError):
        AlphaKAnonymity(COLUMN, *words)


@given(some_classes())
def test_equals_the_plain_definition(counts):
    model = AlphaKAnonymity(COLUMN, 0.5, 3)
    classes = classes_from(counts)
    expected = [
        max(row) / sum(row) <= 0.5 + 1e-12 and sum(row) >= 3 for row in np.asarray(counts).tolist()
    ]
    assert model.holds(classes).tolist() == expected
    assert model.measure(classes) == pytest.approx(
        [model.measure_plainly(one) for one in plain_from(classes)]
    )
