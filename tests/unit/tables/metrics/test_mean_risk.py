"""Risks by the sizes of classes: the worked example, and who risks most."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from indistinct.tables.metrics.risk import (
    journalist_risk,
    marketer_risk,
    mean_journalist_risk,
    mean_prosecutor_risk,
    prosecutor_risk,
)


def test_the_worked_example():
    """Three classes of 2, 3 and 5 records that 4, 3 and 50 people look like."""
    sizes, people = np.array([2, 3, 5]), np.array([4, 3, 50])
    assert prosecutor_risk(sizes) == 0.5
    assert mean_prosecutor_risk(sizes) == pytest.approx(0.3)
    assert journalist_risk(sizes, people) == pytest.approx(1 / 3)
    assert mean_journalist_risk(sizes, people) == pytest.approx(0.16)
    assert marketer_risk(sizes, people) == pytest.approx(0.16)


@given(st.lists(st.tuples(st.integers(1, 20), st.integers(0, 50)), min_size=1, max_size=8))
def test_the_prosecutor_risks_most_and_the_marketer_least(classes):
    """At most and on average."""
    sizes = np.array([size for size, _ in classes])
    people = sizes + np.array([others for _, others in classes])
    marketer = marketer_risk(sizes, people)
    assert prosecutor_risk(sizes) >= journalist_risk(sizes, people) >= marketer - 1e-12
    assert mean_prosecutor_risk(sizes) >= mean_journalist_risk(sizes, people) - 1e-12
    assert mean_journalist_risk(sizes, people) >= marketer


def test_an_empty_release_risks_nothing():
    nothing = np.zeros(0, np.int64)
    assert mean_prosecutor_risk(nothing) == mean_journalist_risk(nothing, nothing) == 0.0
