"""Risks by the sizes of classes: the specification's example, and their order."""

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


def test_three_classes_in_a_population():
    """f = (2, 3, 5), F = (4, 3, 50): prosecutor .5, journalist .333333, marketer .16 (spec D)."""
    sizes, people = np.array([2, 3, 5]), np.array([4, 3, 50])
    assert prosecutor_risk(sizes) == 0.5
    assert journalist_risk(sizes, people) == pytest.approx(1 / 3)
    assert marketer_risk(sizes, people) == pytest.approx(0.16)


def test_nothing_released_is_no_risk():
    nothing = np.zeros(0, np.int64)
    assert prosecutor_risk(nothing) == journalist_risk(nothing, nothing) == 0.0
    assert marketer_risk(nothing) == marketer_risk(nothing, nothing) == 0.0
    assert mean_prosecutor_risk(nothing) == mean_journalist_risk(nothing, nothing) == 0.0


@given(st.lists(st.tuples(st.integers(1, 50), st.integers(0, 500)), min_size=1, max_size=20))
def test_who_knows_more_risks_more(classes):
    """Prosecutor >= journalist >= marketer, whatever the population."""
    sizes = np.array([size for size, _ in classes])
    people = np.array([size + more for size, more in classes])
    journalist = journalist_risk(sizes, people)
    assert prosecutor_risk(sizes) >= journalist
    assert journalist >= marketer_risk(sizes, people) - 1e-12
