"""delta-disclosure privacy: the logarithm of the ratio of shares."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from handmade import COLUMN, classes_from, plain_from, some_classes
from indistinct.tables.core.protocols import Monotonicity
from indistinct.tables.models import DeltaDisclosure


def test_the_worked_example_is_the_logarithm_of_two():
    classes = classes_from([[3, 1]], table=[2, 2])
    assert DeltaDisclosure(COLUMN, 1.0).measure(classes) == pytest.approx([0.693147], abs=5e-7)


def test_the_bound_itself_is_too_much():
    classes = classes_from([[3, 1]], table=[2, 2])
    assert not DeltaDisclosure(COLUMN, math.log(2)).holds(classes).any()
    assert DeltaDisclosure(COLUMN, math.log(2) + 1e-9).holds(classes).all()


def test_a_value_that_a_class_lacks_violates_unless_ignored():
    classes = classes_from([[2, 0], [1, 3]], table=[3, 3])
    assert DeltaDisclosure(COLUMN, 5.0).holds(classes).tolist() == [False, True]
    ignoring = DeltaDisclosure(COLUMN, 5.0, "ignore")
    assert ignoring.holds(classes).tolist() == [True, True]
    assert ignoring.measure(classes)[0] == pytest.approx(math.log(2))


def test_generalizing_may_break_it():
    """A class of both values is fine, and so is one that lacks none; merging can hide a value."""
    assert DeltaDisclosure.monotone is Monotonicity.NEVER


@given(some_classes(), st.sampled_from(["violates", "ignore"]), st.floats(0.1, 3))
def test_equals_the_plain_definition(counts, absent, delta):
    classes, model = classes_from(counts), DeltaDisclosure(COLUMN, delta, absent)
    q = counts.sum(axis=0) / counts.sum()
    p = counts / counts.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore"):
        fine = np.abs(np.log(p / q)) < delta - 1e-11
    if absent == "ignore":
        fine |= p == 0
    assert model.holds(classes).tolist() == fine.all(axis=1).tolist()
    plain = [model.measure_plainly(one) for one in plain_from(classes)]
    assert model.measure(classes) == pytest.approx(plain)
