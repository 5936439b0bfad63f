"""Confident k-anonymity, as the search sees it."""

import numpy as np
import pytest

from indistinct.errors import ParameterError
from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.models import ConfidentKAnonymity


def test_it_measures_the_size():
    """Classes of 3, 4 and 5 records at k = 4."""
    model = ConfidentKAnonymity(k=4)
    classes = EquivalenceClasses(np.array([3, 4, 5]))
    assert model.measure(classes).tolist() == [3, 4, 5]
    assert model.holds(classes).tolist() == [False, True, True]
    assert model.achieved(3) == {"k": 3}
    assert model.least_size == 4


def test_one_record_is_no_class():
    """k is at least 2."""
    with pytest.raises(ParameterError, match="k"):
        ConfidentKAnonymity(k=1)
