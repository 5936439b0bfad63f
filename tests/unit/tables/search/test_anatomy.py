"""Groups of records with different sensitive values."""

import numpy as np
import pytest
from hypothesis import assume, given, strategies as st

from indistinct.base.randomness import RandomSource
from indistinct.errors import NoSolutionError
from indistinct.tables.search.anatomy import anatomy_groups


@st.composite
def eligible(draw):
    """Draw values of which none is commoner than one in ``least``."""
    values = draw(st.lists(st.integers(0, 5), min_size=2, max_size=60))
    least = draw(st.integers(2, 4))
    assume(max(map(values.count, values)) * least <= len(values))
    return np.unique(values, return_inverse=True)[1].astype(np.int32), least


@given(eligible(), st.integers(0, 9))
def test_groups_hold_different_values_and_enough(problem, seed):
    """No value is twice in a group, so no value takes more than 1/l of it."""
    values, least = problem
    groups = anatomy_groups(values, least, None, RandomSource(seed))
    for group in range(int(groups.max()) + 1):
        members = values[groups == group].tolist()
        assert len(members) >= least
        assert len(set(members)) == len(members)
    assert (groups >= 0).all()
    assert groups.max() + 1 == len(values) // least


def test_a_value_that_is_too_common_is_refused():
    """Two of three alike cannot be spread over groups of two."""
    with pytest.raises(NoSolutionError, match=r"1/2.*66\.67%"):
        anatomy_groups(np.array([0, 0, 1], np.int32), 2, None, RandomSource(1))


def test_a_remedy_is_named_where_there_is_one():
    """Of nine records three are alike: l of 3 is possible, 4 is not."""
    values = np.array([0, 0, 0, 1, 2, 3, 4, 5, 6], np.int32)
    with pytest.raises(NoSolutionError) as refused:
        anatomy_groups(values, 4, None, RandomSource(1))
    assert "at most 3" in refused.value.faults[0].remedy
    assert anatomy_groups(values, 3, None, RandomSource(1)).max() == 2


def test_groups_are_random_and_not_those_of_the_input():
    """Without a seed two runs differ; numbers do not follow the records' order."""
    values = np.arange(200, dtype=np.int32) % 20
    first, second = (anatomy_groups(values, 4, None, RandomSource()) for _ in range(2))
    assert not np.array_equal(first, second)  # equal by chance: less than 1 in 10**100
    assert abs(np.corrcoef(np.arange(200), first)[0, 1]) < 0.5  # false alarm below 1e-9


def test_every_record_of_a_value_is_as_likely_to_meet_any_other():
    """Two values, two records each: both pairings come up equally often.

    1,000 fair draws lie within 5 standard deviations (79) of 500 but for 6 in 10 million.
    """
    values = np.array([0, 0, 1, 1], np.int32)
    together = 0
    for seed in range(1000):
        groups = anatomy_groups(values, 2, None, RandomSource(seed))
        together += int(groups[0] == groups[2])
    assert abs(together - 500) < 79
