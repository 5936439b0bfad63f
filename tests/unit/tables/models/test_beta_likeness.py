"""beta-likeness: the relative gain of every value."""

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from handmade import COLUMN, classes_from, plain_from, some_classes
from indistinct.tables.models import BetaLikeness


def test_the_worked_example_gains_one_half():
    classes = classes_from([[3, 1]], table=[2, 2])
    assert BetaLikeness(COLUMN, 1.0, "basic").measure(classes) == pytest.approx([0.5])
    assert BetaLikeness(COLUMN, 0.5, "basic").holds(classes).all()
    assert not BetaLikeness(COLUMN, 0.49, "basic").holds(classes).any()


def test_enhanced_caps_the_gain_of_a_frequent_value():
    """A value with q = 0.8 may gain at most -ln(0.8) = 0.2231 whatever beta is."""
    within, beyond = [97, 3], [99, 1]
    classes = classes_from([within, beyond], table=[80, 20])
    assert BetaLikeness(COLUMN, 9.0, "basic").holds(classes).tolist() == [True, True]
    assert BetaLikeness(COLUMN, 9.0, "enhanced").holds(classes).tolist() == [True, False]


def test_says_that_no_beta_would_do():
    model = BetaLikeness(COLUMN, 9.0, "enhanced")
    worst = float(model.measure(classes_from([[99, 1]], table=[80, 20]))[0])
    assert model.achieved(worst) == {"beta": None}


def test_a_value_that_the_whole_table_lacks_gains_without_bound():
    assert BetaLikeness(COLUMN, 9.0).measure(classes_from([[1, 1]], table=[2, 0])) == [math.inf]


def test_one_value_in_the_whole_table_cannot_gain():
    assert BetaLikeness(COLUMN, 0.1).measure(classes_from([[3], [4]])) == pytest.approx([0, 0])


@given(some_classes(), st.sampled_from(["basic", "enhanced"]), st.floats(0.05, 4))
def test_equals_the_plain_definition(counts, variant, beta):
    classes, model = classes_from(counts), BetaLikeness(COLUMN, beta, variant)
    q = counts.sum(axis=0) / counts.sum()
    p = counts / counts.sum(axis=1, keepdims=True)
    bounds = np.minimum(beta, -np.log(q)) if variant == "enhanced" else np.full(len(q), beta)
    expected = (((p - q) / q <= bounds + 1e-11) | (p <= q)).all(axis=1)
    assert model.holds(classes).tolist() == expected.tolist()
    plain = [model.measure_plainly(one) for one in plain_from(classes)]
    assert model.measure(classes) == pytest.approx(plain)


@given(some_classes(), st.sampled_from(["basic", "enhanced"]))
def test_merging_all_classes_never_breaks_it(counts, variant):
    model = BetaLikeness(COLUMN, 1.0, variant)
    if model.holds(classes_from(counts)).all():
        merged = classes_from(counts.sum(axis=0, keepdims=True))
        assert model.holds(merged).all()


def test_a_reader_finds_the_same_of_a_value_that_the_whole_table_lacks():
    (one,) = plain_from(classes_from([[1, 1]], table=[2, 0]))
    assert BetaLikeness(COLUMN, 9.0).measure_plainly(one) == math.inf
