"""A few random cases at each door, and many where there is time."""

import pytest

from fuzz.doors import DOORS, try_case


@pytest.mark.parametrize("door", DOORS)
def test_random_work_goes_through_or_is_refused_in_words(door):
    assert try_case(door, 0)[1] is None


@pytest.mark.slow
@pytest.mark.parametrize("door", DOORS)
def test_much_more_random_work_goes_through_or_is_refused_in_words(door):
    went = 0
    for seed in range(1, 60):
        passed, found = try_case(door, seed)
        assert found is None, (door, seed)
        went += passed
    assert went > 5
