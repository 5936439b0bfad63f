"""How many sensitive values a release gives away."""

import numpy as np
import pytest

from indistinct.tables.core.classes import EquivalenceClasses
from indistinct.tables.core.frequencies import ValueCounts
from indistinct.tables.metrics.disclosure import greatest_shares, private_information_disclosure

CLASSES = EquivalenceClasses(
    np.array([10, 4, 6]),
    {
        "disease": ValueCounts(
            np.array([0, 2, 3, 6]),
            np.array([0, 1, 2, 0, 1, 2], np.int32),
            np.array([9, 1, 4, 2, 2, 2]),
        )
    },
)


def test_the_commonest_value_of_each_class():
    assert greatest_shares(CLASSES, "disease").tolist() == pytest.approx([0.9, 1.0, 1 / 3])


@pytest.mark.parametrize(("certain", "share"), [(0.9, 0.7), (0.91, 0.2), (1.0, 0.2), (0.3, 1.0)])
def test_records_of_a_class_in_which_one_value_is_nearly_certain(certain, share):
    assert private_information_disclosure(CLASSES, "disease", certain) == pytest.approx(share)


def test_nine_in_ten_are_taken_for_certain():
    """Unless another share is asked for."""
    assert private_information_disclosure(CLASSES, "disease") == pytest.approx(0.7)


def test_nothing_released_gives_nothing_away():
    nothing = EquivalenceClasses(np.zeros(0, np.int64))
    assert private_information_disclosure(nothing, "disease") == 0.0
